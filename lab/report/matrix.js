// The table of methods and scenarios, and the box with all figures of one cell.

function drawMatrix(report, condition) {
    const columns = [{name: null, title: "Median"}, ...report.scenarios];
    const head = element("tr", {role: "row"},
        element("th", {role: "columnheader", scope: "col"}, element("span", {class: "hidden"}, "Method")),
        ...columns.map((column) => element("th", {role: "columnheader", scope: "col", class: column.name ? null : "median", "data-scenario": column.name},
            column.name ? element("a", {href: `#scenario-${column.name}`}, column.title) : column.title)));
    const rows = report.methods.map((method) => element("tr", {role: "row", class: method.ours ? "ours" : null},
        element("th", {role: "rowheader", scope: "row", "data-method": method.name, title: method.line}, method.name),
        ...columns.map((column) => column.name
            ? makeCell(report, report.find(condition.name, column.name, method.name), method, column)
            : makeMedianCell(report, condition, method))));
    const table = element("table", {class: "matrix", role: "grid", "aria-labelledby": report.titleId ?? "summary-title"},
        element("thead", {role: "rowgroup"}, head), element("tbody", {role: "rowgroup"}, ...rows));
    table.querySelector("tbody td").tabIndex = 0;
    return table;
}

function makeMedianCell(report, condition, method) {
    const cell = {
        rate_rms: report.medianOf(condition.name, method.name, "rate_rms"),
        lag_ms_mean: report.medianOf(condition.name, method.name, "lag_ms_mean"),
    };
    return fillCell(report, cell, "median", `${method.name}, median over scenarios`);
}

function makeCell(report, result, method, scenario) {
    const cell = fillCell(report, result ?? {}, null, `${method.name}, ${scenario.title}`);
    cell.dataset.method = method.name;
    cell.dataset.scenario = scenario.name;
    return cell;
}

function fillCell(report, result, className, label) {
    const signs = cellSigns(report, result);
    const words = [`rate error ${formatRate(result.rate_rms)}`, `lag ${formatMs(result.lag_ms_mean)}`, ...signs.map((sign) => sign.words)];
    return element("td", {role: "gridcell", class: className, tabindex: -1, style: rateStyle(result.rate_rms), "aria-label": `${label}: ${words.join(", ")}`},
        element("span", {class: "rate"}, formatRate(result.rate_rms)),
        element("span", {class: "lag"}, isNumber(result.lag_ms_mean) ? `${formatFixed(result.lag_ms_mean, 0)}\u00a0ms` : ""),
        signs.length ? element("span", {class: "signs", "aria-hidden": "true"}, ...signs.map((sign) => makeSign(sign.kind))) : null);
}

function cellSigns(report, result) {
    const signs = [];
    if (result.streaks > 0) signs.push({kind: "streak", words: `${result.streaks} streaks`});
    if (result.backward > 0) signs.push({kind: "backward", words: `${result.backward} backward`});
    if (report.marksPops && result.pops > 0) signs.push({kind: "pop", words: `${result.pops} pops`});
    return signs;
}

const signShapes = {
    streak: "M1 5H9M1 2.5V7.5M9 2.5V7.5",
    backward: "M9 5H1.5M4.5 2L1.5 5L4.5 8",
    pop: "M2.5 2.5H7.5V7.5H2.5Z",
};

// Drawn, not typed: symbols of that kind are missing in some fonts and coloured pictures in others.
function makeSign(kind) {
    return svgElement("svg", {class: "sign", viewBox: "0 0 10 10", width: 10, height: 10}, svgElement("path", {d: signShapes[kind]}));
}

function drawLegend() {
    const samples = [0.002, 0.01, 0.05, 0.2, 1].map((rate) => element("li", {style: rateStyle(rate)}, String(rate)));
    return [
        element("span", {class: "legend-title"}, "Rate error"),
        element("ol", {class: "scale", "aria-label": "Colours of the rate error, from even to uneven"}, ...samples),
        element("span", {class: "legend-item"}, makeSign("streak"), "streaks: drawn inside a teleport"),
        element("span", {class: "legend-item"}, makeSign("backward"), "moved backward"),
        element("span", {class: "legend-item"}, `${dash} not measured`),
    ];
}

// Arrow keys walk, as in any grid; only one cell is in the order of tabs.
function walkWithKeys(box) {
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    box.addEventListener("keydown", (event) => {
        const cell = event.target.closest("td");
        if (!cell || !(event.key in steps)) return;
        const rows = [...box.querySelectorAll("tbody tr")];
        const [down, right] = steps[event.key];
        const row = rows[rows.indexOf(cell.parentElement) + down];
        const next = row?.cells[cell.cellIndex + right];
        if (next?.tagName !== "TD") return;
        event.preventDefault();
        next.focus();
    });
    box.addEventListener("focusin", (event) => {
        const cell = event.target.closest("td");
        if (!cell) return;
        for (const other of box.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
        cell.tabIndex = 0;
    });
}

function fillDetail(detail, report, condition, cell) {
    const {method: name, scenario: scenarioName} = cell.dataset;
    const method = report.methods.find((candidate) => candidate.name === name);
    const scenario = report.scenarios.find((candidate) => candidate.name === scenarioName);
    const result = report.find(condition.name, scenarioName, name) ?? {};
    detail.replaceChildren(
        element("p", {class: "detail-title"}, element("b", {}, name), ` ${scenario.title}`),
        element("p", {class: "detail-line"}, method.line),
        element("dl", {}, ...report.figures.flatMap((figure) =>
            [element("dt", {}, figure.name), element("dd", {}, figure.show(result[figure.key]))])));
}

// Beside the cell where there is room; on a narrow screen the style sheet puts it at the bottom instead.
function placeDetail(detail, cell) {
    const at = cell.getBoundingClientRect();
    const size = detail.getBoundingClientRect();
    const gap = 10;
    const right = at.right + gap + size.width <= innerWidth;
    const left = right ? at.right + gap : Math.max(gap, at.left - gap - size.width);
    const top = Math.min(Math.max(gap, at.top - 40), Math.max(gap, innerHeight - size.height - gap));
    detail.style.setProperty("--left", `${left}px`);
    detail.style.setProperty("--top", `${top}px`);
}

function showDetails(box, detail, report, currentCondition) {
    let shown = null;
    const hide = () => {
        if (!shown) return; // Another table may be showing it.
        detail.hidden = true;
        shown.classList.remove("shown");
        shown.removeAttribute("aria-describedby");
        shown = null;
    };
    const show = (event) => {
        const cell = event.target.closest("td[data-method]");
        if (!cell) return hide();
        if (cell === shown) return;
        hide();
        shown = cell;
        cell.classList.add("shown");
        cell.setAttribute("aria-describedby", detail.id);
        fillDetail(detail, report, currentCondition(), cell);
        detail.hidden = false;
        placeDetail(detail, cell);
    };
    for (const kind of ["pointerover", "focusin", "click"]) box.addEventListener(kind, show);
    box.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
    box.addEventListener("focusout", hide);
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    addEventListener("pointerdown", (event) => { if (!box.contains(event.target)) hide(); });
    // On a phone the tap itself may scroll the cell into view.
    addEventListener("scroll", () => {
        if (!shown) return;
        const {top, bottom} = shown.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) hide();
        else placeDetail(detail, shown);
    }, {passive: true});
    return hide;
}
