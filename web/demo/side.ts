// One side of the picture: what its method drew, the camera that looks at it, and its way for the plot.
import {drawnLength, type Glissade, type ObjectId, type Vector3} from "../src/index.js";
import {CameraRig} from "./camera.js";
import {Trail} from "./trail.js";
import type {Drawn} from "./view/scene.js";


export class Side {
    readonly rig: CameraRig;
    readonly trail = new Trail();
    character: Drawn | null = null;
    private kept = new Float64Array();
    private keptLength = 0;

    constructor(glissade: Glissade) {
        this.rig = new CameraRig(glissade);
    }

    /** The rows of the last frame in which anything was drawn: a method that has just begun draws nothing yet. */
    get poses(): Float64Array {
        return this.kept.subarray(0, this.keptLength);
    }

    get place(): Vector3 {
        return this.character?.position ?? [0, 0, 0];
    }

    take(poses: Float64Array, character: ObjectId | null): void {
        if (poses.length === 0) return;
        if (poses.length > this.kept.length) this.kept = new Float64Array(2 * poses.length);
        this.kept.set(poses);
        this.keptLength = poses.length;
        this.character = character === null ? null : this.find(character);
    }

    clear(): void {
        this.keptLength = 0;
        this.character = null;
        this.trail.clear();
    }

    find(id: ObjectId): Drawn | null {
        for (let row = 0; row < this.keptLength; row += drawnLength) {
            if (this.kept[row] === id) return this.drawnAt(row);
        }
        return null;
    }

    private drawnAt(row: number): Drawn {
        const [, x, y, z, qx, qy, qz, qw] = this.kept.subarray(row, row + drawnLength) as unknown as number[];
        return {position: [x!, y!, z!], rotation: [qx!, qy!, qz!, qw!]};
    }
}
