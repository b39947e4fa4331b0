// One instance of the library: its memory, its part of that memory, and what goes across the border.
import type {Native, Pointer} from "./native.js";

/** What the library refused, in its own words. */
export class GlissadeError extends Error {
    override readonly name = "GlissadeError";
}

/** Where the module is: an address, its bytes, or the module itself. */
export type ModuleSource = string | URL | BufferSource | WebAssembly.Module;

export interface GlissadeOptions {
    /** Where glissade.wasm is; by default beside this script. */
    wasm?: ModuleSource;
    /** All of its memory, that of workers and links included, in bytes. It is reserved, not used. */
    memoryBytes?: number;
}

/** What gives something back does so once, however often it is asked. */
export function once(action: () => void): () => void {
    let done = false;
    return () => {
        if (done) return;
        done = true;
        action();
    };
}

/** The part of a shared memory that belongs to one instance. */
export interface Region {
    /** A word: 1 while an instance lives in this part. */
    claim: Pointer;
    stack: Pointer;
    stackBytes: number;
    tls: Pointer;
    arena: Pointer;
    arenaBytes: number;
}

const pageBytes = 65536;
const defaultMemoryBytes = 128 * 1024 * 1024;
/** Kept back for links and for the instances of workers; the rest is the arena of the first instance. */
const sharedPart = 0.5;
const stackBytes = 256 * 1024;
const tlsBytes = 4096;
const alignment = 64;

const leastMemoryBytes = 2 * 1024 * 1024;
/** What the module was linked for. */
const mostMemoryBytes = 2 * 1024 * 1024 * 1024;

const alignUp = (value: number): number => Math.ceil(value / alignment) * alignment;

