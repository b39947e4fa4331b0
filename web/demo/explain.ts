// What is seen and why, for what is chosen. Short: one thought a sentence.
import type {Settings} from "./settings.js";

const methods: Record<string, string> = {
    "playout": "States are played back by the time they stand for, a measured delay behind. A late tick changes "
        + "nothing: each frame lies between two that are here.",
    "accumulator": "What a loop on the page's own thread would draw: fixed steps, and the rest of the time between the "
        + "last two. It is the yardstick for everything with a worker.",
    "newest": "The newest state, as it came. The body stands between two ticks and then steps: some frames show no "
        + "tick, some show two.",
    "chase-target": "You are seeing alpha restart at every tick: each one starts a new blend from wherever the body is "
        + "drawn, so the speed changes with every tick that comes early or late.",
    "constant-interval": "From the previous state to the newest, by the time since it arrived. A tick that comes late "
        + "finds the blend at its end: the body waits, then jumps.",
    "measured-interval": "The same, divided by the last measured interval. Each tick is stretched to the length of the "
        + "one before it, so the speed wobbles everywhere.",
    "exponential": "A quarter of the way to the newest state in each frame. It rounds the steps off, lags behind, and "
        + "still pulses at every tick.",
    "hybrid": "Most of the way to what constant-interval draws, in each frame. The jumps are rounder, and they are "
        + "all still there.",
    "camera-only": "The newest state, seen from a smoothed camera. The background glides, but the body itself "
        + "still steps.",
    "extrapolate": "Like constant-interval, but where that waits, this runs on along the velocity. It guesses, and "
        + "at every turn and landing it has to take the guess back.",
    "predict": "The newest state carried on along its velocity. No lag on a straight run; on a curve, and at every "
        + "jump and landing, it overshoots and snaps back.",
    "hermite": "Constant-interval along a cubic curve. The path is rounder, the timing is the same: it holds and "
        + "jumps at the same frames.",
};

export function explainMethod(name: string): string {
    return methods[name] ?? "";
}

const timers: Record<Settings["timer"], string> = {
    fixed: "The worker runs free: setTimeout after the work, so lateness adds up and no tick has a time at which it "
        + "was due. Glissade has to find the rate from the arrivals.",
    absolute: "The worker keeps an absolute schedule: a timer that fires late delays a tick, never what it says.",
    atomics: "The worker sleeps with Atomics.wait on an absolute schedule, and wakes within a fraction of a "
        + "millisecond.",
};

/** What else has a part in the picture, most important first. */
export function explainConditions(settings: Readonly<Settings>): string[] {
    const period = 1000 / settings.rate;
    const lines = [timers[settings.timer]];
    if (settings.paused) lines.unshift("The simulation is paused, and says so: no tick is missing.");
    if (settings.clock === "cpu") {
        lines.push("Frames are dated by performance.now(): when the code ran, not when the picture is seen. Every "
            + "late callback moves the picture.");
    }
    if (settings.work > period * 0.7) {
        lines.push(`${settings.work} ms of work fill most of a tick of ${period.toFixed(1)} ms: the worker falls `
            + "behind at every hiccup.");
    }
    if (settings.rate < 30) {
        lines.push(`At ${settings.rate} Hz a tick lasts ${period.toFixed(0)} ms: playing back behind it costs about `
            + "that much delay, and steps are easy to see.");
    }
    if (settings.timeScale !== 1) {
        lines.push(`Time runs at ${settings.timeScale.toFixed(1)} of its speed, and each state says so.`);
    }
    if (settings.camera === "follow" && settings.damping === "frame") {
        lines.push("The camera goes a fixed part of the way in each frame: uneven frames shake it, on both sides.");
    }
    if (settings.slowdown > 14) {
        lines.push("The page itself misses refreshes now. No method can draw a frame that never came.");
    }
    return lines;
}
