// All that can be chosen: its values, its limits, its place in the address.
import type {TimerName} from "./protocol.js";

export interface Settings {
    left: string;
    right: string;
    rate: number;
    work: number;
    timer: TimerName;
    timeScale: number;
    paused: boolean;
    clock: "display" | "cpu";
    camera: "follow" | "fixed";
    damping: "second" | "frame";
    slowdown: number;
    /** Where the picture is divided, percent of its width. */
    divider: number;
}

export type SettingName = keyof Settings;
export type SettingValue = Settings[SettingName];

type Rule =
    | {kind: "number"; least: number; most: number}
    | {kind: "choice"; values: readonly string[]}
    | {kind: "flag"}
    | {kind: "name"};

const rules: Record<SettingName, Rule> = {
    left: {kind: "name"},
    right: {kind: "name"},
    rate: {kind: "number", least: 5, most: 120},
    work: {kind: "number", least: 0, most: 20},
    timer: {kind: "choice", values: ["fixed", "absolute", "atomics"]},
    timeScale: {kind: "number", least: 0.1, most: 2},
    paused: {kind: "flag"},
    clock: {kind: "choice", values: ["display", "cpu"]},
    camera: {kind: "choice", values: ["follow", "fixed"]},
    damping: {kind: "choice", values: ["second", "frame"]},
    slowdown: {kind: "number", least: 0, most: 30},
    divider: {kind: "number", least: 10, most: 90},
};

const defaults: Settings = {
    left: "constant-interval", right: "playout", rate: 60, work: 3, timer: "absolute", timeScale: 1, paused: false,
    clock: "display", camera: "follow", damping: "second", slowdown: 0, divider: 50,
};

export const settingNames = Object.keys(rules) as SettingName[];

/** What `text` means for a setting; null if it means nothing. */
function parse(rule: Rule, text: string): SettingValue | null {
    switch (rule.kind) {
    case "number": {
        const value = text === "" ? NaN : Number(text);
        return Number.isFinite(value) ? Math.max(rule.least, Math.min(rule.most, value)) : null;
    }
    case "choice": return rule.values.includes(text) ? text as SettingValue : null;
    case "flag": return ["1", "true", "0", "false"].includes(text) ? text === "1" || text === "true" : null;
    case "name": return text === "" ? null : text;
    }
}

type Listener = (name: SettingName, settings: Readonly<Settings>) => void;

export class SettingStore {
    private readonly values: Settings;
    private readonly listeners: Listener[] = [];

    /** `methods`: the names that a side can have. Values of the address come first, then `preferred`. */
    constructor(address: URLSearchParams, private readonly methods: readonly string[], preferred: Partial<Settings>) {
        this.values = {...defaults, ...preferred};
        for (const name of settingNames) {
            const text = address.get(name);
            if (text !== null) this.set(name, text);
        }
    }

    get current(): Readonly<Settings> {
        return this.values;
    }

    /** Takes a value or its text. False, and nothing changes: it is none for this setting. */
    set(name: SettingName, value: SettingValue | string): boolean {
        const rule = rules[name];
        if (!rule) return false;
        const parsed = parse(rule, String(value));
        if (parsed === null || (rule.kind === "name" && !this.methods.includes(String(parsed)))) return false;
        if (this.values[name] === parsed) return true;
        (this.values as unknown as Record<SettingName, SettingValue>)[name] = parsed;
        for (const listener of this.listeners) listener(name, this.values);
        return true;
    }

    onChange(listener: Listener): void {
        this.listeners.push(listener);
    }
}
