// A camera that follows what is drawn, with a damping that does not depend on the frame rate.
import {type Glissade, once} from "./glissade.js";
import type {Quaternion, Vector3} from "./layout.js";
import type {Pointer} from "./native.js";

export interface FollowCameraOptions {
    /** Behind the target, metres. */
    distance?: number;
    /** Above the target, metres. */
    height?: number;
    /** How fast it catches up, 1/s; 0: at once. */
    damping?: number;
}

export interface CameraView {
    eye: Vector3;
    lookAt: Vector3;
    rotation: Quaternion;
}

export class FollowCamera {
    private readonly handle: Pointer;
    private readonly position: Float64Array;
    private readonly view: Float64Array;

    constructor(private readonly glissade: Glissade, {distance = 6, height = 2, damping = 10}: FollowCameraOptions = {}) {
        this.handle = glissade.make(() => glissade.native.glissade_camera_create(distance, height, damping));
        this.position = glissade.doubles(3);
        this.view = glissade.doubles(10);
    }

    /** The view `elapsed` milliseconds of presented time after the last one; a changed `cuts` jumps. */
    update(position: Vector3, yaw: number, cuts: number, elapsed: number): CameraView {
        this.position.set(position);
        this.glissade.native.glissade_camera_update(
            this.handle, this.position.byteOffset, yaw, cuts, elapsed, this.view.byteOffset);
        const [ex, ey, ez, lx, ly, lz, qx, qy, qz, qw] = this.view as unknown as number[];
        return {eye: [ex!, ey!, ez!], lookAt: [lx!, ly!, lz!], rotation: [qx!, qy!, qz!, qw!]};
    }

    readonly close = once(() => {
        this.glissade.native.glissade_camera_destroy(this.handle);
        this.glissade.free(this.position);
        this.glissade.free(this.view);
    });
}
