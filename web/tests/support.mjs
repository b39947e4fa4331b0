// What the tests share: the library, a body that moves evenly, and a worker that can fail.
import {readFileSync} from "node:fs";
import {Worker} from "node:worker_threads";

import {Channel, createReader, createWriter, GlissadeError, loadGlissade} from "../dist/index.js";

export const wasmBytes = readFileSync(new URL("../dist/glissade.wasm", import.meta.url));
export const tickMs = 16;
export const frameMs = 7;
export const speed = 2; // Metres per second.
export const rowLength = 14;
/** A stage blends by a float of the time between two ticks, 2^-24 of 32 mm. */
export const blend = 1e-8;

let module = null;

/** An instance with a memory of its own; the module is compiled once. */
export async function load(options = {}) {
    module ??= await WebAssembly.compile(wasmBytes);
    return loadGlissade({wasm: module, ...options});
}

export const positionAt = (sourceMs) => speed * sourceMs * 1e-3;
export const poseAt = (x) => ({position: [x, 0, 0], velocity: [speed, 0, 0]});

/** The times of a tick on an absolute schedule, handed over `late` milliseconds after it was due. */
export function timesOf(tick, late = 0) {
    const due = tick * tickMs;
    return {tick, time: due, duration: tickMs, due, published: due + late};
}

/** A channel whose writer is in this thread, with a body that moves along x. */
export class Source {
    tick = 0;

    static async open(options = {}) {
        const source = new Source();
        source.glissade = await load();
        source.channel = new Channel(source.glissade, {capacity: 64, ...options});
        source.writer = await createWriter(source.channel.ticket);
        source.id = source.writer.add(poseAt(0));
        return source;
    }

    /** Where the body is after the next tick. */
    get nextX() {
        return positionAt((this.tick + 1) * tickMs);
    }

    publish(late = 0) {
        this.writer.publish(timesOf(++this.tick, late));
    }

    moveAndPublish(late = 0) {
        this.writer.move(this.id, poseAt(this.nextX));
        this.publish(late);
    }
}

/** Ticks and frames on one clock that the test moves: `onFrame({frame, cpu, present})` behind the ticks due by then. */
export function runFrames(source, count, onFrame, onTick = () => source.moveAndPublish()) {
    source.frame ??= 0;
    for (let i = 0; i < count; ++i) {
        const now = ++source.frame * frameMs;
        while ((source.tick + 1) * tickMs <= now) onTick();
        onFrame({frame: source.frame, cpu: now, present: now});
    }
}

/** All states that were handed over, by `visit`. */
export function takeAll(reader, cpu, visit) {
    for (let state = reader.next(cpu); state !== null; state = reader.next(cpu)) visit(state);
}

/** Two methods side by side on one channel, and the recording of them. */
export function recordSides(source, recording, methods, frameCount) {
    const reader = createReader(source.channel);
    recording.watch(source.id);
    runFrames(source, frameCount, (frame) => {
        takeAll(reader, frame.cpu, (state) => {
            recording.state(state);
            for (const method of methods) method.take(state);
        });
        recording.frame(frame);
        methods.forEach((method, side) => {
            method.draw(frame);
            recording.drawn(side, method);
        });
    });
    reader.close();
}

/** A writer in a real worker. `message` is what it said at its end; it rejects if the worker fails. */
export class WriterThread {
    // Shared: [0] go, [1] the newest tick that the page has taken.
    signals = new Int32Array(new SharedArrayBuffer(8));

    constructor(channel, task) {
        this.worker = new Worker(new URL("./writer_worker.mjs", import.meta.url));
        this.message = new Promise((resolve, reject) => {
            this.worker.once("message", resolve);
            this.worker.once("error", reject);
        });
        // It counts as handled until somebody waits for it.
        this.message.catch((error) => { this.failure = error; });
        this.worker.postMessage({ticket: channel.ticket, task, signals: this.signals}, channel.transfer);
    }

    go() {
        this.set(0, 1);
    }

    acknowledge(tick) {
        this.set(1, tick);
    }

    /** One turn of the event loop: messages come in, and a worker that failed ends the test. */
    async turn() {
        await new Promise((resolve) => { setImmediate(resolve); });
        if (this.failure) throw this.failure;
    }

    async end() {
        await this.worker.terminate();
    }

    set(index, value) {
        Atomics.store(this.signals, index, value);
        Atomics.notify(this.signals, index);
    }
}

/** For assert.throws and assert.rejects: a GlissadeError whose message has `part`. */
export const refusal = (part) => (error) => {
    if (!(error instanceof GlissadeError)) throw error;
    if (!error.message.includes(part)) throw new Error(`"${error.message}" does not say "${part}"`);
    return true;
};
