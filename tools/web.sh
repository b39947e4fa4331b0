# shellcheck shell=bash
# Sourced by ./run and ./test: builds what runs in a browser. Needs steps.sh and setup.sh.

# build_module: web/dist/glissade.wasm.
build_module() {
    local launcher=()
    if command -v ccache >/dev/null; then launcher=(env EM_COMPILER_WRAPPER=ccache); fi
    quiet web-configure "${launcher[@]}" cmake --preset web &&
        quiet web-module "${launcher[@]}" cmake --build --preset web
}

# say_module_sizes: what a page has to load.
say_module_sizes() {
    local module
    for module in web/dist/*.wasm; do
        say "$module: $(($(stat -c %s "$module") / 1024)) KB, $(($(gzip -9 -c "$module" | wc -c) / 1024)) KB gzipped"
    done
}

# build_front: the TypeScript front beside the module, in web/dist.
build_front() {
    ensure_node_modules web && quiet web-front npm --prefix web run build
}

# build_page: the demo, a plain folder for any server: build/demo. Its types are checked as well; the bundler ignores them.
build_page() {
    quiet web-check npm --prefix web run check && quiet web-page npm --prefix web run demo
}

build_web() {
    build_module && build_front && build_page && say_module_sizes
}
