// Position, rate and delay over time: three charts of a scenario with one cursor and one zoom.

const defaultMethods = ["newest", "chase-target", "constant-interval"];
const chartKinds = [
    {name: "position", title: "Position", height: 220},
    {name: "rate", title: "Rate", height: 160},
    {name: "delay", title: "Shown time behind now", height: 180},
];
// What is seen first: long enough for several ticks, short enough to see single frames.
const firstViewSeconds = 0.5;
// A change of speed this many times the usual one is an event, such as a bounce or a cut.
const eventRatio = 12;

function makeSelection(report) {
    const names = report.methods.map((method) => method.name);
    const shown = new Set([report.ours.name, ...(report.shown ?? defaultMethods).filter((name) => names.includes(name))]);
    if (shown.size === 1) names.slice(0, 4).forEach((name) => shown.add(name));
    return shown;
}

// The true path at the frames. A step much larger than the usual one is a cut, and stays open.
function truthAtFrames(truth, times) {
    const steps = truth.value.slice(1).map((value, i) => Math.abs(value - truth.value[i]));
    const cut = 25 * (median(steps.filter((step) => step > 0)) ?? Infinity);
    let at = 0;
    return times.map((time) => {
        while (at + 2 < truth.ms.length && truth.ms[at + 1] < time) ++at;
        const [from, to] = [truth.ms[at], truth.ms[at + 1]];
        const [a, b] = [truth.value[at], truth.value[at + 1]];
        if (!(time >= from && time <= to) || !isNumber(a) || !isNumber(b) || Math.abs(b - a) > cut) return null;
        return a + (b - a) * (to > from ? (time - from) / (to - from) : 0);
    });
}

// The frame nearest to the middle at which the true path breaks or changes its speed at once, or null.
function findEvent(path) {
    const bends = path.map((value, i) => {
        const [before, after] = [path[i - 1], path[i + 1]];
        return isNumber(before) && isNumber(after) && isNumber(value) ? Math.abs(after - 2 * value + before) : null;
    });
    const usual = median(bends) ?? 0;
    const steps = path.slice(1).map((value, i) => isNumber(value) && isNumber(path[i]) ? Math.abs(value - path[i]) : null);
    // A path of constant speed has no bend at all, and rounding must not count as one.
    const least = Math.max(usual * eventRatio, 0.05 * (median(steps) ?? 0));
    const middle = path.length / 2;
    let best = null;
    path.forEach((value, i) => {
        const inside = i > path.length * 0.1 && i < path.length * 0.9;
        const breaks = value === null || (bends[i] !== null && bends[i] > least);
        if (inside && breaks && (best === null || Math.abs(i - middle) < Math.abs(best - middle))) best = i;
    });
    return best;
}

// Ours last, so that no other line covers it.
function drawingOrder(report, plot) {
    return [...plot.methods].sort((a, b) => Number(a.name === report.ours.name) - Number(b.name === report.ours.name));
}

function chartData(report, plot, kind) {
    const times = plot.present_ms;
    const seconds = times.map((time) => (time - times[0]) / 1000);
    const columns = drawingOrder(report, plot).map((method) => {
        if (kind.name === "position") return method.value;
        if (kind.name === "rate") return method.rate;
        return method.sample_ms.map((sample, i) => isNumber(sample) ? times[i] - sample : null);
    });
    const truth = kind.name === "position" ? [truthAtFrames(plot.truth, times)] : [];
    return [seconds, ...truth, ...columns];
}

function chartSeries(report, plot, kind, selection) {
    const truth = kind.name === "position"
        ? [{label: "truth", stroke: () => cssColour("--muted"), width: 1, dash: [2, 4], points: {show: false}}] : [];
    const methods = drawingOrder(report, plot).map(({name}) => ({
        label: name,
        show: selection.has(name),
        stroke: () => methodColour(report, name),
        width: name === report.ours.name ? 2.5 : 1.25,
        points: {show: false},
    }));
    return [{label: "time"}, ...truth, ...methods];
}

// The whole range of what is drawn, but one wild frame must not flatten all the others.
function valueRange(kind) {
    if (kind.name === "rate") return (chart, low, high) => [Math.max(Math.min(low, 0), -2), Math.min(Math.max(high, 2), 6)];
    if (kind.name === "delay") return (chart, low, high) => [Math.min(low, 0), Math.max(high * 1.08, 5)];
    return (chart, low, high) => uPlot.rangeNum(low ?? 0, high ?? 1, 0.1, true);
}

// Three charts above each other share the labels of their time.
function chartAxes(last) {
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const common = {font, stroke: () => cssColour("--muted"), grid: {stroke: () => cssColour("--line"), width: 1},
        ticks: {stroke: () => cssColour("--line"), width: 1, size: 4}};
    const write = (chart, values) => values.map((value) => isNumber(value) ? formatShort(value) : "");
    return [last ? {...common, size: 30, values: write} : {...common, size: 8, values: (chart, values) => values.map(() => "")}, {...common, size: 52, values: write}];
}

