// Puts the page together.
import {Channel, listMethods, loadGlissade, type ChannelOptions, type Glissade} from "../src/index.js";
import {WebGLRenderer} from "three";
import wasmUrl from "../dist/glissade.wasm?url";
import {Controls} from "./controls.js";
import {Demo} from "./demo.js";
import {LiveFeed} from "./feed.js";
import {FigurePanel} from "./figures.js";
import {Keyboard} from "./input/keyboard.js";
import {TouchControls} from "./input/touch.js";
import {PhysicsLink} from "./physics_link.js";
import {Plot} from "./plot.js";
import {makeProbe} from "./probe.js";
import {SettingStore} from "./settings.js";
import {announce, find, showProblem, Toolbar} from "./toolbar.js";
import {PlazaScene} from "./view/scene.js";
import {parseCanvasSize, SplitView} from "./view/split.js";

const capacity = 1024;
const figureMilliseconds = 250;
const defaultBoxes = 300;
const narrow = "(max-width: 900px)";

/** Software renderers have no time for shadows, and a canvas of a test is too small to show them. */
function wantsShadows(renderer: WebGLRenderer, address: URLSearchParams): boolean {
    const asked = address.get("shadows");
    if (asked !== null) return asked === "1";
    const context = renderer.getContext();
    const details = context.getExtension("WEBGL_debug_renderer_info");
    const name = details ? String(context.getParameter(details.UNMASKED_RENDERER_WEBGL)) : "";
    return !address.has("canvas") && !/swiftshader|llvmpipe|software/i.test(name);
}

function makeChannel(glissade: Glissade, address: URLSearchParams): Channel {
    const options: ChannelOptions = address.get("transport") === "messages" ? {transport: "messages"} : {};
    const channel = new Channel(glissade, {capacity, ...options});
    const shared = channel.transport === "shared";
    find("#transport").textContent = shared ? "Shared memory" : "Posted messages";
    find("#transport").dataset["transport"] = channel.transport;
    find("#reason").textContent = channel.reason;
    return channel;
}

function makeScene(address: URLSearchParams, settings: SettingStore): {scene: PlazaScene; split: SplitView} {
    const forced = parseCanvasSize(address.get("canvas"));
    const canvas = find<HTMLCanvasElement>("#view");
    const renderer = new WebGLRenderer({canvas, antialias: !forced, powerPreference: "high-performance"});
    renderer.debug.checkShaderErrors = false; // Asking for errors waits for the compiler.
    const scene = new PlazaScene(renderer, wantsShadows(renderer, address));
    if (forced) canvas.style.cssText = `width: ${forced.width}px; height: ${forced.height}px`;
    const ratio = Number(address.get("ratio")) || null; // For pictures: sharp, however slow.
    return {scene, split: new SplitView(find("#picture"), find("#divider"), settings, scene, forced, ratio)};
}

function wireInput(physics: PhysicsLink, toolbar: Toolbar): void {
    const steer = (): void => physics.steer({
        right: keyboard.right || touch.right,
        forward: keyboard.forward || touch.forward,
        jump: keyboard.jump || touch.jump,
    });
    const touch = new TouchControls(find("#stick"), find("#jump"), steer);
    const keyboard = new Keyboard(steer, {KeyT: () => toolbar.act("teleport"), KeyP: () => toolbar.act("portal")});
}

function wireFigures(demo: Demo): void {
    const panel = new FigurePanel(document);
    const plot = new Plot(find<HTMLCanvasElement>("#plot"));
    let [shown, frames] = [performance.now(), 0];
    demo.afterFrame = (stamp) => {
        ++frames;
        plot.draw(demo.sides, stamp);
        const now = performance.now();
        if (now - shown < figureMilliseconds) return;
        const [left, right] = [demo.score(0), demo.score(1)];
        if (!left || !right || !demo.comparison) return;
        const [first, second] = demo.comparison.stopwatches;
        const cost = {read: demo.readWatch.median, sides: [first.median, second.median] as const};
        panel.show([left, right], cost, frames * 1000 / (now - shown));
        [shown, frames] = [now, 0];
    };
}

/** Without shared memory a worker cannot sleep with Atomics.wait. */
function forbidWaiting(controls: Controls, settings: SettingStore): void {
    controls.forbid("timer", "atomics");
    if (settings.current.timer === "atomics") settings.set("timer", "absolute");
}

async function boot(): Promise<void> {
    const address = new URLSearchParams(location.search);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const autoplay = !calm && address.get("quiet") !== "1";
    const physics = new PhysicsLink(); // First, because its engine takes longest to load.
    physics.onProblem = showProblem;
    if (matchMedia(narrow).matches) document.querySelectorAll("details").forEach((part) => { part.open = false; });

    const glissade = await loadGlissade({wasm: wasmUrl});
    const methods = listMethods(glissade);
    const settings = new SettingStore(address, methods.map(({name}) => name), {paused: calm});
    const channel = makeChannel(glissade, address);
    const live = new LiveFeed(channel);
    const {scene, split} = makeScene(address, settings);
    const demo = new Demo({glissade, settings, methods, live, scene, split});
    demo.onProblem = (error) => showProblem(error instanceof Error ? error.message : String(error));
    const controls = new Controls(document, settings, methods);
    const toolbar = new Toolbar({demo, physics, settings});
    wireInput(physics, toolbar);
    // The picture alone: to embed it, and to measure it without the page around it.
    if (address.get("bare") === "1") document.documentElement.dataset["bare"] = "";
    else wireFigures(demo);

    const ready = new Promise<void>((resolve) => {
        physics.onReady = ({character, cameraTarget, canWait}) => {
            [live.character, live.cameraTarget] = [character, cameraTarget];
            if (!canWait) forbidWaiting(controls, settings);
            demo.onFirstPicture = resolve;
        };
    });
    physics.onBoxes = ({boxes}) => {
        scene.boxes.learn(boxes);
        find("#bodies").textContent = String(scene.boxes.size);
    };
    physics.onPortal = ({from, to}) => scene.gates.open([from, to], performance.now());
    physics.start(channel, settings, {boxes: Number(address.get("boxes") ?? defaultBoxes), autoplay});
    window.glissadeDemo = makeProbe({
        demo, channel, settings, ready, bodyCount: () => scene.boxes.size + 1, action: (name) => toolbar.act(name),
    });
    demo.start();
    await ready;
    document.documentElement.dataset["ready"] = "";
    announce("The picture runs.");
}

boot().catch((error: unknown) => showProblem(error instanceof Error ? error.message : String(error)));
