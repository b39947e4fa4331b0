// Tests of the page that `glissade lab` writes, in a real browser.
//
//     node tests/web/report_test.mjs REPORT.html
import assert from "node:assert/strict";
import {readFileSync, statSync} from "node:fs";
import {resolve} from "node:path";
import {after, before, describe, test} from "node:test";
import {pathToFileURL} from "node:url";

import {findPoorContrast, launchBrowser, lookAtCanvases, openReport, scrollThrough, scrollTo, settle} from "./browser.mjs";

const path = process.argv[2] ?? process.env.GLISSADE_REPORT;
if (!path) {
    console.error("usage: node report_test.mjs REPORT.html");
    process.exit(2);
}
const url = pathToFileURL(resolve(path)).href;
const text = readFileSync(path, "utf8");
const inlined = text.match(/<script id="report" type="application\/json">([\s\S]*?)<\/script>/)[1];
const report = JSON.parse(inlined);
const reference = report.conditions.find((condition) => condition.reference) ?? report.conditions[0];
const accent = {light: [0x0f, 0x76, 0x6e], dark: [0x2d, 0xd4, 0xbf]};

// One page for each kind of screen: opening one takes longer than most tests. A test leaves it as it found it.
const screens = {
    desk: {viewport: {width: 1280, height: 900}, colorScheme: "light"},
    night: {viewport: {width: 1280, height: 900}, colorScheme: "dark"},
    // Nobody has scrolled there yet, so that printing has to draw everything by itself.
    unread: {viewport: {width: 1280, height: 900}, colorScheme: "dark"},
    phone: {viewport: {width: 375, height: 800}, colorScheme: "light", hasTouch: true, isMobile: true},
};
const open = {};
let browser;
before(async () => { browser = await launchBrowser(); });
after(async () => { await browser?.close(); });

async function on(screen, body) {
    open[screen] ??= await openReport(browser, url, screens[screen]);
    await body(open[screen].page, open[screen]);
}

// A figure as shown is the figure of the report, but for its rounding: 3 digits below 0.1, 2 digits below 10, else none.
function assertShows(shown, value, where) {
    if (value === null || value === undefined) return assert.equal(shown, "\u2013", where);
    if (shown === "<0.001") return assert.ok(value > 0 && value < 0.001, where);
    const rounding = value < 0.0995 ? 0.0005 : value < 9.95 ? 0.005 : 0.5;
    return assert.ok(Math.abs(Number(shown) - value) <= rounding * 1.001, `${where}: shows ${shown} for ${value}`);
}

// Whether our method is drawn in almost every frame, and so in the part that the charts show first.
function hasOurLine(plot) {
    const ours = plot.methods.find((method) => method.name === (report.methods.find((candidate) => candidate.ours) ?? report.methods[0]).name);
    return ["value", "rate", "sample_ms"].every((key) => ours[key].filter((value) => value !== null).length > 0.9 * ours[key].length);
}

function readCells(page) {
    return page.$$eval("#matrix td[data-method]", (cells) => cells.map((cell) => ({
        method: cell.dataset.method,
        scenario: cell.dataset.scenario,
        rate: cell.querySelector(".rate").textContent,
        lag: cell.querySelector(".lag").textContent,
        signs: cell.querySelectorAll(".sign").length,
    })));
}

function assertCellsOf(cells, condition) {
    const results = new Map(report.results.filter((result) => result.condition === condition)
        .map((result) => [`${result.method}/${result.scenario}`, result]));
    for (const cell of cells) {
        const where = `${cell.method}/${cell.scenario}`;
        const result = results.get(where) ?? {};
        assertShows(cell.rate, result.rate_rms, where);
        if (Number.isFinite(result.lag_ms_mean)) {
            const lag = Number(cell.lag.replace("\u2212", "-").replace(/\s*ms/, ""));
            assert.ok(Math.abs(lag - result.lag_ms_mean) <= 0.5001, `${where}: lag ${cell.lag} for ${result.lag_ms_mean}`);
        }
        assert.equal(cell.signs, Number(result.streaks > 0) + Number(result.backward > 0), `${where}: signs`);
    }
}

