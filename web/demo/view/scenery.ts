// What stands fast in the picture: the plaza by its plan, or the plain floor of a replay.
import * as THREE from "three";
import {blocks, cone, lane, onCircle, plaza} from "../plan.js";
import type {Palette} from "./palette.js";

type ColourName = Exclude<keyof Palette, "boxes" | "accents" | "sun" | "hemisphere">;

const dashCount = 60;
const postCount = 40;

export class Scenery {
    readonly plaza = new THREE.Group();
    readonly floor = new THREE.Group();
    private readonly materials = new Map<ColourName, THREE.MeshLambertMaterial>();
    private grid = new THREE.GridHelper();

    constructor() {
        this.buildGround();
        this.buildMarks();
        this.buildPosts();
        for (const block of blocks) this.buildBlock(block);
        const floor = this.add(this.floor, new THREE.CircleGeometry(400, 48).rotateX(-Math.PI / 2), "ground");
        floor.position.y = -0.02;
        this.floor.visible = false;
    }

    paint(palette: Palette): void {
        for (const [name, material] of this.materials) material.color.setHex(palette[name]);
        this.floor.remove(this.grid);
        this.grid.dispose();
        this.grid = new THREE.GridHelper(800, 400, palette.post, palette.lane);
        this.floor.add(this.grid);
    }

    /** The plaza, or the floor of a replay. */
    show(what: "plaza" | "floor"): void {
        this.plaza.visible = what === "plaza";
        this.floor.visible = what === "floor";
    }

    private buildGround(): void {
        const slab = new THREE.CylinderGeometry(plaza.radius, plaza.radius - 0.6, plaza.thickness, 96, 1, true);
        this.add(this.plaza, slab, "edge").position.y = -plaza.thickness / 2;
        const top = new THREE.CircleGeometry(plaza.radius, 96).rotateX(-Math.PI / 2);
        this.add(this.plaza, top, "ground");
        const hill = new THREE.ConeGeometry(cone.radius, cone.height, 64, 1, true);
        this.add(this.plaza, hill, "cone").position.y = cone.height / 2;
        const [inner, outer] = [lane.radius - lane.width / 2, lane.radius + lane.width / 2];
        this.add(this.plaza, new THREE.RingGeometry(inner, outer, 128).rotateX(-Math.PI / 2), "lane").position.y = 0.012;
    }

    /** Dashes along the lane: without something to pass by, nobody sees a stutter. */
    private buildMarks(): void {
        const dash = new THREE.BoxGeometry(0.5, 0.01, 0.07);
        for (const radius of [lane.radius - lane.width / 2, lane.radius + lane.width / 2]) {
            this.addRing(dash, "mark", {count: dashCount, radius, y: 0.02});
        }
        this.addRing(new THREE.BoxGeometry(0.06, 0.01, lane.width), "mark", {count: 12, radius: lane.radius, y: 0.02});
    }

    private buildPosts(): void {
        const post = new THREE.CylinderGeometry(0.07, 0.09, 1.1, 8);
        this.addRing(post, "post", {count: postCount, radius: plaza.radius - 0.4, y: 0.55});
        const lamp = new THREE.SphereGeometry(0.13, 10, 8);
        this.addRing(lamp, "mark", {count: postCount, radius: plaza.radius - 0.4, y: 1.18});
    }

    private buildBlock({centre, half, yaw, pitch}: (typeof blocks)[number]): void {
        const size = half.map((value) => value * 2) as [number, number, number];
        const mesh = this.add(this.plaza, new THREE.BoxGeometry(...size), "block");
        mesh.position.set(...centre);
        mesh.rotation.set(pitch, yaw, 0, "YXZ");
        mesh.castShadow = true;
    }

    private add(parent: THREE.Group, geometry: THREE.BufferGeometry, colour: ColourName): THREE.Mesh {
        const mesh = new THREE.Mesh(geometry, this.material(colour));
        mesh.receiveShadow = true;
        parent.add(mesh);
        return mesh;
    }

    private addRing(
        geometry: THREE.BufferGeometry, colour: ColourName, {count, radius, y}: {count: number; radius: number; y: number},
    ): void {
        const ring = new THREE.InstancedMesh(geometry, this.material(colour), count);
        const place = new THREE.Object3D();
        for (let i = 0; i < count; ++i) {
            const angle = i / count * 2 * Math.PI;
            const [x, z] = onCircle(angle, radius);
            place.position.set(x, y, z);
            place.rotation.y = angle;
            place.updateMatrix();
            ring.setMatrixAt(i, place.matrix);
        }
        ring.receiveShadow = true;
        this.plaza.add(ring);
    }

    private material(colour: ColourName): THREE.MeshLambertMaterial {
        const known = this.materials.get(colour);
        if (known) return known;
        const made = new THREE.MeshLambertMaterial();
        this.materials.set(colour, made);
        return made;
    }
}
