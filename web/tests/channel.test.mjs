import assert from "node:assert/strict";
import {test} from "node:test";

import {Channel, createReader, createWriter, Playout} from "../dist/index.js";
import {load, poseAt, refusal, rowLength, Source, takeAll, timesOf, WriterThread} from "./support.mjs";

const bodies = 20;

/** Every number of a state says the same tick, and every row its own place. */
function checkState(state, ids) {
    const {tick, time} = state.times();
    assert.equal(time, tick);
    const rows = state.rows();
    assert.equal(rows.length, bodies * rowLength);
    for (let row = 0; row < bodies; ++row) {
        const [id, x, y, z, qx, qy, qz, qw, vx, vy] = rows.subarray(row * rowLength, (row + 1) * rowLength);
        assert.deepEqual([x, y, z], [tick, tick * 1000 + row, -tick]);
        assert.deepEqual([qx, qy, qz, qw, vx, vy], [0, 0, 0, 1, tick % 4096, row]);
        ids[row] ??= id;
        assert.equal(id, ids[row]);
    }
    return tick;
}

/** Uses the page's own stack and arena while the worker uses its own. */
function stir(glissade, turn) {
    const scratch = glissade.doubles(1 + (turn * 37) % 2000).fill(-turn);
    const other = glissade.doubles(300).fill(turn);
    assert.ok(scratch.every((value) => value === -turn) && other.every((value) => value === turn));
    glissade.free(scratch);
    glissade.free(other);
}

/** Reads what a worker writes until its last state: the ticks in the order in which they came. */
async function readAll(glissade, channel, task) {
    const thread = new WriterThread(channel, {bodies, ...task});
    const reader = createReader(channel);
    const ticks = [];
    const ids = [];
    try {
        thread.go();
        while (ticks.at(-1) !== task.count) {
            takeAll(reader, performance.now(), (state) => ticks.push(checkState(state, ids)));
            stir(glissade, ticks.length);
            thread.acknowledge(ticks.at(-1) ?? 0);
            await thread.turn();
        }
        return {ticks, ids, skipped: reader.skippedCount, message: await thread.message};
    } finally {
        await thread.end();
        channel.close();
    }
}

const upTo = (count) => Array.from({length: count}, (_, i) => i + 1);

test("every state of a worker arrives in shared memory, whole and in order, while both sides allocate", async () => {
    const glissade = await load();
    const channel = new Channel(glissade, {capacity: bodies, transport: "shared"});
    const {ticks, ids, skipped, message} = await readAll(glissade, channel, {count: 3000, lead: 16});
    assert.deepEqual(ticks, upTo(3000));
    assert.equal(skipped, 0);
    assert.deepEqual(message, {ids, sound: true, transport: "shared"});
});

test("a worker that does not wait for the page loses states, but none is torn or out of order", async () => {
    const glissade = await load();
    const channel = new Channel(glissade, {capacity: bodies, transport: "shared"});
    const {ticks, skipped, message} = await readAll(glissade, channel, {count: 5000, lead: Infinity});
    assert.ok(ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]));
    assert.equal(ticks.length + skipped, 5000);
    assert.equal(message.sound, true);
});

test("every state of a worker arrives as a message, whole and in order", async () => {
    const glissade = await load();
    const channel = new Channel(glissade, {capacity: bodies, transport: "messages"});
    const {ticks, ids, message} = await readAll(glissade, channel, {count: 1000, lead: 16});
    assert.deepEqual(ticks, upTo(1000));
    assert.deepEqual(message, {ids, sound: true, transport: "messages"});
});

test("a channel shares memory where it can and says why", async () => {
    const channel = new Channel(await load());
    assert.equal(channel.transport, "shared");
    assert.match(channel.reason, /memory is shared/);
    assert.equal(channel.ticket.memory, channel.glissade.memory);
    assert.deepEqual(channel.transfer, []);
});

test("a channel that was asked for messages says so and shares nothing", async () => {
    const channel = new Channel(await load(), {transport: "messages"});
    assert.equal(channel.transport, "messages");
    assert.match(channel.reason, /messages were asked for/);
    assert.equal(channel.ticket.memory, undefined);
    assert.deepEqual(channel.transfer, [channel.ticket.port]);
    channel.close();
});

/** Calls `use` as if the page were not cross-origin isolated. */
async function withoutIsolation(use) {
    const before = Object.getOwnPropertyDescriptor(globalThis, "crossOriginIsolated");
    Object.defineProperty(globalThis, "crossOriginIsolated", {value: false, configurable: true});
    try {
        await use();
    } finally {
        if (before) Object.defineProperty(globalThis, "crossOriginIsolated", before);
        else delete globalThis.crossOriginIsolated;
    }
}

