// Where states come from: the worker, or a file. Both tell the time that their states are dated by.
import {createReader, type Channel, type ObjectId, type Reader, type State} from "../src/index.js";

/** Milliseconds of the feed's clock. */
export interface FeedClock {
    cpu: number;
    stamp: number;
}

export interface Feed {
    /** What the metrics look at, and what the camera follows. */
    readonly character: ObjectId;
    readonly cameraTarget: ObjectId;
    /** The page's times of this frame on the clock of the feed. */
    clock(cpu: number, stamp: number): FeedClock;
    /** The next state that has arrived, oldest first; null if all were taken. Valid until the next call. */
    next(cpu: number): State | null;
}

/** The states of the worker, as they arrive. */
export class LiveFeed implements Feed {
    character: ObjectId = 0;
    cameraTarget: ObjectId = 0;
    private readonly reader: Reader;

    constructor(channel: Channel) {
        this.reader = createReader(channel);
    }

    clock(cpu: number, stamp: number): FeedClock {
        return {cpu, stamp};
    }

    next(cpu: number): State | null {
        return this.reader.next(cpu);
    }
}
