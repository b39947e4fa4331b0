#!/usr/bin/env node
// Takes the picture of the demo that the README shows: both sides of a running page, and the plot below. A machine without
// a graphics card draws few frames a second: look at the figures that it prints before you keep the picture.
//
//     node tests/web/take_picture.mjs [--folder build/demo] [--out docs/images/demo.png] [--seconds 25]
//
// Needs ./run demo and ./test once before.
import {launchBrowser} from "./browser.mjs";
import {openDemo, Site} from "./demo.mjs";

const options = {"--folder": "build/demo", "--out": "docs/images/demo.png", "--seconds": "25"};
for (let i = 2; i < process.argv.length; i += 2) {
    if (!(process.argv[i] in options) || process.argv[i + 1] === undefined) {
        console.error(`take_picture: unknown argument '${process.argv[i]}'`);
        process.exit(2);
    }
    options[process.argv[i]] = process.argv[i + 1];
}

const site = new Site(options["--folder"]);
await site.start();
const browser = await launchBrowser();
const screen = {viewport: {width: 1280, height: 800}, colorScheme: "light"};
const {page, complaints} = await openDemo(browser, site.isolated, {work: 6, boxes: 120, ratio: 1}, screen);
// The first seconds are those of a page that loads; the figures are those of the last four.
await page.waitForTimeout(Number(options["--seconds"]) * 1000);
await page.locator(".stage").screenshot({path: options["--out"], type: options["--out"].endsWith(".png") ? "png" : "jpeg"});
console.log(JSON.stringify(await page.evaluate(() => window.glissadeDemo.state().scores), null, 1));
await browser.close();
site.stop();
if (complaints.length > 0) {
    console.error(complaints.join("\n"));
    process.exit(1);
}
