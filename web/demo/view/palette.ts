// The colours of the picture, for light and dark.

export interface Palette {
    sky: number;
    ground: number;
    edge: number;
    lane: number;
    mark: number;
    cone: number;
    block: number;
    post: number;
    boxes: readonly number[];
    /** Of the two sides. */
    accents: readonly [number, number];
    skin: number;
    visor: number;
    trousers: number;
    sun: number;
    hemisphere: number;
    bounce: number;
}

const light: Palette = {
    sky: 0xe4e9ea, ground: 0xc9cfce, edge: 0xa3adaf, lane: 0xb3bcbd, mark: 0xf4f6f4, cone: 0xd9dcd6, block: 0xe6e3da,
    post: 0x7d8a8f, boxes: [0x3c4a54, 0x6c7f88, 0xe0b354, 0xf2efe6, 0x8fa89b, 0xb98f6f],
    accents: [0xe2541b, 0x0d8b99], skin: 0xfff4e6, visor: 0x1d2429, trousers: 0x2a343b,
    sun: 2.2, hemisphere: 1.5, bounce: 0x98a09a,
};

const dark: Palette = {
    sky: 0x11171c, ground: 0x273139, edge: 0x18202a, lane: 0x34414b, mark: 0x7d8d97, cone: 0x3b474f, block: 0x46525a,
    post: 0x5f717c, boxes: [0x8a9aa5, 0x566874, 0xd8a441, 0xcfd4d2, 0x6f8f84, 0xa67a5b],
    accents: [0xff7a45, 0x35c2cf], skin: 0xffeedd, visor: 0x0c1013, trousers: 0xa9b8c0,
    sun: 2.4, hemisphere: 1.0, bounce: 0x2a333a,
};

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

export const currentPalette = (): Palette => (darkQuery.matches ? dark : light);

export function onPaletteChange(listener: (palette: Palette) => void): void {
    darkQuery.addEventListener("change", () => listener(currentPalette()));
}
