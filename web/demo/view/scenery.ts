// What stands fast in the picture: the plaza by its plan, or the plain floor of a replay.
import * as THREE from "three";
import {blocks, cone, lane, onCircle, plaza} from "../plan.js";
import {PaintedMesh, type ColourName, type Shape} from "./painted.js";
import type {Palette} from "./palette.js";

const dashCount = 60;
const postCount = 40;
const gridMetres = 800;

export class Scenery {
    readonly group = new THREE.Group();
    private readonly plaza: PaintedMesh;
    private readonly floor: PaintedMesh;
    private grid = new THREE.GridHelper();

    constructor() {
        // What hides other things comes first: then those cost nothing.
        this.plaza = new PaintedMesh([...standingBlocks(), ...posts(), ...marks(), ...ground()]);
        const disc = new THREE.CircleGeometry(gridMetres / 2, 48);
        this.floor = new PaintedMesh([{geometry: flat(disc, -0.02), colour: "ground"}]);
        this.group.add(this.plaza.mesh, this.floor.mesh);
        for (const {mesh} of [this.plaza, this.floor]) mesh.renderOrder = 1; // Behind everything that moves.
        this.show("plaza");
    }

    paint(palette: Palette): void {
        this.plaza.paint(palette);
        this.floor.paint(palette);
        this.floor.mesh.remove(this.grid);
        this.grid.dispose();
        this.grid = new THREE.GridHelper(gridMetres, gridMetres / 2, palette.post, palette.lane);
        this.floor.mesh.add(this.grid);
    }

    show(what: "plaza" | "floor"): void {
        this.plaza.mesh.visible = what === "plaza";
        this.floor.mesh.visible = what === "floor";
    }
}

const flat = (geometry: THREE.BufferGeometry, y: number): THREE.BufferGeometry =>
    geometry.rotateX(-Math.PI / 2).translate(0, y, 0);

function ground(): Shape[] {
    const slab = new THREE.CylinderGeometry(plaza.radius, plaza.radius - 0.6, plaza.thickness, 96, 1, true);
    const hill = new THREE.ConeGeometry(cone.radius, cone.height, 64, 1, true);
    const [inner, outer] = [lane.radius - lane.width / 2, lane.radius + lane.width / 2];
    return [
        {geometry: hill.translate(0, cone.height / 2, 0), colour: "cone"},
        {geometry: flat(new THREE.RingGeometry(inner, outer, 96), 0), colour: "lane"},
        {geometry: flat(new THREE.RingGeometry(cone.radius - 0.1, inner, 96), 0), colour: "ground"},
        {geometry: flat(new THREE.RingGeometry(outer, plaza.radius, 96), 0), colour: "ground"},
        {geometry: slab.translate(0, -plaza.thickness / 2, 0), colour: "edge"},
    ];
}

/** Dashes along the lane: without something to pass by, nobody sees a stutter. */
function marks(): Shape[] {
    const dash = flat(new THREE.PlaneGeometry(0.5, 0.07), 0.02);
    const bar = flat(new THREE.PlaneGeometry(0.06, lane.width), 0.02);
    return [
        ...ring(dash, "mark", dashCount, lane.radius - lane.width / 2),
        ...ring(dash, "mark", dashCount, lane.radius + lane.width / 2),
        ...ring(bar, "mark", 12, lane.radius),
    ];
}

function posts(): Shape[] {
    const post = new THREE.CylinderGeometry(0.07, 0.09, 1.1, 6, 1, true).translate(0, 0.55, 0);
    const lamp = new THREE.SphereGeometry(0.13, 6, 4).translate(0, 1.18, 0);
    const radius = plaza.radius - 0.4;
    return [...ring(post, "post", postCount, radius), ...ring(lamp, "mark", postCount, radius)];
}

function standingBlocks(): Shape[] {
    return blocks.map(({centre, half, yaw, pitch}) => {
        const box = new THREE.BoxGeometry(half[0] * 2, half[1] * 2, half[2] * 2);
        return {geometry: box.rotateX(pitch).rotateY(yaw).translate(...centre), colour: "block"};
    });
}

/** The same shape so many times round the plaza. */
function ring(geometry: THREE.BufferGeometry, colour: ColourName, count: number, radius: number): Shape[] {
    return Array.from({length: count}, (_, index) => {
        const angle = index / count * 2 * Math.PI;
        const [x, z] = onCircle(angle, radius);
        return {geometry: geometry.clone().rotateY(angle).translate(x, 0, z), colour};
    });
}
