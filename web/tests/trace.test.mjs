import assert from "node:assert/strict";
import {test} from "node:test";

import {Method, Recording, Trace} from "../dist/index.js";
import {load, recordSides, refusal, Source, tickMs} from "./support.mjs";

const lines = [
    '{"trace":1,"name":"small","source":"thread","tick_ns":16000000}',
    '{"tick":0,"sim":0,"arrive":1000000,"due":500000,"poses":[{"id":7,"p":[1,2,3]}]}',
    '{"frame":10,"cpu":2000000,"present":1500000}',
    '{"tick":1,"sim":16000000,"arrive":17000000,"poses":[{"id":7,"p":[2,2,3]},{"id":3,"p":[0,0,0]}]}',
    '{"frame":11,"cpu":18000000}',
    '{"tick":2,"sim":32000000,"arrive":33000000,"poses":[]}',
];
const text = `${lines.join("\n")}\n`;
const end = 1e9;

/** The lines up to `until`, by kind and number. */
function walk(trace, until) {
    const seen = [];
    for (let line = trace.next(until); line !== null; line = trace.next(until)) {
        seen.push(line.kind === "state" ? `state ${line.state.times().tick}` : `frame ${line.frame.frame}`);
    }
    return seen;
}

test("a trace tells what is in it", async () => {
    const trace = new Trace(await load(), text);
    assert.equal(trace.name, "small");
    assert.equal(trace.tick, 16);
    assert.equal(trace.first, 1);
    assert.equal(trace.frameCount, 2);
    assert.deepEqual(trace.ids, [3, 7]);
});

test("a trace ends with its last line, be it a frame or a state", async () => {
    const glissade = await load();
    assert.equal(new Trace(glissade, text).last, 33);
    assert.equal(new Trace(glissade, `${lines.slice(0, 5).join("\n")}\n`).last, 18);
});

test("a trace is replayed in the order of its lines as far as they have happened, and again", async () => {
    const trace = new Trace(await load(), text);
    assert.deepEqual(walk(trace, 0.5), []);
    assert.deepEqual(walk(trace, 2), ["state 0", "frame 10"]);
    assert.deepEqual(walk(trace, 2), []);
    assert.deepEqual(walk(trace, end), ["state 1", "frame 11", "state 2"]);
    trace.rewind();
    assert.deepEqual(walk(trace, end), ["state 0", "frame 10", "state 1", "frame 11", "state 2"]);
});

test("a line has what the file has, and no more", async () => {
    const trace = new Trace(await load(), text);
    const {state} = trace.next(end);
    assert.equal(state.times().due, 0.5);
    assert.deepEqual([...state.rows()].slice(0, 4), [7, 1, 2, 3]);
    assert.deepEqual(trace.next(end), {kind: "frame", frame: {frame: 10, cpu: 2, present: 1.5}});
    trace.next(end);
    assert.deepEqual(trace.next(end), {kind: "frame", frame: {frame: 11, cpu: 18}});
});

test("a trace whose ticks vary has no length of a tick", async () => {
    const trace = new Trace(await load(), text.replace("16000000}", "null}"));
    assert.equal(trace.tick, null);
});

test("a bad line is refused with its number and the reason", async () => {
    const glissade = await load();
    const badLines = [
        "nonsense", '{"frame":11,"cpu":"late"}', '{"frame":11,"cpu":16000000}', '{"frame":9,"cpu":18000000}',
    ];
    for (const bad of badLines) {
        assert.throws(() => new Trace(glissade, text.replace(lines[4], bad)), refusal("the trace: line 5: "));
    }
});

test("what is no trace is refused", async () => {
    const glissade = await load();
    for (const bad of ["", "\n", "hello", "{}", "\u0000", "ä"]) {
        assert.throws(() => new Trace(glissade, bad), refusal("the trace: "));
    }
    assert.throws(() => new Trace(glissade, `${lines[0]}\n`), refusal("it has no frames"));
});

test("a name in any script comes through a recording and its trace", async () => {
    const glissade = await load();
    const name = 'Möwe "7" \\ 画面\n2';
    const recording = new Recording(glissade, {name});
    recording.frame({frame: 1, cpu: 1});
    assert.equal(new Trace(glissade, recording.traceText()).name, name);
});

test("a replay of a recording draws what was drawn", async () => {
    const source = await Source.open();
    const {glissade} = source;
    const recording = new Recording(glissade, {tick: tickMs, seconds: 60});
    const live = new Method(glissade, "playout", {tick: tickMs, maxObjects: 64});
    recordSides(source, recording, [live], 500);
    const trace = new Trace(glissade, recording.traceText());
    const again = new Method(glissade, "playout", {tick: tickMs, maxObjects: 64});
    const replayed = new Recording(glissade, {tick: tickMs, seconds: 60});
    replayed.watch(source.id);
    for (let line = trace.next(end); line !== null; line = trace.next(end)) {
        if (line.kind === "state") {
            again.take(line.state);
            replayed.state(line.state);
        } else {
            replayed.frame(line.frame);
            again.draw(line.frame);
            replayed.drawn(0, again);
        }
    }
    assert.equal(replayed.drawnText(0), recording.drawnText(0));
    assert.equal(replayed.traceText(), recording.traceText());
});
