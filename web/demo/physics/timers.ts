// What wakes the simulation up: the three ways that are compared. They differ in when a tick runs, and in what it says
// about that.
import {TickPacer, type Glissade} from "../../src/index.js";
import type {TimerName} from "../protocol.js";

/** A tick to run and to publish. Milliseconds, but for the engine's step. */
export interface Tick {
    /** When the state that it makes is true, on the simulation's timeline. */
    time: number;
    duration: number;
    /** For the engine. */
    seconds: number;
    /** When it should have run; null: nobody can know. */
    due: number | null;
    /** How often this timer gave time up. */
    epoch: number;
    /** The last one before a pause. */
    paused: boolean;
}

/** Who runs the ticks. */
export interface TickHost {
    readonly glissade: Glissade;
    /** The page's clock. */
    now(): number;
    /** The time of the newest state: a timer goes on from there. */
    readonly time: number;
    run(tick: Tick): void;
}

export interface TickTimer {
    start(): void;
    stop(): void;
    set timeScale(scale: number);
    set paused(paused: boolean);
}

/**
 * As everybody writes it: step, publish, setTimeout(period). The work of the tick and the lateness of the timer add up,
 * so that the simulation runs slower than real time, and no tick has a time at which it was due.
 */
class FixedTimeout implements TickTimer {
    timeScale = 1;
    private wantsPause = false;
    private resting = false;
    private handle: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly host: TickHost, private readonly rate: number) {}

    set paused(paused: boolean) {
        this.wantsPause = paused;
        if (!paused) this.resting = false;
    }

    start(): void {
        this.loop();
    }

    stop(): void {
        clearTimeout(this.handle);
    }

    private readonly loop = (): void => {
        const duration = 1000 / this.rate;
        if (!this.resting) {
            this.host.run({
                time: this.host.time + duration, duration, seconds: duration / 1000, due: null, epoch: 0,
                paused: this.wantsPause,
            });
            this.resting = this.wantsPause;
        }
        this.handle = setTimeout(this.loop, duration / this.timeScale);
    };
}

/** The absolute schedule: whenever it wakes, it runs what is due. */
class Schedule {
    private readonly pacer: TickPacer;
    private wantsPause = false;

    constructor(private readonly host: TickHost, rate: number) {
        this.pacer = new TickPacer(host.glissade, {rate, start: host.time});
    }

    set timeScale(scale: number) {
        this.pacer.timeScale = scale;
    }

    /** The next tick still runs, because it is the one that tells the page of the pause. */
    set paused(paused: boolean) {
        this.wantsPause = paused;
        if (!paused) this.pacer.paused = false;
    }

    runDue(): void {
        const steps = this.pacer.wake(this.host.now());
        steps.forEach((step, index) =>
            this.host.run({...step, paused: this.wantsPause && index === steps.length - 1}));
        if (this.wantsPause && steps.length > 0) this.pacer.paused = true;
    }

    /** Milliseconds to sleep. */
    get untilNext(): number {
        return Math.max(0, this.pacer.nextDue - this.host.now());
    }

    close(): void {
        this.pacer.close();
    }
}

/** What sleeps between the ticks of a schedule. */
abstract class Scheduled implements TickTimer {
    protected readonly schedule: Schedule;

    constructor(host: TickHost, rate: number) {
        this.schedule = new Schedule(host, rate);
    }

    set timeScale(scale: number) {
        this.schedule.timeScale = scale;
    }

    set paused(paused: boolean) {
        this.schedule.paused = paused;
    }

    start(): void {
        this.wake();
    }

    abstract stop(): void;
    /** Runs what is due, and sleeps again. */
    protected abstract wake(): void;
}

/** Sleeps with setTimeout until the next tick is due. It wakes about a millisecond late, which adds up to nothing. */
class AbsoluteTimeout extends Scheduled {
    private handle: ReturnType<typeof setTimeout> | undefined;

    stop(): void {
        clearTimeout(this.handle);
        this.schedule.close();
    }

    protected wake(): void {
        this.schedule.runDue();
        this.handle = setTimeout(() => this.wake(), this.schedule.untilNext);
    }
}

/** The longest sleep: the worker hears no message meanwhile. */
const longestWait = 50;

/** Sleeps with Atomics.wait, which wakes within a fraction of a millisecond, and lets messages in after each sleep. */
class AtomicsWait extends Scheduled {
    private readonly cell = new Int32Array(new SharedArrayBuffer(4));
    private readonly bell = new MessageChannel();
    private stopped = false;

    constructor(host: TickHost, rate: number) {
        super(host, rate);
        this.bell.port1.onmessage = () => this.wake();
    }

    stop(): void {
        this.stopped = true;
        this.bell.port1.close();
        this.schedule.close();
    }

    protected wake(): void {
        if (this.stopped) return;
        this.schedule.runDue();
        const wait = Math.min(this.schedule.untilNext, longestWait);
        if (wait > 0) Atomics.wait(this.cell, 0, 0, wait);
        this.bell.port2.postMessage(null);
    }
}

/** Whether this worker can sleep in shared memory. */
export const canWait = typeof SharedArrayBuffer !== "undefined";

const makers: Record<TimerName, new (host: TickHost, rate: number) => TickTimer> = {
    fixed: FixedTimeout,
    absolute: AbsoluteTimeout,
    atomics: canWait ? AtomicsWait : AbsoluteTimeout,
};

export function makeTimer(name: TimerName, host: TickHost, rate: number): TickTimer {
    return new makers[name](host, rate);
}
