// Colours that stand for something: the scale of the rate error and one colour for each method.

// Even steps of lightness in OKLCH, from calm to loud. Lightness alone carries the order, so that the scale survives
// colour blindness and a grey printer; on a dark page it runs the other way, and loud is bright.
const rateScale = {
    light: ["#dff6f2", "#bee9d9", "#bfd49e", "#cead59", "#ce7c22", "#b54e21", "#853025"],
    dark: ["#1b3332", "#224841", "#475d3b", "#7e6e2f", "#bc7d2f", "#eb9251", "#ffba73"],
};
const rateScaleFrom = 0.002;
const rateScaleTo = 1;

// After Okabe and Ito, and Tol: told apart by people with any kind of colour vision while few are shown at once.
const methodColours = {
    light: ["#c2410c", "#1d4ed8", "#9333ea", "#b45309", "#be185d", "#4d7c0f", "#475569", "#0369a1", "#7c2d12", "#6d28d9", "#a16207", "#15803d", "#db2777", "#334155"],
    dark: ["#fb923c", "#7aa2ff", "#c99bff", "#facc15", "#f38cc0", "#a3d65c", "#a8b3c4", "#5cc8f5", "#e0987c", "#a995ff", "#d6b656", "#4ade80", "#f9a8d4", "#e2e8f0"],
};

function currentTheme() {
    return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function cssColour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function channels(hex) {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// 0 at rateScaleFrom and below, 1 at rateScaleTo and above, logarithmic between.
function placeOnScale(rate) {
    const clamped = Math.min(Math.max(rate, rateScaleFrom), rateScaleTo);
    return Math.log(clamped / rateScaleFrom) / Math.log(rateScaleTo / rateScaleFrom);
}

function scaleColour(theme, place) {
    const stops = rateScale[theme];
    const exact = place * (stops.length - 1);
    const index = Math.min(Math.floor(exact), stops.length - 2);
    const [from, to] = [channels(stops[index]), channels(stops[index + 1])];
    return from.map((value, i) => Math.round(value + (to[i] - value) * (exact - index)));
}

// Relative luminance, WCAG 2.
function luminance(rgb) {
    const [r, g, b] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Black and white are equally readable at a luminance of 0.179, with a contrast of 4.58 each.
function inkOn(rgb) {
    return luminance(rgb) > 0.179 ? "#000" : "#fff";
}

// Custom properties for both themes at once: the style sheet picks, so switching costs no script.
function rateStyle(rate) {
    if (!isNumber(rate)) return null;
    return ["light", "dark"].map((theme) => {
        const rgb = scaleColour(theme, placeOnScale(rate));
        return `--fill-${theme}:rgb(${rgb});--ink-${theme}:${inkOn(rgb)}`;
    }).join(";");
}

// The first of our own has the accent; the others take the palette in the order of the report, further own ones last.
function methodColour(part, name) {
    const report = part.colours ?? part; // A method has one colour in the whole page.
    if (name === report.ours.name) return cssColour("--accent");
    const others = report.methods.filter((method) => method !== report.ours).sort((a, b) => Number(a.ours) - Number(b.ours));
    const palette = methodColours[currentTheme()];
    return palette[Math.max(others.findIndex((method) => method.name === name), 0) % palette.length];
}

// What stands in SVG and HTML follows the theme through these properties.
function publishMethodColours(report) {
    report.methods.forEach((method, index) => {
        document.documentElement.style.setProperty(`--method-${index}`, methodColour(report, method.name));
    });
}

function methodVariable(part, name) {
    const report = part.colours ?? part;
    return `var(--method-${report.methods.findIndex((method) => method.name === name)})`;
}
