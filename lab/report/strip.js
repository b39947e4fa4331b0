// Multiple exposures: where the object was drawn in successive frames, older frames fainter.

// A path that is this straight is shown as one long row for each method, any other as a small picture for each.
const straightRatio = 0.12;

// The direction in which the places spread most: the main axis of their covariance, pointing where the motion goes.
function mainDirection(places) {
    const mean = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
    let [xx, xy, yy] = [0, 0, 0];
    for (const [x, y] of places) {
        xx += (x - mean[0]) ** 2;
        xy += (x - mean[0]) * (y - mean[1]);
        yy += (y - mean[1]) ** 2;
    }
    const angle = Math.atan2(2 * xy, xx - yy) / 2;
    const direction = [Math.cos(angle), Math.sin(angle)];
    const [first, last] = [places[0], places[places.length - 1]];
    const forward = (last[0] - first[0]) * direction[0] + (last[1] - first[1]) * direction[1] >= 0;
    return forward ? direction : direction.map((part) => -part);
}

function rangeOf(values) {
    const from = Math.min(...values);
    return {from, length: Math.max(...values) - from};
}

// What all methods of a strip need to stand in one picture. `along` gives the place on the row of a straight path.
function stripBounds(strip) {
    const places = strip.methods.flatMap((method) => method.xy.filter(Boolean));
    if (places.length === 0) return {empty: true, straight: false};
    const direction = mainDirection(strip.methods.find((method) => method.xy.some(Boolean)).xy.filter(Boolean));
    const along = (place) => place[0] * direction[0] + place[1] * direction[1];
    const across = (place) => place[1] * direction[0] - place[0] * direction[1];
    const [row, width] = [rangeOf(places.map(along)), rangeOf(places.map(across)).length];
    return {
        along, row,
        step: evenStep(strip, along),
        x: rangeOf(places.map((place) => place[0])),
        y: rangeOf(places.map((place) => place[1])),
        empty: row.length < 1e-6,
        straight: width <= straightRatio * row.length,
    };
}

function exposure(index, count) {
    return (0.22 + 0.78 * (index + 1) / count).toFixed(2);
}

// The step of even motion: the mean of each method without its leaps, of these the median.
function evenStep(strip, along) {
    return median(strip.methods.map(({xy}) => {
        const steps = xy.slice(1).flatMap((place, i) => place && xy[i] ? [Math.abs(along(place) - along(xy[i]))] : []);
        const usual = steps.reduce((sum, step) => sum + step, 0) / steps.length;
        const calm = steps.filter((step) => step < 10 * usual);
        return calm.reduce((sum, step) => sum + step, 0) / calm.length;
    })) ?? 0;
}

// For each frame, how many frames before it stood at nearly the same place: within a quarter of an even step. Drawn on
// top of each other they would look like one frame, and standing still would look like even motion.
function pileUp(along, step) {
    const near = 0.25 * step;
    const piles = [];
    along.forEach((place, index) => {
        const stands = place !== null && index > 0 && along[index - 1] !== null && Math.abs(place - along[index - 1]) < near;
        piles.push(stands ? piles[index - 1] + 1 : 0);
    });
    return piles;
}

// Percentages, so that a row follows the width of the page while its marks stay round.
function stripRow(places, bounds, {height, radius} = {height: 34, radius: 4}) {
    const {from, length} = bounds.row;
    const along = places.map((place) => place ? bounds.along(place) - from : null);
    const piles = pileUp(along, bounds.step);
    const ground = height - radius - 1;
    const rise = Math.min(1.8 * radius, (height - 2 * radius - 3) / Math.max(...piles, 1));
    const marks = along.map((place, index) => place === null ? null : svgElement("circle", {
        class: "ghost", r: radius, opacity: exposure(index, places.length), cy: (ground - piles[index] * rise).toFixed(1),
        cx: `${(1.2 + 97.6 * place / length).toFixed(2)}%`,
    }));
    return svgElement("svg", {height, width: "100%", "aria-hidden": "true"},
        svgElement("line", {class: "ground", x1: 0, x2: "100%", y1: ground, y2: ground}), ...marks.filter(Boolean));
}

function stripPanel(places, bounds) {
    const [width, height, margin] = [260, 150, 8];
    const {x, y} = bounds;
    const scale = Math.min((width - 2 * margin) / x.length, (height - 2 * margin) / y.length);
    const x0 = width / 2 - (x.from + x.length / 2) * scale;
    const y0 = height / 2 + (y.from + y.length / 2) * scale;
    const marks = places.map((place, index) => place && svgElement("circle", {
        class: "ghost", r: 2.6, opacity: exposure(index, places.length),
        cx: (x0 + place[0] * scale).toFixed(2), cy: (y0 - place[1] * scale).toFixed(2),
    }));
    return svgElement("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, ...marks.filter(Boolean));
}

function drawStrip(report, plot) {
    const bounds = stripBounds(plot.strip);
    if (bounds.empty) return element("p", {class: "strip note"}, "In the frames of the strip it stays in one place or is not there; see the charts.");
    const box = element("div", {class: bounds.straight ? "strip rows" : "strip panels"});
    for (const {name, xy} of plot.strip.methods) {
        const result = report.find(plot.condition, plot.scenario, name) ?? {};
        const ours = report.methods.some((method) => method.name === name && method.ours);
        box.append(element("div", {class: ours ? "exposure ours" : "exposure", "data-method": name},
            element("p", {class: "exposure-name"}, name),
            bounds.straight ? stripRow(xy, bounds) : stripPanel(xy, bounds),
            element("p", {class: "exposure-figure"}, formatRate(result.rate_rms),
                element("span", {}, ` ${formatMs(result.lag_ms_mean)}`))));
    }
    return box;
}

// The picture of the whole report: our method and the newest state, in the first scenario whose strip is straight.
function drawHero(report) {
    const hero = document.getElementById("hero");
    const plot = report.plots.map((candidate) => [candidate, stripBounds(candidate.strip)])
        .find(([, bounds]) => bounds.straight && !bounds.empty)?.[0];
    const other = report.methods.find((method) => method.name === "newest") ?? report.methods.find((method) => !method.ours);
    if (!plot || !other) return;
    const rows = [other.name, report.ours.name].map((name) => plot.strip.methods.find((method) => method.name === name));
    if (rows.some((row) => !row)) return;
    const bounds = stripBounds({methods: rows});
    hero.querySelector(".strip").append(...rows.map(({name, xy}) => element("div",
        {class: name === report.ours.name ? "exposure ours" : "exposure"},
        element("p", {class: "exposure-name"}, name), stripRow(xy, bounds, {height: 52, radius: 5.5}))));
    const title = report.scenarios.find((scenario) => scenario.name === plot.scenario)?.title ?? plot.scenario;
    hero.querySelector("figcaption").textContent =
        `${title}: ${plot.strip.frames} successive frames drawn into one picture, older ones fainter. A frame that stands still lies on the one before. ${report.reference.title}.`;
    hero.hidden = false;
}
