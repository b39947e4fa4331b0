import assert from "node:assert/strict";
import {test} from "node:test";

import {FixedStep, FollowCamera, TickPacer} from "../dist/index.js";
import {load, refusal} from "./support.mjs";

const period = 20;
const options = {rate: 50, maxTicks: 8};

test("a FixedStep runs as many ticks as time has passed", async () => {
    const clock = new FixedStep(await load(), options);
    let count = 0;
    for (let frame = 0; frame <= 500; ++frame) {
        for (const step of clock.advanceTo(300 + 7 * frame)) {
            ++count;
            assert.deepEqual(step, {tick: count, time: count * period, duration: period, seconds: 0.02});
        }
        assert.equal(count, Math.floor(7 * frame / period));
    }
});

test("the sample of a FixedStep is the place of the frame between the last two ticks", async () => {
    const clock = new FixedStep(await load(), options);
    clock.advanceTo(0);
    clock.advanceTo(45);
    assert.deepEqual(clock.sample(), {time: 25, alpha: 0.25, newestTick: 2});
});

test("a FixedStep can be slowed down and paused", async () => {
    const clock = new FixedStep(await load(), options);
    clock.timeScale = 0.5;
    clock.advanceTo(0);
    assert.equal(clock.advanceTo(80).length, 2);
    clock.paused = true;
    assert.equal(clock.advanceTo(500).length, 0);
    clock.paused = false;
    assert.equal(clock.advanceTo(540).length, 1);
    assert.throws(() => { clock.timeScale = -1; }, refusal("a time scale out of range"));
});

test("a TickPacer keeps an absolute schedule however late it wakes", async () => {
    const pacer = new TickPacer(await load(), {...options, start: 5000});
    assert.deepEqual(pacer.wake(1000), []);
    assert.equal(pacer.nextDue, 1020);
    assert.deepEqual(pacer.wake(1063), [1, 2, 3].map((tick) => ({
        tick, time: 5000 + tick * period, duration: period, seconds: 0.02, due: 1000 + tick * period, epoch: 0,
    })));
    assert.equal(pacer.nextDue, 1080);
});

test("a TickPacer that gave time up has another epoch", async () => {
    const pacer = new TickPacer(await load(), options);
    pacer.wake(0);
    const steps = pacer.wake(10_000);
    assert.equal(steps.length, 8);
    assert.equal(pacer.epoch, 1);
    assert.ok(steps.every(({epoch}) => epoch === 1));
});

test("a TickPacer can be slowed down and paused", async () => {
    const pacer = new TickPacer(await load(), options);
    pacer.timeScale = 0.5;
    pacer.wake(0);
    assert.equal(pacer.nextDue, 40);
    pacer.paused = true;
    assert.deepEqual(pacer.wake(400), []);
    pacer.paused = false;
    assert.deepEqual(pacer.wake(410), []);
    assert.throws(() => { pacer.timeScale = NaN; }, refusal("a time scale out of range"));
});

test("a time that no clock shows is refused with the reason", async () => {
    const glissade = await load();
    assert.throws(() => new FixedStep(glissade).advanceTo(NaN), refusal("a time that no clock shows"));
    assert.throws(() => new TickPacer(glissade).wake(NaN), refusal("a time that no clock shows"));
});

test("clocks with settings that none can have are refused with the reason", async () => {
    const glissade = await load();
    for (const Clock of [FixedStep, TickPacer]) {
        for (const rate of [0, -1, NaN, Infinity]) {
            assert.throws(() => new Clock(glissade, {rate}), refusal("a rate that no clock can have"));
        }
        for (const maxTicks of [0, 1001, -1]) {
            assert.throws(() => new Clock(glissade, {maxTicks}), refusal("max_ticks must be 1 to 1000"));
        }
    }
    assert.throws(() => new TickPacer(glissade, {start: NaN}), refusal("a start that no clock shows"));
});

test("a FollowCamera is behind and above its target and looks at it", async () => {
    const camera = new FollowCamera(await load(), {distance: 6, height: 2, damping: 0});
    const {eye, lookAt, rotation} = camera.update([1, 0, 3], 0, 0, 7);
    assert.deepEqual(lookAt, [1, 1.5, 3]);
    assert.deepEqual(eye, [1, 3.5, 9]);
    // Turned down by the angle of 2 in 6 about x; a float of a unit quaternion, 1e-6.
    const angle = -Math.atan2(2, 6);
    [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)].forEach((value, i) =>
        assert.ok(Math.abs(rotation[i] - value) < 1e-6, `${i}: ${rotation[i]}`));
});

test("a FollowCamera catches up by its damping, whatever the frame rate, and cuts", async () => {
    const glissade = await load();
    const [slow, fast] = [new FollowCamera(glissade), new FollowCamera(glissade)];
    for (const camera of [slow, fast]) camera.update([0, 0, 0], 0, 0, 0);
    const slowX = slow.update([1, 0, 0], 0, 0, 100).lookAt[0];
    let fastX = 0;
    for (let i = 1; i <= 10; ++i) fastX = fast.update([i / 10, 0, 0], 0, 0, 10).lookAt[0];
    // Exact for straight motion, but for the rounding of some ten steps.
    assert.ok(Math.abs(slowX - fastX) < 1e-12, `${slowX} ${fastX}`);
    // Of a target that goes 1 m in one time constant: x = 1 - (1 - exp(-1)).
    assert.ok(Math.abs(slowX - Math.exp(-1)) < 1e-12, `${slowX}`);
    assert.equal(slow.update([50, 0, 0], 0, 1, 7).lookAt[0], 50);
});

test("a FollowCamera with settings that none can have is refused with the reason", async () => {
    const glissade = await load();
    for (const bad of [{distance: -1}, {distance: NaN}, {height: Infinity}, {damping: NaN}, {distance: 1e13}]) {
        assert.throws(() => new FollowCamera(glissade, bad), refusal("glissade_camera_create"));
    }
});
