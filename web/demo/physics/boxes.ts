// Boxes that rain on the cone and tumble outwards. One that has come to rest, or fell off the edge, rains again.
import RAPIER from "@dimforge/rapier3d-compat";
import {rowLength, type ObjectId, type Pose, type Writer} from "../../src/index.js";
import {cone, plaza} from "../plan.js";
import type {BoxLook} from "../protocol.js";

/** A box of these is never seen to lie around for long. */
const restSpeed = 0.3;
const restSeconds = 0.7;
const mostSeconds = 16;
const colourCount = 6;

interface Box {
    id: ObjectId;
    body: RAPIER.RigidBody;
    resting: number;
    age: number;
}

const between = (low: number, high: number): number => low + Math.random() * (high - low);

export class Boxes {
    private readonly all: Box[] = [];

    constructor(private readonly world: RAPIER.World, private readonly writer: Writer) {}

    get size(): number {
        return this.all.length;
    }

    /** Adds boxes above the cone, the later the higher. How they look is for the page. */
    spawn(count: number): BoxLook[] {
        return Array.from({length: count}, (_, index) => this.add(between(4, 6 + index * 0.05)));
    }

    /** After the engine's step: boxes that are done go back to the top. That is a teleport, and is told as one. */
    recycle(seconds: number): void {
        for (const box of this.all) {
            box.age += seconds;
            box.resting = this.isSlow(box) ? box.resting + seconds : 0;
            if (box.resting > restSeconds || box.age > mostSeconds || this.isLost(box)) this.drop(box);
        }
    }

    /** Where all of them are, into the rows of the writer from `first` on; the number of the row behind them. */
    fillRows(first: number): number {
        const {rows} = this.writer;
        let at = first * rowLength;
        for (const {id, body} of this.all) {
            const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
            rows[at] = id;
            rows[at + 1] = p.x; rows[at + 2] = p.y; rows[at + 3] = p.z;
            rows[at + 4] = q.x; rows[at + 5] = q.y; rows[at + 6] = q.z; rows[at + 7] = q.w;
            rows[at + 8] = v.x; rows[at + 9] = v.y; rows[at + 10] = v.z;
            rows[at + 11] = w.x; rows[at + 12] = w.y; rows[at + 13] = w.z;
            at += rowLength;
        }
        return first + this.all.length;
    }

    private add(height: number): BoxLook {
        const half = [between(0.14, 0.36), between(0.14, 0.36), between(0.14, 0.36)] as const;
        const body = this.world.createRigidBody(RAPIER.RigidBodyDesc.dynamic());
        const shape = RAPIER.ColliderDesc.cuboid(...half).setRestitution(0.35).setFriction(0.35).setDensity(0.4);
        this.world.createCollider(shape, body);
        this.throwIn(body, height);
        const box = {id: this.writer.add(poseOf(body)), body, resting: 0, age: between(0, mostSeconds / 2)};
        this.all.push(box);
        return {
            id: box.id, size: [half[0] * 2, half[1] * 2, half[2] * 2], colour: Math.floor(Math.random() * colourCount),
        };
    }

    private drop(box: Box): void {
        box.resting = 0;
        box.age = 0;
        this.throwIn(box.body, between(7, 12));
        this.writer.cut(box.id, poseOf(box.body));
    }

    private throwIn(body: RAPIER.RigidBody, height: number): void {
        const angle = between(0, 2 * Math.PI);
        const radius = Math.sqrt(Math.random()) * cone.radius * 0.6;
        const [x, z] = [Math.sin(angle), Math.cos(angle)];
        const outwards = between(0.5, 2);
        body.setTranslation({x: x * radius, y: height, z: z * radius}, true);
        body.setLinvel({x: x * outwards, y: 0, z: z * outwards}, true);
        body.setAngvel({x: between(-5, 5), y: between(-5, 5), z: between(-5, 5)}, true);
    }

    private isSlow({body}: Box): boolean {
        const v = body.linvel();
        return Math.hypot(v.x, v.y, v.z) < restSpeed;
    }

    private isLost({body}: Box): boolean {
        const {x, y, z} = body.translation();
        return y < -6 || Math.hypot(x, z) > plaza.radius + 8;
    }
}

function poseOf(body: RAPIER.RigidBody): Pose {
    const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    return {
        position: [p.x, p.y, p.z], rotation: [q.x, q.y, q.z, q.w], velocity: [v.x, v.y, v.z],
        angularVelocity: [w.x, w.y, w.z],
    };
}
