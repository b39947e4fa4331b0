// The demo page in Chromium: served, opened, steered, recorded, and its recordings judged by the program `glissade`.
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import {serve} from "../../web/serve.mjs";

export const desk = {viewport: {width: 1280, height: 900}, colorScheme: "light"};
export const phone = {viewport: {width: 390, height: 844}, colorScheme: "light", hasTouch: true, isMobile: true};
/** A picture that a renderer without a graphics card draws in some milliseconds, */
export const small = {canvas: "320x200", boxes: 150};
/** and one that leaves it time to keep up with the display, for what is measured. */
export const measured = {canvas: "64x40", boxes: 10, bare: 1};

/** Servers of one folder: with the headers that isolate a page, and without. */
export class Site {
    #servers = [];

    constructor(folder) {
        this.folder = folder;
    }

    async start() {
        const [isolated, plain] = await Promise.all([
            serve(this.folder, {port: 0}), serve(this.folder, {port: 0, isolated: false}),
        ]);
        this.#servers = [isolated.server, plain.server];
        this.isolated = isolated.url;
        this.plain = plain.url;
    }

    stop() {
        for (const server of this.#servers) {
            server.closeAllConnections();
            server.close();
        }
    }
}

// Frames stop in a hidden tab. A headless browser hides none, so this withholds them in the same way.
function holdFrames() {
    const request = window.requestAnimationFrame.bind(window);
    let held = null;
    window.requestAnimationFrame = (callback) => (held ? held.push(callback) : request(callback));
    window.hideTab = () => { held ??= []; };
    window.showTab = () => {
        const callbacks = held ?? [];
        held = null;
        callbacks.forEach(request);
    };
}

/** A page that has drawn its first picture, with everything that it complained about. */
export async function openDemo(browser, url, parameters = {}, options = desk) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !isAboutTheMachine(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
    await page.addInitScript(() => {
        window.layoutShift = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.layoutShift += entry.value; }))
            .observe({type: "layout-shift", buffered: true});
    });
    await page.addInitScript(holdFrames);
    const begin = performance.now();
    await page.goto(`${url}?${new URLSearchParams(parameters)}`);
    await page.waitForSelector("html[data-ready]", {state: "attached", timeout: 60000});
    return {page, complaints, firstPictureMs: performance.now() - begin, close: () => context.close()};
}

// A machine without a graphics card is told so by the browser, not by the page.
function isAboutTheMachine(text) {
    return /GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text);
}

export const ask = (page, what) => page.evaluate(what);
export const state = (page) => page.evaluate(() => window.glissadeDemo.state());
export const act = (page, name) => page.evaluate((action) => window.glissadeDemo.action(action), name);
export const settings = (page) => page.evaluate(() => ({...window.glissadeDemo.settings}));

/** The frames of the next `milliseconds`. */
export const watch = (page, milliseconds) => watchAfter(page, async () => {}, milliseconds);

/** The frames since `action` began, up to `milliseconds` after it. */
export async function watchAfter(page, action, milliseconds) {
    const since = await page.evaluate(() => performance.now());
    await action();
    await page.waitForTimeout(milliseconds);
    return page.evaluate((from) => window.glissadeDemo.history.filter(({stamp}) => stamp >= from), since);
}

/** Waits until `count` more frames were drawn. */
export async function settleFrames(page, count = 30) {
    await page.evaluate((frames) => new Promise((done) => {
        const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
        next(frames);
    }), count);
}

/** What the page has recorded since now, after `seconds`: the trace and what both sides drew. */
export async function record(page, seconds) {
    await page.evaluate(() => window.glissadeDemo.clearRecording());
    await page.waitForTimeout(seconds * 1000);
    return page.evaluate(() => ({
        trace: window.glissadeDemo.traceText(), left: window.glissadeDemo.drawnText(0), right: window.glissadeDemo.drawnText(1),
    }));
}

export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Steps from frame to frame on one side: how far, in what time of the display. */
export function stepsOf(frames, side) {
    return frames.slice(1).map((frame, i) => ({
        way: distance(frame[side], frames[i][side]), elapsed: frame.stamp - frames[i].stamp,
    }));
}

/** The program `glissade` with files of its own. */
export class Judge {
    #folder = mkdtempSync(join(tmpdir(), "glissade-demo-"));

    constructor(program) {
        this.program = program;
    }

    close() {
        rmSync(this.#folder, {recursive: true, force: true});
    }

    #write(name, text) {
        const path = join(this.#folder, name);
        writeFileSync(path, text);
        return path;
    }

    #run(...words) {
        return execFileSync(this.program, words, {encoding: "utf8", maxBuffer: 1 << 28});
    }

    /** Figures of the first object of the trace, the character, as `method` draws it, with the display's stamps or without. */
    score(trace, method, {stamped = true} = {}) {
        const path = this.#write("trace.ndjson", trace);
        const known = stamped ? path : this.#write("known.ndjson", trace.replaceAll(/,"present":\d+/g, ""));
        const drawn = join(this.#folder, "drawn.ndjson");
        this.#run("replay", "--method", method, "--out", drawn, known);
        const {objects} = JSON.parse(this.#run("score", "--json", path, drawn));
        const character = JSON.parse(trace.split("\n").find((line) => line.includes('"poses":[{'))).poses[0].id;
        return objects[character];
    }

    rateError(trace, method) {
        return this.score(trace, method).rate_rms;
    }

    diagnose(trace, drawn) {
        const files = [this.#write("trace.ndjson", trace), ...(drawn ? [this.#write("drawn.ndjson", drawn)] : [])];
        return JSON.parse(this.#run("doctor", "--json", ...files));
    }
}
