// All boxes in one draw call, at the places that a side drew them at.
//
// Not instanced: a box is eight corners, which is as little data as a matrix, and renderers without a GPU, where tests
// run, draw one mesh many times faster than a thousand instances.
import * as THREE from "three";
import {drawnLength, type ObjectId, type Vector3} from "../../src/index.js";
import type {BoxLook} from "../protocol.js";
import type {Palette} from "./palette.js";

const mostBoxes = 1024;
const cornerCount = 8;
const numbersPerBox = cornerCount * 3;

/** Corners are numbered by their signs: bit 0 is x, bit 1 is y, bit 2 is z. Counter-clockwise from outside. */
const triangles = [
    [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5], [0, 1, 5], [0, 5, 4],
    [2, 6, 7], [2, 7, 3], [0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6],
].flat();

/** The corners of a box of `size` at the pose of `row`, into `out` at `at`. */
function writeCorners(out: Float32Array, at: number, poses: Float64Array, row: number, size: BoxLook["size"]): void {
    const [qx, qy, qz, qw] = [poses[row + 4]!, poses[row + 5]!, poses[row + 6]!, poses[row + 7]!];
    const [sx, sy, sz] = size;
    // Half an edge of the turned box along each of its axes: the columns of the rotation matrix are twice these.
    const [ax, ay, az] = [(0.5 - qy * qy - qz * qz) * sx, (qx * qy + qz * qw) * sx, (qx * qz - qy * qw) * sx];
    const [bx, by, bz] = [(qx * qy - qz * qw) * sy, (0.5 - qx * qx - qz * qz) * sy, (qy * qz + qx * qw) * sy];
    const [cx, cy, cz] = [(qx * qz + qy * qw) * sz, (qy * qz - qx * qw) * sz, (0.5 - qx * qx - qy * qy) * sz];
    for (let corner = 0; corner < cornerCount; ++corner) {
        const [a, b, c] = [corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1];
        out[at + corner * 3] = poses[row + 1]! + a * ax + b * bx + c * cx;
        out[at + corner * 3 + 1] = poses[row + 2]! + a * ay + b * by + c * cy;
        out[at + corner * 3 + 2] = poses[row + 3]! + a * az + b * bz + c * cz;
    }
}

export class BoxMesh {
    readonly mesh: THREE.Mesh;
    private readonly geometry = new THREE.BufferGeometry();
    private readonly looks = new Map<ObjectId, BoxLook>();
    private readonly corners = attribute();
    private readonly colours = attribute();
    /** Whose colour each box of the geometry has. */
    private readonly painted = new Float64Array(mostBoxes).fill(NaN);
    private palette: readonly THREE.Color[] = [];

    constructor() {
        const upwards = attribute(); // Shading takes the faces' own; shadows ask for some normal.
        for (let i = 1; i < upwards.array.length; i += 3) upwards.array[i] = 1;
        const indices = Array.from({length: mostBoxes}, (_, box) =>
            triangles.map((corner) => box * cornerCount + corner));
        this.geometry.setAttribute("position", this.corners);
        this.geometry.setAttribute("color", this.colours);
        this.geometry.setAttribute("normal", upwards);
        this.geometry.setIndex(indices.flat());
        const material = new THREE.MeshLambertMaterial({flatShading: true, vertexColors: true});
        this.mesh = new THREE.Mesh(this.geometry, material);
        this.mesh.frustumCulled = false; // They are everywhere.
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
    }

    get size(): number {
        return this.looks.size;
    }

    learn(looks: readonly BoxLook[]): void {
        for (const look of looks) this.looks.set(look.id, look);
    }

    forgetAll(): void {
        this.looks.clear();
        this.painted.fill(NaN);
    }

    /** The first ones. */
    ids(count: number): ObjectId[] {
        return [...this.looks.keys()].slice(0, count);
    }

    paint(palette: Palette): void {
        this.palette = palette.boxes.map((hex) => new THREE.Color(hex));
        this.painted.fill(NaN);
    }

    /** `hidden`: nothing is shown exactly there. */
    place(poses: Float64Array, hidden: Vector3 | null = null): void {
        let count = 0;
        for (let row = 0; row < poses.length; row += drawnLength) {
            const look = this.looks.get(poses[row]!);
            if (!look || count === mostBoxes || (hidden && isAt(poses, row, hidden))) continue;
            writeCorners(this.corners.array, count * numbersPerBox, poses, row, look.size);
            if (this.painted[count] !== look.id) this.colour(count, look);
            ++count;
        }
        this.geometry.setDrawRange(0, count * triangles.length);
        this.corners.clearUpdateRanges();
        this.corners.addUpdateRange(0, count * numbersPerBox);
        this.corners.needsUpdate = true;
    }

    private colour(box: number, look: BoxLook): void {
        this.painted[box] = look.id;
        const colour = this.palette[look.colour % this.palette.length];
        for (let corner = 0; corner < cornerCount; ++corner) {
            colour?.toArray(this.colours.array, box * numbersPerBox + corner * 3);
        }
        this.colours.needsUpdate = true;
    }
}

function isAt(poses: Float64Array, row: number, [x, y, z]: Vector3): boolean {
    return poses[row + 1] === x && poses[row + 2] === y && poses[row + 3] === z;
}

function attribute(): THREE.BufferAttribute & {array: Float32Array} {
    const made = new THREE.BufferAttribute(new Float32Array(mostBoxes * numbersPerBox), 3);
    return made.setUsage(THREE.DynamicDrawUsage) as THREE.BufferAttribute & {array: Float32Array};
}
