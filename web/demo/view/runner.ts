// The character as it looks: a small runner whose feet move by the way that was drawn.
import * as THREE from "three";
import {character} from "../plan.js";
import {PaintedMesh, type Shape} from "./painted.js";
import type {Palette} from "./palette.js";

/** Metres from one step of a foot to its next. */
const stride = 2.2;
const hip = 0.62;
/** The colour of the side, among a shape's own ones. */
const coat = 0;

export class Runner {
    readonly group = new THREE.Group();
    private readonly body = new PaintedMesh(torso());
    private readonly legs = [new PaintedMesh(leg()), new PaintedMesh(leg())] as const;
    private readonly arms = [new PaintedMesh(arm()), new PaintedMesh(arm())] as const;
    private readonly shadow: THREE.Mesh;
    private readonly last = new THREE.Vector3();
    private way = 0;
    private pace = 0;

    constructor(private readonly side: 0 | 1) {
        [-0.15, 0.15].forEach((x, index) => this.legs[index]!.mesh.position.set(x, hip, 0));
        [-0.36, 0.36].forEach((x, index) => this.arms[index]!.mesh.position.set(x, 1.2, 0));
        this.body.mesh.add(...[...this.legs, ...this.arms].map(({mesh}) => mesh));
        this.shadow = new THREE.Mesh(
            new THREE.CircleGeometry(0.5, 24).rotateX(-Math.PI / 2),
            new THREE.MeshBasicMaterial({color: 0x000000, transparent: true, opacity: 0.22, depthWrite: false}));
        this.group.add(this.body.mesh, this.shadow);
    }

    paint(palette: Palette): void {
        for (const part of [this.body, ...this.legs, ...this.arms]) part.paint(palette, [palette.accents[this.side]]);
    }

    /** Feet at that place, looking along +z of the rotation. */
    place(position: THREE.Vector3, rotation: THREE.Quaternion, cheapShadow: boolean): void {
        const step = Math.hypot(position.x - this.last.x, position.z - this.last.z);
        if (step < 1) this.way += step;
        this.pace += (Math.min(step / 0.06, 1) - this.pace) * 0.15;
        this.last.copy(position);
        this.body.mesh.position.copy(position);
        this.body.mesh.quaternion.copy(rotation);
        this.shadow.visible = cheapShadow && position.y > -0.1;
        this.shadow.position.set(position.x, 0.03, position.z);
        this.shadow.scale.setScalar(1 / (1 + Math.max(0, position.y) * 0.6));
        this.swing(position.y > 0.35);
    }

    private swing(inTheAir: boolean): void {
        const phase = this.way / stride * 2 * Math.PI;
        const swing = inTheAir ? 0.5 : Math.sin(phase) * 0.85 * this.pace;
        [swing, -swing].forEach((angle, index) => {
            this.legs[index]!.mesh.rotation.x = angle;
            this.arms[index]!.mesh.rotation.x = -angle * 0.8;
        });
    }
}

function torso(): Shape[] {
    return [
        {geometry: new THREE.CapsuleGeometry(character.radius * 0.82, 0.42, 6, 16).translate(0, 0.92, 0), colour: coat},
        {geometry: new THREE.SphereGeometry(0.25, 18, 12).translate(0, 1.55, 0), colour: "skin"},
        {geometry: visor().translate(0, 1.55, 0), colour: "visor"},
    ];
}

/** A band across the front of the head, just outside it. */
function visor(): THREE.BufferGeometry {
    const [halfWidth, top, height] = [1.15, 1.12, 0.55]; // Radians.
    return new THREE.SphereGeometry(0.262, 16, 5, Math.PI / 2 - halfWidth, 2 * halfWidth, top, height);
}

/** Hangs from its upper end. */
function leg(): Shape[] {
    return [
        {geometry: new THREE.CapsuleGeometry(0.1, 0.36, 4, 10).translate(0, -0.28, 0), colour: "trousers"},
        {geometry: new THREE.SphereGeometry(0.13, 12, 8).scale(0.8, 0.6, 1.4).translate(0, -0.5, 0.05), colour: "skin"},
    ];
}

function arm(): Shape[] {
    return [{geometry: new THREE.CapsuleGeometry(0.08, 0.34, 4, 10).translate(0, -0.22, 0), colour: coat}];
}
