#!/usr/bin/env node
// How smooth the demo's character is in each of several set-ups: records the page, and judges the recording with the
// program `glissade`, as docs/guides/physics-in-a-web-worker.md shows it.
//
//     node tests/web/measure_demo.mjs [--folder build/demo] [--program build/run/app/glissade] [--seconds 10] [--best-of 3]
import {launchBrowser} from "./browser.mjs";
import {desk, Judge, measured, openDemo, record, Site} from "./demo.mjs";

/** One set-up of the page, and how its recording is drawn. */
export const setUps = [
    {name: "newest state", timer: "fixed", method: "newest"},
    {name: "blended towards it", timer: "fixed", method: "chase-target"},
    {name: "previous to current, clamped", timer: "fixed", method: "constant-interval"},
    {name: "by the measured interval", timer: "fixed", method: "measured-interval"},
    {name: "absolute schedule, still clamped", timer: "absolute", method: "constant-interval"},
    {name: "playout of a free-running worker", timer: "fixed", method: "playout"},
    {name: "playout on the schedule, CPU time", timer: "absolute", method: "playout", stamped: false},
    {name: "playout on the schedule", timer: "absolute", method: "playout"},
];

const work = 6;

/** Recordings of the page with each timer. */
export async function recordTimer(browser, site, timer, {seconds = 10, settleSeconds = 3, throttle = 1, parameters = {}} = {}) {
    const {page, close} = await openDemo(browser, site.isolated, {...measured, timer, work, ...parameters}, desk);
    if (throttle > 1) {
        const session = await page.context().newCDPSession(page);
        await session.send("Emulation.setCPUThrottlingRate", {rate: throttle});
    }
    // Loading a page makes both threads late, and playout remembers lateness for 8 s.
    await page.waitForTimeout(settleSeconds * 1000);
    const recording = await record(page, seconds);
    await close();
    return recording;
}

function readArguments(words) {
    const options = {folder: "build/demo", program: "build/run/app/glissade", seconds: 10, "best-of": 3};
    for (let i = 0; i < words.length; i += 2) {
        const name = words[i].replace(/^--/, "");
        if (!(name in options) || words[i + 1] === undefined) throw new Error(`unknown argument '${words[i]}'`);
        options[name] = typeof options[name] === "number" ? Number(words[i + 1]) : words[i + 1];
    }
    return options;
}

async function main() {
    const options = readArguments(process.argv.slice(2));
    const site = new Site(options.folder);
    const judge = new Judge(options.program);
    await site.start();
    const browser = await launchBrowser();
    const best = new Map();
    for (let run = 0; run < options["best-of"]; ++run) {
        for (const timer of ["fixed", "absolute"]) {
            const {trace} = await recordTimer(browser, site, timer, {...options, settleSeconds: 9});
            for (const setUp of setUps.filter((one) => one.timer === timer)) {
                const score = judge.score(trace, setUp.method, setUp);
                const held = best.get(setUp);
                if (!held || score.rate_rms < held.rate_rms) best.set(setUp, score);
            }
        }
    }
    console.log(`60 Hz, ${work} ms of work per tick, ${options.seconds} s, best of ${options["best-of"]}`);
    console.log("set-up                              rate error   lag ms   holds   jumps   of frames");
    for (const setUp of setUps) {
        const score = best.get(setUp);
        console.log([setUp.name.padEnd(34), score.rate_rms.toFixed(4).padStart(11), score.lag_ms_mean.toFixed(1).padStart(8),
            String(score.holds).padStart(7), String(score.jumps).padStart(7), String(score.scored_frames).padStart(11)].join(" "));
    }
    await browser.close();
    site.stop();
    judge.close();
}

if (process.argv[1]?.endsWith("measure_demo.mjs")) {
    main().catch((error) => {
        console.error(`measure_demo: ${error.message}`);
        process.exit(1);
    });
}