function formatShort(value) {
    return value < 0 ? minus + String(Number((-value).toPrecision(6))) : String(Number(value.toPrecision(6)));
}

// A thin line at the rate that every frame should have.
function markEvenRate(chart) {
    const {ctx, bbox} = chart;
    const y = Math.round(chart.valToPos(1, "y", true)) + 0.5;
    ctx.save();
    ctx.strokeStyle = cssColour("--muted");
    ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
}

function writeReadout(readout, chart, kind, unit) {
    const index = chart.cursor.idx;
    if (index === null || index === undefined) {
        readout.textContent = "";
        return;
    }
    const digits = kind.name === "delay" ? 1 : 3;
    const suffix = kind.name === "position" ? `\u00a0${unit}` : kind.name === "delay" ? "\u00a0ms" : "";
    const parts = [element("span", {}, `${chart.data[0][index].toFixed(3)}\u00a0s`)];
    chart.series.forEach((series, i) => {
        const value = chart.data[i][index];
        if (i === 0 || !series.show) return;
        parts.push(element("span", {style: series.label === "truth" ? null : `--swatch:${series._stroke}`},
            `${series.label} ${isNumber(value) ? formatFixed(value, digits) + suffix : dash}`));
    });
    readout.replaceChildren(...parts);
}

class ScenarioCharts {
    constructor(report, plot, selection, box) {
        this.report = report;
        this.plot = plot;
        this.selection = selection;
        this.box = box;
        this.charts = [];
        const times = plot.present_ms;
        this.end = (times[times.length - 1] - times[0]) / 1000;
    }

    create() {
        if (this.charts.length) return;
        const sync = uPlot.sync(this.plot.scenario);
        for (const kind of chartKinds) {
            const holder = this.box.querySelector(`[data-chart="${kind.name}"]`);
            const chart = this.createChart(kind, holder.querySelector(".canvas"), holder.querySelector(".readout"));
            sync.sub(chart);
            this.charts.push(chart);
        }
        this.setRange(...this.firstRange());
        new ResizeObserver(() => this.resize(this.box.clientWidth)).observe(this.box);
    }

    createChart(kind, holder, readout) {
        const options = {
            width: holder.clientWidth,
            height: kind.height,
            padding: [8, 12, 0, 0],
            legend: {show: false},
            cursor: {
                sync: {key: this.plot.scenario, scales: ["x", null]},
                drag: {x: true, y: false, setScale: true},
                points: {size: 7},
                y: false,
                bind: {dblclick: () => () => { this.setRange(0, this.end); return null; }},
            },
            scales: {x: {time: false}, y: {range: valueRange(kind)}},
            series: chartSeries(this.report, this.plot, kind, this.selection),
            axes: chartAxes(kind === chartKinds[chartKinds.length - 1]),
            hooks: {
                drawAxes: kind.name === "rate" ? [markEvenRate] : [],
                setCursor: [(chart) => writeReadout(readout, chart, kind, this.plot.unit)],
            },
        };
        return new uPlot(options, chartData(this.report, this.plot, kind), holder);
    }

    resize(width) {
        for (const [i, chart] of this.charts.entries()) {
            if (width > 0 && chart.width !== width) chart.setSize({width, height: chartKinds[i].height});
        }
    }

    repaint() {
        for (const chart of this.charts) chart.redraw(false, true);
    }

    applySelection() {
        for (const chart of this.charts) {
            chart.batch(() => chart.series.forEach((series, i) => {
                const show = series.label === "truth" || this.selection.has(series.label);
                if (i > 0 && series.show !== show) chart.setSeries(i, {show});
            }));
        }
    }

    // Around what happens in the scenario. Found in the true path alone, so that it favours no method.
    firstRange() {
        const middle = findEvent(truthAtFrames(this.plot.truth, this.plot.present_ms));
        const {present_ms: times} = this.plot;
        const at = middle === null ? this.end / 2 : (times[middle] - times[0]) / 1000;
        const length = this.report.viewSeconds ?? firstViewSeconds;
        return [at - length / 2, at + length / 2];
    }

    setRange(min, max) {
        const length = Math.min(Math.max(max - min, 0.05), this.end);
        const begin = Math.min(Math.max(min, 0), this.end - length);
        for (const chart of this.charts) chart.setScale("x", {min: begin, max: begin + length});
    }

    // zoom(0.5) shows half as much, zoom(2) twice as much, around the same middle.
    zoom(factor) {
        const {min, max} = this.charts[0].scales.x;
        const [middle, half] = [(min + max) / 2, (max - min) / 2 * factor];
        this.setRange(middle - half, middle + half);
    }

    move(share) {
        const {min, max} = this.charts[0].scales.x;
        this.setRange(min + (max - min) * share, max + (max - min) * share);
    }

    act(action) {
        this.create();
        ({in: () => this.zoom(0.5), out: () => this.zoom(2), back: () => this.move(-0.25), on: () => this.move(0.25),
            all: () => this.setRange(0, this.end)})[action]?.();
    }
}
