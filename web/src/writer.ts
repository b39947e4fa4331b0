// The simulation's end: objects by number, and one publish() a tick.
import {type LinkMemory, makeLink, workerArenaBytes, type WriterTicket} from "./channel.js";
import {Glissade, GlissadeError, once} from "./glissade.js";
import {
    type ObjectId, type Pose, type Quaternion, rowLength, type StateTimes, timesLength, type Vector3, writeRow, writeTimes,
} from "./layout.js";
import type {Pointer} from "./native.js";

/** Ports that have a writer. */
const taken = new WeakSet<MessagePort>();

/** What travels when memory is not shared. */
interface Post {
    port: MessagePort;
    reader: Pointer;
}

/**
 * Becomes the writer of a channel, in the worker that its ticket was posted to.
 * Rejects with a GlissadeError if the channel has a writer already.
 */
export async function createWriter(ticket: WriterTicket): Promise<Writer> {
    const {module, memory, region, link, port} = ticket;
    if (ticket.transport === "shared") {
        if (!memory || !region || !link) throw new GlissadeError("not a ticket of a channel");
        const leave = (): void => { Atomics.store(new Int32Array(memory.buffer), region.claim / 4, 0); };
        const glissade = await Glissade.join(module, memory, region);
        try {
            return new Writer(glissade, ticket, link, null, leave);
        } catch (error) {
            leave();
            throw error;
        }
    }
    if (!port) throw new GlissadeError("the ticket has no port: post it with channel.transfer");
    if (taken.has(port)) throw new GlissadeError("taken: the channel has a writer already");
    taken.add(port);
    try {
        // Half of the memory is the arena, half the link.
        const memoryBytes = 2 * Math.max(workerArenaBytes(ticket.capacity), ticket.linkBytes + 1024 * 1024);
        const glissade = await Glissade.first(module, memoryBytes);
        const own = makeLink(glissade, ticket.capacity);
        const reader = glissade.make(() => glissade.native.glissade_reader_create(own.pointer, own.bytes));
        return new Writer(glissade, ticket, own, {port, reader}, () => taken.delete(port));
    } catch (error) {
        taken.delete(port);
        throw error;
    }
}

/** Tells of the objects of a simulation, and hands whole states over. Never waits for the page. */
export class Writer {
    readonly transport: WriterTicket["transport"];
    /**
     * Room for `capacity` rows of 14 numbers: id, position (3), rotation (x, y, z, w), velocity (3), angular velocity (3).
     * Fill it and call moveRows() to move many objects at once.
     */
    readonly rows: Float64Array;
    private readonly native: Glissade["native"];
    private readonly handle: Pointer;
    private readonly row: Float64Array;
    private readonly times: Float64Array;
    private readonly clockOffset: number;

    /** @internal */
    constructor(readonly glissade: Glissade, ticket: WriterTicket, link: LinkMemory, private readonly post: Post | null,
        private readonly leave: () => void) {
        this.native = glissade.native;
        this.transport = ticket.transport;
        this.handle = glissade.make(() => this.native.glissade_writer_create(link.pointer, link.bytes));
        this.rows = glissade.doubles(rowLength * link.capacity);
        this.row = glissade.doubles(rowLength);
        this.times = glissade.doubles(timesLength);
        this.clockOffset = performance.timeOrigin - ticket.timeOrigin;
    }

    /** The page's clock, read here: milliseconds, as its performance.now(). */
    now(): number {
        return performance.now() + this.clockOffset;
    }

    /** A new object, in the states from the next one on. */
    add(pose: Pose): ObjectId {
        writeRow(this.row, 0, pose);
        return this.glissade.check(this.native.glissade_writer_add(this.handle, this.row.byteOffset));
    }

    remove(id: ObjectId): void {
        this.glissade.check(this.native.glissade_writer_remove(this.handle, id));
    }

    /** The object is there after this tick. */
    move(id: ObjectId, pose: Pose): void {
        writeRow(this.row, id, pose);
        this.glissade.check(this.native.glissade_writer_move(this.handle, this.row.byteOffset, 1));
    }

    /** The first `count` rows of `rows` are there after this tick. A row that is refused stops it: those before are taken. */
    moveRows(count: number): void {
        const room = this.rows.length / rowLength;
        if (!Number.isInteger(count) || count < 0 || count > room) {
            throw new GlissadeError(`${count} rows: the channel has room for ${room}`);
        }
        const taken = this.native.glissade_writer_move(this.handle, this.rows.byteOffset, count);
        if (taken !== count) this.glissade.check(0);
    }

    /** A teleport: the object is there, and was not on the way. */
    cut(id: ObjectId, pose: Pose): void {
        writeRow(this.row, id, pose);
        this.glissade.check(this.native.glissade_writer_cut(this.handle, this.row.byteOffset));
    }

    /** A portal: displaced by a rotation, then a translation, and it keeps moving. Move it to its new place as well. */
    shift(id: ObjectId, translation: Vector3, rotation: Quaternion = [0, 0, 0, 1]): void {
        this.row.set(rotation, 0);
        this.row.set(translation, 4);
        const {byteOffset} = this.row;
        this.glissade.check(this.native.glissade_writer_shift(this.handle, id, byteOffset, byteOffset + 4 * 8));
    }

    /** Hands the state of all objects over. What is left out of `times`: published now, no schedule, at full speed. */
    publish(times: Pick<StateTimes, "tick" | "time" | "duration"> & Partial<StateTimes>): void {
        writeTimes(this.times, {due: null, published: this.now(), timeScale: 1, paused: false, epoch: 0, ...times});
        this.glissade.check(this.native.glissade_writer_publish(this.handle, this.times.byteOffset));
        if (this.post) this.send(this.post);
    }

    /**
     * Leaves the channel: another writer may join, in the same part of the memory. So everything that was made with
     * `writer.glissade`, such as a TickPacer, ends with it.
     */
    readonly close = once(() => {
        this.native.glissade_writer_destroy(this.handle);
        if (this.post) this.native.glissade_reader_destroy(this.post.reader);
        this.leave();
    });

    private send({port, reader}: Post): void {
        while (this.native.glissade_reader_next(reader, this.now()) !== 0) {
            const bytes = this.native.glissade_reader_message_bytes(reader);
            const pointer = this.glissade.check(this.native.glissade_alloc(bytes));
            this.native.glissade_reader_message(reader, pointer, bytes);
            const message = new ArrayBuffer(bytes);
            new Uint8Array(message).set(this.glissade.u8.subarray(pointer, pointer + bytes));
            this.native.glissade_free(pointer);
            port.postMessage(message, [message]);
        }
    }
}
