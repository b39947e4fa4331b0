// What tests ask the page, as window.glissadeDemo.
import type {Channel, Score} from "../src/index.js";
import type {SideNumber} from "./comparison.js";
import type {Demo, FrameRecord} from "./demo.js";
import type {SettingName, Settings, SettingStore, SettingValue} from "./settings.js";

export interface Probe {
    /** Resolves with the first picture. */
    ready: Promise<void>;
    settings: Readonly<Settings>;
    history: readonly FrameRecord[];
    set(name: SettingName, value: SettingValue | string): boolean;
    action(name: string): void;
    state(): object;
    traceText(): string;
    drawnText(side: SideNumber): string;
    clearRecording(): void;
}

declare global {
    interface Window {
        glissadeDemo?: Probe;
    }
}

export interface ProbeParts {
    demo: Demo;
    channel: Channel;
    settings: SettingStore;
    ready: Promise<void>;
    bodyCount(): number;
    action(name: string): void;
}

export function makeProbe({demo, channel, settings, ready, bodyCount, action}: ProbeParts): Probe {
    const scoreOf = (side: SideNumber): Score | null => demo.score(side);
    return {
        ready,
        settings: settings.current,
        history: demo.history,
        set: (name, value) => settings.set(name, value),
        action,
        state: () => ({
            transport: channel.transport,
            isolated: globalThis.crossOriginIsolated,
            bodyCount: bodyCount(),
            replaying: demo.replay?.name ?? null,
            character: {left: demo.sides[0].place, right: demo.sides[1].place},
            library: {
                readMs: demo.readWatch.median,
                leftMs: demo.comparison?.stopwatches[0].median ?? 0,
                rightMs: demo.comparison?.stopwatches[1].median ?? 0,
            },
            scores: {left: scoreOf(0), right: scoreOf(1)},
        }),
        traceText: () => demo.comparison?.traceText() ?? "",
        drawnText: (side) => demo.comparison?.drawnText(side) ?? "",
        clearRecording: () => demo.comparison?.clearRecording(),
    };
}
