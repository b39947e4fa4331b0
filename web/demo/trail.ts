// The way of the character as it was drawn, frame by frame, for the plot.
import type {Vector3} from "../src/index.js";

export interface TrailPoint {
    /** The display's stamp, milliseconds. */
    stamp: number;
    /** Drawn way along the ground so far, metres. Back counts as back. */
    way: number;
    /** Metres per second, from the frame before. */
    speed: number;
}

export const trailSeconds = 5;
/** A longer way in one frame is a teleport or a portal: it is no part of the run. Metres. */
const jumpLength = 3;

export class Trail {
    readonly points: TrailPoint[] = [];
    private last: Vector3 | null = null;
    private heading: readonly [number, number] = [0, 0];

    add(stamp: number, place: Vector3): void {
        const before = this.points.at(-1);
        if (before && stamp <= before.stamp) return;
        const step = this.step(place);
        const seconds = before ? (stamp - before.stamp) / 1000 : 1;
        this.points.push({stamp, way: (before?.way ?? 0) + step, speed: step / seconds});
        while (this.points.length > 0 && this.points[0]!.stamp < stamp - trailSeconds * 1000) this.points.shift();
    }

    clear(): void {
        this.points.length = 0;
        this.last = null;
    }

    private step(place: Vector3): number {
        const last = this.last ?? place;
        this.last = place;
        const [dx, dz] = [place[0] - last[0], place[2] - last[2]];
        const length = Math.hypot(dx, dz);
        if (length > jumpLength) return 0;
        const forward = dx * this.heading[0] + dz * this.heading[1];
        this.heading = [this.heading[0] * 0.9 + dx, this.heading[1] * 0.9 + dz];
        return forward < 0 ? -length : length;
    }
}
