// Where states come from: the worker, or a file. Both tell the time that their states are dated by.
import {createReader, type Channel, type ObjectId, type Reader, type State} from "../src/index.js";

export interface Feed {
    /** What the metrics look at, and what the camera follows. */
    readonly character: ObjectId;
    readonly cameraTarget: ObjectId;
    /** A time of the page on the clock of the feed. Milliseconds, both. */
    toOwnClock(pageTime: number): number;
    /** The next state that has arrived, oldest first; null if all were taken. Valid until the next call. */
    next(now: number): State | null;
}

/** The states of the worker, as they arrive. */
export class LiveFeed implements Feed {
    character: ObjectId = 0;
    cameraTarget: ObjectId = 0;
    private readonly reader: Reader;

    constructor(channel: Channel) {
        this.reader = createReader(channel);
    }

    toOwnClock(pageTime: number): number {
        return pageTime;
    }

    next(now: number): State | null {
        return this.reader.next(now);
    }
}
