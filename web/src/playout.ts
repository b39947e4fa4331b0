// The page's end in one call a frame: where everything is on the screen.
import type {Channel} from "./channel.js";
import {once} from "./glissade.js";
import {drawnLength, type ObjectId, type Quaternion, reportLength, type Vector3} from "./layout.js";
import type {Pointer} from "./native.js";

export interface PlayoutOptions {
    /** Show exactly that far behind the source, milliseconds. By default as far as the lateness of states asks for. */
    fixedDelay?: number;
}

/** How a source is doing. Times are milliseconds. */
export interface PlayoutReport {
    delay: number;
    tick: number;
    latenessP50: number;
    latenessP995: number;
    /** Source time per real time. */
    rate: number;
    /** The source says when ticks are due. */
    scheduled: boolean;
    states: number;
    frames: number;
    /** Frames that showed a time after the newest state. */
    underruns: number;
    /** Frames that stood because there was no data. */
    held: number;
    /** Times that the source lost or reset its time. */
    relocks: number;
    /** The source time that the last frame shows; null before the first. */
    sample: number | null;
}

/** A drawn object. */
export interface DrawnPose {
    position: Vector3;
    rotation: Quaternion;
}

/**
 * Plays the states of a channel back by the time that they stand for, a measured delay behind: present() once a frame,
 * then draw. Never waits for the worker.
 */
export class Playout {
    /** Visible objects of the last present(). */
    size = 0;
    private readonly handle: Pointer;
    private readonly figures: Float64Array;
    private rowOf: Map<ObjectId, number> | null = null;

    constructor(readonly channel: Channel, options: PlayoutOptions = {}) {
        const {glissade, link} = channel;
        const {native} = glissade;
        this.handle = glissade.make(() => native.glissade_playout_create(link.pointer, link.bytes, options.fixedDelay ?? NaN));
        this.figures = glissade.doubles(reportLength);
    }

    /**
     * Works out where everything is in this frame. `cpu`: performance.now(); `stamp`: the argument of
     * requestAnimationFrame, if you have it. Returns how many objects are visible.
     */
    present(cpu: number, stamp?: number): number {
        const {glissade} = this.channel;
        this.size = glissade.native.glissade_playout_present(this.handle, glissade.time(cpu), stamp ?? NaN);
        this.rowOf = null;
        return this.size;
    }

    /** A matrix of 16 numbers by columns for each visible object: as three.js and WebGL take it. Valid until present(). */
    get matrices(): Float32Array {
        const {glissade} = this.channel;
        const begin = glissade.native.glissade_playout_matrices(this.handle) / 4;
        return glissade.f32.subarray(begin, begin + this.size * 16);
    }

    /** For each visible object id, position (3), rotation (x, y, z, w). Row i goes with matrix i. Valid until present(). */
    get poses(): Float64Array {
        const {glissade} = this.channel;
        return glissade.rows(glissade.native.glissade_playout_poses(this.handle), this.size * drawnLength);
    }

    /** One object; null if it is not visible. */
    find(id: ObjectId): DrawnPose | null {
        const poses = this.poses;
        if (!this.rowOf) {
            this.rowOf = new Map();
            for (let row = 0; row < this.size; ++row) this.rowOf.set(poses[row * drawnLength]!, row);
        }
        const row = this.rowOf.get(id);
        if (row === undefined) return null;
        const [, x, y, z, qx, qy, qz, qw] = poses.subarray(row * drawnLength, (row + 1) * drawnLength) as unknown as number[];
        return {position: [x!, y!, z!], rotation: [qx!, qy!, qz!, qw!]};
    }

    report(): PlayoutReport {
        this.channel.glissade.native.glissade_playout_report(this.handle, this.figures.byteOffset);
        const [delay, tick, latenessP50, latenessP995, rate, scheduled, states, frames, underruns, held, relocks, sample] =
            this.figures as unknown as number[];
        return {
            delay: delay!, tick: tick!, latenessP50: latenessP50!, latenessP995: latenessP995!, rate: rate!,
            scheduled: scheduled !== 0, states: states!, frames: frames!, underruns: underruns!, held: held!,
            relocks: relocks!, sample: Number.isNaN(sample) ? null : sample!,
        };
    }

    /** Leaves the channel: another reader may join. */
    readonly close = once(() => {
        this.channel.glissade.native.glissade_playout_destroy(this.handle);
        this.channel.glissade.free(this.figures);
    });
}
