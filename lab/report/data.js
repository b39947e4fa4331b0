// The report as it was inlined, what the other parts look up in it, and how its figures are written.

// Every figure of a result, in the order in which it is shown and explained.
const figures = [
    {key: "rate_rms", name: "rate error", show: formatRate,
     text: "How uneven the drawn motion is. Each frame the picture should advance by as much time as passed on the display; "
         + "the rate is what it did advance, divided by what it should and by the mean of the run. This is the RMS of "
         + "rate minus 1: 0 is perfect; a picture that stands in every other frame and moves twice as far in between has 1."},
    {key: "rate_p99", name: "rate error, worst 1 %", show: formatRate,
     text: "One frame in a hundred is further from an even rate than this. A low error with a high worst percent is a "
         + "picture that is fine until it hitches."},
    {key: "lag_ms_mean", name: "lag, mean", show: formatMs,
     text: "How much older than the newest state that could be known the picture is. Less is more responsive. Below "
         + "zero the picture is a guess ahead of what is known."},
    {key: "lag_ms_p99", name: "lag, worst 1 %", show: formatMs, text: "One frame in a hundred is later than this."},
    {key: "animation_error_ms_rms", name: "animation error", show: formatMs,
     text: "The same unevenness as a time: change of the shown time minus change of the present time, RMS."},
    {key: "holds", name: "holds", show: formatCount,
     text: "Frames in which a moving object stood still (rate below 0.05)."},
    {key: "jumps", name: "jumps", show: formatCount,
     text: "Frames in which it moved more than half as far again as it should (rate above 1.5)."},
    {key: "backward", name: "backward", show: formatCount,
     text: "Frames in which it moved back along its own path. One is seen as a twitch."},
    {key: "streaks", name: "streaks", show: formatCount,
     text: "Frames in which it was drawn between the two sides of a teleport, where it never was."},
    {key: "pops", name: "pops", show: formatCount,
     text: "Frames whose step is above three times the median one while it moves: a jump and not a motion."},
    {key: "underruns", name: "underruns", show: formatCount,
     text: "Frames that wanted to show a time later than the newest tick. A dash: the method has no such time."},
    {key: "off_path_m_max", name: "off its path, at most", show: formatMetres,
     text: "The farthest it was drawn from anywhere it ever was."},
    {key: "position_error_m_rms", name: "position error", show: formatMetres,
     text: "RMS distance between drawn and true place, after the best constant lag is taken out."},
    {key: "angle_error_deg_rms", name: "angle error", show: formatDegrees,
     text: "The same for the direction in which it points."},
    {key: "best_lag_ms", name: "best lag", show: formatMs,
     text: "The constant lag that was taken out for these errors."},
    {key: "mean_rate", name: "mean rate", show: formatMeanRate,
     text: "How fast the shown time runs over the whole run. A source that runs at 0.785 of real time shows 0.785."},
    {key: "scored_frames", name: "frames scored", show: formatCount,
     text: "Frames after the warm-up in which the object really moves. A resting object cannot stutter and is not scored."},
];

const dash = "\u2013";
const minus = "\u2212";

function isNumber(value) {
    return typeof value === "number" && Number.isFinite(value);
}

function formatFixed(value, digits) {
    const text = Math.abs(value).toFixed(digits);
    return value < 0 && Number(text) !== 0 ? minus + text : text;
}

function formatRate(value) {
    if (!isNumber(value)) return dash;
    if (value === 0) return "0";
    if (value > 0 && value < 0.0005) return "<0.001";
    if (value < 0.0995) return formatFixed(value, 3);
    return formatFixed(value, value < 9.95 ? 2 : 0);
}

function formatMs(value) {
    return isNumber(value) ? `${formatFixed(value, Math.abs(value) < 9.95 ? 1 : 0)}\u00a0ms` : dash;
}

function formatMetres(value) {
    if (!isNumber(value)) return dash;
    return value < 1 ? `${formatFixed(value * 1000, 1)}\u00a0mm` : `${formatFixed(value, 2)}\u00a0m`;
}

function formatDegrees(value) {
    return isNumber(value) ? `${formatFixed(value, 2)}\u00b0` : dash;
}

function formatCount(value) {
    return isNumber(value) ? String(value) : dash;
}

function formatMeanRate(value) {
    return isNumber(value) ? formatFixed(value, 4) : dash;
}

function median(values) {
    const sorted = values.filter(isNumber).sort((a, b) => a - b);
    if (sorted.length === 0) return null;
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Adds what the parts look up all the time. `ours` is the first of our own methods, the one to compare with.
function indexReport(report) {
    const results = new Map();
    for (const result of report.results) {
        results.set(`${result.condition}/${result.scenario}/${result.method}`, result);
    }
    const find = (condition, scenario, method) => results.get(`${condition}/${scenario}/${method}`) ?? null;
    const medianOf = (condition, method, key) =>
        median(report.scenarios.map((scenario) => find(condition, scenario.name, method)?.[key]));
    const reference = report.conditions.find((condition) => condition.reference) ?? report.conditions[0];
    const ours = report.methods.find((method) => method.ours) ?? report.methods[0];
    const conditions = [reference, ...report.conditions.filter((condition) => condition !== reference)];
    const known = figures.filter(({key}) => report.results.some((result) => key in result));
    return {...report, figures: known, conditions, find, medianOf, reference, ours};
}

function countOf(count, word) {
    return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// element("p", {class: "note"}, "text", child): text is always set as text, never parsed.
function element(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function svgElement(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === true) node.setAttribute(name, "");
        else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}
