// The live figures of both sides.
import type {Score} from "../src/index.js";
import {sides, type SideNumber} from "./comparison.js";

const missing = "\u2013";

function fixed(value: number | null, digits: number): string {
    return value === null || !Number.isFinite(value) ? missing : value.toFixed(digits);
}

function percent(rateError: number | null): string {
    if (rateError === null) return missing;
    const value = rateError * 100;
    return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

const rows: Record<string, (score: Score) => string> = {
    lag: ({lag}) => fixed(lag, 0),
    delay: ({delay}) => fixed(delay, 0),
    latenessP50: ({latenessP50}) => fixed(latenessP50, 1),
    latenessP99: ({latenessP99}) => fixed(latenessP99, 1),
    underruns: ({underruns}) => fixed(underruns, 0),
    held: ({held}) => fixed(held, 0),
    jumps: ({jumps}) => fixed(jumps, 0),
    backward: ({backward}) => fixed(backward, 0),
};

export interface LibraryCost {
    read: number;
    sides: readonly [number, number];
}

export class FigurePanel {
    private readonly cells = new Map<string, HTMLElement>();

    constructor(root: ParentNode) {
        for (const cell of root.querySelectorAll<HTMLElement>("[data-figure]")) {
            this.cells.set(cell.dataset["figure"]!, cell);
        }
    }

    show(scores: readonly [Score, Score], cost: LibraryCost, framesPerSecond: number): void {
        for (const side of sides) this.showSide(side, scores[side], cost.sides[side]);
        this.write("read", cost.read.toFixed(2));
        this.write("fps", framesPerSecond.toFixed(0));
    }

    private showSide(side: SideNumber, score: Score, cost: number): void {
        this.write(`rateError-${side}`, percent(score.rateError));
        for (const [name, text] of Object.entries(rows)) this.write(`${name}-${side}`, text(score));
        this.write(`library-${side}`, cost.toFixed(2));
    }

    private write(name: string, text: string): void {
        const cell = this.cells.get(name);
        if (cell && cell.textContent !== text) cell.textContent = text;
    }
}
