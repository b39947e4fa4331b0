import assert from "node:assert/strict";
import {test} from "node:test";

import {createReader, Method, Playout} from "../dist/index.js";
import {blend, frameMs, poseAt, positionAt, refusal, runFrames, Source, tickMs} from "./support.mjs";

const warmup = 200; // Frames, until the picture runs.
const fixedDelay = 40;

async function open(options) {
    const source = await Source.open();
    return {source, playout: new Playout(source.channel, options)};
}

function near(value, expected, tolerance, what) {
    assert.ok(Math.abs(value - expected) <= tolerance, `${what}: ${value} is not ${expected} within ${tolerance}`);
}

test("motion at a constant speed is drawn in equal steps", async () => {
    const {source, playout} = await open({fixedDelay});
    let last = null;
    runFrames(source, 600, ({frame, cpu, present}) => {
        playout.present(cpu, present);
        const x = playout.find(source.id)?.position[0] ?? 0;
        // Each end is off by `blend` at most, and by a nanosecond of its time, 2e-9 m.
        if (frame > warmup) near(x - last, positionAt(frameMs), 3 * blend, frame);
        last = x;
    });
    assert.equal(playout.report().underruns, 0);
});

test("an object is where it was at the time that the frame shows", async () => {
    const {source, playout} = await open();
    runFrames(source, 400, ({frame, cpu, present}) => {
        playout.present(cpu, present);
        if (frame > 20) near(playout.find(source.id).position[0], positionAt(playout.report().sample), blend, frame);
    });
});

test("without a stamp of the display frames are even as well", async () => {
    const {source, playout} = await open({fixedDelay});
    let last = 0;
    runFrames(source, 400, ({frame, cpu}) => {
        playout.present(cpu);
        const x = playout.find(source.id)?.position[0] ?? 0;
        if (frame > warmup) near(x - last, positionAt(frameMs), 3 * blend, frame);
        last = x;
    });
});

test("a teleport is never drawn on its way", async () => {
    const {source, playout} = await open();
    const {writer, id} = source;
    const step = () => {
        const pose = poseAt(source.nextX + (source.tick >= 100 ? 1000 : 0));
        if (source.tick === 100) writer.cut(id, pose);
        else writer.move(id, pose);
        source.publish();
    };
    const seen = new Set();
    runFrames(source, 600, ({frame, cpu, present}) => {
        playout.present(cpu, present);
        const x = playout.find(id)?.position[0] ?? 0;
        // 600 frames at 2 m/s are 8.4 m.
        assert.ok(x < 9 || (x >= 1000 && x < 1009), `frame ${frame}: ${x}`);
        seen.add(x >= 1000);
    }, step);
    assert.equal(seen.size, 2);
});

test("through a portal the speed is kept", async () => {
    const {source, playout} = await open({fixedDelay});
    const {writer, id} = source;
    const step = () => {
        if (source.tick === 120) writer.shift(id, [500, 0, 0]);
        writer.move(id, poseAt(source.nextX + (source.tick >= 120 ? 500 : 0)));
        source.publish();
    };
    let last = 0;
    let portals = 0;
    runFrames(source, 500, ({frame, cpu, present}) => {
        playout.present(cpu, present);
        const x = playout.find(id)?.position[0] ?? 0;
        const way = x - last > 400 ? 500 : 0;
        portals += way > 0 ? 1 : 0;
        if (frame > warmup) near(x - last - way, positionAt(frameMs), 3 * blend, frame);
        last = x;
    }, step);
    assert.equal(portals, 1);
});

test("objects come and go with the names that the writer gave", async () => {
    const {source, playout} = await open();
    const present = ({cpu, present: stamp}) => playout.present(cpu, stamp);
    runFrames(source, 50, present);
    assert.equal(playout.size, 1);
    const other = source.writer.add(poseAt(50));
    runFrames(source, 50, present);
    assert.equal(playout.size, 2);
    assert.deepEqual(playout.find(other), {position: [50, 0, 0], rotation: [0, 0, 0, 1]});
    source.writer.remove(other);
    runFrames(source, 50, present);
    assert.equal(playout.size, 1);
    assert.equal(playout.find(other), null);
});

test("row i of the poses goes with matrix i", async () => {
    const {source, playout} = await open();
    const turned = source.writer.add({position: [3, 4, 5], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2]});
    runFrames(source, warmup, ({cpu, present}) => playout.present(cpu, present));
    const {poses, matrices, size} = playout;
    assert.equal(poses.length, size * 8);
    assert.equal(matrices.length, size * 16);
    for (let row = 0; row < size; ++row) {
        const position = poses.subarray(row * 8 + 1, row * 8 + 4);
        assert.deepEqual([...matrices.subarray(row * 16 + 12, row * 16 + 15)], [...position].map(Math.fround));
    }
    const row = poses[0] === turned ? 0 : 1;
    // A quarter turn about y, by columns. Math.SQRT1_2 is off by 2^-25 as a float.
    [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0].forEach((value, i) => near(matrices[row * 16 + i], value, 2e-7, i));
});

test("the report tells of the source", async () => {
    const {source, playout} = await open({fixedDelay});
    assert.equal(playout.report().sample, null);
    runFrames(source, warmup, ({cpu, present}) => playout.present(cpu, present));
    const report = playout.report();
    assert.equal(report.states, source.tick);
    assert.equal(report.tick, tickMs);
    assert.equal(report.scheduled, true);
    assert.equal(report.held, 0);
    assert.equal(report.relocks, 0);
    near(report.delay, fixedDelay, 1e-6, "whole nanoseconds");
    near(report.sample, warmup * frameMs - fixedDelay, 1e-6, "whole nanoseconds");
});

test("before the first state nothing is drawn", async () => {
    const {playout} = await open();
    assert.equal(playout.present(10), 0);
    assert.equal(playout.poses.length, 0);
    assert.equal(playout.matrices.length, 0);
    assert.equal(playout.find(1), null);
});

test("a frame at a time that no clock shows is refused with the reason", async () => {
    const {source, playout} = await open();
    assert.throws(() => playout.present(undefined), refusal("a time that no clock shows"));
    playout.close();
    const reader = createReader(source.channel);
    assert.throws(() => reader.next(NaN), refusal("a time that no clock shows"));
    const method = new Method(source.glissade, "newest");
    assert.throws(() => method.draw({frame: 1, cpu: NaN}), refusal("a time that no clock shows"));
});

test("a delay that cannot be is refused with the reason", async () => {
    const {channel} = await Source.open();
    assert.throws(() => new Playout(channel, {fixedDelay: -1}), refusal("glissade_playout_create: a delay below 0"));
    assert.throws(() => new Playout(channel, {fixedDelay: Infinity}), refusal("glissade_playout_create"));
});
