// Two rings that open where the character enters a portal and where it leaves, for a moment.
import * as THREE from "three";
import type {Vector3} from "../../src/index.js";

const openMilliseconds = 1600;

export class Gates {
    readonly group = new THREE.Group();
    private readonly material = new THREE.MeshBasicMaterial({transparent: true, color: 0x8b6cf0});
    private opened = -Infinity;

    constructor() {
        const ring = new THREE.TorusGeometry(1.35, 0.07, 10, 48);
        this.group.add(new THREE.Mesh(ring, this.material), new THREE.Mesh(ring, this.material));
        this.group.visible = false;
    }

    open(places: readonly [Vector3, Vector3], now: number): void {
        this.opened = now;
        places.forEach(([x, y, z], index) => {
            const gate = this.group.children[index]!;
            gate.position.set(x, y + 1, z);
            gate.rotation.y = Math.atan2(x, z) + Math.PI / 2; // Across the lane.
        });
    }

    update(now: number): void {
        const part = (now - this.opened) / openMilliseconds;
        this.group.visible = part < 1;
        this.material.opacity = Math.max(0, 1 - part ** 3);
        const scale = Math.min(1, part * 8);
        for (const gate of this.group.children) gate.scale.setScalar(Math.max(scale, 0.01));
    }
}
