// How a page and its worker meet: in shared memory, or where a page may not share, over posted messages.
import {Glissade, GlissadeError, once, type Region} from "./glissade.js";
import type {Pointer} from "./native.js";

export type Transport = "shared" | "messages";

export interface ChannelOptions {
    /** Most objects at a time, at least 1. */
    capacity?: number;
    /** "messages" even where memory could be shared; "shared" fails where it cannot. By default what works. */
    transport?: Transport;
}

/** Memory with a link in it. */
export interface LinkMemory {
    pointer: Pointer;
    bytes: number;
    capacity: number;
}

/** What createWriter() needs: post it to the worker, with Channel.transfer. */
export interface WriterTicket {
    transport: Transport;
    module: WebAssembly.Module;
    capacity: number;
    linkBytes: number;
    /** performance.timeOrigin of the page: a worker's clock has another one. */
    timeOrigin: number;
    memory?: WebAssembly.Memory;
    region?: Region;
    link?: LinkMemory;
    port?: MessagePort;
}

const defaultCapacity = 1024;
/** The arena of a worker: what a writer needs for each object, and room for the rest. */
export const workerArenaBytes = (capacity: number): number => 8 * 1024 * 1024 + capacity * 512;

/** Lays a link out in the memory of `glissade`. */
export function makeLink(glissade: Glissade, capacity: number): LinkMemory {
    const bytes = glissade.check(glissade.native.glissade_link_bytes(capacity));
    const pointer = glissade.carve(bytes);
    glissade.check(glissade.native.glissade_link_format(pointer, bytes, capacity));
    return {pointer, bytes, capacity};
}

/**
 * The page's end of a hand-off: one writer in a worker, one reader here (a Reader or a Playout).
 *
 * The state lies in a link of exactly the library's own layout, in memory that both threads share. A page that is not
 * cross-origin isolated may not share memory: then each snapshot is posted and put into a link of the page's own, and
 * `transport` and `reason` say so. Everything else is the same.
 */
export class Channel {
    readonly transport: Transport;
    /** Why this transport, one sentence for people. */
    readonly reason: string;
    readonly ticket: WriterTicket;
    /** Goes with the ticket: worker.postMessage(channel.ticket, channel.transfer). */
    readonly transfer: Transferable[];
    /** @internal */
    readonly link: LinkMemory;
    private readonly relay: Pointer = 0;
    private readonly port: MessagePort | null = null;

    constructor(readonly glissade: Glissade, options: ChannelOptions = {}) {
        const capacity = options.capacity ?? defaultCapacity;
        const isolated = globalThis.crossOriginIsolated ?? true; // Node.js has no such thing, and shares.
        this.transport = options.transport ?? (isolated ? "shared" : "messages");
        if (this.transport === "shared" && !isolated) {
            throw new GlissadeError("memory cannot be shared: the page is not cross-origin isolated");
        }
        this.reason = isolated
            ? this.transport === "shared" ? "the page is cross-origin isolated: memory is shared" : "messages were asked for"
            : "the page is not cross-origin isolated: snapshots travel as messages";
        const [link, region] = glissade.carveAll(() => [
            makeLink(glissade, capacity),
            this.transport === "shared" ? glissade.carveRegion(workerArenaBytes(capacity)) : null,
        ] as const);
        this.link = link;
        const common = {
            transport: this.transport, module: glissade.module, capacity, linkBytes: link.bytes, timeOrigin: performance.timeOrigin,
        };
        if (region) {
            this.ticket = {...common, memory: glissade.memory, region, link: this.link};
            this.transfer = [];
            return;
        }
        this.relay = glissade.make(() => glissade.native.glissade_relay_create(this.link.pointer, this.link.bytes));
        const ends = new MessageChannel();
        this.port = ends.port1;
        this.port.onmessage = (event: MessageEvent<ArrayBuffer>) => this.receive(event.data);
        this.ticket = {...common, port: ends.port2};
        this.transfer = [ends.port2];
    }

    /** Ends the delivery of messages. Shared memory needs no end. */
    readonly close = once(() => {
        if (!this.port) return;
        this.port.onmessage = null; // One that is under way must not reach what is no more.
        this.port.close();
        this.glissade.native.glissade_relay_destroy(this.relay);
    });

    private receive(message: ArrayBuffer): void {
        const {native, u8} = this.glissade;
        const pointer = this.glissade.check(native.glissade_alloc(message.byteLength));
        u8.set(new Uint8Array(message), pointer);
        const answer = native.glissade_relay_post(this.relay, pointer, message.byteLength, performance.now());
        native.glissade_free(pointer);
        this.glissade.check(answer);
    }
}
