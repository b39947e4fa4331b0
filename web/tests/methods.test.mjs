import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync} from "node:fs";
import {test} from "node:test";
import {fileURLToPath} from "node:url";

import {listMethods, Method, Recording, Trace} from "../dist/index.js";
import {load, positionAt, recordSides, refusal, Source, tickMs} from "./support.mjs";

const program = fileURLToPath(new URL("../../build/dev/app/glissade", import.meta.url));
const end = 1e9; // After every line of a trace.
const framesOf10s = 1430;
const framesOf5s = 5000 / 7;

/** A recording of playout and of the newest state, ten seconds of them. */
async function recordPage() {
    const source = await Source.open();
    const {glissade} = source;
    const sides = ["playout", "newest"].map((name) => new Method(glissade, name, {tick: tickMs, maxObjects: 64}));
    const recording = new Recording(glissade, {name: "a page", tick: tickMs, seconds: 8, sides: 2});
    recordSides(source, recording, sides, framesOf10s);
    return {source, recording, sides};
}

test("all methods are listed, playout first, with what is seen", async () => {
    const methods = listMethods(await load());
    assert.equal(methods[0].name, "playout");
    assert.equal(methods[0].ours, true);
    assert.ok(methods.some(({ours}) => !ours));
    assert.equal(new Set(methods.map(({name}) => name)).size, methods.length);
    assert.ok(methods.every(({line}) => line.length > 10));
});

test("every method of the list can be made and follows the body", async () => {
    for (const {name} of listMethods(await load())) {
        const source = await Source.open();
        const method = new Method(source.glissade, name, {tick: tickMs, maxObjects: 64});
        recordSides(source, new Recording(source.glissade), [method], 300);
        assert.equal(method.size, 1, name);
        const [id, x] = method.poses;
        assert.equal(id, source.id, name);
        // 2.1 s at 2 m/s, and no method is as much as 0.5 s behind.
        assert.ok(Math.abs(x - positionAt(2100)) < 1, `${name}: ${x}`);
        method.close();
    }
});

test("a method says what it aimed at and how far behind that is", async () => {
    const {sides: [playout]} = await recordPage();
    // A frame shows the present less the delay, in whole nanoseconds.
    assert.ok(Math.abs(playout.sample + playout.delay - framesOf10s * 7) < 1e-5);
    assert.ok(playout.delay > tickMs && playout.delay < 2 * tickMs);
});

test("an unknown method is refused with the reason", async () => {
    const glissade = await load();
    assert.throws(() => new Method(glissade, "no-such-method"), refusal("there is no method of that name"));
    assert.throws(() => new Method(glissade, "playout", {maxObjects: 0}), refusal("max_objects"));
});

test("a recording scores an even motion as even, and the newest state as steps", async () => {
    const {source, recording} = await recordPage();
    const playout = recording.score(0, source.id, 5);
    const newest = recording.score(1, source.id, 5);
    // The rate of playout is within [0.98, 1.005].
    assert.ok(playout.rateError < 0.02, `${playout.rateError}`);
    assert.equal(playout.held + playout.jumps + playout.backward + playout.streaks, 0);
    assert.ok(Math.abs(playout.frames - framesOf5s) <= 2);
    assert.ok(Math.abs(playout.lag - playout.delay) < 0.1);
    // Rates of 0 in 9 of 16 frames, of 16/7 in the others; 312 ticks, so that the shares are off by 1/312.
    assert.ok(Math.abs(newest.rateError - 1.134) < 0.01, `${newest.rateError}`);
    assert.ok(newest.held > newest.frames / 2);
});

test("what cannot be judged is null", async () => {
    const recording = new Recording(await load());
    const {rateError, lag, delay, frames} = recording.score(0, 1, 5);
    assert.deepEqual({rateError, lag, delay, frames}, {rateError: null, lag: null, delay: null, frames: 0});
});

