// A simulation in a worker: publishes states whose content tells their tick.
import {parentPort} from "node:worker_threads";

import {createWriter, FixedStep} from "../dist/index.js";

const longestWaitMs = 20_000; // A page that died must not leave this worker behind.
const scratchLength = 500;

function waitUntil(signals, index, isEnough) {
    for (let value = Atomics.load(signals, index); !isEnough(value); value = Atomics.load(signals, index)) {
        if (Atomics.wait(signals, index, value, longestWaitMs) === "timed-out") throw new Error("the page is gone");
    }
}

/** Row i of tick k: every number tells k and i. */
function fillRow(rows, row, id, tick) {
    rows.set([id, tick, tick * 1000 + row, -tick, 0, 0, 0, 1, tick % 4096, row, 0, 0, 0, 0], row * 14);
}

/** Uses this instance's own stack and arena: whether what it wrote is still what it reads. */
function stir(glissade, tick) {
    const scratch = glissade.doubles(scratchLength).fill(tick);
    const clock = new FixedStep(glissade, {rate: 50});
    clock.advanceTo(0);
    const steps = clock.advanceTo(100);
    const sound = scratch.every((value) => value === tick) && steps.length === 5 && steps[4].time === 100;
    clock.close();
    glissade.free(scratch);
    return sound;
}

/** Publishes `count` states, at most `lead` of them ahead of what the page has taken. */
function publishAll(writer, {count, bodies, lead}, signals) {
    const ids = Array.from({length: bodies}, () => writer.add({position: [0, 0, 0]}));
    let sound = true;
    for (let tick = 1; tick <= count; ++tick) {
        waitUntil(signals, 1, (taken) => tick - taken <= lead);
        ids.forEach((id, row) => fillRow(writer.rows, row, id, tick));
        writer.moveRows(bodies);
        writer.publish({tick, time: tick, duration: 1, due: tick});
        sound = stir(writer.glissade, tick) && sound;
    }
    return {ids, sound, transport: writer.transport};
}

parentPort.once("message", async ({ticket, task, signals}) => {
    const writer = await createWriter(ticket);
    waitUntil(signals, 0, (go) => go !== 0);
    parentPort.postMessage(publishAll(writer, task, signals));
});
