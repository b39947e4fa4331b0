// Opens report pages in Chromium, and looks at what it has painted.
import {chromium} from "playwright-core";

export async function launchBrowser() {
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []; // Chromium's sandbox refuses to run as root.
    return chromium.launch({executablePath: process.env.GLISSADE_CHROMIUM || "/usr/bin/chromium", args});
}

// A page without network that has drawn its report, and everything it complained about or asked for.
export async function openReport(browser, url, options) {
    const context = await browser.newContext({offline: true, ...options});
    const page = await context.newPage();
    await page.addInitScript(() => {
        window.layoutShift = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.layoutShift += entry.value; }))
            .observe({type: "layout-shift", buffered: true});
    });
    const complaints = [];
    const requests = [];
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(url);
    await page.waitForSelector("html[data-ready]", {state: "attached", timeout: 20000});
    return {page, complaints, requests};
}

export function settle(page) {
    return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function scrollTo(page, selector) {
    await page.evaluate((wanted) => document.querySelector(wanted).scrollIntoView({behavior: "instant"}), selector);
    await settle(page);
}

export async function scrollThrough(page) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let top = 0; top < height; top += 700) {
        await page.evaluate((y) => window.scrollTo({top: y, behavior: "instant"}), top);
        await settle(page);
    }
}

// For each canvas below `selector`: how many colours it shows, how many pixels have `colour`, and a sum that tells two
// pictures apart.
export function lookAtCanvases(page, selector, colour = null) {
    return page.evaluate(([within, wanted]) => [...document.querySelectorAll(`${within} canvas`)].map((canvas) => {
        const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        let [matching, sum] = [0, 0];
        for (let i = 0; i < data.length; i += 4) {
            const value = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
            if (data[i + 3] > 0) colours.add(value);
            if (wanted && data[i + 3] > 200 && wanted.every((channel, k) => Math.abs(channel - data[i + k]) < 12)) ++matching;
            sum = (sum * 31 + value + data[i + 3]) >>> 0;
        }
        return {colours: colours.size, matching, sum};
    }), [selector, colour]);
}

// Every visible text whose contrast with what is behind it is below `least` (WCAG 2).
export function findPoorContrast(page, least) {
    return page.evaluate((limit) => {
        const probe = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
        const rgba = (colour) => {
            probe.clearRect(0, 0, 1, 1);
            probe.fillStyle = colour;
            probe.fillRect(0, 0, 1, 1);
            return [...probe.getImageData(0, 0, 1, 1).data];
        };
        const luminance = (colour) => {
            const [r, g, b] = colour.slice(0, 3).map((value) => {
                const part = value / 255;
                return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const backgroundOf = (node) => {
            for (let at = node; at; at = at.parentElement) {
                const colour = rgba(getComputedStyle(at).backgroundColor);
                if (colour[3] > 250) return colour;
            }
            return [255, 255, 255, 255];
        };
        const poor = [];
        let count = 0;
        for (const node of document.body.querySelectorAll("*")) {
            const ownText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
            if (!ownText || !node.checkVisibility() || node.closest(".hidden, .skip, script, title")) continue;
            const style = getComputedStyle(node);
            const [ink, paper] = [rgba(node.closest("svg") ? style.fill : style.color), backgroundOf(node)].map(luminance);
            const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
            ++count;
            if (contrast < limit) poor.push(`${contrast.toFixed(2)} ${node.tagName}.${node.getAttribute("class")} "${node.textContent.slice(0, 30)}"`);
        }
        return {count, poor};
    }, least);
}
