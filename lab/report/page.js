// Starts everything: reads the report, draws the parts, and keeps them right under a new condition, theme, size or printer.

// A4 less its margins, in CSS pixels. Canvases cannot follow the paper by themselves.
const paperWidth = 680;

function connectCondition(report, redraw, select) {
    const groups = [
        ["Reference", (condition) => condition === report.reference],
        ["Recorded", (condition) => condition !== report.reference && condition.recorded],
        ["Made", (condition) => condition !== report.reference && !condition.recorded],
    ];
    for (const [label, belongs] of groups) {
        const members = report.conditions.filter(belongs);
        if (members.length === 0) continue;
        select.append(element("optgroup", {label}, ...members.map((condition) =>
            element("option", {value: condition.name}, condition.title))));
    }
    // A browser may remember another choice from before a reload.
    select.value = report.reference.name;
    select.addEventListener("change", redraw);
    return () => report.conditions.find((condition) => condition.name === select.value) ?? report.reference;
}

function describeCondition(condition) {
    const late = condition.tick_lateness_ms ?? {};
    document.getElementById("condition-what").textContent =
        `${condition.what} Ticks late by ${formatLateness(late.p50)} (median), ${formatLateness(late.p99)} (worst 1\u00a0%).`;
}

function connectTheme(onChange) {
    const button = document.getElementById("theme");
    const root = document.documentElement;
    const show = (theme) => {
        root.dataset.theme = theme;
        button.setAttribute("aria-pressed", String(theme === "dark"));
        onChange();
    };
    button.addEventListener("click", () => {
        const theme = currentTheme() === "dark" ? "light" : "dark";
        try { localStorage.setItem("glissade-theme", theme); } catch { /* Then it holds until the page is closed. */ }
        show(theme);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => show(event.matches ? "dark" : "light"));
    show(currentTheme());
    return show;
}

// Paper is white, and shows what nobody has scrolled to.
function connectPrinter(allCharts, drawTrade, showTheme) {
    let screenTheme = null;
    const begin = () => {
        if (screenTheme !== null) return;
        screenTheme = currentTheme();
        for (const charts of allCharts) {
            charts.create();
            charts.resize(paperWidth);
        }
        drawTrade(paperWidth);
        showTheme("light");
    };
    const end = () => {
        if (screenTheme === null) return;
        for (const charts of allCharts) charts.resize(charts.box.clientWidth);
        showTheme(screenTheme);
        screenTheme = null;
        drawTrade();
    };
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    matchMedia("print").addEventListener("change", (event) => event.matches ? begin() : end());
}

function drawReport(report) {
    drawInputs(report);
    drawGlance(report);
    drawHero(report);
    drawContents(report);
    const allCharts = [...drawScenarios(report, document.getElementById("scenario-list")), ...drawRemote(report)];
    drawGate(report);
    drawConditions(report);
    drawDefinitions(report);

    const matrix = document.getElementById("matrix");
    const scatter = document.getElementById("scatter");
    const drawTrade = (width = scatter.clientWidth) => scatter.replaceChildren(drawScatter(report, condition(), width));
    const redraw = () => {
        describeCondition(condition());
        hideDetail();
        matrix.replaceChildren(drawMatrix(report, condition()));
        drawTrade();
    };
    const condition = connectCondition(report, redraw, document.getElementById("condition"));
    const hideDetail = showDetails(matrix, document.getElementById("detail"), report, condition);
    walkWithKeys(matrix);
    document.getElementById("legend").append(...drawLegend());
    redraw();

    const showTheme = connectTheme(() => {
        publishMethodColours(report);
        for (const charts of allCharts) charts.repaint();
    });
    connectPrinter(allCharts, drawTrade, showTheme);
    new ResizeObserver(() => { if (!matchMedia("print").matches) drawTrade(); }).observe(scatter);
}

function start() {
    const problem = document.getElementById("problem");
    try {
        drawReport(indexReport(JSON.parse(document.getElementById("report").textContent)));
    } catch (error) {
        problem.textContent = `The report inside this file cannot be shown: ${error.message}`;
        problem.hidden = false;
        throw error;
    } finally {
        document.documentElement.dataset.ready = "true";
    }
}

start();