describe("the file", () => {
    test("is below 8 MB", () => assert.ok(statSync(path).size < 8e6, `${statSync(path).size} bytes`));

    test("has no placeholder left and no tag inside its data", () => {
        assert.doesNotMatch(text.replace(inlined, ""), /@@[a-z_]+@@/);
        assert.ok(!inlined.includes("<"));
    });

    test("complains about nothing and asks for nothing but itself", () => on("desk", async (page, {complaints, requests}) => {
        await scrollThrough(page);
        assert.deepEqual(complaints, []);
        assert.deepEqual([...new Set(requests)], [url]);
    }));

    // Pixels that moved by themselves, as a share of the view: Chromium's own measure. 0.1 is usually called good.
    for (const screen of ["desk", "phone"]) {
        test(`does not jump while it loads and is read, ${screen}`, () => on(screen, async (page) => {
            await scrollThrough(page);
            const shift = await page.evaluate(() => window.layoutShift);
            assert.ok(shift < 0.02, `shift ${shift}`);
        }));
    }

    test("says so when its data cannot be read", async () => {
        const page = await browser.newPage();
        await page.setContent(text.replace(inlined, () => "{"));
        await page.waitForSelector("#problem:not([hidden])");
        assert.match(await page.textContent("#problem"), /cannot be shown/);
        await page.close();
    });
});

describe("the matrix", () => {
    test("has every method and every scenario, with the figures of the reference", () => on("desk", async (page) => {
        const names = (selector, key) => page.$$eval(selector, (nodes, data) => nodes.map((node) => node.dataset[data]), key);
        assert.deepEqual(await names("#matrix tbody th", "method"), report.methods.map((method) => method.name));
        assert.deepEqual(await names("#matrix thead th[data-scenario]", "scenario"), report.scenarios.map((scenario) => scenario.name));
        const cells = await readCells(page);
        assert.equal(cells.length, report.methods.length * report.scenarios.length);
        assertCellsOf(cells, reference.name);
    }));

    test("shows the figures of whichever condition is chosen", () => on("desk", async (page) => {
        for (const condition of report.conditions) {
            await page.selectOption("#condition", condition.name);
            assertCellsOf(await readCells(page), condition.name);
        }
        await page.selectOption("#condition", reference.name);
    }));

    // A quick report may have one condition only, so this page gets a second one that is twice as uneven.
    test("changes with the condition, and so does the scatter", async () => {
        const doubled = (rate) => rate === null ? null : 2 * rate + 0.01;
        const two = {...report, conditions: [reference, {...reference, name: "worse", title: "Worse", reference: false}],
            results: report.results.filter((result) => result.condition === reference.name).flatMap((result) =>
                [result, {...result, condition: "worse", rate_rms: doubled(result.rate_rms)}])};
        const page = await browser.newPage();
        await page.setContent(text.replace(inlined, () => JSON.stringify(two).replaceAll("<", "\\u003c")));
        await page.waitForSelector("html[data-ready]", {state: "attached"});
        const look = async () => [(await readCells(page)).map((cell) => cell.rate), await page.innerHTML("#scatter svg")];
        const [cells, scatter] = await look();
        await page.selectOption("#condition", "worse");
        const [worseCells, worseScatter] = await look();
        cells.forEach((cell, i) => { if (cell !== "\u2013") assert.notEqual(worseCells[i], cell); });
        assert.notEqual(worseScatter, scatter);
        await page.close();
    });

    test("colours an uneven cell unlike an even one", () => on("desk", async (page) => {
        const fills = await page.$$eval("#matrix td[data-method]", (cells) =>
            cells.filter((cell) => /\d/.test(cell.querySelector(".rate").textContent))
                .map((cell) => getComputedStyle(cell).backgroundColor));
        assert.ok(new Set(fills).size > 3, `${new Set(fills).size} colours`);
    }));

    test("gives all figures of a cell to the mouse and to the keyboard", () => on("desk", async (page) => {
        await page.locator("#matrix td[data-method]").first().hover();
        assert.ok(await page.locator("#detail").isVisible());
        assert.ok(await page.locator("#detail dd").count() >= 12);
        await page.keyboard.press("Escape");
        assert.ok(await page.locator("#detail").isHidden());

        await page.locator('#matrix td[tabindex="0"]').focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowDown");
        const focused = await page.evaluate(() => ({...document.activeElement.dataset}));
        assert.deepEqual(focused, {method: report.methods[1].name, scenario: report.scenarios[0].name});
        assert.match(await page.textContent("#detail"), new RegExp(report.methods[1].name));
    }));

    test("gives them to a finger too", () => on("phone", async (page) => {
        await page.locator("#matrix td[data-method]").first().tap();
        await settle(page);
        const box = await page.locator("#detail").boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 375 && box.y >= 0 && box.y + box.height <= 800);
    }));
});

