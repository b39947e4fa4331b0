// The character as it looks: a small runner whose feet move by the way that was drawn.
import * as THREE from "three";
import {character} from "../plan.js";
import type {Palette} from "./palette.js";

/** Metres from one step of a foot to its next. */
const stride = 2.2;
const hip = 0.62;

export class Runner {
    readonly group = new THREE.Group();
    private readonly body = new THREE.Group();
    private readonly legs: readonly [THREE.Group, THREE.Group];
    private readonly arms: readonly [THREE.Mesh, THREE.Mesh];
    private readonly shadow: THREE.Mesh;
    private readonly coat = new THREE.MeshLambertMaterial();
    private readonly skin = new THREE.MeshLambertMaterial();
    private readonly visor = new THREE.MeshLambertMaterial();
    private readonly last = new THREE.Vector3();
    private way = 0;
    private pace = 0;

    constructor(private readonly side: 0 | 1) {
        this.buildBody();
        this.legs = [this.buildLeg(-0.15), this.buildLeg(0.15)];
        this.arms = [this.buildArm(-0.38), this.buildArm(0.38)];
        this.shadow = new THREE.Mesh(
            new THREE.CircleGeometry(0.5, 24).rotateX(-Math.PI / 2),
            new THREE.MeshBasicMaterial({color: 0x000000, transparent: true, opacity: 0.22, depthWrite: false}));
        this.group.add(this.body, this.shadow);
        this.body.traverse((part) => { part.castShadow = true; });
    }

    paint(palette: Palette): void {
        this.coat.color.setHex(palette.accents[this.side]);
        this.skin.color.setHex(palette.skin);
        this.visor.color.setHex(palette.visor);
    }

    /** Feet at that place, looking along +z of the rotation. */
    place(position: THREE.Vector3, rotation: THREE.Quaternion, cheapShadow: boolean): void {
        const step = Math.hypot(position.x - this.last.x, position.z - this.last.z);
        if (step < 1) this.way += step;
        this.pace += (Math.min(step / 0.06, 1) - this.pace) * 0.15;
        this.last.copy(position);
        this.body.position.copy(position);
        this.body.quaternion.copy(rotation);
        this.shadow.visible = cheapShadow && position.y > -0.1;
        this.shadow.position.set(position.x, 0.03, position.z);
        this.shadow.scale.setScalar(1 / (1 + position.y * 0.6));
        this.swing(position.y > 0.35);
    }

    private swing(inTheAir: boolean): void {
        const phase = this.way / stride * 2 * Math.PI;
        const swing = inTheAir ? 0.5 : Math.sin(phase) * 0.85 * this.pace;
        this.legs[0].rotation.x = swing;
        this.legs[1].rotation.x = -swing;
        this.arms[0].rotation.x = -swing * 0.8;
        this.arms[1].rotation.x = swing * 0.8;
    }

    private buildBody(): void {
        const torso = new THREE.Mesh(new THREE.CapsuleGeometry(character.radius * 0.82, 0.42, 6, 16), this.coat);
        torso.position.y = 0.92;
        const head = new THREE.Mesh(new THREE.SphereGeometry(0.25, 20, 14), this.skin);
        head.position.y = 1.56;
        const visor = new THREE.Mesh(new THREE.SphereGeometry(0.2, 16, 10), this.visor);
        visor.position.set(0, 1.58, 0.1);
        visor.scale.set(1, 0.55, 0.9);
        this.body.add(torso, head, visor);
    }

    private buildLeg(x: number): THREE.Group {
        const leg = new THREE.Group();
        const shin = new THREE.Mesh(new THREE.CapsuleGeometry(0.1, 0.36, 4, 10), this.visor);
        shin.position.y = -0.28;
        const foot = new THREE.Mesh(new THREE.SphereGeometry(0.13, 12, 8), this.skin);
        foot.position.set(0, -0.53, 0.06);
        foot.scale.set(0.85, 0.6, 1.4);
        leg.add(shin, foot);
        leg.position.set(x, hip, 0);
        this.body.add(leg);
        return leg;
    }

    private buildArm(x: number): THREE.Mesh {
        const geometry = new THREE.CapsuleGeometry(0.08, 0.34, 4, 10).translate(0, -0.22, 0);
        const arm = new THREE.Mesh(geometry, this.coat);
        arm.position.set(x, 1.2, 0);
        this.body.add(arm);
        return arm;
    }
}
