// A stick and a jump button for fingers.

/** How far the knob goes from the middle, pixels. */
const reach = 40;
/** A finger that rests in the middle does not steer. */
const deadZone = 0.15;

export class TouchControls {
    right = 0;
    forward = 0;
    jump = false;
    private readonly knob: HTMLElement;

    constructor(private readonly stick: HTMLElement, button: HTMLElement, private readonly changed: () => void) {
        this.knob = stick.querySelector<HTMLElement>(".knob")!;
        stick.addEventListener("pointerdown", (event) => {
            stick.setPointerCapture(event.pointerId);
            this.move(event);
        });
        stick.addEventListener("pointermove", (event) => {
            if (stick.hasPointerCapture(event.pointerId)) this.move(event);
        });
        for (const end of ["pointerup", "pointercancel"] as const) stick.addEventListener(end, () => this.put(0, 0));
        button.addEventListener("pointerdown", () => this.setJump(true));
        for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
            button.addEventListener(end, () => this.setJump(false));
        }
        button.addEventListener("click", ({detail}) => {
            if (detail > 0) return; // Of a pointer, which has jumped already.
            this.setJump(true);
            this.setJump(false);
        });
    }

    private move(event: PointerEvent): void {
        const box = this.stick.getBoundingClientRect();
        const x = (event.clientX - box.left - box.width / 2) / reach;
        const y = (event.clientY - box.top - box.height / 2) / reach;
        const length = Math.hypot(x, y);
        if (length < deadZone) this.put(0, 0);
        else this.put(x / Math.max(1, length), y / Math.max(1, length));
    }

    private put(x: number, y: number): void {
        this.right = x;
        this.forward = -y || 0; // Not -0.
        this.knob.style.transform = `translate(${x * reach}px, ${y * reach}px)`;
        this.changed();
    }

    private setJump(jump: boolean): void {
        if (this.jump === jump) return;
        this.jump = jump;
        this.changed();
    }
}
