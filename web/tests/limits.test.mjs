// What happens at the limits: no memory, numbers that are none, things that are closed twice.
import assert from "node:assert/strict";
import {describe, test} from "node:test";

import {Channel, createReader, createWriter, GlissadeError, Method, Playout, Recording, TickPacer, Trace} from "../dist/index.js";
import {load, poseAt, Source, timesOf} from "./support.mjs";

const mebibyte = 1024 * 1024;

// A trace of so many objects that its parsed form is many times 8 MiB.
function largeTrace() {
    const poses = Array.from({length: 200}, (_, id) => ({id, p: [id, 0, 0], q: [0, 0, 0, 1], v: [1, 0, 0]}));
    const lines = ['{"trace":1,"name":"large","source":"thread","tick_ns":null}'];
    for (let tick = 1; tick <= 300; ++tick) lines.push(JSON.stringify({tick, sim: tick * 1e6, arrive: tick * 1e6, poses}));
    return lines.join("\n") + "\n";
}

describe("memory", () => {
    test("a memory that cannot be is refused in words", async () => {
        for (const memoryBytes of [0, 65536, 4 * 1024 * mebibyte, NaN]) {
            await assert.rejects(load({memoryBytes}), (error) => error instanceof GlissadeError && /memory of/.test(error.message));
        }
    });

    test("what does not fit is an error in words, not a trap", async () => {
        const glissade = await load({memoryBytes: 16 * mebibyte});
        assert.throws(() => new Method(glissade, "playout", {maxObjects: 1_000_000}),
            (error) => error instanceof GlissadeError && /out of memory.*memoryBytes/.test(error.message));
        assert.throws(() => new Trace(glissade, largeTrace()),
            (error) => error instanceof GlissadeError && /out of memory.*memoryBytes/.test(error.message));
    });

    test("the stack is where it was after that", async () => {
        const glissade = await load({memoryBytes: 16 * mebibyte});
        const before = glissade.native.__stack_pointer.value;
        assert.throws(() => new Method(glissade, "playout", {maxObjects: 1_000_000}), GlissadeError);
        assert.equal(glissade.native.__stack_pointer.value, before);
    });
});

describe("closing", () => {
    test("twice is once", async () => {
        const glissade = await load();
        for (const one of [new Method(glissade, "newest"), new Recording(glissade), new TickPacer(glissade)]) {
            one.close();
            const [first, second] = [new Method(glissade, "newest"), new Method(glissade, "newest")];
            one.close();
            // What was given back twice would now be given out twice.
            assert.notEqual(first.handle, second.handle);
            const third = new Method(glissade, "newest");
            assert.ok(third.handle !== first.handle && third.handle !== second.handle);
        }
    });

    test("a closed playout leaves its place to another, once", async () => {
        const {channel} = await Source.open();
        const first = new Playout(channel);
        first.close();
        const second = createReader(channel);
        first.close();
        assert.throws(() => createReader(channel), GlissadeError);
        second.close();
    });

    test("a writer that is closed twice does not drive its successor out", async () => {
        const glissade = await load();
        const channel = new Channel(glissade, {capacity: 4});
        const first = await createWriter(channel.ticket);
        first.close();
        const second = await createWriter(channel.ticket);
        first.close();
        await assert.rejects(createWriter(channel.ticket), /taken/);
        const id = second.add(poseAt(0));
        second.move(id, poseAt(1));
        second.publish(timesOf(1));
    });

    test("a channel of messages that is closed lets another relay join its link", async () => {
        const glissade = await load();
        const channel = new Channel(glissade, {capacity: 4, transport: "messages"});
        channel.close();
        channel.close();
        const {pointer, bytes} = channel.link;
        assert.notEqual(glissade.native.glissade_relay_create(pointer, bytes), 0);
    });
});

test("rows that are no number of rows are refused", async () => {
    const {writer} = await Source.open({capacity: 4});
    for (const count of [-1, 0.5, NaN, 5]) assert.throws(() => writer.moveRows(count), GlissadeError);
    writer.moveRows(0);
});

test("figures of what nobody drew are unknown, not perfect", async () => {
    const glissade = await load();
    const recording = new Recording(glissade);
    recording.watch(1);
    recording.frame({frame: 1, cpu: 1});
    const {rateError, lag, underruns, held, jumps, backward} = recording.score(0, 1, 4);
    assert.deepEqual({rateError, lag, underruns, held, jumps, backward},
        {rateError: null, lag: null, underruns: null, held: null, jumps: null, backward: null});
});
