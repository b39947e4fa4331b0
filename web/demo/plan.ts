// The plan of the plaza: what the physics collides with is what the picture shows. Metres, the middle at the origin.

export const plaza = {radius: 17, thickness: 1};
/** Boxes rain on it and tumble down. */
export const cone = {radius: 5.5, height: 3.2};
/** Where the character runs its laps; nothing stands in the way. */
export const lane = {radius: 10.5, width: 2.4};

/** A solid block between the hill and the lane, turned about the vertical, then tilted. */
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

/** Steps up to a platform, beside the lane. The camera stands on the other side of it. */
function stairs(angle: number): Block[] {
    return [0, 1, 2, 3].map((step) => {
        const height = 0.15 * (step + 1);
        return blockAt(angle + step * 0.13, 7.6, height, [step === 3 ? 0.9 : 0.5, height, 1]);
    });
}

/** A ramp that leads towards the middle. */
function ramp(angle: number): Block {
    return blockAt(angle, 7.2, 0.18, [1.4, 0.25, 1.7], 0.3);
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
