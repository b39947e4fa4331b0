// Ties the controls of the page to the settings: every element with data-setting shows one and changes it.
import type {MethodInfo} from "../src/index.js";
import {explainConditions, explainMethod} from "./explain.js";
import type {SettingName, SettingStore} from "./settings.js";

type Control = HTMLInputElement | HTMLSelectElement;

const units: Partial<Record<SettingName, (value: number) => string>> = {
    rate: (value) => `${value.toFixed(0)} Hz`,
    work: (value) => `${value.toFixed(1)} ms`,
    timeScale: (value) => `${value.toFixed(1)} \u00d7`,
    slowdown: (value) => `${value.toFixed(0)} ms`,
};

export class Controls {
    private readonly controls: Control[];

    constructor(
        private readonly root: ParentNode, private readonly settings: SettingStore, methods: readonly MethodInfo[],
    ) {
        this.controls = [...root.querySelectorAll<Control>("[data-setting]")];
        root.querySelectorAll<HTMLSelectElement>("select[data-methods]").forEach((list) => fillMethods(list, methods));
        for (const control of this.controls) {
            control.addEventListener("input", () => this.read(control));
            this.write(nameOf(control));
        }
        settings.onChange((name) => this.write(name));
        settings.onChange(() => this.explain());
        this.explain();
    }

    /** A choice that this browser, or this page, cannot have. */
    forbid(name: SettingName, value: string): void {
        for (const control of this.controls) {
            if (nameOf(control) !== name) continue;
            if (control instanceof HTMLInputElement) control.disabled ||= control.value === value;
            else [...control.options].forEach((option) => { option.disabled ||= option.value === value; });
        }
    }

    private read(control: Control): void {
        this.settings.set(nameOf(control), control.value);
    }

    private write(name: SettingName): void {
        const value = this.settings.current[name];
        for (const control of this.controls.filter((candidate) => nameOf(candidate) === name)) {
            if (control instanceof HTMLSelectElement) control.value = String(value);
            else if (control.type === "radio") control.checked = control.value === value;
            else control.value = String(value);
        }
        const unit = units[name];
        const output = this.root.querySelector(`output[data-value="${name}"]`);
        if (unit && output) output.textContent = unit(Number(value));
    }

    private explain(): void {
        const {current} = this.settings;
        this.put("[data-explain=left]", explainMethod(current.left));
        this.put("[data-explain=right]", explainMethod(current.right));
        for (const side of ["left", "right"] as const) this.put(`[data-name=${side}]`, current[side]);
        const list = this.root.querySelector("[data-explain=conditions]");
        list?.replaceChildren(...explainConditions(current).map((line) => {
            const item = document.createElement("li");
            item.textContent = line;
            return item;
        }));
    }

    private put(selector: string, text: string): void {
        for (const element of this.root.querySelectorAll(selector)) element.textContent = text;
    }
}

const nameOf = (control: Control): SettingName => control.dataset["setting"] as SettingName;

function fillMethods(select: HTMLSelectElement, methods: readonly MethodInfo[]): void {
    for (const [label, ours] of [["The usual attempts", false], ["With Glissade", true]] as const) {
        const group = document.createElement("optgroup");
        group.label = label;
        for (const method of methods.filter((candidate) => candidate.ours === ours)) {
            const option = new Option(method.name, method.name);
            option.title = method.line;
            group.append(option);
        }
        select.append(group);
    }
}
