// Where states come from: the worker, or a file. Both tell the time that their states are dated by.
import {createReader, type Channel, type Glissade, type ObjectId, type Reader, type State} from "../src/index.js";

export interface Feed {
    /** The instance that its states are of. */
    readonly glissade: Glissade;
    /** What the metrics look at, and what the camera follows; null: not known yet. */
    readonly character: ObjectId | null;
    readonly cameraTarget: ObjectId | null;
    /** Most objects at a time. */
    readonly capacity: number;
    /** A time of the page on the clock of the feed. Milliseconds, both. */
    toOwnClock(pageTime: number): number;
    /** The next state that has arrived, oldest first; null if all were taken. Valid until the next call. */
    next(now: number): State | null;
}

/** The states of the worker, as they arrive. */
export class LiveFeed implements Feed {
    readonly glissade: Glissade;
    readonly capacity: number;
    character: ObjectId | null = null;
    cameraTarget: ObjectId | null = null;
    private readonly reader: Reader;

    constructor(channel: Channel) {
        this.glissade = channel.glissade;
        this.capacity = channel.ticket.capacity;
        this.reader = createReader(channel);
    }

    toOwnClock(pageTime: number): number {
        return pageTime;
    }

    next(now: number): State | null {
        return this.reader.next(now);
    }
}
