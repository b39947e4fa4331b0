// All boxes in one draw call, at the places that a side drew them at.
import * as THREE from "three";
import type {ObjectId} from "../../src/index.js";
import type {BoxLook} from "../protocol.js";
import type {Palette} from "./palette.js";

const mostBoxes = 1024;
const rowLength = 8;
const matrixLength = 16;

/** A matrix of place, rotation and size into `out`, by columns; by hand, because there are a thousand in each frame. */
function compose(out: Float32Array, at: number, poses: Float64Array, row: number, size: BoxLook["size"]): void {
    const [qx, qy, qz, qw] = [poses[row + 4]!, poses[row + 5]!, poses[row + 6]!, poses[row + 7]!];
    const [sx, sy, sz] = size;
    out[at] = (1 - 2 * (qy * qy + qz * qz)) * sx;
    out[at + 1] = 2 * (qx * qy + qz * qw) * sx;
    out[at + 2] = 2 * (qx * qz - qy * qw) * sx;
    out[at + 3] = 0;
    out[at + 4] = 2 * (qx * qy - qz * qw) * sy;
    out[at + 5] = (1 - 2 * (qx * qx + qz * qz)) * sy;
    out[at + 6] = 2 * (qy * qz + qx * qw) * sy;
    out[at + 7] = 0;
    out[at + 8] = 2 * (qx * qz + qy * qw) * sz;
    out[at + 9] = 2 * (qy * qz - qx * qw) * sz;
    out[at + 10] = (1 - 2 * (qx * qx + qy * qy)) * sz;
    out[at + 11] = 0;
    out[at + 12] = poses[row + 1]!;
    out[at + 13] = poses[row + 2]!;
    out[at + 14] = poses[row + 3]!;
    out[at + 15] = 1;
}

export class BoxMesh {
    readonly mesh: THREE.InstancedMesh;
    private readonly looks = new Map<ObjectId, BoxLook>();
    private readonly matrices: Float32Array;
    private readonly colours: Float32Array;
    private palette: readonly THREE.Color[] = [];

    constructor() {
        this.mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshLambertMaterial(), mostBoxes);
        this.mesh.frustumCulled = false; // They are everywhere.
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        this.colours = new Float32Array(mostBoxes * 3);
        this.mesh.instanceColor = new THREE.InstancedBufferAttribute(this.colours, 3).setUsage(THREE.DynamicDrawUsage);
        this.matrices = this.mesh.instanceMatrix.array as Float32Array;
    }

    get size(): number {
        return this.looks.size;
    }

    learn(looks: readonly BoxLook[]): void {
        for (const look of looks) this.looks.set(look.id, look);
    }

    forgetAll(): void {
        this.looks.clear();
    }

    /** The first ones. */
    ids(count: number): ObjectId[] {
        return [...this.looks.keys()].slice(0, count);
    }

    paint(palette: Palette): void {
        this.palette = palette.boxes.map((hex) => new THREE.Color(hex));
    }

    place(poses: Float64Array): void {
        let count = 0;
        for (let row = 0; row < poses.length; row += rowLength) {
            const look = this.looks.get(poses[row]!);
            if (!look || count === mostBoxes) continue;
            compose(this.matrices, count * matrixLength, poses, row, look.size);
            this.palette[look.colour % this.palette.length]?.toArray(this.colours, count * 3);
            ++count;
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor!.needsUpdate = true;
    }
}
