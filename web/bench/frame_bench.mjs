#!/usr/bin/env node
// What the library costs a page in a frame: takes in the states that a worker published, and works out where everything
// is. The same module as in the browser, in Node.js; times are its own clock, medians over the frames of a run.
//
//     node web/bench/frame_bench.mjs [--json FILE]
import {readFileSync, writeFileSync} from "node:fs";
import {Channel, createReader, createWriter, loadGlissade, Method, Playout, rowLength} from "../dist/index.js";

const frameCount = 1200;
const warmUp = 240;
const tick = 1000 / 60;

const median = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];
const quantile = (values, part) => values.slice().sort((a, b) => a - b)[Math.floor(values.length * part)];

// Boxes that tumble: each on its own circle, turning.
class Boxes {
    constructor(writer, count) {
        this.writer = writer;
        this.ids = Array.from({length: count}, (_, i) => writer.add({position: [i, 0, 0]}));
    }

    step(number) {
        const {rows} = this.writer;
        const time = (number * tick) / 1000;
        this.ids.forEach((id, i) => {
            const angle = time * (1 + (i % 7) / 7) + i;
            const half = angle / 2;
            rows.set([id, i + Math.cos(angle), Math.sin(angle), 0, 0, 0, Math.sin(half), Math.cos(half),
                -Math.sin(angle), Math.cos(angle), 0, 0, 0, 1], i * rowLength);
        });
        this.writer.moveRows(this.ids.length);
        this.writer.publish({tick: number, time: number * tick, duration: tick, due: number * tick, published: number * tick + 1});
    }
}

// One tick and one frame in turn; `frame` is what is timed.
function measure(boxes, frame) {
    const times = [];
    for (let number = 1; number <= frameCount; ++number) {
        boxes.step(number);
        const now = number * tick + 3;
        const begin = performance.now();
        frame(number, now);
        if (number > warmUp) times.push(performance.now() - begin);
    }
    return times;
}

async function open(count) {
    const glissade = await loadGlissade({wasm: readFileSync(new URL("../dist/glissade.wasm", import.meta.url))});
    const channel = new Channel(glissade, {capacity: 1024});
    return {glissade, channel, boxes: new Boxes(await createWriter(channel.ticket), count)};
}

async function measurePlayout(count) {
    const {channel, boxes} = await open(count);
    const playout = new Playout(channel);
    return measure(boxes, (_, now) => playout.present(now, now));
}

async function measureMethod(count, name) {
    const {glissade, channel, boxes} = await open(count);
    const reader = createReader(channel);
    const method = new Method(glissade, name, {tick});
    return measure(boxes, (frame, now) => {
        for (let state = reader.next(now); state; state = reader.next(now)) method.take(state);
        method.draw({frame, cpu: now, present: now});
    });
}

const rows = [];
for (const count of [100, 500, 1000]) {
    rows.push({what: "Playout.present, poses and matrices", count, times: await measurePlayout(count)});
    rows.push({what: "Reader and the method playout", count, times: await measureMethod(count, "playout")});
    rows.push({what: "Reader and constant-interval", count, times: await measureMethod(count, "constant-interval")});
}
console.log("what                                  bodies  median ms   99 % ms");
for (const {what, count, times} of rows) {
    console.log(`${what.padEnd(36)}  ${String(count).padStart(6)}  ${median(times).toFixed(3).padStart(9)}  ${quantile(times, 0.99).toFixed(3).padStart(8)}`);
}
const json = process.argv.indexOf("--json");
if (json > 0) {
    const figures = rows.map(({what, count, times}) => ({what, count, median_ms: median(times), p99_ms: quantile(times, 0.99)}));
    writeFileSync(process.argv[json + 1], JSON.stringify(figures, null, 2) + "\n");
}
