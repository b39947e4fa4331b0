// Who steers: the player, or nobody, and then the character runs laps by itself.
import {character, lane} from "../plan.js";
import type {Steering} from "../protocol.js";

/** Horizontal velocity that is wished for, m/s, and whether to jump now. */
export interface Wish {
    x: number;
    z: number;
    jump: boolean;
}

/** How long nobody steers before the laps go on, milliseconds. */
const patience = 12_000;
/** Between two jumps of the laps, seconds of simulation. */
const jumpEvery = 7;
/** Nearer to the middle than that, "towards the middle" turns too fast to steer by. */
const blindRadius = 1.5;

export class Pilot {
    autoplay = true;
    private steering: Steering = {right: 0, forward: 0, jump: false};
    private lastInput = -Infinity;
    private sinceJump = 0;
    /** A tap may be over before the next tick, and still counts. */
    private jumpAsked = false;
    /** 1: counter-clockwise, as angles count. */
    private direction = 1;
    /** Of the camera, which looks at the middle. */
    private viewAngle = 0;

    steer(steering: Steering, now: number): void {
        this.steering = steering;
        this.jumpAsked ||= steering.jump;
        if (steering.right !== 0 || steering.forward !== 0 || steering.jump) this.lastInput = now;
    }

    wish(x: number, z: number, seconds: number, now: number): Wish {
        if (Math.hypot(x, z) > blindRadius) this.viewAngle = Math.atan2(x, z);
        if (this.isSteered) this.lastInput = now;
        if (this.autoplay && now - this.lastInput > patience) return this.runLap(x, z, seconds);
        return this.obey();
    }

    private get isSteered(): boolean {
        return this.steering.right !== 0 || this.steering.forward !== 0;
    }

    /** As the camera sees it: forward is towards the middle, right is along the lane. */
    private obey(): Wish {
        const {right, forward} = this.steering;
        const jump = this.steering.jump || this.jumpAsked;
        this.jumpAsked = false;
        const [sine, cosine] = [Math.sin(this.viewAngle), Math.cos(this.viewAngle)];
        const length = Math.max(1, Math.hypot(right, forward));
        const scale = character.speed / length;
        if (right !== 0) this.direction = Math.sign(right);
        return {x: (right * cosine - forward * sine) * scale, z: (-right * sine - forward * cosine) * scale, jump};
    }

    /** Always at exactly the same speed, because the metrics look at the character. Off the lane it runs back to it. */
    private runLap(x: number, z: number, seconds: number): Wish {
        const radius = Math.max(Math.hypot(x, z), 0.1);
        const angle = Math.atan2(x, z) + this.direction * character.speed * seconds / radius;
        const reach = character.speed * seconds * 0.7;
        const next = radius + Math.max(-reach, Math.min(reach, lane.radius - radius));
        const [dx, dz] = [Math.sin(angle) * next - x, Math.cos(angle) * next - z];
        const scale = character.speed / Math.max(Math.hypot(dx, dz), 1e-9);
        this.sinceJump += seconds;
        const jump = this.sinceJump > jumpEvery;
        if (jump) this.sinceJump = 0;
        return {x: dx * scale, z: dz * scale, jump};
    }
}
