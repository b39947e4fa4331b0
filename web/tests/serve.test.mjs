// The server of the demo: headers, busy ports, files that are not its own, and its end.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {request} from "node:http";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";

import {serve} from "../serve.mjs";

const script = fileURLToPath(new URL("../serve.mjs", import.meta.url));
let folder;
before(() => {
    folder = mkdtempSync(join(tmpdir(), "glissade-serve-"));
    writeFileSync(join(folder, "index.html"), "<p>here</p>");
    writeFileSync(join(folder, "a.wasm"), "wasm");
});
after(() => rmSync(folder, {recursive: true}));

async function withServer(options, body) {
    const running = await serve(folder, options);
    try {
        await body(running);
    } finally {
        running.server.closeAllConnections();
        running.server.close();
    }
}

// As it is written: fetch() would tidy the path up first.
function get(port, path) {
    return new Promise((done, failed) => {
        request({host: "127.0.0.1", port, path}, (response) => {
            response.resume();
            done({status: response.statusCode, headers: response.headers});
        }).on("error", failed).end();
    });
}

function start(...words) {
    const child = spawn(process.execPath, [script, ...words], {env: {...process.env, DISPLAY: "", WAYLAND_DISPLAY: ""}});
    let text = "";
    child.stdout.on("data", (part) => { text += part; });
    child.stderr.on("data", (part) => { text += part; });
    return {child, text: () => text};
}

test("isolates the page by default, and not if asked not to", async () => {
    await withServer({port: 0}, async ({port}) => {
        const {status, headers} = await get(port, "/");
        assert.equal(status, 200);
        assert.equal(headers["cross-origin-opener-policy"], "same-origin");
        assert.equal(headers["cross-origin-embedder-policy"], "require-corp");
    });
    await withServer({port: 0, isolated: false}, async ({port}) => {
        const {headers} = await get(port, "/");
        assert.equal(headers["cross-origin-embedder-policy"], undefined);
    });
});

test("serves a module as one, and says what it does not have", () =>
    withServer({port: 0}, async ({port}) => {
        assert.equal((await get(port, "/a.wasm")).headers["content-type"], "application/wasm");
        assert.equal((await get(port, "/none.js")).status, 404);
    }));

test("never leaves its folder", () =>
    withServer({port: 0}, async ({port}) => {
        for (const path of ["/../serve.mjs", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%00", "/%"]) {
            assert.equal((await get(port, path)).status, 404, path);
        }
    }));

test("takes the next port if its own is taken", () =>
    withServer({port: 0}, ({port}) =>
        withServer({port}, async (second) => {
            assert.ok(second.port > port);
            assert.equal((await get(second.port, "/")).status, 200);
        })));

test("prints its address, and Ctrl-C ends it cleanly", async () => {
    const {child, text} = start(folder, "--port", "0", "--open");
    while (!text().includes("http://localhost:")) await once(child.stdout, "data");
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    assert.equal(code, 0, text());
});

for (const [name, words, code, says] of [
    ["a folder without a page", [tmpdir()], 1, /has no index\.html/],
    ["a port that is none", ["x", "--port", "many"], 2, /--port needs a number/],
    ["an unknown argument", ["x", "--colour"], 2, /unknown argument '--colour'/],
    ["no folder", [], 2, /usage/],
]) {
    test(`${name} is refused in words`, async () => {
        const {child, text} = start(...words);
        const [got] = await once(child, "exit");
        assert.equal(got, code);
        assert.match(text(), says);
    });
}
