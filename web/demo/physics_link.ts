// The page's end of the conversation with the physics worker.
import type {WriterTicket} from "../src/index.js";
import type {FromWorker, PhysicsAction, PhysicsSettings, Steering, ToWorker} from "./protocol.js";
import type {SettingName, Settings, SettingStore} from "./settings.js";

const physicsSettings: readonly SettingName[] = ["rate", "work", "timer", "timeScale", "paused"];

type Answer<Kind extends FromWorker["kind"]> = FromWorker & {kind: Kind};

export class PhysicsLink {
    onReady: (answer: Answer<"ready">) => void = () => {};
    onBoxes: (answer: Answer<"boxes">) => void = () => {};
    onPortal: (answer: Answer<"portal">) => void = () => {};
    onProblem: (message: string) => void = () => {};
    private readonly worker = new Worker(new URL("./physics/worker.ts", import.meta.url), {type: "module"});
    private last: Steering = {right: 0, forward: 0, jump: false};

    constructor() {
        this.worker.onmessage = ({data}: MessageEvent<FromWorker>) => this.hear(data);
        this.worker.onerror = ({message}) => this.onProblem(`The physics worker failed: ${message}`);
    }

    start(
        {ticket, transfer}: {ticket: WriterTicket; transfer: Transferable[]}, settings: SettingStore,
        {boxes, autoplay}: {boxes: number; autoplay: boolean},
    ): void {
        this.worker.postMessage(
            {kind: "start", ticket, boxes, settings: pick(settings.current, autoplay)} satisfies ToWorker, transfer);
        settings.onChange((name, current) => {
            if (physicsSettings.includes(name)) this.say({kind: "settings", settings: pick(current, autoplay)});
        });
    }

    act(action: PhysicsAction): void {
        this.say({kind: "action", action});
    }

    /** Nothing is said if nothing has changed. */
    steer(steering: Steering): void {
        const {right, forward, jump} = this.last;
        if (right === steering.right && forward === steering.forward && jump === steering.jump) return;
        this.last = steering;
        this.say({kind: "steer", steering});
    }

    private say(message: ToWorker): void {
        this.worker.postMessage(message);
    }

    private hear(message: FromWorker): void {
        switch (message.kind) {
        case "ready": this.onReady(message); break;
        case "boxes": this.onBoxes(message); break;
        case "portal": this.onPortal(message); break;
        case "problem": this.onProblem(message.message); break;
        }
    }
}

function pick({rate, work, timer, timeScale, paused}: Readonly<Settings>, autoplay: boolean): PhysicsSettings {
    return {rate, work, timer, timeScale, paused, autoplay};
}
