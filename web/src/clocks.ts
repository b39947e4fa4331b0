// The clocks of a simulation: FixedStep on the thread that draws, TickPacer on a thread of its own.
import {type Glissade, once} from "./glissade.js";
import {type StateTimes, stepLength} from "./layout.js";
import type {Pointer} from "./native.js";

export interface ClockOptions {
    /** Ticks per second, above 0. */
    rate?: number;
    /** Most ticks that one frame or wake-up runs. */
    maxTicks?: number;
}

/** One tick to run. Times are milliseconds. */
export interface Step {
    tick: number;
    /** When the state that it makes is true, on the simulation's own timeline. */
    time: number;
    duration: number;
    /** For the physics engine: the exact period, seconds. */
    seconds: number;
}

/** What a frame shows between the last two ticks. */
export interface Sample {
    time: number;
    /** 0: at the tick before the newest, 1: at the newest. */
    alpha: number;
    newestTick: number;
}

const defaultRate = 60;
const defaultMaxTicks = 8;

function readSteps(glissade: Glissade, pointer: Pointer, count: number): Float64Array[] {
    const rows = glissade.rows(pointer, count * stepLength);
    return Array.from({length: count}, (_, i) => rows.slice(i * stepLength, (i + 1) * stepLength));
}

function readStep(row: Float64Array): Step {
    return {tick: row[0]!, time: row[1]!, duration: row[2]!, seconds: row[3]!};
}

/** Turns irregular frame times into whole ticks, and says what the frame shows between them. */
export class FixedStep {
    private readonly handle: Pointer;
    private readonly scratch: Float64Array;

    constructor(private readonly glissade: Glissade, options: ClockOptions = {}) {
        const {native} = glissade;
        this.handle = glissade.make(() => native.glissade_fixed_step_create(
            options.rate ?? defaultRate, options.maxTicks ?? defaultMaxTicks));
        this.scratch = glissade.doubles(3);
    }

    /** The ticks to run before the frame of `present` milliseconds is drawn. */
    advanceTo(present: number): Step[] {
        const {native} = this.glissade;
        const count = native.glissade_fixed_step_advance(this.handle, this.glissade.time(present));
        return readSteps(this.glissade, native.glissade_fixed_step_steps(this.handle), count).map(readStep);
    }

    sample(): Sample {
        this.glissade.native.glissade_fixed_step_sample(this.handle, this.scratch.byteOffset);
        return {time: this.scratch[0]!, alpha: this.scratch[1]!, newestTick: this.scratch[2]!};
    }

    set timeScale(scale: number) {
        this.glissade.check(this.glissade.native.glissade_fixed_step_set_time_scale(this.handle, scale));
    }

    set paused(paused: boolean) {
        this.glissade.native.glissade_fixed_step_set_paused(this.handle, paused ? 1 : 0);
    }

    readonly close = once(() => {
        this.glissade.native.glissade_fixed_step_destroy(this.handle);
        this.glissade.free(this.scratch);
    });
}

/** A step with its place in the schedule: give it to Writer.publish(). */
export type PacedStep = Step & Pick<StateTimes, "due" | "epoch">;

/** Keeps a worker on an absolute schedule: tick k is due at T0 + k periods, however late a timer fires. */
export class TickPacer {
    private readonly handle: Pointer;

    /** `start`: the simulation's time before the first tick, milliseconds. */
    constructor(private readonly glissade: Glissade, options: ClockOptions & {start?: number} = {}) {
        const {native} = glissade;
        this.handle = glissade.make(() => native.glissade_pacer_create(
            options.rate ?? defaultRate, options.maxTicks ?? defaultMaxTicks, options.start ?? 0));
    }

    /** The ticks that are due at `now`, oldest first. */
    wake(now: number): PacedStep[] {
        const {native} = this.glissade;
        const count = native.glissade_pacer_wake(this.handle, this.glissade.time(now));
        const epoch = native.glissade_pacer_epoch(this.handle);
        return readSteps(this.glissade, native.glissade_pacer_steps(this.handle), count)
            .map((row) => ({...readStep(row), due: row[4]!, epoch}));
    }

    /** Sleep until then. */
    get nextDue(): number {
        return this.glissade.native.glissade_pacer_next_due(this.handle);
    }

    get epoch(): number {
        return this.glissade.native.glissade_pacer_epoch(this.handle);
    }

    set timeScale(scale: number) {
        this.glissade.check(this.glissade.native.glissade_pacer_set_time_scale(this.handle, scale));
    }

    set paused(paused: boolean) {
        this.glissade.native.glissade_pacer_set_paused(this.handle, paused ? 1 : 0);
    }

    readonly close = once(() => {
        this.glissade.native.glissade_pacer_destroy(this.handle);
    });
}
