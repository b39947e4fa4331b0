// A trace file, replayed line by line.
import {type Glissade, once} from "./glissade.js";
import type {ObjectId} from "./layout.js";
import type {FrameTimes} from "./methods.js";
import type {Pointer} from "./native.js";
import {State} from "./reader.js";

/** A line of a trace as it happened. */
export type TraceLine = {kind: "state"; state: State} | {kind: "frame"; frame: FrameTimes};

export class Trace {
    readonly name: string;
    /** The length of a tick, milliseconds; null if ticks vary. */
    readonly tick: number | null;
    /** When the first and the last line happened, milliseconds of the reader's clock then. */
    readonly first: number;
    readonly last: number;
    readonly frameCount: number;
    /** All its objects. */
    readonly ids: ObjectId[];
    private readonly handle: Pointer;
    private readonly scratch: Float64Array;

    /** Throws with the line and the reason if the text is no trace. */
    constructor(private readonly glissade: Glissade, text: string) {
        const {native} = glissade;
        this.handle = glissade.withText(text, (pointer, length) =>
            glissade.make(() => native.glissade_trace_create(pointer, length)));
        this.scratch = glissade.doubles(3);
        this.name = glissade.text(native.glissade_trace_name(this.handle));
        const tick = native.glissade_trace_tick_ms(this.handle);
        this.tick = Number.isNaN(tick) ? null : tick;
        this.first = native.glissade_trace_first_ms(this.handle);
        this.last = native.glissade_trace_last_ms(this.handle);
        this.frameCount = native.glissade_trace_frame_count(this.handle);
        this.ids = this.readIds();
    }

    /** The next line that happened at or before `until`; null if there is none yet. */
    next(until: number): TraceLine | null {
        const {native} = this.glissade;
        const kind = native.glissade_trace_next(this.handle, until);
        if (kind === 0) return null;
        if (kind === 1) return {kind: "state", state: new State(this.glissade, native.glissade_trace_tick(this.handle))};
        native.glissade_trace_frame(this.handle, this.scratch.byteOffset);
        const [frame, cpu, present] = this.scratch as unknown as number[];
        return {kind: "frame", frame: {frame: frame!, cpu: cpu!, ...(Number.isNaN(present) ? {} : {present: present!})}};
    }

    /** From the beginning again. */
    rewind(): void {
        this.glissade.native.glissade_trace_rewind(this.handle);
    }

    readonly close = once(() => {
        this.glissade.native.glissade_trace_destroy(this.handle);
        this.glissade.free(this.scratch);
    });

    private readIds(): ObjectId[] {
        const {native} = this.glissade;
        const count = native.glissade_trace_ids(this.handle, 0, 0);
        if (count === 0) return [];
        const out = this.glissade.doubles(count);
        native.glissade_trace_ids(this.handle, out.byteOffset, count);
        const ids = Array.from(out);
        this.glissade.free(out);
        return ids;
    }
}
