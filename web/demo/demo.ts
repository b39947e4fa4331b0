// The demo: reads what has arrived, lets both sides draw it, and shows the picture. One frame after the other.
import {drawnLength, type Glissade, type MethodInfo, type ObjectId, type Score, type State} from "../src/index.js";
import {Comparison, sides, type SideNumber} from "./comparison.js";
import type {Feed, LiveFeed} from "./feed.js";
import {generationOf} from "./protocol.js";
import {ReplayFeed} from "./replay.js";
import type {SettingStore} from "./settings.js";
import {Side} from "./side.js";
import {burn, Stopwatch} from "./timing.js";
import type {PlazaScene} from "./view/scene.js";
import type {SplitView} from "./view/split.js";

export interface FrameRecord {
    cpu: number;
    stamp: number;
    left: readonly number[];
    right: readonly number[];
    /** Boxes that are elsewhere than in the frame before. */
    boxesMoved: number;
}

export interface DemoParts {
    glissade: Glissade;
    settings: SettingStore;
    methods: readonly MethodInfo[];
    live: LiveFeed;
    scene: PlazaScene;
    split: SplitView;
}

const watchedBoxCount = 6;
const historyLength = 600;

export class Demo {
    readonly sides: readonly [Side, Side];
    readonly readWatch = new Stopwatch();
    readonly history: FrameRecord[] = [];
    comparison: Comparison | null = null;
    /** A frame failed, and there will be no other. */
    onProblem: (error: unknown) => void = () => {};
    /** Called in every frame that shows the character. */
    onFirstPicture: () => void = () => {};
    /** Called after each frame. */
    afterFrame: (stamp: number) => void = () => {};
    private feed: Feed;
    private generation = -1;
    private frameNumber = 0;
    private lastStamp: number | null = null;
    private lastPoses = new Float64Array();

    constructor(private readonly parts: DemoParts) {
        this.feed = parts.live;
        this.sides = [new Side(parts.glissade), new Side(parts.glissade)];
        parts.settings.onChange((name) => {
            if (name === "left") this.comparison?.choose(0, this.method(name));
            if (name === "right") this.comparison?.choose(1, this.method(name));
            if (name === "clock") this.comparison?.settleAgain();
        });
    }

    start(): void {
        requestAnimationFrame(this.frame);
    }

    get replay(): ReplayFeed | null {
        return this.feed instanceof ReplayFeed ? this.feed : null;
    }

    /** Plays a file instead of the worker; null goes back. Rejects if the text is no trace, and then nothing changes. */
    async play(text: string | null): Promise<void> {
        const next = text === null ? this.parts.live : await ReplayFeed.open(this.parts.glissade.module, text);
        this.replay?.close();
        this.feed = next;
        this.forget();
        this.parts.scene.showReplay(this.replay?.ids ?? null);
    }

    score(side: SideNumber): Score | null {
        const {character} = this.feed;
        return character === null ? null : this.comparison?.score(side, character) ?? null;
    }

    private readonly frame = (stamp: number): void => {
        try {
            this.drawFrame(stamp);
            requestAnimationFrame(this.frame);
        } catch (error) {
            this.onProblem(error); // The picture stands: what is broken would only break again.
        }
    };

    private drawFrame(stamp: number): void {
        const {settings} = this.parts;
        // The work of a page does not always come at the same place of its frame: that is what makes CPU time uneven.
        const before = settings.current.slowdown * Math.random();
        burn(before);
        this.read();
        const cpu = this.now(); // After the reading: no state that is known can be later than the frame.
        if (this.comparison) {
            const times = {frame: ++this.frameNumber, cpu, stamp: this.feed.toOwnClock(stamp)};
            const drawn = this.comparison.draw(times, settings.current.clock);
            for (const side of sides) this.sides[side].take(drawn[side], this.feed.character);
            this.show(stamp);
            this.remember(cpu, stamp);
            if (this.sides[1].character) this.onFirstPicture();
        }
        this.afterFrame(stamp);
        burn(settings.current.slowdown - before);
    }

    /** On the clock of the feed. */
    private now(): number {
        return this.feed.toOwnClock(performance.now());
    }

    private read(): void {
        if (this.feed.character === null) return; // The worker has not said yet who is who.
        if (this.replay?.isOver(this.now())) {
            this.replay.rewind();
            this.forget();
            return;
        }
        const next = (): State | null => this.readWatch.add(() => this.feed.next(this.now()));
        for (let state = next(); state; state = next()) this.take(state);
        this.readWatch.endFrame();
    }

    private take(state: State): void {
        const {epoch, duration} = state.times();
        const generation = this.replay ? 0 : generationOf(epoch);
        if (!this.comparison || generation !== this.generation) {
            this.generation = generation;
            this.begin(this.replay ? this.replay.tick : duration);
        }
        this.comparison!.take(state);
    }

    /** The ticks have another length from now on: nothing of the past can be judged with what comes. */
    private begin(tick: number | null): void {
        this.comparison?.close();
        this.comparison = new Comparison(this.feed.glissade, {
            name: this.replay?.name ?? "page", tick, methods: [this.method("left"), this.method("right")],
            watched: this.watched(), capacity: this.feed.capacity,
        });
    }

    private watched(): ObjectId[] {
        const {character, cameraTarget} = this.feed;
        const others = this.replay?.ids ?? this.parts.scene.boxes.ids(watchedBoxCount);
        return [character, cameraTarget, ...others.slice(0, watchedBoxCount)].filter((id) => id !== null);
    }

    private show(stamp: number): void {
        const elapsed = this.lastStamp === null ? 0 : stamp - this.lastStamp;
        this.lastStamp = stamp;
        const {settings, scene, split} = this.parts;
        scene.gates.update(stamp);
        split.judge(stamp);
        for (const number of sides) {
            const side = this.sides[number];
            const {cameraTarget} = this.feed;
            const target = cameraTarget === null ? null : side.find(cameraTarget);
            if (!side.character || !target) continue;
            side.trail.add(stamp, side.character.position);
            const view = side.rig.update(target.position, elapsed, settings.current, this.replay === null);
            scene.drawSide(number, split.strip(number), side.poses, side.character, view);
        }
    }

    private remember(cpu: number, stamp: number): void {
        const [left, right] = this.sides;
        this.history.push({cpu, stamp, left: left.place, right: right.place, boxesMoved: this.countMoved(right.poses)});
        if (this.history.length > historyLength) this.history.shift();
    }

    private countMoved(poses: Float64Array): number {
        const last = this.lastPoses;
        let count = 0;
        for (let row = 0; row < Math.min(poses.length, last.length); row += drawnLength) {
            if (poses[row] === last[row] && [1, 2, 3].some((axis) => poses[row + axis] !== last[row + axis])) ++count;
        }
        this.lastPoses = poses.slice();
        return count;
    }

    private forget(): void {
        this.comparison?.close();
        this.comparison = null;
        for (const side of this.sides) side.clear();
        this.generation = -1;
    }

    private method(name: "left" | "right"): MethodInfo {
        const wanted = this.parts.settings.current[name];
        return this.parts.methods.find((method) => method.name === wanted)!;
    }
}
