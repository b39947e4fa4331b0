// What page and worker say to each other. Where things are is not among it: that goes through the channel.
import type {ObjectId, Vector3, WriterTicket} from "../src/index.js";

export type TimerName = "fixed" | "absolute" | "atomics";

/** What the worker has to know of the settings. */
export interface PhysicsSettings {
    /** Ticks per second. */
    rate: number;
    /** Burnt in each tick, milliseconds. */
    work: number;
    timer: TimerName;
    timeScale: number;
    paused: boolean;
    /** The character runs by itself while nobody steers it. */
    autoplay: boolean;
}

export type PhysicsAction = "teleport" | "portal" | "spawn" | "stop";

/** How the character is steered, as the camera sees it: -1 to 1. */
export interface Steering {
    right: number;
    forward: number;
    jump: boolean;
}

/** How a box looks. Its size is that of its collider. */
export interface BoxLook {
    id: ObjectId;
    size: Vector3;
    /** Picks from the palette. */
    colour: number;
}

export type ToWorker =
    | {kind: "start"; ticket: WriterTicket; settings: PhysicsSettings; boxes: number}
    | {kind: "settings"; settings: PhysicsSettings}
    | {kind: "steer"; steering: Steering}
    | {kind: "action"; action: PhysicsAction};

export type FromWorker =
    | {kind: "ready"; character: ObjectId; cameraTarget: ObjectId; canWait: boolean}
    | {kind: "boxes"; boxes: BoxLook[]}
    | {kind: "portal"; from: Vector3; to: Vector3}
    | {kind: "problem"; message: string};

/**
 * The worker starts a new generation of epochs when its rate or timer changes, so that a state itself tells the page
 * that the ticks have another length from now on.
 */
export const epochsPerGeneration = 65536;

export const generationOf = (epoch: number): number => Math.floor(epoch / epochsPerGeneration);
