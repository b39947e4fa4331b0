// The scrolling plot: how far the drawn character is from a steady run, and below it the speed of every frame.
import type {Side} from "./side.js";
import {trailSeconds, type TrailPoint} from "./trail.js";

interface Frame {
    left: number;
    top: number;
    width: number;
    height: number;
}

interface Inks {
    sides: readonly string[];
    text: string;
    line: string;
}

const gutter = 68;
const titleHeight = 24;
/** The ranges of the upper plot, centimetres. */
const ranges = [2, 5, 10, 25, 50, 100, 250, 1000];
const leastTopSpeed = 10;

/** Least squares: where the points would be if the run were steady. */
function fitLine(points: readonly TrailPoint[]): (stamp: number) => number {
    const count = points.length;
    const meanStamp = points.reduce((sum, {stamp}) => sum + stamp, 0) / count;
    const meanWay = points.reduce((sum, {way}) => sum + way, 0) / count;
    let [across, spread] = [0, 0];
    for (const {stamp, way} of points) {
        across += (stamp - meanStamp) * (way - meanWay);
        spread += (stamp - meanStamp) ** 2;
    }
    const slope = spread > 0 ? across / spread : 0;
    return (stamp) => meanWay + slope * (stamp - meanStamp);
}

export class Plot {
    private readonly context: CanvasRenderingContext2D;
    private inks: Inks;
    private range = 5;

    constructor(private readonly canvas: HTMLCanvasElement) {
        this.context = canvas.getContext("2d")!;
        this.inks = this.readInks();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.inks = this.readInks(); });
        new ResizeObserver(() => this.resize()).observe(canvas);
        this.resize();
    }

    draw(sides: readonly Side[], stamp: number): void {
        const {width, height} = this.canvas.getBoundingClientRect();
        if (width === 0) return;
        this.context.clearRect(0, 0, width, height);
        const half = Math.floor(height / 2);
        this.drawPosition(sides, stamp, frameAt(width, 0, half));
        this.drawSpeed(sides, stamp, frameAt(width, half, half));
    }

    private drawPosition(sides: readonly Side[], stamp: number, frame: Frame): void {
        const series = sides.map(({trail: {points}}) => {
            const steady = fitLine(points);
            return points.map((point) => ({stamp: point.stamp, value: (point.way - steady(point.stamp)) * 100}));
        });
        this.range = this.fitRange(Math.max(...series.flat().map(({value}) => Math.abs(value)), 0));
        const labels = [`+${this.range} cm`, "0", `\u2212${this.range} cm`];
        this.drawAxes(frame, "Drawn position, less a steady run", labels);
        series.forEach((points, side) => this.drawLine(frame, side, stamp, points, -this.range, this.range));
    }

    private drawSpeed(sides: readonly Side[], stamp: number, frame: Frame): void {
        const top = leastTopSpeed;
        this.drawAxes(frame, "Drawn speed, frame by frame", [`${top} m/s`, `${top / 2}`, "0"]);
        sides.forEach(({trail: {points}}, side) => {
            const speeds = points.map((point) => ({stamp: point.stamp, value: point.speed}));
            this.drawLine(frame, side, stamp, speeds, 0, top);
        });
    }

    /** Grows at once, shrinks only when there is much room, so that the axis does not flicker. */
    private fitRange(largest: number): number {
        const fitting = ranges.find((range) => range >= largest) ?? ranges.at(-1)!;
        return fitting > this.range || largest < this.range * 0.35 ? fitting : this.range;
    }

    private drawAxes({left, top, width, height}: Frame, title: string, labels: readonly string[]): void {
        const {context} = this;
        context.font = "500 11px system-ui, sans-serif";
        context.fillStyle = this.inks.text;
        context.textBaseline = "middle";
        context.textAlign = "left";
        context.fillText(title, left, top - 12);
        context.textAlign = "right";
        context.strokeStyle = this.inks.line;
        context.lineWidth = 1;
        labels.forEach((label, index) => {
            const y = Math.round(top + height * index / (labels.length - 1)) + 0.5;
            context.fillText(label, left - 8, y);
            context.beginPath();
            context.moveTo(left, y);
            context.lineTo(left + width, y);
            context.stroke();
        });
    }

    private drawLine(
        frame: Frame, side: number, stamp: number, points: readonly {stamp: number; value: number}[], low: number,
        high: number,
    ): void {
        const {context} = this;
        const {left, top, width, height} = frame;
        context.save();
        context.beginPath();
        context.rect(left, top - 2, width, height + 4);
        context.clip();
        context.beginPath();
        for (const point of points) {
            const x = left + width * (1 - (stamp - point.stamp) / (trailSeconds * 1000));
            context.lineTo(x, top + height * (high - point.value) / (high - low));
        }
        context.strokeStyle = this.inks.sides[side]!;
        context.lineWidth = 1.5;
        context.lineJoin = "round";
        context.stroke();
        context.restore();
    }

    private resize(): void {
        const ratio = Math.min(devicePixelRatio, 2);
        const {width, height} = this.canvas.getBoundingClientRect();
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    private readInks(): Inks {
        const style = getComputedStyle(this.canvas);
        const ink = (name: string): string => style.getPropertyValue(name).trim();
        return {sides: [ink("--left"), ink("--right")], text: ink("--quiet"), line: ink("--line")};
    }
}

function frameAt(width: number, top: number, height: number): Frame {
    return {left: gutter, top: top + titleHeight, width: width - gutter - 4, height: height - titleHeight - 12};
}
