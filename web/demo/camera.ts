// The camera of one side. It follows what that side draws, because a camera cannot be smoother than its target.
import {FollowCamera, type Glissade, type Vector3} from "../src/index.js";
import type {Settings} from "./settings.js";

export interface View {
    eye: Vector3;
    lookAt: Vector3;
}

const distance = 6.6;
const height = 1.9;
const lookAbove = 1.5;
/** 1/s. */
const damping = 10;
/** A longer way in one frame is no run. Metres. */
const jumpLength = 3;
/** Nearer to the middle than that, the angle towards it turns too fast to look along it. */
const blindRadius = 1.5;
const replayYaw = 0.5;
const fixedView: View = {eye: [0, 13, 25], lookAt: [0, 0.4, 0.5]};

/**
 * The wrong way, shown on purpose: a fixed part of the way in each frame. How far the camera lags then depends on how
 * long frames last, so that it shakes with every uneven frame, and feels different on a display of 144 Hz.
 */
class PerFrameCamera {
    private static readonly part = 0.15;
    private follow: Vector3 | null = null;

    update(target: Vector3, yaw: number, jumped: boolean): View {
        const from = jumped || !this.follow ? target : this.follow;
        const step = (axis: 0 | 1 | 2): number => from[axis] + (target[axis] - from[axis]) * PerFrameCamera.part;
        this.follow = [step(0), step(1), step(2)];
        const [x, y, z] = this.follow;
        const lookAt: Vector3 = [x, y + lookAbove, z];
        return {lookAt, eye: [x + Math.sin(yaw) * distance, lookAt[1] + height, z + Math.cos(yaw) * distance]};
    }
}

export class CameraRig {
    private readonly perSecond: FollowCamera;
    private readonly perFrame = new PerFrameCamera();
    private last: Vector3 | null = null;
    private cuts = 0;
    private yaw = 0;

    constructor(glissade: Glissade) {
        this.perSecond = new FollowCamera(glissade, {distance, height, damping});
    }

    /**
     * The view of a frame `elapsed` milliseconds after the last one. On the plaza the camera stands outside and looks
     * at the middle, so that the character runs across the picture; a replay has no middle.
     */
    update(target: Vector3, elapsed: number, {camera, damping: kind}: Readonly<Settings>, onPlaza: boolean): View {
        const jumped = this.last !== null && distanceBetween(this.last, target) > jumpLength;
        if (jumped) ++this.cuts; // A teleport or a portal: the camera does not sweep across the plaza.
        this.last = target;
        if (!onPlaza) this.yaw = replayYaw;
        else if (Math.hypot(target[0], target[2]) > blindRadius) this.yaw = Math.atan2(target[0], target[2]);
        // Both go on, so that a change of the setting starts from where the other one is.
        const wrong = this.perFrame.update(target, this.yaw, jumped);
        const right = this.perSecond.update(target, this.yaw, this.cuts, elapsed);
        if (camera === "fixed" && onPlaza) return fixedView;
        return kind === "frame" ? wrong : right;
    }
}

function distanceBetween(a: Vector3, b: Vector3): number {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
