#!/usr/bin/env node
// Serves a folder on localhost with the headers that shared memory needs, or without them.
//
//     node web/serve.mjs FOLDER [--port N] [--no-isolation] [--open]
//
// A port that is taken is no failure: the next free one is used, and the address is printed.
import {createReadStream} from "node:fs";
import {stat} from "node:fs/promises";
import {createServer} from "node:http";
import {pipeline} from "node:stream";
import {extname, join, resolve, sep} from "node:path";
import {spawn} from "node:child_process";
import {pathToFileURL} from "node:url";

const types = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
};
const isolation = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
};
const portTries = 20;
const mostPort = 65535;

async function findFile(folder, url) {
    const path = resolve(folder, "." + decodeURIComponent(new URL(url, "http://localhost").pathname));
    if (path !== folder && !path.startsWith(folder + sep)) return null;
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) return findFile(folder, new URL(url, "http://localhost").pathname.replace(/\/?$/, "/index.html"));
    return found?.isFile() ? {path, size: found.size} : null;
}

function answer(folder, headers, request, response) {
    const refuse = (status, text) => {
        response.writeHead(status, {"Content-Type": "text/plain; charset=utf-8", ...headers});
        response.end(text + "\n");
    };
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "only GET and HEAD");
    return findFile(folder, request.url).catch(() => null).then((file) => {
        if (!file) return refuse(404, "not found");
        response.writeHead(200, {
            "Content-Type": types[extname(file.path)] ?? "application/octet-stream", "Content-Length": file.size,
            "Cache-Control": "no-cache", ...headers,
        });
        if (request.method === "HEAD") return response.end();
        // A file that goes away, or a reader that does, ends this answer alone.
        return pipeline(createReadStream(file.path), response, () => {});
    });
}

function listen(server, port) {
    return new Promise((done, failed) => {
        server.once("error", failed);
        server.listen(port, "127.0.0.1", () => {
            server.off("error", failed);
            done(server.address().port);
        });
    });
}

/** Serves `folder`; the first free port from `port` on, any free one for 0. Resolves to {server, port, url}. */
export async function serve(folder, {port = 8080, isolated = true} = {}) {
    const root = resolve(folder);
    const server = createServer((request, response) => answer(root, isolated ? isolation : {}, request, response));
    for (let attempt = 0; attempt < portTries && port + attempt <= mostPort; ++attempt) {
        try {
            const got = await listen(server, port === 0 ? 0 : port + attempt);
            return {server, port: got, url: `http://localhost:${got}/`};
        } catch (error) {
            if (error.code !== "EADDRINUSE") throw error;
        }
    }
    throw new Error(`ports from ${port} on are taken; choose another with --port N`);
}

function readArguments(words) {
    const options = {folder: null, port: 8080, isolated: true, open: false};
    for (let i = 0; i < words.length; ++i) {
        if (words[i] === "--port") options.port = Number(words[++i]);
        else if (words[i] === "--no-isolation") options.isolated = false;
        else if (words[i] === "--open") options.open = true;
        else if (words[i].startsWith("-") || options.folder !== null) throw new Error(`unknown argument '${words[i]}'`);
        else options.folder = words[i];
    }
    if (options.folder === null) throw new Error("usage: serve.mjs FOLDER [--port N] [--no-isolation] [--open]");
    if (!Number.isInteger(options.port) || options.port < 0 || options.port > mostPort) {
        throw new Error("--port needs a number from 0 to 65535");
    }
    return options;
}

// Where there is a desktop. Failing to open it is no failure of the server.
function openBrowser(url) {
    if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
    spawn("xdg-open", [url], {stdio: "ignore", detached: true}).on("error", () => {}).unref();
}

async function main() {
    let options;
    try {
        options = readArguments(process.argv.slice(2));
    } catch (error) {
        console.error(`serve: ${error.message}`);
        process.exit(2);
    }
    if (!(await stat(join(options.folder, "index.html")).catch(() => null))) {
        console.error(`serve: ${options.folder} has no index.html: build the page first`);
        process.exit(1);
    }
    const {server, port, url} = await serve(options.folder, options);
    const end = () => {
        server.closeAllConnections();
        server.close(() => process.exit(0));
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
    if (port !== options.port && options.port !== 0) console.log(`Port ${options.port} is taken, so it is ${port}.`);
    console.log(`The page is at ${url} (Ctrl-C ends it)`);
    if (options.open) openBrowser(url);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    main().catch((error) => {
        console.error(`serve: ${error.message}`);
        process.exit(1);
    });
}
