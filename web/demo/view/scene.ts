// The scene: drawn twice in each frame, once as each side says that things are.
import * as THREE from "three";
import type {ObjectId, Vector3} from "../../src/index.js";
import type {View} from "../camera.js";
import type {SideNumber} from "../comparison.js";
import type {BoxLook} from "../protocol.js";
import {BoxMesh} from "./boxes.js";
import {Gates} from "./gates.js";
import {currentPalette, onPaletteChange, type Palette} from "./palette.js";
import {Runner} from "./runner.js";
import {Scenery} from "./scenery.js";

/** A part of the canvas, pixels of the page from its left edge. */
export interface Strip {
    left: number;
    width: number;
}

/** Where one object is drawn. */
export interface Drawn {
    position: Vector3;
    rotation: readonly [number, number, number, number];
}

const verticalView = 44;
/** A strip that is narrower than high still shows that much to both sides, degrees. */
const leastHorizontalView = 40;

export class PlazaScene {
    readonly boxes = new BoxMesh();
    readonly replayed = new BoxMesh();
    readonly gates = new Gates();
    private readonly scenery = new Scenery();
    private readonly runners = [new Runner(0), new Runner(1)] as const;
    private readonly scene = new THREE.Scene();
    private readonly camera = new THREE.PerspectiveCamera(verticalView, 1, 0.3, 160);
    private readonly sun = new THREE.DirectionalLight(0xfff3e0);
    private readonly sky = new THREE.HemisphereLight(0xffffff);
    private height = 1;
    private readonly position = new THREE.Vector3();
    private readonly rotation = new THREE.Quaternion();

    constructor(private readonly renderer: THREE.WebGLRenderer, private readonly shadows: boolean) {
        this.setUpSun();
        this.scene.add(
            this.sun, this.sun.target, this.sky, this.scenery.group, this.boxes.mesh,
            this.replayed.mesh, this.gates.group, ...this.runners.map((runner) => runner.group));
        this.replayed.mesh.visible = false;
        renderer.setScissorTest(true);
        this.paint(currentPalette());
        onPaletteChange((palette) => this.paint(palette));
    }

    resize(width: number, height: number, pixelRatio: number): void {
        this.height = height;
        this.renderer.setPixelRatio(pixelRatio);
        this.renderer.setSize(width, height, false);
    }

    /** The plaza with its boxes, or a plain floor with the bodies of a file. */
    showReplay(ids: readonly ObjectId[] | null): void {
        this.scenery.show(ids ? "floor" : "plaza");
        this.boxes.mesh.visible = !ids;
        this.replayed.mesh.visible = ids !== null;
        this.replayed.forgetAll();
        this.replayed.learn((ids ?? []).map((id, index): BoxLook => ({id, size: [0.5, 0.5, 0.5], colour: index})));
    }

    drawSide(side: SideNumber, strip: Strip, poses: Float64Array, runner: Drawn | null, view: View): void {
        // A file has the runner among its bodies, and often, at the same place, what its camera followed.
        if (this.replayed.mesh.visible) this.replayed.place(poses, runner?.position);
        else this.boxes.place(poses);
        this.placeRunner(side, runner);
        this.aim(view, strip);
        this.renderer.setViewport(strip.left, 0, strip.width, this.height);
        this.renderer.setScissor(strip.left, 0, strip.width, this.height);
        this.renderer.render(this.scene, this.camera);
    }

    private placeRunner(side: SideNumber, drawn: Drawn | null): void {
        this.runners.forEach((runner, index) => { runner.group.visible = index === side && drawn !== null; });
        if (!drawn) return;
        this.position.set(...drawn.position);
        this.rotation.set(...drawn.rotation);
        this.runners[side].place(this.position, this.rotation, !this.shadows);
    }

    private aim({eye, lookAt}: View, strip: Strip): void {
        const aspect = strip.width / this.height;
        const narrow = 2 * Math.atan(Math.tan(leastHorizontalView * Math.PI / 360) / aspect) * 180 / Math.PI;
        this.camera.fov = Math.max(verticalView, Math.min(narrow, 75));
        this.camera.aspect = aspect;
        this.camera.updateProjectionMatrix();
        this.camera.position.set(...eye);
        this.camera.lookAt(...lookAt);
    }

    private setUpSun(): void {
        this.sun.position.set(-14, 24, 10);
        this.sun.castShadow = this.shadows;
        this.renderer.shadowMap.enabled = this.shadows;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.normalBias = 0.03;
        const lens = this.sun.shadow.camera;
        [lens.left, lens.right, lens.bottom, lens.top, lens.near, lens.far] = [-19, 19, -19, 19, 4, 60];
    }

    private paint(palette: Palette): void {
        this.scene.background = new THREE.Color(palette.sky);
        this.scene.fog = new THREE.Fog(palette.sky, 18, 62);
        this.sun.intensity = palette.sun;
        this.sky.intensity = palette.hemisphere;
        this.sky.groundColor.setHex(palette.bounce);
        this.scenery.paint(palette);
        this.boxes.paint(palette);
        this.replayed.paint(palette);
        for (const runner of this.runners) runner.paint(palette);
    }
}
