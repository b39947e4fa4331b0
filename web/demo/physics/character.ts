// The character: a capsule that Rapier's character controller moves over what stands fast. It pushes boxes aside.
import RAPIER from "@dimforge/rapier3d-compat";
import type {Pose, Quaternion, Vector3} from "../../src/index.js";
import {character as plan, lane} from "../plan.js";
import type {Wish} from "./pilot.js";

const gravity = -15;
/** How fast it reaches the speed that is wished for, m/s^2. */
const agility = {ground: 45, air: 14};
/** How fast it turns to where it runs, 1/s. */
const turning = 14;
const skin = 0.02;
/** From the feet to the middle of the capsule. */
const middle = plan.halfHeight + plan.radius + skin;

export class Character {
    private readonly body: RAPIER.RigidBody;
    private readonly collider: RAPIER.Collider;
    private readonly controller: RAPIER.KinematicCharacterController;
    private position = {x: 0, y: middle, z: lane.radius};
    private velocity = {x: 0, y: 0, z: 0};
    private heading = Math.PI / 2;
    private grounded = true;

    constructor(world: RAPIER.World) {
        const {x, y, z} = this.position;
        this.body = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(x, y, z));
        this.collider = world.createCollider(RAPIER.ColliderDesc.capsule(plan.halfHeight, plan.radius), this.body);
        this.controller = world.createCharacterController(skin);
        this.controller.enableAutostep(0.4, 0.2, false);
        this.controller.enableSnapToGround(0.25);
        this.controller.setMaxSlopeClimbAngle(0.9);
    }

    /** Feet. */
    get place(): Vector3 {
        return [this.position.x, this.position.y - middle, this.position.z];
    }

    /** Before the engine's step of the same length. */
    step(wish: Wish, seconds: number): void {
        this.accelerate(wish, seconds);
        if (wish.jump && this.grounded) this.velocity.y = plan.jumpSpeed;
        else this.velocity.y = this.grounded ? 0 : this.velocity.y + gravity * seconds;
        const wanted = {
            x: this.velocity.x * seconds, y: this.velocity.y * seconds, z: this.velocity.z * seconds,
        };
        this.controller.computeColliderMovement(this.collider, wanted, RAPIER.QueryFilterFlags.EXCLUDE_DYNAMIC);
        const moved = this.controller.computedMovement();
        this.grounded = this.controller.computedGrounded() && this.velocity.y <= 0;
        this.position.x += moved.x;
        this.position.y += moved.y;
        this.position.z += moved.z;
        this.body.setNextKinematicTranslation(this.position);
        this.turn(seconds);
    }

    /** Puts the feet somewhere else, turned by `angle` about the vertical with all its motion. */
    put([x, y, z]: Vector3, angle: number): void {
        const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
        this.position = {x, y: y + middle, z};
        this.velocity = {
            x: this.velocity.x * cosine + this.velocity.z * sine,
            y: this.velocity.y,
            z: this.velocity.z * cosine - this.velocity.x * sine,
        };
        this.heading += angle;
        this.body.setTranslation(this.position, true);
    }

    get pose(): Pose {
        const rotation: Quaternion = [0, Math.sin(this.heading / 2), 0, Math.cos(this.heading / 2)];
        const {x, y, z} = this.velocity;
        return {position: this.place, rotation, velocity: [x, y, z]};
    }

    private accelerate(wish: Wish, seconds: number): void {
        const [dx, dz] = [wish.x - this.velocity.x, wish.z - this.velocity.z];
        const most = (this.grounded ? agility.ground : agility.air) * seconds;
        const part = Math.min(1, most / Math.max(Math.hypot(dx, dz), 1e-9));
        this.velocity.x += dx * part;
        this.velocity.z += dz * part;
    }

    private turn(seconds: number): void {
        if (Math.hypot(this.velocity.x, this.velocity.z) < 0.3) return;
        const wanted = Math.atan2(this.velocity.x, this.velocity.z);
        const gap = Math.atan2(Math.sin(wanted - this.heading), Math.cos(wanted - this.heading));
        this.heading += gap * (1 - Math.exp(-turning * seconds));
    }
}
