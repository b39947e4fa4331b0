// A trace file as a feed: its states arrive again, in real time, for the frames of this display.
import {GlissadeError, loadGlissade, Trace, type Glissade, type ObjectId, type State} from "../src/index.js";
import type {Feed} from "./feed.js";

/** A trace in memory takes several times its text: reserved, and given back with the feed. */
const memoryBytes = 512 * 1024 * 1024;
const mostTextBytes = 32 * 1024 * 1024;

export class ReplayFeed implements Feed {
    readonly name: string;
    readonly character: ObjectId | null;
    readonly cameraTarget: ObjectId | null;
    readonly capacity: number;
    readonly tick: number | null;
    readonly ids: readonly ObjectId[];
    private readonly trace: Trace;
    private offset: number | null = null;

    /** In an instance of its own, so that no file can take the page's memory. Rejects with the reason if it is no trace. */
    static async open(module: WebAssembly.Module, text: string): Promise<ReplayFeed> {
        if (text.length > mostTextBytes) throw new GlissadeError("the file is larger than 32 MB: glissade replay reads it");
        return new ReplayFeed(await loadGlissade({wasm: module, memoryBytes}), text);
    }

    private constructor(readonly glissade: Glissade, text: string) {
        this.trace = new Trace(glissade, text);
        this.name = this.trace.name;
        this.tick = this.trace.tick;
        this.ids = this.trace.ids;
        this.capacity = Math.max(1, this.ids.length);
        this.character = this.ids[0] ?? null;
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
