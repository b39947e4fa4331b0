// The page's end, state by state: for methods, recordings, and who blends by hand.
import type {Channel} from "./channel.js";
import {type Glissade, once} from "./glissade.js";
import {readTimes, rowLength, type StateTimes, timesLength} from "./layout.js";
import type {Pointer} from "./native.js";

/** A state with its times. Valid until its source is asked for the next one. */
export class State {
    /** @internal */
    constructor(private readonly glissade: Glissade, /** @internal */ readonly pointer: Pointer) {}

    times(): StateTimes {
        const out = this.glissade.doubles(timesLength);
        this.glissade.native.glissade_tick_times(this.pointer, out.byteOffset);
        const times = readTimes(out);
        this.glissade.free(out);
        return times;
    }

    get size(): number {
        return this.glissade.native.glissade_tick_count(this.pointer);
    }

    /** A copy of all objects: rows of 14 numbers as Writer.rows has them. */
    rows(): Float64Array {
        const size = this.size;
        if (size === 0) return new Float64Array(0);
        const out = this.glissade.doubles(size * rowLength);
        this.glissade.native.glissade_tick_rows(this.pointer, out.byteOffset);
        const copy = out.slice();
        this.glissade.free(out);
        return copy;
    }
}

/** Becomes the reader of a channel. Throws if it has one already: a Reader or a Playout. */
export function createReader(channel: Channel): Reader {
    return new Reader(channel);
}

/** Takes the states of a channel in their order. Never waits for the worker. */
export class Reader {
    private readonly handle: Pointer;

    /** @internal */
    constructor(readonly channel: Channel) {
        const {glissade, link} = channel;
        this.handle = glissade.make(() => glissade.native.glissade_reader_create(link.pointer, link.bytes));
    }

    /** The next state, oldest first; null when all were taken. `cpu`: performance.now(). */
    next(cpu: number): State | null {
        const {glissade} = this.channel;
        const pointer = glissade.native.glissade_reader_next(this.handle, glissade.time(cpu));
        return pointer === 0 ? null : new State(this.channel.glissade, pointer);
    }

    /** States that were overwritten before they were taken, because frames stayed away. */
    get skippedCount(): number {
        return this.channel.glissade.native.glissade_reader_skipped(this.handle);
    }

    /** Leaves the channel: another reader may join. */
    readonly close = once(() => {
        this.channel.glissade.native.glissade_reader_destroy(this.handle);
    });
}