test("a recording with settings that none can have, or a side that it has not, is refused", async () => {
    const glissade = await load();
    assert.throws(() => new Recording(glissade, {seconds: 0}), refusal("seconds must be above 0"));
    assert.throws(() => new Recording(glissade, {sides: 5}), refusal("sides 1 to 4"));
    const recording = new Recording(glissade);
    assert.throws(() => recording.score(1, 1, 5), refusal("there is no such side"));
    for (let id = 1; id <= 64; ++id) recording.watch(id);
    assert.throws(() => recording.watch(65), refusal("64 objects are watched already"));
});

test("the texts of a recording are its last seconds, a trace and what was drawn", async () => {
    const {source, recording} = await recordPage();
    const trace = new Trace(source.glissade, recording.traceText());
    assert.equal(trace.name, "a page");
    assert.equal(trace.tick, tickMs);
    assert.deepEqual(trace.ids, [source.id]);
    assert.equal(trace.last, framesOf10s * 7);
    assert.ok(trace.last - trace.first <= 8000 && trace.last - trace.first > 7980);
    const drawn = recording.drawnText(0).trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(drawn.length, trace.frameCount);
    assert.equal(drawn.at(-1).frame, framesOf10s);
    recording.clear();
    assert.equal(recording.drawnText(0), "");
});

test("the doctor calls playout healthy and not the newest state", async () => {
    const {recording} = await recordPage();
    assert.deepEqual(recording.diagnose(0).findings, []);
    assert.equal(recording.diagnose(0).healthy, true);
    assert.equal(recording.diagnose(1).healthy, false);
    assert.ok(recording.diagnose().notes.some((note) => note.includes("Only the trace was examined")));
});

test("the doctor tells what it found in words", async () => {
    const source = await Source.open();
    const recording = new Recording(source.glissade, {tick: tickMs});
    const method = new Method(source.glissade, "chase-target", {tick: tickMs, maxObjects: 64});
    recordSides(source, recording, [method], framesOf10s);
    const [finding] = recording.diagnose(0).findings;
    assert.equal(finding.name, "alpha_restart");
    assert.ok(finding.severity > 0.05, "more than what counts as even");
    for (const key of ["what", "evidence", "cure"]) assert.ok(finding[key].length > 10, key);
});

/** Draws a trace with a method: for each frame its number and rows of id and position. */
function replay(glissade, text, name) {
    const trace = new Trace(glissade, text);
    const method = new Method(glissade, name, trace.tick === null ? {} : {tick: trace.tick});
    const frames = [];
    for (let line = trace.next(end); line !== null; line = trace.next(end)) {
        if (line.kind === "state") {
            method.take(line.state);
        } else {
            const rows = method.draw(line.frame);
            const poses = Array.from({length: method.size}, (_, i) => [...rows.slice(i * 8, i * 8 + 4)]);
            frames.push({frame: line.frame.frame, poses});
        }
    }
    method.close();
    trace.close();
    return frames;
}

const run = (args, input = "") => execFileSync(program, args, {input, encoding: "utf8", maxBuffer: 2 ** 28});

function replayNatively(text, name) {
    return run(["replay", "-", "--method", name], text).trimEnd().split("\n").map((line) => JSON.parse(line))
        .map(({frame, poses}) => ({frame, poses: poses.map(({id, p}) => [id, ...p])}));
}

/** Positions to 1e-9 m: the same operations on the same doubles, written with all their digits. */
function expectSamePoses(here, there) {
    assert.equal(here.frame, there.frame);
    assert.equal(here.poses.length, there.poses.length, `frame ${here.frame}`);
    const [values, expected] = [here.poses.flat(), there.poses.flat()];
    const same = values.every((value, i) => Math.abs(value - expected[i]) <= 1e-9);
    assert.ok(same, `frame ${here.frame}: ${values} and ${expected}`);
}

const skip = existsSync(program) ? false : `there is no ${program}: build the preset dev`;
for (const name of ["playout", "newest", "constant-interval", "hermite", "exponential", "extrapolate"]) {
    test(`${name} draws the same here as the native program does`, {skip}, async () => {
        const text = run(["sample", "worker-light-abs-60"]);
        const here = replay(await load(), text, name);
        const there = replayNatively(text, name);
        assert.equal(here.length, there.length);
        assert.ok(here.length > 100);
        here.forEach((drawn, i) => expectSamePoses(drawn, there[i]));
    });
}
