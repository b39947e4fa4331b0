// The structs of native/glissade.h, which are rows of doubles, as typed objects.

/** Names an object; 0 names nothing. Never reused. */
export type ObjectId = number;
export type Vector3 = readonly [number, number, number];
/** x, y, z, w */
export type Quaternion = readonly [number, number, number, number];

/** Numbers of an object in Writer.rows and State.rows(). */
export const rowLength = 14; // glissade_row
/** Numbers of an object in the poses of a Playout or Method. */
export const drawnLength = 8; // glissade_drawn
export const timesLength = 8; // glissade_times
export const stepLength = 5; // glissade_step
export const reportLength = 12; // glissade_report
export const scoreLength = 11; // glissade_score

/** Where an object is, and how it moves, after a tick. */
export interface Pose {
    position: Vector3;
    rotation?: Quaternion;
    /** Metres per second. */
    velocity?: Vector3;
    /** Radians per second. */
    angularVelocity?: Vector3;
}

/** The times of one state. All milliseconds. */
export interface StateTimes {
    /** The source's number of it. */
    tick: number;
    /** When it is true, on the source's own timeline. */
    time: number;
    /** Since the state before. */
    duration: number;
    /** When it was scheduled; null: the source keeps no schedule. */
    due: number | null;
    /** When it was handed over, the page's clock. */
    published: number;
    /** Source time per real time. */
    timeScale: number;
    paused: boolean;
    /** Changes when the source gave time up. */
    epoch: number;
}

const still: Vector3 = [0, 0, 0];
const unturned: Quaternion = [0, 0, 0, 1];

export function writeRow(row: Float64Array, id: ObjectId, pose: Pose): void {
    row[0] = id;
    row.set(pose.position, 1);
    row.set(pose.rotation ?? unturned, 4);
    row.set(pose.velocity ?? still, 8);
    row.set(pose.angularVelocity ?? still, 11);
}

export function writeTimes(out: Float64Array, times: StateTimes): void {
    out.set([
        times.tick, times.time, times.duration, times.due ?? NaN, times.published, times.timeScale,
        times.paused ? 1 : 0, times.epoch,
    ]);
}

export function readTimes(from: Float64Array): StateTimes {
    const [tick, time, duration, due, published, timeScale, paused, epoch] = from as unknown as number[];
    return {
        tick: tick!, time: time!, duration: duration!, due: Number.isNaN(due) ? null : due!, published: published!,
        timeScale: timeScale!, paused: paused !== 0, epoch: epoch!,
    };
}
