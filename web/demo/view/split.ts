// One canvas, divided: how large it is, and where the divider stands.
import type {SideNumber} from "../comparison.js";
import type {SettingStore} from "../settings.js";
import type {PlazaScene, Strip} from "./scene.js";

const mostPixelRatio = 1.5;
const leastPixelRatio = 0.5;
/** Mean length of a frame that is too slow for any display, milliseconds; and over how many frames it is taken. */
const slowFrame = 24;
const judgedFrames = 45;
const keySteps: Record<string, number> = {ArrowLeft: -2, ArrowRight: 2, PageDown: -10, PageUp: 10};

export interface CanvasSize {
    width: number;
    height: number;
}

/** "320x200" of the address. */
export function parseCanvasSize(text: string | null): CanvasSize | null {
    const match = /^(\d{2,4})x(\d{2,4})$/.exec(text ?? "");
    return match ? {width: Number(match[1]), height: Number(match[2])} : null;
}

export class SplitView {
    private width = 1;
    private pixelRatio = Math.min(devicePixelRatio, mostPixelRatio);
    private judgedSince: number | null = null;
    private frames = 0;

    constructor(
        private readonly picture: HTMLElement, private readonly divider: HTMLElement,
        private readonly settings: SettingStore, private readonly scene: PlazaScene,
        private readonly forced: CanvasSize | null, private readonly forcedRatio: number | null,
    ) {
        this.listen();
        this.placeDivider();
        settings.onChange((name) => {
            if (name === "divider") this.placeDivider();
        });
        new ResizeObserver(() => this.fit()).observe(picture);
        this.fit();
    }

    /** Draws fewer pixels when the machine cannot keep up: a demo of smooth motion needs frames. */
    judge(stamp: number): void {
        const hindered = this.forced || this.forcedRatio || document.hidden || this.settings.current.slowdown > 0;
        if (hindered || this.judgedSince === null) {
            [this.judgedSince, this.frames] = [stamp, 0];
            return;
        }
        if (++this.frames < judgedFrames) return;
        const mean = (stamp - this.judgedSince) / this.frames;
        [this.judgedSince, this.frames] = [stamp, 0];
        if (mean < slowFrame || this.pixelRatio <= leastPixelRatio) return;
        this.pixelRatio = Math.max(leastPixelRatio, this.pixelRatio * 0.7);
        this.fit();
    }

    strip(side: SideNumber): Strip {
        const middle = Math.round(this.width * this.settings.current.divider / 100);
        return side === 0 ? {left: 0, width: middle} : {left: middle, width: this.width - middle};
    }

    private fit(): void {
        const {width, height} = this.forced
            ?? {width: this.picture.clientWidth, height: this.picture.clientHeight};
        this.width = Math.max(2, width);
        this.scene.resize(this.width, Math.max(2, height), this.forced ? 1 : this.forcedRatio ?? this.pixelRatio);
    }

    private listen(): void {
        const {divider} = this;
        divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
        divider.addEventListener("pointermove", (event) => {
            if (divider.hasPointerCapture(event.pointerId)) this.drag(event.clientX);
        });
        divider.addEventListener("dblclick", () => this.settings.set("divider", 50));
        divider.addEventListener("keydown", (event) => this.press(event));
    }

    private drag(x: number): void {
        const box = this.picture.getBoundingClientRect();
        this.settings.set("divider", Math.round((x - box.left) / box.width * 1000) / 10);
    }

    private press(event: KeyboardEvent): void {
        const {divider} = this.settings.current;
        const goal = event.key === "Home" ? 0 : event.key === "End" ? 100 : divider + (keySteps[event.key] ?? NaN);
        if (Number.isNaN(goal)) return;
        event.preventDefault();
        this.settings.set("divider", goal);
    }

    private placeDivider(): void {
        const {divider} = this.settings.current;
        this.picture.style.setProperty("--divider", `${divider}%`);
        this.divider.setAttribute("aria-valuenow", divider.toFixed(0));
    }
}
