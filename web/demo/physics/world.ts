// The world: what stands fast, the boxes, the character. Knows nothing of real time.
import RAPIER from "@dimforge/rapier3d-compat";
import type {ObjectId, Vector3, Writer} from "../../src/index.js";
import {blocks, cone, lane, onCircle, plaza} from "../plan.js";
import type {BoxLook} from "../protocol.js";
import {Boxes} from "./boxes.js";
import {Character} from "./character.js";
import type {Wish} from "./pilot.js";

/** The engine takes no longer step than that: a box would fall through the floor at 5 ticks a second. */
const longestStep = 1 / 60;
const warmUpSteps = 50;
/** The character below this has fallen off the plaza. */
const abyss = -4;

export class PhysicsWorld {
    readonly characterId: ObjectId;
    /** Goes where the character goes: the camera follows it, as it is drawn. */
    readonly cameraTargetId: ObjectId;
    private readonly world = new RAPIER.World({x: 0, y: -9.81, z: 0});
    private readonly character: Character;
    private readonly boxes: Boxes;

    constructor(private readonly writer: Writer) {
        this.world.numSolverIterations = 2; // Nobody sees the difference in a heap of boxes.
        this.buildGround();
        this.character = new Character(this.world);
        this.boxes = new Boxes(this.world, writer);
        this.characterId = writer.add(this.character.pose);
        this.cameraTargetId = writer.add(this.character.pose);
    }

    get boxCount(): number {
        return this.boxes.size;
    }

    get place(): Vector3 {
        return this.character.place;
    }

    spawn(count: number): BoxLook[] {
        return this.boxes.spawn(count);
    }

    /** Lets the boxes fall for a while, so that the first picture has them everywhere. */
    warmUp(): void {
        for (let i = 0; i < warmUpSteps; ++i) {
            this.world.step();
            this.boxes.recycle(this.world.timestep);
        }
    }

    step(seconds: number, wish: (seconds: number) => Wish): void {
        const count = Math.max(1, Math.ceil(seconds / longestStep - 1e-6));
        this.world.timestep = seconds / count;
        for (let i = 0; i < count; ++i) {
            this.character.step(wish(seconds / count), seconds / count);
            this.world.step();
        }
        this.boxes.recycle(seconds);
        if (this.character.place[1] < abyss) this.teleport();
    }

    /** Tells the writer where everything is. */
    tell(): void {
        this.writer.move(this.characterId, this.character.pose);
        this.writer.move(this.cameraTargetId, this.character.pose);
        this.writer.moveRows(this.boxes.fillRows(0));
    }

    /** To the lane on the far side: it was not on the way there. */
    teleport(): void {
        const [x, , z] = this.character.place;
        const turn = 0.8 * Math.PI;
        const [newX, newZ] = onCircle(Math.atan2(x, z) + turn, lane.radius);
        this.character.put([newX, 0, newZ], turn);
        this.writer.cut(this.characterId, this.character.pose);
        this.writer.cut(this.cameraTargetId, this.character.pose);
    }

    /** Half a turn round the middle, with all of its motion: it runs on as if the two places were one. */
    goThroughPortal(): {from: Vector3; to: Vector3} {
        const from = this.character.place;
        const to: Vector3 = [-from[0], from[1], -from[2]];
        this.character.put(to, Math.PI);
        for (const id of [this.characterId, this.cameraTargetId]) this.writer.shift(id, [0, 0, 0], [0, 1, 0, 0]);
        return {from, to};
    }

    private buildGround(): void {
        const fixed = this.world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
        const ground = RAPIER.ColliderDesc.cylinder(plaza.thickness / 2, plaza.radius);
        this.world.createCollider(ground.setTranslation(0, -plaza.thickness / 2, 0), fixed);
        const hill = RAPIER.ColliderDesc.cone(cone.height / 2, cone.radius).setFriction(0.15).setRestitution(0.4);
        this.world.createCollider(hill.setTranslation(0, cone.height / 2, 0), fixed);
        for (const {centre, half, yaw, pitch} of blocks) {
            const block = RAPIER.ColliderDesc.cuboid(...half).setTranslation(...centre);
            this.world.createCollider(block.setRotation(turned(yaw, pitch)), fixed);
        }
    }
}

/** About the vertical by `yaw`, after a tilt about x by `pitch`. */
function turned(yaw: number, pitch: number): {x: number; y: number; z: number; w: number} {
    const [sy, cy, sp, cp] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(pitch / 2), Math.cos(pitch / 2)];
    return {x: cy * sp, y: sy * cp, z: -sy * sp, w: cy * cp};
}