test("without isolation a channel goes by messages and says why", async () => {
    const glissade = await load();
    await withoutIsolation(() => {
        const channel = new Channel(glissade);
        assert.equal(channel.transport, "messages");
        assert.match(channel.reason, /not cross-origin isolated/);
        channel.close();
        assert.throws(() => new Channel(glissade, {transport: "shared"}), refusal("not cross-origin isolated"));
    });
});

for (const transport of ["shared", "messages"]) {
    test(`a second writer is refused with the reason, over ${transport}`, async () => {
        const source = await Source.open({transport});
        try {
            await assert.rejects(createWriter(source.channel.ticket), refusal("taken"));
        } finally {
            source.channel.close();
        }
    });
}

test("a writer goes on undisturbed after a second one was refused", async () => {
    const source = await Source.open({capacity: 8});
    const others = Array.from({length: 7}, (_, i) => source.writer.add(poseAt(100 + i)));
    await assert.rejects(createWriter(source.channel.ticket));
    others.forEach((id, i) => source.writer.move(id, poseAt(200 + i)));
    source.moveAndPublish();
    const state = createReader(source.channel).next(100);
    const rows = state.rows();
    assert.deepEqual(others.map((id, i) => [rows[(i + 1) * rowLength], rows[(i + 1) * rowLength + 1]]),
        others.map((id, i) => [id, 200 + i]));
    assert.throws(() => source.writer.add(poseAt(0)), refusal("glissade_writer_add: full"));
});

test("a writer may join after the one before has left", async () => {
    const source = await Source.open();
    source.writer.close();
    const next = await createWriter(source.channel.ticket);
    next.add(poseAt(7));
    next.publish(timesOf(1));
    assert.equal(createReader(source.channel).next(100).rows()[1], 7);
});

test("a second reader is refused until the first has left, whichever kind it is", async () => {
    const {channel} = await Source.open();
    const reader = createReader(channel);
    assert.throws(() => createReader(channel), refusal("glissade_reader_create: taken"));
    assert.throws(() => new Playout(channel), refusal("glissade_playout_create: taken"));
    reader.close();
    new Playout(channel).close();
    createReader(channel).close();
});

test("a ticket that lost its parts on the way is refused", async () => {
    const glissade = await load();
    const {memory, ...rest} = new Channel(glissade).ticket;
    assert.ok(memory);
    await assert.rejects(createWriter(rest), refusal("not a ticket of a channel"));
    const channel = new Channel(glissade, {transport: "messages"});
    const {port, ...portless} = channel.ticket;
    assert.ok(port);
    await assert.rejects(createWriter(portless), refusal("channel.transfer"));
    channel.close();
});

test("a capacity that cannot be is refused with the reason", async () => {
    const glissade = await load();
    for (const capacity of [0, -1, 2 ** 24 + 1]) {
        assert.throws(() => new Channel(glissade, {capacity}), refusal("the capacity is 0 or too large"));
    }
});

test("a capacity that is too large for the memory is refused with what to do, and a smaller one fits", async () => {
    const glissade = await load({memoryBytes: 32 * 1024 * 1024});
    assert.throws(() => new Channel(glissade, {capacity: 100_000}), refusal("load it with a larger memoryBytes"));
    assert.equal(new Channel(glissade, {capacity: 100}).transport, "shared");
});

test("a channel whose worker does not fit is refused and takes no memory", async () => {
    // Of the shared half, 16 MB, a link takes more than 7.5 MB and a worker's part more than 8 MB.
    const glissade = await load({memoryBytes: 32 * 1024 * 1024});
    const perObject = glissade.native.glissade_link_bytes(10_000) / 10_000;
    const capacity = Math.floor(8.2 * 1024 * 1024 / perObject);
    assert.throws(() => new Channel(glissade, {capacity}), refusal("larger memoryBytes"));
    assert.equal(new Channel(glissade, {capacity: 100}).transport, "shared");
});

test("a writer of a large channel has room for all its rows", async () => {
    const glissade = await load({memoryBytes: 1024 * 1024 * 1024});
    const capacity = 80_000;
    const writer = await createWriter(new Channel(glissade, {capacity}).ticket);
    assert.equal(writer.rows.length, capacity * rowLength);
});

test("a writer over messages has room for as many objects as its channel", async () => {
    const glissade = await load();
    const channel = new Channel(glissade, {capacity: 8000, transport: "messages"});
    try {
        const writer = await createWriter(channel.ticket);
        assert.equal(writer.rows.length, 8000 * rowLength);
    } finally {
        channel.close();
    }
});
