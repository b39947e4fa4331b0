// The simulation: runs a tick when its timer says so, and hands the state over.
import type {Glissade, Writer} from "../../src/index.js";
import {
    epochsPerGeneration, type FromWorker, type PhysicsAction, type PhysicsSettings, type Steering,
} from "../protocol.js";
import {burn} from "../timing.js";
import {Pilot} from "./pilot.js";
import {makeTimer, type Tick, type TickHost, type TickTimer} from "./timers.js";
import {PhysicsWorld} from "./world.js";

const mostBoxes = 700;
const spawnCount = 100;
const stopMilliseconds = 300;

export class Simulation implements TickHost {
    readonly glissade: Glissade;
    readonly world: PhysicsWorld;
    /** Of the newest state, on the timeline that goes on whatever the timer. */
    time = 0;
    private tickNumber = 0;
    private generation = 0;
    private readonly pilot = new Pilot();
    private timer: TickTimer;

    constructor(
        private readonly writer: Writer,
        private settings: PhysicsSettings,
        private readonly tell: (message: FromWorker) => void,
    ) {
        this.glissade = writer.glissade;
        this.world = new PhysicsWorld(writer);
        this.timer = makeTimer(settings.timer, this, settings.rate);
    }

    start(): void {
        this.adjustTimer();
        this.timer.start();
    }

    now(): number {
        return this.writer.now();
    }

    run(tick: Tick): void {
        this.world.step(tick.seconds, (seconds) =>
            this.pilot.wish(this.world.place[0], this.world.place[2], seconds, this.now()));
        burn(this.settings.work);
        this.world.tell();
        this.time = tick.time;
        this.writer.publish({
            tick: ++this.tickNumber, time: tick.time, duration: tick.duration, due: tick.due,
            epoch: this.generation * epochsPerGeneration + tick.epoch,
            timeScale: this.settings.timeScale, paused: tick.paused,
        });
    }

    change(settings: PhysicsSettings): void {
        const old = this.settings;
        this.settings = settings;
        if (old.rate === settings.rate && old.timer === settings.timer) {
            this.adjustTimer();
            return;
        }
        this.timer.stop();
        ++this.generation;
        this.timer = makeTimer(settings.timer, this, settings.rate);
        this.start();
    }

    steer(steering: Steering): void {
        this.pilot.steer(steering, this.now());
    }

    spawn(count: number): void {
        const room = Math.min(count, mostBoxes - this.world.boxCount);
        if (room > 0) this.tell({kind: "boxes", boxes: this.world.spawn(room)});
    }

    act(action: PhysicsAction): void {
        if (action === "teleport") this.world.teleport();
        if (action === "portal") this.tell({kind: "portal", ...this.world.goThroughPortal()});
        if (action === "spawn") this.spawn(spawnCount);
        if (action === "stop") burn(stopMilliseconds);
    }

    private adjustTimer(): void {
        this.timer.timeScale = this.settings.timeScale;
        this.timer.paused = this.settings.paused;
        this.pilot.autoplay = this.settings.autoplay;
    }
}
