// Two methods side by side: the same states and the same frames for both, and a recording of all of it.
import {
    Method, Recording, type Diagnosis, type FrameTimes, type Glissade, type MethodInfo, type ObjectId, type Score,
    type State,
} from "../src/index.js";
import {Stopwatch} from "./timing.js";

export type SideNumber = 0 | 1;
export const sides: readonly SideNumber[] = [0, 1];

export interface ComparisonOptions {
    /** What the recording is called. */
    name: string;
    /** The length of a tick, milliseconds; null if ticks vary. */
    tick: number | null;
    /** What each side draws with. */
    methods: readonly [MethodInfo, MethodInfo];
    /** What is recorded. */
    watched: readonly ObjectId[];
    /** Most objects at a time. */
    capacity: number;
}

/** When a frame is made, on the clock of the feed. */
export interface PageFrame {
    frame: number;
    cpu: number;
    /** The argument of requestAnimationFrame. */
    stamp: number;
}

const recordedSeconds = 20;
const judgedSeconds = 4;
/** A method that has just begun knows nothing of its source yet: its first frames are not judged. Milliseconds. */
const settling = 2000;

export class Comparison {
    readonly stopwatches = [new Stopwatch(), new Stopwatch()] as const;
    private readonly methods: [Method, Method];
    private readonly infos: [MethodInfo, MethodInfo];
    private readonly recording: Recording;
    private readonly shape: {tick?: number; maxObjects: number};
    private settledFrom: number | null = null;
    private isSettled = false;

    constructor(private readonly glissade: Glissade, {name, tick, methods, watched, capacity}: ComparisonOptions) {
        const length = tick === null ? {} : {tick};
        this.shape = {...length, maxObjects: capacity};
        this.infos = [...methods];
        this.methods = [this.makeMethod(methods[0]), this.makeMethod(methods[1])];
        this.recording = new Recording(glissade, {name, ...length, seconds: recordedSeconds, sides: sides.length});
        for (const id of watched) this.recording.watch(id);
    }

    /** From now on a side draws in another way. */
    choose(side: SideNumber, info: MethodInfo): void {
        this.methods[side].close();
        this.methods[side] = this.makeMethod(info);
        this.infos[side] = info;
        this.settleAgain();
    }

    /** What was drawn until now says nothing about what comes. */
    settleAgain(): void {
        this.recording.clear();
        this.settledFrom = null;
        this.isSettled = false;
    }

    take(state: State): void {
        for (const side of sides) this.stopwatches[side].add(() => this.methods[side].take(state));
        this.recording.state(state);
    }

    /** What the frame shows on each side: rows of id, position, rotation. Valid until the next call. */
    draw(frame: PageFrame, clock: "display" | "cpu"): readonly [Float64Array, Float64Array] {
        this.settle(frame.cpu);
        this.recording.frame({frame: frame.frame, cpu: frame.cpu, present: frame.stamp});
        return [this.drawSide(0, frame, clock), this.drawSide(1, frame, clock)];
    }

    score(side: SideNumber, id: ObjectId): Score {
        return this.recording.score(side, id, judgedSeconds);
    }

    diagnose(side: SideNumber): Diagnosis {
        return this.recording.diagnose(side);
    }

    traceText(): string {
        return this.recording.traceText();
    }

    drawnText(side: SideNumber): string {
        return this.recording.drawnText(side);
    }

    clearRecording(): void {
        this.recording.clear();
    }

    close(): void {
        for (const method of this.methods) method.close();
        this.recording.close();
    }

    private settle(cpu: number): void {
        this.settledFrom ??= cpu + settling;
        if (this.isSettled || cpu < this.settledFrom) return;
        this.isSettled = true;
        this.recording.clear();
    }

    private drawSide(side: SideNumber, frame: PageFrame, clock: "display" | "cpu"): Float64Array {
        const method = this.methods[side];
        const poses = this.stopwatches[side].add(() => method.draw(frameTimes(frame, clock, this.infos[side].ours)));
        this.stopwatches[side].endFrame();
        this.recording.drawn(side, method);
        return poses;
    }

    private makeMethod(info: MethodInfo): Method {
        return new Method(this.glissade, info.name, this.shape);
    }
}

/** The usual attempts know one clock only, so the display's stamp reaches them as that. */
function frameTimes({frame, cpu, stamp}: PageFrame, clock: "display" | "cpu", ours: boolean): FrameTimes {
    if (clock === "cpu") return {frame, cpu};
    return ours ? {frame, cpu, present: stamp} : {frame, cpu: stamp};
}