describe("the remote entities", () => {
    test("have a table of their own, with the figures of its reference", () => on("desk", async (page) => {
        const {remote} = report;
        const condition = remote.conditions.find((candidate) => candidate.reference).name;
        const cells = await page.$$eval("#remote-matrix td[data-method]", (nodes) => nodes.map((node) => ({
            method: node.dataset.method, scenario: node.dataset.scenario,
            rate: node.querySelector(".rate").textContent, signs: node.querySelectorAll(".sign").length})));
        assert.equal(cells.length, remote.methods.length * remote.scenarios.length);
        for (const cell of cells) {
            const where = `${cell.method}/${cell.scenario}`;
            const result = remote.results.find((candidate) => candidate.condition === condition
                && candidate.method === cell.method && candidate.scenario === cell.scenario);
            assertShows(cell.rate, result.rate_rms, where);
            const signs = [result.streaks, result.backward, result.pops].filter((count) => count > 0).length;
            assert.equal(cell.signs, signs, `${where}: signs`);
        }
    }));

    test("have a section each, with charts of the runner", () => on("desk", async (page) => {
        const sections = await page.$$eval("#remote-scenario-list .scenario", (nodes) => nodes.map((node) => node.dataset.scenario));
        assert.deepEqual(sections, report.remote.scenarios.map((scenario) => scenario.name));
        await scrollTo(page, "#scenario-remote-runner .charts");
        await page.waitForFunction(() => document.querySelectorAll("#scenario-remote-runner canvas").length === 3);
    }));

    test("are left out of a report that has none", async () => {
        const page = await browser.newPage();
        const {remote, ...without} = report;
        await page.setContent(text.replace(inlined, () => JSON.stringify(without).replaceAll("<", "\\u003c")));
        await page.waitForSelector("html[data-ready]", {state: "attached"});
        assert.equal(await page.isHidden("#remote"), true);
        assert.equal(await page.isHidden("#problem"), true);
        await page.close();
    });
});

describe("the scatter", () => {
    test("has a labelled point for each method that was scored", () => on("desk", async (page) => {
        const scored = report.methods.filter((method) => report.results.some((result) =>
            result.condition === reference.name && result.method === method.name && result.rate_rms !== null && result.lag_ms_mean !== null));
        const points = await page.$$eval("#scatter .point", (nodes) =>
            nodes.map((node) => [node.dataset.method, node.querySelector("text").textContent]));
        assert.deepEqual(points, scored.map((method) => [method.name, method.name]));
    }));
});

