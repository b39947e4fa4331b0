// What stands around the figures: inputs, the headline, the conditions, the methods, the glossary.

function describe(list, pairs) {
    list.replaceChildren(...pairs.map(([term, ...description]) =>
        element("div", {}, element("dt", {}, term), element("dd", {}, ...description))));
}

function drawInputs(report) {
    const recorded = report.conditions.filter((condition) => condition.recorded).length;
    describe(document.getElementById("inputs"), [
        ["Glissade", report.glissade],
        ["Command", element("code", {}, report.command)],
        ["Seed", String(report.seed)],
        ["Each run", `${report.length_s ? `${report.length_s} s, ` : ""}the first ${report.warmup_s} s not scored`],
        ["Compared", `${countOf(report.methods.length, "method")}, ${countOf(report.scenarios.length, "scenario")}, ${countOf(report.conditions.length, "condition")} (${recorded} recorded)`],
    ]);
    document.getElementById("method-count").textContent = String(report.methods.length);
    document.getElementById("reference").textContent = report.reference.title;
    document.getElementById("made-by").textContent =
        `Made by Glissade ${report.glissade} with seed ${report.seed}. The same figures are in report.json beside this file.`;
}

// Ours, the most even of the others whatever its lag, and drawing the newest state: medians, at the reference condition.
function drawGlance(report) {
    const rateOf = (method) => report.medianOf(report.reference.name, method.name, "rate_rms");
    const lagOf = (method) => report.medianOf(report.reference.name, method.name, "lag_ms_mean");
    const others = report.methods.filter((method) => method !== report.ours && isNumber(rateOf(method)))
        .sort((a, b) => rateOf(a) - rateOf(b));
    const entries = [[report.ours, "median over the scenarios"], [others[0], "the most even of the others"],
        [others.find((method) => method.name === "newest"), "no smoothing at all"]];
    describe(document.getElementById("glance"), entries.filter(([method]) => method).map(([method, words]) =>
        [element("span", {}, element("b", {}, method.name), ` ${words}`),
            element("span", {class: "big"}, formatRate(rateOf(method))),
            element("span", {class: "unit"}, `rate error, ${formatMs(lagOf(method))} lag`)]));
}

function drawContents(report) {
    document.getElementById("contents").append(...report.scenarios.map((scenario) =>
        element("a", {href: `#scenario-${scenario.name}`}, scenario.title)),
    element("a", {href: "#remote"}, "Remote entities"));
}

function makeTable(caption, heads, rows) {
    const cell = (tag, content, numeric) => element(tag, {class: numeric ? "number" : null, scope: tag === "th" ? "col" : null}, content);
    return element("table", {class: "plain"}, element("caption", {class: "hidden"}, caption),
        element("thead", {}, element("tr", {}, ...heads.map(([title, numeric]) => cell("th", title, numeric)))),
        element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((content, i) => cell("td", content, heads[i][1]))))));
}

function drawConditions(report) {
    const heads = [["Condition", false], ["Display", true], ["Late, median", true], ["99 %", true], ["Most", true]];
    const rows = report.conditions.map((condition) => {
        const tag = condition.reference ? "reference" : null;
        const late = condition.tick_lateness_ms ?? {};
        return [
            element("div", {class: "condition-name"}, element("b", {}, condition.title), tag ? element("span", {class: "tag"}, tag) : null,
                element("span", {class: "tag plain-tag"}, condition.recorded ? "recorded" : "made"),
                element("p", {}, condition.what), element("code", {}, condition.name)),
            `${formatShort(condition.display_hz)}\u00a0Hz`, formatLateness(late.p50), formatLateness(late.p99), formatLateness(late.max)];
    });
    document.getElementById("condition-table").append(makeTable("Conditions", heads, rows));
}

function formatLateness(value) {
    return isNumber(value) ? `${formatFixed(value, 2)}\u00a0ms` : dash;
}

function drawDefinitions(report) {
    describe(document.getElementById("method-list"), report.methods.map((method) =>
        [element("code", {class: method.ours ? "ours" : null}, method.name), method.line]));
    const list = document.getElementById("figure-list");
    describe(list, report.figures.map((figure) => [figure.name, figure.text]));
    [...list.children].forEach((entry, i) => { entry.id = `figure-${report.figures[i].key}`; });
}

function drawGate(report) {
    if (!Array.isArray(report.gate_table) || report.gate_table.length === 0) return;
    const heads = [["Frames", false], ["Jitter", true], ["Literal: held", true], ["rate error", true], ["Last quantum: held", true],
        ["rate error", true], ["Stamped: held", true], ["rate error", true], ["lag", true]];
    const percent = (value) => isNumber(value) ? `${formatFixed(value, 1)}\u00a0%` : dash;
    const pair = (form) => [percent(form?.held_percent), formatRate(form?.rate_rms)];
    const rows = report.gate_table.map((row) => [`${formatShort(row.frame_hz)}\u00a0Hz`, row.jitter_ms > 0 ? `\u00b1${formatShort(row.jitter_ms)}\u00a0ms` : "none",
        ...pair(row.literal), ...pair(row.last_quantum), ...pair(row.stamped), formatMs(row.stamped_lag_ms)]);
    document.getElementById("gate-table").append(makeTable("Forms of drawing between quanta", heads, rows));
    document.getElementById("gate").hidden = false;
}
