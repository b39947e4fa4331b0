// The package's example in a real browser, as a newcomer would serve it.
//
//     node tests/web/example_test.mjs WEB_FOLDER
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launchBrowser} from "./browser.mjs";
import {Site} from "./demo.mjs";

const site = new Site(process.argv[2] ?? "web");
let browser;
before(async () => {
    await site.start();
    browser = await launchBrowser();
});
after(async () => {
    await browser?.close();
    site.stop();
});

for (const [name, url] of [["shared memory", () => site.isolated], ["posted messages", () => site.plain]]) {
    test(`the example runs over ${name}`, async () => {
        const page = await browser.newPage();
        const complaints = [];
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
        page.on("pageerror", (error) => complaints.push(String(error)));
        await page.goto(`${url()}example/`);
        await page.waitForFunction(() => / [1-9]\d* ms behind/.test(document.querySelector("output").textContent), null, {timeout: 20000});
        assert.match(await page.textContent("output"), name === "shared memory" ? /memory is shared/ : /travel as messages/);
        const look = () => page.evaluate(() => document.querySelector("canvas").toDataURL());
        const first = await look();
        await page.waitForTimeout(300);
        assert.notEqual(await look(), first);
        assert.deepEqual(complaints, []);
        await page.close();
    });
}
