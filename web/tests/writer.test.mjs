import assert from "node:assert/strict";
import {test} from "node:test";

import {createReader} from "../dist/index.js";
import {poseAt, refusal, rowLength, Source, timesOf} from "./support.mjs";

/** A source with its reader. */
async function open(options) {
    const source = await Source.open(options);
    return {source, writer: source.writer, reader: createReader(source.channel)};
}

test("a state arrives with its times and with all that its objects have", async () => {
    const {writer, source, reader} = await open();
    writer.move(source.id, {
        position: [1, 2, 3], rotation: [0, 1, 0, 0], velocity: [4, 5, 6], angularVelocity: [7, 8, 9],
    });
    const times = {tick: 5, time: 80, duration: 16, due: 81, published: 82, timeScale: 0.5, paused: true, epoch: 2};
    writer.publish(times);
    const state = reader.next(100);
    assert.deepEqual(state.times(), times);
    assert.equal(state.size, 1);
    assert.deepEqual([...state.rows()], [source.id, 1, 2, 3, 0, 1, 0, 0, 4, 5, 6, 7, 8, 9]);
    assert.equal(reader.next(100), null);
});

test("what is left out of a pose and of times is at rest, unscheduled and at full speed", async () => {
    const {writer, source, reader} = await open();
    writer.move(source.id, {position: [1, 2, 3]});
    writer.publish({tick: 1, time: 16, duration: 16});
    const state = reader.next(1e6);
    assert.deepEqual([...state.rows()], [source.id, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const {due, timeScale, paused, epoch} = state.times();
    assert.deepEqual({due, timeScale, paused, epoch}, {due: null, timeScale: 1, paused: false, epoch: 0});
});

test("states come in their order, oldest first", async () => {
    const {source, reader} = await open();
    for (let i = 0; i < 10; ++i) source.moveAndPublish();
    for (let tick = 1; tick <= 10; ++tick) assert.equal(reader.next(1000).times().tick, tick);
    assert.equal(reader.next(1000), null);
    assert.equal(reader.skippedCount, 0);
});

test("what was overwritten before it was taken is counted", async () => {
    const {source, reader} = await open();
    for (let i = 0; i < 100; ++i) source.moveAndPublish();
    const first = reader.next(1000).times().tick;
    assert.equal(reader.skippedCount, first - 1);
    assert.ok(reader.skippedCount > 0);
});

test("a copy of a state's rows outlives the state", async () => {
    const {source, reader} = await open();
    source.moveAndPublish();
    const rows = reader.next(100).rows();
    const before = [...rows];
    for (let i = 0; i < 50; ++i) source.moveAndPublish();
    while (reader.next(1000) !== null);
    assert.deepEqual([...rows], before);
});

test("a state without objects has no rows", async () => {
    const {writer, source, reader} = await open();
    writer.remove(source.id);
    source.publish();
    const state = reader.next(100);
    assert.equal(state.size, 0);
    assert.equal(state.rows().length, 0);
});

test("many rows are moved at once, and no more than there is room for", async () => {
    const {writer, source, reader} = await open({capacity: 4});
    const ids = [source.id, writer.add(poseAt(1)), writer.add(poseAt(2))];
    ids.forEach((id, i) => writer.rows.set([id, 10 * i, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], i * rowLength));
    writer.moveRows(3);
    source.publish();
    const rows = reader.next(100).rows();
    assert.deepEqual(ids.map((_, i) => rows[i * rowLength + 1]), [0, 10, 20]);
    assert.throws(() => writer.moveRows(5), refusal("5 rows: the channel has room for 4"));
});

test("bad values throw and change nothing", async () => {
    const {writer, source, reader} = await open();
    writer.move(source.id, poseAt(5));
    const bad = [{position: [NaN, 0, 0]}, {position: [Infinity, 0, 0]}, {position: [0, 0, 0], rotation: [0, 0, 0, 0]},
        {position: [0, 0, 0], velocity: [NaN, 0, 0]}];
    for (const pose of bad) {
        assert.throws(() => writer.add(pose), refusal("glissade_writer_add: bad value"));
        assert.throws(() => writer.move(source.id, pose), refusal("glissade_writer_move: bad value"));
        assert.throws(() => writer.cut(source.id, pose), refusal("glissade_writer_cut: bad value"));
    }
    assert.throws(() => writer.shift(source.id, [NaN, 0, 0]), refusal("glissade_writer_shift: bad value"));
    source.publish();
    const state = reader.next(100);
    assert.equal(state.size, 1);
    assert.equal(state.rows()[1], 5);
});

test("rows of which one is bad throw", async () => {
    const {writer, source} = await open();
    writer.rows.set([source.id, NaN, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert.throws(() => writer.moveRows(1), refusal("glissade_writer_move: bad value"));
});

test("times that no clock shows throw and hand nothing over", async () => {
    const {writer, reader} = await open();
    for (const bad of [{time: NaN}, {duration: 0}, {duration: NaN}, {published: Infinity}, {timeScale: -1},
        {timeScale: Infinity}, {epoch: -1}, {epoch: 2 ** 32}, {tick: NaN}]) {
        const times = {...timesOf(1), ...bad};
        assert.throws(() => writer.publish(times), refusal("glissade_writer_publish"), Object.keys(bad)[0]);
        assert.equal(reader.next(100), null);
    }
});

test("a name of an object that is gone is refused, and is never used again", async () => {
    const {writer, source} = await open();
    writer.remove(source.id);
    assert.throws(() => writer.remove(source.id), refusal("glissade_writer_remove: bad handle"));
    assert.throws(() => writer.move(source.id, poseAt(1)), refusal("bad handle"));
    assert.notEqual(writer.add(poseAt(0)), source.id);
});

test("a channel that is full refuses a further object", async () => {
    const {writer} = await open({capacity: 2});
    writer.add(poseAt(1));
    assert.throws(() => writer.add(poseAt(2)), refusal("glissade_writer_add: full"));
});

test("the clock of a writer in the page's own thread is the page's", async () => {
    const {writer} = await open();
    const before = performance.now();
    const now = writer.now();
    assert.ok(now >= before && now <= performance.now());
});
