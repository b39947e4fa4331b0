import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {Channel, Glissade, loadGlissade} from "../dist/index.js";
import {load, refusal, wasmBytes} from "./support.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the library loads from bytes and tells the version of its package", async () => {
    const glissade = await loadGlissade({wasm: wasmBytes});
    assert.ok(glissade instanceof Glissade);
    assert.equal(glissade.version, JSON.parse(read("../package.json")).version);
});

test("the module imports nothing but its memory", async () => {
    const module = await WebAssembly.compile(wasmBytes);
    assert.deepEqual(WebAssembly.Module.imports(module), [{module: "env", name: "memory", kind: "memory"}]);
});

test("the module exports all that native.ts declares", async () => {
    const exported = new Set(WebAssembly.Module.exports(await WebAssembly.compile(wasmBytes)).map(({name}) => name));
    const declared = [...read("../src/native.ts").matchAll(/^ {4}(?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name);
    assert.ok(declared.length > 80, `only ${declared.length} found: has the file another form now?`);
    assert.deepEqual(declared.filter((name) => !exported.has(name)), []);
});

test("native.ts declares every function of the headers", () => {
    const declared = read("../src/native.ts");
    const headers = read("../native/glissade.h") + read("../native/glissade_lab.h");
    const names = [...headers.matchAll(/^[a-z].*?\b(glissade_\w+)\(/gm)].map(([, name]) => name);
    assert.ok(names.length > 80, `only ${names.length} found: have the files another form now?`);
    assert.deepEqual(names.filter((name) => !declared.includes(` ${name}(`)), []);
});

test("a thread-local block fits into the room that each instance has for it", async () => {
    const {native} = await load();
    assert.ok(native.__tls_size.value > 0);
    assert.ok(native.__tls_size.value <= 4096, `${native.__tls_size.value} bytes`);
});

test("two libraries of one page have nothing in common", async () => {
    const [first, second] = [await load(), await load()];
    assert.throws(() => new Channel(first, {capacity: 0}), refusal("glissade_link_bytes"));
    assert.equal(second.text(second.native.glissade_problem()), "");
});

test("memory is a size of its own and is used from both of its halves", async () => {
    const glissade = await load({memoryBytes: 32 * 1024 * 1024});
    assert.equal(glissade.memory.buffer.byteLength, 32 * 1024 * 1024);
    const {pointer} = new Channel(glissade, {capacity: 16}).link;
    assert.ok(pointer >= 16 * 1024 * 1024);
    const scratch = glissade.doubles(10);
    assert.ok(scratch.byteOffset < 17 * 1024 * 1024);
});

test("what does not fit into the arena is refused and the library goes on", async () => {
    const glissade = await load({memoryBytes: 8 * 1024 * 1024});
    assert.throws(() => glissade.doubles(10_000_000), refusal("out of memory"));
    assert.equal(glissade.doubles(10).fill(7)[9], 7);
});
