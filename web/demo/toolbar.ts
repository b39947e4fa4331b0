// The buttons: what happens in the world, what is saved, what the doctor says, what is replayed.
import type {SideNumber} from "./comparison.js";
import type {Demo} from "./demo.js";
import type {PhysicsLink} from "./physics_link.js";
import type {PhysicsAction} from "./protocol.js";
import {acceptTraces, saveText, showDiagnosis} from "./record.js";
import type {SettingStore} from "./settings.js";

const announcements: Record<PhysicsAction, string> = {
    teleport: "Teleported to the far side.",
    portal: "Through the portal.",
    spawn: "100 more boxes.",
    stop: "The worker stops for 300 milliseconds.",
};

export interface ToolbarParts {
    demo: Demo;
    physics: PhysicsLink;
    settings: SettingStore;
}

export class Toolbar {
    private readonly actions: Readonly<Record<string, () => void>>;

    constructor(private readonly parts: ToolbarParts) {
        const act = (action: PhysicsAction) => () => {
            parts.physics.act(action);
            announce(announcements[action]);
        };
        this.actions = {
            teleport: act("teleport"), portal: act("portal"), spawn: act("spawn"), stop: act("stop"),
            pause: () => this.togglePause(),
            "save-trace": () => saveText("glissade-page.ndjson", parts.demo.comparison?.traceText() ?? ""),
            "save-left": () => this.saveDrawn(0),
            "save-right": () => this.saveDrawn(1),
            doctor: () => this.askDoctor(),
            live: () => this.goLive(),
        };
        for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-action]")) {
            button.addEventListener("click", () => this.act(button.dataset["action"]!));
        }
        acceptTraces(find<HTMLInputElement>("#trace-file"), (name, text) => void this.open(name, text));
        parts.settings.onChange((name) => {
            if (name === "paused") this.showPause();
        });
        this.showPause();
    }

    act(name: string): void {
        this.actions[name]?.();
    }

    private togglePause(): void {
        this.parts.settings.set("paused", !this.parts.settings.current.paused);
    }

    private showPause(): void {
        const {paused} = this.parts.settings.current;
        const button = find<HTMLButtonElement>("button[data-action=pause]");
        button.classList.toggle("is-paused", paused);
        button.querySelector(".label")!.textContent = paused ? "Play" : "Pause";
    }

    private saveDrawn(side: SideNumber): void {
        const name = side === 0 ? "left" : "right";
        saveText(`glissade-page-${name}.ndjson`, this.parts.demo.comparison?.drawnText(side) ?? "");
    }

    private askDoctor(): void {
        const {demo, settings} = this.parts;
        if (!demo.comparison) return;
        showDiagnosis(find("#doctor-left"), settings.current.left, demo.comparison.diagnose(0));
        showDiagnosis(find("#doctor-right"), settings.current.right, demo.comparison.diagnose(1));
        announce("The doctor has answered.");
    }

    private async open(name: string, text: string): Promise<void> {
        try {
            await this.parts.demo.play(text);
        } catch (error) {
            showProblem(`${name}: ${error instanceof Error ? error.message : String(error)}`);
            return;
        }
        showProblem("");
        find("#banner").hidden = false;
        find("#banner-name").textContent = this.parts.demo.replay?.name || name;
        document.body.classList.add("replaying");
        announce(`Replaying ${name}.`);
    }

    private goLive(): void {
        void this.parts.demo.play(null);
        find("#banner").hidden = true;
        document.body.classList.remove("replaying");
        announce("Live again.");
    }
}

export function find<T extends HTMLElement = HTMLElement>(selector: string): T {
    const found = document.querySelector<T>(selector);
    if (!found) throw new Error(`the page has no ${selector}`);
    return found;
}

/** For those who listen to the page. */
export function announce(text: string): void {
    find("#announce").textContent = text;
}

/** Empty: all is well. */
export function showProblem(text: string): void {
    const problem = find("#problem");
    problem.hidden = text === "";
    find("#problem-text").textContent = text;
}
