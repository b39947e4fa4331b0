// Many shapes in one mesh, each with its own colour: one draw call instead of a dozen.
import * as THREE from "three";
import {mergeGeometries} from "three/addons/utils/BufferGeometryUtils.js";
import type {Palette} from "./palette.js";

/** What a shape can be painted with. */
export type ColourName = {[Name in keyof Palette]: Name extends "sun" | "hemisphere" ? never
    : Palette[Name] extends number ? Name : never}[keyof Palette];

export interface Shape {
    geometry: THREE.BufferGeometry;
    colour: ColourName | number;
}

export class PaintedMesh {
    readonly mesh: THREE.Mesh;
    private readonly colours: Float32Array;
    private readonly attribute: THREE.BufferAttribute;

    constructor(private readonly shapes: readonly Shape[]) {
        const merged = mergeGeometries(shapes.map(({geometry}) => geometry));
        this.colours = new Float32Array(merged.getAttribute("position").count * 3);
        this.attribute = new THREE.BufferAttribute(this.colours, 3);
        merged.setAttribute("color", this.attribute);
        this.mesh = new THREE.Mesh(merged, new THREE.MeshLambertMaterial({vertexColors: true}));
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
    }

    /** `own`: for shapes whose colour is the number of one of these. */
    paint(palette: Palette, own: readonly number[] = []): void {
        let vertex = 0;
        for (const {geometry, colour} of this.shapes) {
            const hex = typeof colour === "number" ? own[colour]! : palette[colour];
            const paint = new THREE.Color(hex);
            const end = vertex + geometry.getAttribute("position").count;
            for (; vertex < end; ++vertex) paint.toArray(this.colours, vertex * 3);
        }
        this.attribute.needsUpdate = true;
    }
}
