// The lab's methods: the ways to draw motion that everybody tries, and playout, by the same states and frames.
import {type Glissade, once} from "./glissade.js";
import {drawnLength} from "./layout.js";
import type {Pointer} from "./native.js";
import type {State} from "./reader.js";

export interface MethodInfo {
    name: string;
    /** What it does and what is seen, one line. */
    line: string;
    /** Made with this library; the others are the well-known attempts. */
    ours: boolean;
}

/** All of them, `playout` first. */
export function listMethods(glissade: Glissade): MethodInfo[] {
    const {native} = glissade;
    return Array.from({length: native.glissade_method_count()}, (_, number) => ({
        name: glissade.text(native.glissade_method_name(number)),
        line: glissade.text(native.glissade_method_line(number)),
        ours: native.glissade_method_is_ours(number) !== 0,
    }));
}

export interface MethodOptions {
    /** The length of a tick, milliseconds; left out if ticks vary. */
    tick?: number;
    maxObjects?: number;
}

/** When a frame is made. Milliseconds. */
export interface FrameTimes {
    /** Counts up. */
    frame: number;
    /** performance.now() in the frame's code. */
    cpu: number;
    /** The display's own stamp: the argument of requestAnimationFrame. */
    present?: number;
}

/** Draws frames from the states that have arrived so far, in the way that its name says. */
export class Method {
    /** Objects drawn in the last frame. */
    size = 0;
    /** @internal */
    readonly handle: Pointer;

    constructor(private readonly glissade: Glissade, readonly name: string, options: MethodOptions = {}) {
        this.handle = glissade.withText(name, (pointer) => glissade.make(() => glissade.native.glissade_method_create(
            pointer, options.tick ?? NaN, options.maxObjects ?? 1024)));
    }

    /** A state arrived. */
    take(state: State): void {
        this.glissade.native.glissade_method_tick(this.handle, state.pointer);
    }

    /** What this frame shows: for each object id, position (3), rotation (x, y, z, w). Valid until the next call. */
    draw({frame, cpu, present}: FrameTimes): Float64Array {
        const {native} = this.glissade;
        this.size = native.glissade_method_frame(this.handle, frame, this.glissade.time(cpu), present ?? NaN);
        return this.poses;
    }

    get poses(): Float64Array {
        return this.glissade.rows(this.glissade.native.glissade_method_poses(this.handle), this.size * drawnLength);
    }

    /** The source time that the last frame aimed at, milliseconds. */
    get sample(): number {
        return this.glissade.native.glissade_method_sample(this.handle);
    }

    /** How far behind the source the last frame was, milliseconds. */
    get delay(): number {
        return this.glissade.native.glissade_method_delay(this.handle);
    }

    readonly close = once(() => {
        this.glissade.native.glissade_method_destroy(this.handle);
    });
}
