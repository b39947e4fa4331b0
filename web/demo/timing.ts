// What a part of the frame costs.

const sampleCount = 120;

/** Times of the last frames, milliseconds. */
export class Stopwatch {
    private readonly samples: number[] = [];
    private at = 0;
    private sum = 0;

    /** A part of this frame. */
    add<T>(work: () => T): T {
        const begin = performance.now();
        const result = work();
        this.sum += performance.now() - begin;
        return result;
    }

    endFrame(): void {
        this.samples[this.at] = this.sum;
        this.at = (this.at + 1) % sampleCount;
        this.sum = 0;
    }

    get median(): number {
        const sorted = [...this.samples].sort((a, b) => a - b);
        return sorted[sorted.length >> 1] ?? 0;
    }
}

/** Keeps the thread busy, as a heavier page or simulation would. */
export function burn(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
}
