// The last seconds of what arrived and what was drawn: judged by the lab's own metrics, examined by its doctor, saved.
import {type Glissade, once} from "./glissade.js";
import {type ObjectId, scoreLength} from "./layout.js";
import type {FrameTimes, Method} from "./methods.js";
import type {Pointer} from "./native.js";
import type {State} from "./reader.js";

export interface RecordingOptions {
    name?: string;
    /** The length of a tick, milliseconds; left out if ticks vary. */
    tick?: number;
    /** How much of the past it keeps. */
    seconds?: number;
    /** Drawings of the same frames side by side, 1 to 4. */
    sides?: number;
}

/** How smooth an object was. Null: nothing that could be judged. */
export interface Score {
    /** RMS of how far each frame's rate is off 1; 0 is perfect. */
    rateError: number | null;
    /** Behind the newest state carried on to the frame, milliseconds. */
    lag: number | null;
    /** What the method itself says it is behind, milliseconds. */
    delay: number | null;
    /** Of the ticks, milliseconds. */
    latenessP50: number;
    latenessP99: number;
    frames: number;
    underruns: number | null;
    held: number | null;
    jumps: number | null;
    backward: number | null;
    streaks: number;
}

/** What the doctor found, worst first. */
export interface Diagnosis {
    healthy: boolean;
    findings: {name: string; severity: number; what: string; evidence: string; cure: string}[];
    notes: string[];
}

/** Beyond every side: of the trace alone. */
const noSide = 0xffff;

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

export class Recording {
    private readonly handle: Pointer;
    private readonly figures: Float64Array;

    constructor(private readonly glissade: Glissade, options: RecordingOptions = {}) {
        const {name = "page", tick = NaN, seconds = 20, sides = 1} = options;
        this.handle = glissade.withText(name, (pointer) =>
            glissade.make(() => glissade.native.glissade_recording_create(pointer, tick, seconds, sides)));
        this.figures = glissade.doubles(scoreLength);
    }

    /** Records this object. At most 64; all others cost nothing. */
    watch(id: ObjectId): void {
        this.glissade.check(this.glissade.native.glissade_recording_watch(this.handle, id));
    }

    // In the order in which they happened: states as they were read, then the frame, then what each side drew in it.

    state(state: State): void {
        this.glissade.native.glissade_recording_tick(this.handle, state.pointer);
    }

    frame({frame, cpu, present}: FrameTimes): void {
        this.glissade.native.glissade_recording_frame(this.handle, frame, cpu, present ?? NaN);
    }

    drawn(side: number, method: Method): void {
        this.glissade.native.glissade_recording_drawn(this.handle, side, method.handle);
    }

    clear(): void {
        this.glissade.native.glissade_recording_clear(this.handle);
    }

    /** The last `seconds` of one object as a side drew it. */
    score(side: number, id: ObjectId, seconds: number): Score {
        const {native} = this.glissade;
        this.glissade.check(native.glissade_recording_score(this.handle, side, id, seconds, this.figures.byteOffset));
        const [rateError, lag, delay, latenessP50, latenessP99, frames, underruns, held, jumps, backward, streaks] =
            this.figures as unknown as number[];
        return {
            rateError: known(rateError!), lag: known(lag!), delay: known(delay!), latenessP50: latenessP50!,
            latenessP99: latenessP99!, frames: frames!, underruns: known(underruns!), held: known(held!),
            jumps: known(jumps!), backward: known(backward!), streaks: streaks!,
        };
    }

    /** What `glissade doctor`, `replay` and `score` read. */
    traceText(): string {
        return this.glissade.measuredText((length) =>
            this.glissade.native.glissade_recording_trace_text(this.handle, length));
    }

    /** What a side drew: the second file that `glissade doctor` and `score` read. */
    drawnText(side: number): string {
        return this.glissade.measuredText((length) =>
            this.glissade.native.glissade_recording_drawn_text(this.handle, side, length));
    }

    /** What `glissade doctor` would say of a side, or of the trace alone. */
    diagnose(side?: number): Diagnosis {
        const {native} = this.glissade;
        const diagnosis = this.glissade.make(() => native.glissade_diagnosis_create(this.handle, side ?? noSide));
        const text = (pointer: Pointer): string => this.glissade.text(pointer);
        const list = <T>(length: number, read: (number: number) => T): T[] =>
            Array.from({length}, (_, number) => read(number));
        const told = {
            healthy: native.glissade_diagnosis_healthy(diagnosis) !== 0,
            findings: list(native.glissade_diagnosis_count(diagnosis), (number) => ({
                name: text(native.glissade_diagnosis_name(diagnosis, number)),
                severity: native.glissade_diagnosis_severity(diagnosis, number),
                what: text(native.glissade_diagnosis_what(diagnosis, number)),
                evidence: text(native.glissade_diagnosis_evidence(diagnosis, number)),
                cure: text(native.glissade_diagnosis_cure(diagnosis, number)),
            })),
            notes: list(native.glissade_diagnosis_note_count(diagnosis), (number) =>
                text(native.glissade_diagnosis_note(diagnosis, number))),
        };
        native.glissade_diagnosis_destroy(diagnosis);
        return told;
    }

    readonly close = once(() => {
        this.glissade.native.glissade_recording_destroy(this.handle);
        this.glissade.free(this.figures);
    });
}
