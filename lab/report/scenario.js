// One section for each scenario: what happens, the strip, the chips and the charts.

const zoomButtons = [
    {action: "back", label: "Earlier", path: "M7.5 2L3.5 6L7.5 10"},
    {action: "on", label: "Later", path: "M4.5 2L8.5 6L4.5 10"},
    {action: "out", label: "Zoom out", path: "M2 6H10"},
    {action: "in", label: "Zoom in", path: "M2 6H10M6 2V10"},
];
const keyActions = {ArrowLeft: "back", ArrowRight: "on", "+": "in", "=": "in", "-": "out", "0": "all"};

function makeChips(report, selection) {
    return element("div", {class: "chips", role: "group", "aria-label": "Methods in the charts"},
        ...report.methods.map((method) => element("button",
            {type: "button", class: "chip", "data-method": method.name, "aria-pressed": String(selection.has(method.name)),
                style: `--swatch:${methodVariable(report, method.name)}`}, method.name)));
}

function makeChartBox(plot, title) {
    const units = {position: plot.unit === "deg" ? "degrees" : "metres", rate: "1 is even", delay: "milliseconds"};
    return element("div", {class: "charts", tabindex: 0, role: "group",
        "aria-label": `Charts of ${title}. Left and right arrow move, plus and minus zoom, 0 shows all.`},
        ...chartKinds.map((kind) => element("div", {class: "chart", "data-chart": kind.name},
            element("p", {class: "chart-title"}, element("b", {}, kind.title), ` ${units[kind.name]}`,
                element("span", {class: "readout"})),
            element("div", {class: "canvas", style: `height:${kind.height}px`}))),
        element("p", {class: "chart-foot"}, "seconds"));
}

function makeZoomBar() {
    return element("div", {class: "zoom", role: "group", "aria-label": "Zoom"},
        ...zoomButtons.map(({action, label, path}) => element("button",
            {type: "button", class: "quiet", "data-action": action, "aria-label": label, title: label},
            svgElement("svg", {viewBox: "0 0 12 12", width: 12, height: 12, class: "sign"}, svgElement("path", {d: path})))),
        element("button", {type: "button", class: "quiet", "data-action": "all"}, "All"));
}

function makeScenario(report, scenario, selection) {
    const plot = report.plots.find((candidate) => candidate.scenario === scenario.name);
    const section = element("section", {class: "scenario", id: `scenario-${scenario.name}`, "data-scenario": scenario.name,
        "aria-labelledby": `title-${scenario.name}`},
        element("h3", {id: `title-${scenario.name}`}, scenario.title), element("p", {}, scenario.what));
    if (!plot) {
        section.append(element("p", {class: "note"}, "Nothing was recorded of it in this run."));
        return {section, charts: null};
    }
    const box = makeChartBox(plot, scenario.title);
    const charts = new ScenarioCharts(report, plot, selection, box);
    const bar = makeZoomBar();
    bar.addEventListener("click", (event) => charts.act(event.target.closest("button")?.dataset.action));
    box.addEventListener("keydown", (event) => {
        if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keyActions)) return;
        event.preventDefault();
        charts.act(keyActions[event.key]);
    });
    const strip = drawStrip(report, plot);
    if (strip.children.length) strip.append(element("p", {class: "note"}, `${plot.strip.frames} successive frames, with rate error and mean lag.`));
    section.append(strip,
        element("div", {class: "chart-tools"}, makeChips(report, selection), bar), box);
    return {section, charts};
}

// The chips of all sections show one selection: who compares two methods wants them everywhere.
function connectChips(list, selection, allCharts) {
    list.addEventListener("click", (event) => {
        const chip = event.target.closest(".chip");
        if (!chip) return;
        const {method} = chip.dataset;
        if (!selection.delete(method)) selection.add(method);
        for (const other of list.querySelectorAll(".chip")) {
            if (other.dataset.method === method) other.setAttribute("aria-pressed", String(selection.has(method)));
        }
        for (const charts of allCharts) charts.applySelection();
    });
}

function drawScenarios(report, list) {
    const selection = makeSelection(report);
    const made = report.scenarios.map((scenario) => makeScenario(report, scenario, selection));
    list.append(...made.map(({section}) => section));
    const withCharts = made.filter(({charts}) => charts);
    const allCharts = withCharts.map(({charts}) => charts);
    connectChips(list, selection, allCharts);

    const near = new IntersectionObserver((entries) => {
        for (const entry of entries) {
            if (!entry.isIntersecting) continue;
            near.unobserve(entry.target);
            withCharts.find(({section}) => section === entry.target).charts.create();
        }
    }, {rootMargin: "800px 0px"});
    for (const {section} of withCharts) near.observe(section);
    return allCharts;
}