describe("the scenarios", () => {
    test("have a mark in the strip for every drawn position", () => on("desk", async (page) => {
        for (const plot of report.plots) {
            // Where nothing is drawn, or nothing moves, a sentence says so instead.
            const places = plot.strip.methods.flatMap((method) => method.xy.filter(Boolean));
            if (!places.some(([x, y]) => Math.hypot(x - places[0][0], y - places[0][1]) > 1e-6)) {
                assert.match(await page.textContent(`#scenario-${plot.scenario} .strip`), /stays in one place/);
                continue;
            }
            const marks = await page.$$eval(`#scenario-${plot.scenario} .exposure`, (rows) =>
                rows.map((row) => [row.dataset.method, row.querySelectorAll(".ghost").length]));
            assert.deepEqual(marks, plot.strip.methods.map((method) => [method.name, method.xy.filter(Boolean).length]), plot.scenario);
        }
    }));

    test("have a section each, in order", () => on("desk", async (page) => {
        const sections = await page.$$eval("#scenario-list .scenario", (nodes) => nodes.map((node) => node.dataset.scenario));
        assert.deepEqual(sections, report.scenarios.map((scenario) => scenario.name));
    }));

    for (const [screen, colorScheme] of [["desk", "light"], ["night", "dark"]]) {
        test(`draw position, rate and delay when they come near, ${colorScheme}`, () => on(screen, async (page) => {
            for (const plot of report.plots) {
                await scrollTo(page, `#scenario-${plot.scenario} .charts`);
                await page.waitForFunction((id) => document.querySelectorAll(`#${id} canvas`).length === 3, `scenario-${plot.scenario}`);
                const canvases = await lookAtCanvases(page, `#scenario-${plot.scenario}`, accent[colorScheme]);
                for (const canvas of canvases) {
                    assert.ok(canvas.colours > 8, `${plot.scenario}: ${canvas.colours} colours`);
                    if (hasOurLine(plot)) assert.ok(canvas.matching > 100, `${plot.scenario}: our line has ${canvas.matching} pixels`);
                }
            }
        }));
    }

    test("zoom all three charts by a drag in one, and back by a double click", () => on("desk", async (page) => {
        const section = `#scenario-${report.plots[0].scenario}`;
        await scrollTo(page, `${section} .charts`);
        const sums = async () => (await lookAtCanvases(page, section)).map((canvas) => canvas.sum);
        const box = await page.locator(`${section} [data-chart="rate"] .u-over`).boundingBox();
        const first = await sums();
        await page.mouse.move(box.x + 200, box.y + 40);
        await page.mouse.down();
        await page.mouse.move(box.x + 500, box.y + 50, {steps: 4});
        await page.mouse.up();
        await page.mouse.move(5, 5);
        await settle(page);
        const zoomed = await sums();
        zoomed.forEach((sum, i) => assert.notEqual(sum, first[i], `chart ${i} did not zoom`));
        await page.mouse.dblclick(box.x + 300, box.y + 40);
        await page.mouse.move(5, 5);
        await settle(page);
        const whole = await sums();
        whole.forEach((sum, i) => assert.notEqual(sum, zoomed[i], `chart ${i} did not zoom out`));
        await page.locator(`${section} [data-action="in"]`).click();
        await page.locator(`${section} .charts`).focus();
        await page.keyboard.press("0");
        await settle(page);
        assert.deepEqual(await sums(), whole);
    }));

    test("show and hide a method everywhere by its chip", () => on("desk", async (page) => {
        const section = `#scenario-${report.plots[0].scenario}`;
        await scrollTo(page, `${section} .charts`);
        const before = await lookAtCanvases(page, section);
        const chip = page.locator(`${section} .chip[aria-pressed="false"]`).first();
        const method = await chip.getAttribute("data-method");
        await chip.focus();
        await page.keyboard.press("Enter");
        await settle(page);
        const states = await page.$$eval(`.chip[data-method="${method}"]`, (chips) => chips.map((node) => node.getAttribute("aria-pressed")));
        assert.ok(states.every((state) => state === "true"));
        const now = await lookAtCanvases(page, section);
        assert.ok(now.some((canvas, i) => canvas.sum !== before[i].sum));
    }));
});

