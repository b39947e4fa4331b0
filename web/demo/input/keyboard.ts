// The keyboard: runs and jumps, unless a control that has the focus wants the key for itself.

/** What a key does, by its place on the keyboard. */
const directions: Record<string, readonly [right: number, forward: number]> = {
    KeyW: [0, 1], ArrowUp: [0, 1], KeyS: [0, -1], ArrowDown: [0, -1],
    KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};

/** Controls that take letters. */
const writable = "select, textarea, input:not([type=range], [type=radio], [type=file])";

function isTaken(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return true;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (target.matches(writable)) return true;
    // Letters mean nothing to a button or a slider, but arrows and the space bar do.
    return !event.code.startsWith("Key") && target.matches("input, button, summary, a, label, [role=separator]");
}

export class Keyboard {
    private readonly held = new Set<string>();
    private jumping = false;

    /** `changed` is called when what is held has changed, `shortcuts` by code when one is pressed. */
    constructor(
        private readonly changed: () => void, private readonly shortcuts: Readonly<Record<string, () => void>>,
    ) {
        addEventListener("keydown", (event) => this.press(event));
        addEventListener("keyup", (event) => this.release(event.code));
        addEventListener("blur", () => this.releaseAll());
    }

    get right(): number {
        return this.sum(0);
    }

    get forward(): number {
        return this.sum(1);
    }

    get jump(): boolean {
        return this.jumping;
    }

    private press(event: KeyboardEvent): void {
        if (isTaken(event)) return;
        const shortcut = this.shortcuts[event.code];
        if (shortcut && !event.repeat) shortcut();
        if (event.code !== "Space" && !directions[event.code]) return;
        event.preventDefault(); // Arrows and the space bar would scroll the page.
        if (event.repeat) return;
        if (event.code === "Space") this.jumping = true;
        else this.held.add(event.code);
        this.changed();
    }

    private release(code: string): void {
        if (code === "Space" ? !this.jumping : !this.held.has(code)) return;
        this.held.delete(code);
        if (code === "Space") this.jumping = false;
        this.changed();
    }

    private releaseAll(): void {
        this.held.clear();
        this.jumping = false;
        this.changed();
    }

    private sum(axis: 0 | 1): number {
        const total = [...this.held].reduce((sum, code) => sum + (directions[code]?.[axis] ?? 0), 0);
        return Math.max(-1, Math.min(1, total));
    }
}
