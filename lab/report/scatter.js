// One point for each method: median rate error against median lag.

const scatterHeight = 420;
const scatterMargin = {top: 18, right: 20, bottom: 46, left: 58};

function scatterPoints(report, condition) {
    return report.methods.map((method) => ({
        name: method.name,
        ours: method.ours,
        lag: report.medianOf(condition.name, method.name, "lag_ms_mean"),
        rate: report.medianOf(condition.name, method.name, "rate_rms"),
    })).filter((point) => isNumber(point.lag) && isNumber(point.rate));
}

function scatterScales(points, width) {
    const lags = points.map((point) => point.lag);
    const step = niceStep((Math.max(...lags, 1) - Math.min(...lags, 0)) / Math.max(3, Math.min(8, width / 110)));
    // A lag of almost zero needs no room below zero.
    const lagFrom = Math.floor((Math.min(...lags, 0) + 0.1 * step) / step) * step;
    const lagTo = Math.ceil((Math.max(...lags, 1) + step * 0.2) / step) * step;
    const rates = points.map((point) => point.rate);
    // An error of zero has no logarithm; it stands at the bottom line.
    const decadeFrom = Math.max(-5, Math.min(-2, Math.floor(Math.log10(Math.max(1e-5, Math.min(...rates))))));
    const most = Math.max(...rates, 1);
    const decadeTo = Math.log10(niceStep(most * 1.25));
    const {top, right, bottom, left} = scatterMargin;
    const x = (lag) => left + (lag - lagFrom) / (lagTo - lagFrom) * (width - left - right);
    const y = (rate) => {
        const place = (Math.log10(Math.max(rate, 10 ** decadeFrom)) - decadeFrom) / (decadeTo - decadeFrom);
        return scatterHeight - bottom - place * (scatterHeight - top - bottom);
    };
    return {x, y, step, lagFrom, lagTo, decadeFrom, decadeTo};
}

function niceStep(rough) {
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
}

function scatterAxes(scales, width) {
    const {top, right, bottom, left} = scatterMargin;
    const parts = [];
    const line = (className, x1, y1, x2, y2) => parts.push(svgElement("line", {class: className, x1, y1, x2, y2}));
    const text = (x, y, anchor, words, className = null) =>
        parts.push(svgElement("text", {x, y, "text-anchor": anchor, class: className}, words));
    for (let decade = scales.decadeFrom; decade <= scales.decadeTo; ++decade) {
        const y = scales.y(10 ** decade);
        line("grid", left, y, width - right, y);
        text(left - 8, y + 4, "end", String(Number((10 ** decade).toPrecision(1))));
    }
    for (let lag = scales.lagFrom; lag <= scales.lagTo + scales.step / 2; lag += scales.step) {
        const x = scales.x(lag);
        line(Math.abs(lag) < 1e-9 && scales.lagFrom < 0 ? "axis" : "grid", x, top, x, scatterHeight - bottom);
        text(x, scatterHeight - bottom + 18, "middle", formatFixed(lag, scales.step < 1 ? 1 : 0));
    }
    text(width - right, scatterHeight - 8, "end", "mean lag, ms \u2192 later", "axis-title");
    parts.push(svgElement("text", {class: "axis-title", transform: `translate(14 ${top}) rotate(-90)`, "text-anchor": "end"},
        "rate error \u2192 less even"));
    return parts;
}

// The first of a few places around its point where a label meets no other label and no point.
function placeLabels(points, width) {
    const taken = points.map((point) => ({left: point.x - 7, right: point.x + 7, top: point.y - 7, bottom: point.y + 7}));
    const meets = (a) => taken.some((b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top);
    // Ours first: it keeps the best place.
    for (const point of [...points].sort((a, b) => Number(b.ours) - Number(a.ours))) {
        const length = point.name.length * (point.ours ? 7.8 : 7) + 2;
        const places = [[11, 4, "start"], [-11, 4, "end"]];
        for (const rise of [16, 24, 34, 46]) {
            places.push([0, -rise + 4, "middle"], [0, rise + 2, "middle"], [9, -rise + 4, "start"], [9, rise + 2, "start"], [-9, -rise + 4, "end"], [-9, rise + 2, "end"]);
        }
        const boxOf = ([dx, dy, anchor]) => {
            const left = point.x + dx - (anchor === "end" ? length : anchor === "middle" ? length / 2 : 0);
            return {left, right: left + length, top: point.y + dy - 12, bottom: point.y + dy + 4};
        };
        const fits = (box) => box.left > scatterMargin.left && box.right < width - 4 && box.top > 4 && box.bottom < scatterHeight - scatterMargin.bottom && !meets(box);
        const best = places.find((place) => fits(boxOf(place))) ?? places[0];
        taken.push(boxOf(best));
        point.label = best;
    }
}

function drawScatter(report, condition, width) {
    const points = scatterPoints(report, condition);
    if (points.length === 0) return element("p", {class: "note"}, "Nothing was scored under this condition.");
    const scales = scatterScales(points, width);
    for (const point of points) {
        point.x = scales.x(point.lag);
        point.y = scales.y(point.rate);
    }
    placeLabels(points, width);
    const marks = points.map((point) => {
        const [dx, dy, anchor] = point.label;
        const far = Math.abs(dy - 4) > 14;
        return svgElement("g", {class: point.ours ? "point ours" : "point", "data-method": point.name},
            svgElement("title", {}, `${point.name}: rate error ${formatRate(point.rate)}, lag ${formatMs(point.lag)}`),
            far ? svgElement("line", {class: "leader", x1: point.x, y1: point.y, x2: point.x + dx, y2: point.y + dy - (dy < 0 ? -3 : 9)}) : null,
            svgElement("circle", {cx: point.x, cy: point.y, r: point.ours ? 7 : 5.5}),
            svgElement("text", {x: point.x + dx, y: point.y + dy, "text-anchor": anchor}, point.name));
    });
    return svgElement("svg", {width, height: scatterHeight, viewBox: `0 0 ${width} ${scatterHeight}`, role: "img",
        "aria-label": "Median rate error against median lag: " + points.map((point) =>
            `${point.name} ${formatRate(point.rate)} at ${formatMs(point.lag)}`).join("; ")},
        ...scatterAxes(scales, width), ...marks);
}