describe("the rest", () => {
    test("states version, seed, command and every condition", () => on("desk", async (page) => {
        const inputs = await page.textContent("#inputs");
        for (const part of [report.glissade, report.command, String(report.seed)]) assert.ok(inputs.includes(part), part);
        const table = await page.textContent("#condition-table");
        for (const condition of report.conditions) assert.ok(table.includes(condition.name), condition.name);
        for (const method of report.methods) assert.ok((await page.textContent("#method-list")).includes(method.line), method.name);
    }));

    test("shows the table of the quantum gate exactly when there is one", () => on("desk", async (page) => {
        const rows = report.gate_table?.length ?? 0;
        assert.equal(await page.locator("#gate").isVisible(), rows > 0);
        assert.equal(await page.locator("#gate-table tbody tr").count(), rows);
    }));

    test("has a target for each of its links", () => on("desk", async (page) => {
        const broken = await page.$$eval('a[href^="#"]', (links) =>
            links.map((link) => link.getAttribute("href")).filter((href) => !document.getElementById(href.slice(1))));
        assert.deepEqual(broken, []);
    }));
});

describe("the look", () => {
    for (const width of [320, 375, 768, 1280]) {
        test(`never scrolls sideways at ${width} px`, () => on("desk", async (page) => {
            await page.setViewportSize({width, height: 900});
            await settle(page);
            const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
            await page.setViewportSize(screens.desk.viewport);
            assert.ok(content <= view, `${content} px wide`);
        }));
    }

    test("keeps the names in view while the matrix scrolls in its box", () => on("phone", async (page) => {
        const left = await page.$eval("#matrix", (box) => {
            box.scrollLeft = 200;
            return [box.scrollLeft, box.querySelector("tbody th").getBoundingClientRect().left - box.getBoundingClientRect().left];
        });
        assert.ok(left[0] > 100 && Math.abs(left[1]) < 1, String(left));
    }));

    for (const [screen, colorScheme] of [["desk", "light"], ["night", "dark"]]) {
        test(`is readable, ${colorScheme}: contrast of 4.5 and more`, () => on(screen, async (page) => {
            const {count, poor} = await findPoorContrast(page, 4.5);
            assert.ok(count > 200, `${count} texts`);
            assert.deepEqual(poor, []);
        }));
    }

    test("changes its theme by the button and keeps it", () => on("desk", async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        await page.click("#theme");
        const dark = await paper();
        assert.notEqual(dark, light);
        await page.reload();
        assert.equal(await paper(), dark);
        await page.click("#theme");
        assert.equal(await paper(), light);
    }));

    test("shows where the focus is", () => on("desk", async (page) => {
        for (let i = 0; i < 6; ++i) {
            await page.keyboard.press("Tab");
            const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
            assert.notEqual(outline, "none");
        }
    }));

    test("moves nothing for who asked for no motion", () => on("desk", async (page) => {
        await page.emulateMedia({reducedMotion: "reduce"});
        const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((node) => {
            const style = getComputedStyle(node);
            return style.scrollBehavior === "smooth" || parseFloat(style.transitionDuration) > 0 || style.animationName !== "none";
        }).length);
        await page.emulateMedia({reducedMotion: null});
        assert.equal(moving, 0);
    }));

    test("prints every section, on white, with all charts", () => on("unread", async (page) => {
        await page.emulateMedia({media: "print", colorScheme: "dark"});
        const charts = 3 * (report.plots.length + report.remote.plots.length);
        await page.waitForFunction((count) => document.querySelectorAll("canvas").length === count, charts);
        await settle(page);
        const hidden = await page.$$eval("section:not([hidden])", (sections) =>
            sections.filter((section) => section.offsetHeight === 0).map((section) => section.id));
        assert.deepEqual(hidden, []);
        for (const plot of report.plots.filter(hasOurLine)) {
            const canvases = await lookAtCanvases(page, `#scenario-${plot.scenario}`, accent.light);
            assert.ok(canvases.every((canvas) => canvas.matching > 100), plot.scenario);
        }
        assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
        assert.equal(await page.$eval("#matrix th", (cell) => getComputedStyle(cell).position), "static");
        const pdf = await page.pdf({preferCSSPageSize: true, printBackground: true});
        assert.ok(pdf.length > 50000);
    }));
});
