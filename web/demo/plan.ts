// The plan of the plaza: what the physics collides with is what the picture shows. Metres, the middle at the origin.

export const plaza = {radius: 17, thickness: 1};
/** Boxes rain on it and tumble down. */
export const cone = {radius: 5.5, height: 3.2};
/** Where the character runs its laps; nothing stands in the way. */
export const lane = {radius: 10.5, width: 2.4};

/** A solid block that stands outside the lane, turned about the vertical, then tilted. */
export interface Block {
    centre: readonly [number, number, number];
    half: readonly [number, number, number];
    yaw: number;
    pitch: number;
}

/** A place by its angle round the plaza and its distance from the middle. */
export function onCircle(angle: number, radius: number): readonly [number, number] {
    return [Math.sin(angle) * radius, Math.cos(angle) * radius];
}

function blockAt(angle: number, radius: number, y: number, half: Block["half"], pitch = 0): Block {
    const [x, z] = onCircle(angle, radius);
    return {centre: [x, y, z], half, yaw: angle, pitch};
}

/** Three steps up to a platform, beside the lane. */
function stairs(angle: number): Block[] {
    return [0, 1, 2, 3].map((step) => {
        const height = 0.15 * (step + 1);
        return blockAt(angle + step * 0.075, 14, height, [step === 3 ? 0.9 : 0.5, height, 1.2]);
    });
}

/** A ramp that leads away from the middle, to jump off. */
function ramp(angle: number): Block {
    return blockAt(angle, 14.2, 0.18, [1.4, 0.25, 1.7], -0.3);
}

export const blocks: readonly Block[] = [0.6, 0.6 + Math.PI].flatMap(
    (angle) => [...stairs(angle), ramp(angle + 1.5)]);

export const character = {
    radius: 0.34,
    /** Of the straight part of the capsule. */
    halfHeight: 0.46,
    speed: 5,
    jumpSpeed: 5.6,
};
