// The physics worker: obeys the page.
import RAPIER from "@dimforge/rapier3d-compat";
import {createWriter} from "../../src/index.js";
import type {FromWorker, ToWorker} from "../protocol.js";
import {Simulation} from "./simulation.js";
import {canWait} from "./timers.js";

const tell = (message: FromWorker): void => self.postMessage(message);

const engine = RAPIER.init(); // It takes longest: not only when the page asks.
let simulation: Simulation | null = null;

async function start({ticket, settings, boxes}: ToWorker & {kind: "start"}): Promise<void> {
    const [writer] = await Promise.all([createWriter(ticket), engine]);
    simulation = new Simulation(writer, settings, tell);
    const {characterId, cameraTargetId} = simulation.world;
    tell({kind: "ready", character: characterId, cameraTarget: cameraTargetId, canWait});
    simulation.spawn(boxes);
    simulation.world.warmUp();
    simulation.start();
}

self.onmessage = ({data}: MessageEvent<ToWorker>): void => {
    switch (data.kind) {
    case "start":
        start(data).catch((error: unknown) => tell({kind: "problem", message: String(error)}));
        break;
    case "settings": simulation?.change(data.settings); break;
    case "steer": simulation?.steer(data.steering); break;
    case "action": simulation?.act(data.action); break;
    }
};