async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
    if (source instanceof WebAssembly.Module) return source;
    if (typeof source !== "string" && !(source instanceof URL)) return WebAssembly.compile(source);
    const response = await fetch(source);
    if (!response.ok) throw new GlissadeError(`cannot load ${String(source)}: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * The library in this thread. `loadGlissade()` makes the first one with a memory of its own; a worker that has a ticket
 * of a shared channel gets an instance in the same memory, with its own stack and arena.
 */
export class Glissade {
    readonly native: Native;
    readonly f64: Float64Array;
    readonly f32: Float32Array;
    readonly u8: Uint8Array;
    private readonly decoder = new TextDecoder();
    private readonly encoder = new TextEncoder();

    private constructor(
        readonly module: WebAssembly.Module,
        readonly memory: WebAssembly.Memory,
        instance: WebAssembly.Instance,
    ) {
        this.native = instance.exports as unknown as Native;
        this.f64 = new Float64Array(memory.buffer);
        this.f32 = new Float32Array(memory.buffer);
        this.u8 = new Uint8Array(memory.buffer);
    }

    /** @internal The first instance in a new memory. */
    static async first(source: ModuleSource, memoryBytes = defaultMemoryBytes): Promise<Glissade> {
        if (!(memoryBytes >= leastMemoryBytes && memoryBytes <= mostMemoryBytes)) {
            throw new GlissadeError(`a memory of ${memoryBytes} bytes: it must be 2 MiB to 2 GiB`);
        }
        const module = await compile(source);
        const pages = Math.ceil(memoryBytes / pageBytes);
        // Its maximum is its size: views of it stay valid for good, in every thread.
        const memory = new WebAssembly.Memory({initial: pages, maximum: pages, shared: true});
        const glissade = await Glissade.instantiate(module, memory);
        const begin = alignUp(glissade.native.__heap_base.value as number);
        const arenaBegin = begin + tlsBytes;
        glissade.top = alignUp(begin + (memory.buffer.byteLength - begin) * (1 - sharedPart));
        glissade.native.__wasm_init_tls(begin);
        glissade.native.glissade_arena_init(arenaBegin, glissade.top - arenaBegin);
        glissade.native.__wasm_call_ctors();
        return glissade;
    }

    /** @internal A further instance, in the memory of the first. */
    static async join(module: WebAssembly.Module, memory: WebAssembly.Memory, region: Region): Promise<Glissade> {
        // Before anything is written there: a second instance would overwrite the first one's stack and heap.
        if (Atomics.compareExchange(new Int32Array(memory.buffer), region.claim / 4, 0, 1) !== 0) {
            throw new GlissadeError("taken: the channel has a writer already");
        }
        const glissade = await Glissade.instantiate(module, memory).catch((error: unknown) => {
            Atomics.store(new Int32Array(memory.buffer), region.claim / 4, 0);
            throw error;
        });
        glissade.native.__stack_pointer.value = region.stack + region.stackBytes;
        glissade.native.__wasm_init_tls(region.tls);
        glissade.native.glissade_arena_init(region.arena, region.arenaBytes);
        return glissade;
    }

    private static async instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Promise<Glissade> {
        const instance = await WebAssembly.instantiate(module, {env: {memory}});
        const glissade = new Glissade(module, memory, instance);
        if ((glissade.native.__tls_size.value as number) > tlsBytes) throw new GlissadeError("its thread-local block is too large");
        return glissade;
    }

    get version(): string {
        return this.text(this.native.glissade_version());
    }

    /** Where the part begins that nobody has yet. Only the first instance gives parts away. */
    private top = 0;

    /** @internal A part of the memory, for good. */
    carve(bytes: number): Pointer {
        const begin = this.top;
        if (begin === 0) throw new GlissadeError("only the first instance can share its memory");
        if (begin + bytes > this.memory.buffer.byteLength) {
            throw new GlissadeError(`${bytes} bytes do not fit into the memory: load it with a larger memoryBytes`);
        }
        this.top = alignUp(begin + bytes);
        return begin;
    }

    /** @internal All parts that `use` takes, or none if one of them does not fit. */
    carveAll<T>(use: () => T): T {
        const before = this.top;
        try {
            return use();
        } catch (error) {
            this.top = before;
            throw error;
        }
    }

    /** @internal What a worker's instance needs. */
    carveRegion(arenaBytes: number): Region {
        return {
            claim: this.carve(alignment),
            stack: this.carve(stackBytes),
            stackBytes,
            tls: this.carve(tlsBytes),
            arena: this.carve(arenaBytes),
            arenaBytes,
        };
    }

    /** @internal Throws with the library's own words unless `answer` says that all went well. */
    check<T extends number>(answer: T): T {
        if (answer === 0) throw new GlissadeError(this.text(this.native.glissade_problem()));
        return answer;
    }

    /**
     * @internal The answer of a call that allocates. Out of memory is a trap in WebAssembly: it becomes words here. What
     * such a call had half made is lost with its memory.
     */
    make<T extends number>(call: () => T): T {
        const stack = this.native.__stack_pointer.value as number;
        try {
            return this.check(call());
        } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
            this.native.__stack_pointer.value = stack; // A trap does not unwind it.
            throw this.outOfMemory();
        }
    }

    private outOfMemory(): GlissadeError {
        return new GlissadeError(`${this.text(this.native.glissade_problem())}: load it with a larger memoryBytes`);
    }

    private alloc(bytes: number): Pointer {
        const pointer = this.native.glissade_alloc(bytes);
        if (pointer === 0) throw this.outOfMemory();
        return pointer;
    }

    /** @internal A time that the library takes; it would refuse others. */
    time(ms: number): number {
        if (!Number.isFinite(ms)) throw new GlissadeError(`a time that no clock shows: ${ms}`);
        return ms;
    }

    /** @internal Memory for so many doubles. */
    doubles(count: number): Float64Array {
        const pointer = this.alloc(count * 8);
        return this.f64.subarray(pointer / 8, pointer / 8 + count);
    }

    /** @internal */
    free(memory: Float64Array): void {
        this.native.glissade_free(memory.byteOffset);
    }

    /** @internal The rows of doubles at `pointer`. */
    rows(pointer: Pointer, count: number): Float64Array {
        return this.f64.subarray(pointer / 8, pointer / 8 + count);
    }

    /** @internal A text that ends with 0, or has a length. */
    text(pointer: Pointer, length = this.u8.indexOf(0, pointer) - pointer): string {
        // A decoder takes no shared memory, so it gets a copy.
        return this.decoder.decode(this.u8.slice(pointer, pointer + length));
    }

    /** @internal Calls `use` with `text` in the library's memory, a 0 behind it. */
    withText<T>(text: string, use: (pointer: Pointer, length: number) => T): T {
        const bytes = this.encoder.encode(text);
        const pointer = this.alloc(bytes.length + 1);
        this.u8.set(bytes, pointer);
        this.u8[pointer + bytes.length] = 0;
        try {
            return use(pointer, bytes.length);
        } finally {
            this.native.glissade_free(pointer);
        }
    }

    /** @internal A text whose length the library writes beside it. */
    measuredText(read: (length: Pointer) => Pointer): string {
        const length = this.doubles(1);
        try {
            const pointer = this.make(() => read(length.byteOffset));
            return this.text(pointer, new DataView(this.memory.buffer).getUint32(length.byteOffset, true));
        } finally {
            this.free(length);
        }
    }
}

/** Loads the library into this thread, with a memory of its own. */
export async function loadGlissade(options: GlissadeOptions = {}): Promise<Glissade> {
    return Glissade.first(options.wasm ?? new URL(/* @vite-ignore */ "./glissade.wasm", import.meta.url), options.memoryBytes);
}
