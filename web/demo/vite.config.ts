import {defineConfig} from "vite";

// A page may share memory with its worker only when it is isolated from other origins: these headers do that.
const isolation = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
};

export default defineConfig({
    base: "./", // The built folder works below any address.
    build: {
        outDir: "../../build/demo",
        emptyOutDir: true,
        target: "es2022",
        chunkSizeWarningLimit: 5000, // Rapier carries its own WebAssembly along.
        assetsInlineLimit: 0, // The module is fetched, so that it can be compiled once and posted to the worker.
    },
    worker: {format: "es"},
    server: {headers: isolation, fs: {allow: [".."]}},
    preview: {headers: isolation},
});
