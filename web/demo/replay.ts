// A trace file as a feed: its states arrive again, in real time, for the frames of this display.
import {Trace, type Glissade, type ObjectId, type State} from "../src/index.js";
import type {Feed} from "./feed.js";

export class ReplayFeed implements Feed {
    readonly name: string;
    readonly character: ObjectId;
    readonly cameraTarget: ObjectId;
    readonly tick: number | null;
    readonly ids: readonly ObjectId[];
    private readonly trace: Trace;
    private offset: number | null = null;

    /** Throws with the line and the reason if the text is no trace. */
    constructor(glissade: Glissade, text: string) {
        this.trace = new Trace(glissade, text);
        this.name = this.trace.name;
        this.tick = this.trace.tick;
        this.ids = this.trace.ids;
        this.character = this.ids[0] ?? 0;
        this.cameraTarget = this.character;
    }

    toOwnClock(pageTime: number): number {
        this.offset ??= this.trace.first - pageTime;
        return pageTime + this.offset;
    }

    next(now: number): State | null {
        let line = this.trace.next(now);
        // The frames of the file were those of another display; this one has its own.
        while (line?.kind === "frame") line = this.trace.next(now);
        return line?.state ?? null;
    }

    isOver(now: number): boolean {
        return now > this.trace.last;
    }

    /** From the beginning again. */
    rewind(): void {
        this.trace.rewind();
        this.offset = null;
    }

    close(): void {
        this.trace.close();
    }
}
