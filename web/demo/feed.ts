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
    /** Hands over every state that has arrived, oldest first. A state is valid until `take` returns. */
    read(cpu: number, take: (state: State) => void): void;
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

    read(cpu: number, take: (state: State) => void): void {
        for (let state = this.reader.next(cpu); state; state = this.reader.next(cpu)) take(state);
    }
}
