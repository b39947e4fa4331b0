#!/usr/bin/env python3
"""Draws docs/images/strip.svg: one box at successive frames, drawn naively and with Glissade, as one exposure.

    ./run example 01 | tools/draw_strip.py > docs/images/strip.svg
"""

import re
import sys

ROW = re.compile(r"^\s*(\d+)\s+(-?[\d.]+) m\s+(-?[\d.]+) m\s+(-?[\d.]+) m\s+(-?[\d.]+) m")
WIDTH, HEIGHT, LEFT, RIGHT, BOX = 760, 216, 24, 24, 21

STYLE = """
text { font: 14px system-ui, sans-serif; fill: #333 }
.small { font-size: 12px; fill: #667 }
.naive { fill: #c2410c; fill-opacity: .22; stroke: #c2410c }
.smooth { fill: #0f766e; fill-opacity: .14; stroke: #0f766e }
line { stroke: #99a }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb } .small { fill: #9aa4b2 }
  .naive { fill: #fb923c; stroke: #fb923c } .smooth { fill: #2dd4bf; stroke: #2dd4bf }
}
"""


def row_of_boxes(places, scale, top, name):
    boxes = [f'<rect class="{name}" x="{LEFT + x * scale:.1f}" y="{top}" width="{BOX}" height="{BOX}" rx="4"/>'
             for x in places]
    ground = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{top + BOX + 5}" y2="{top + BOX + 5}"/>'
    return "\n".join(boxes + [ground])


def main():
    rows = [tuple(map(float, match.groups())) for match in map(ROW.match, sys.stdin) if match]
    if not rows:
        sys.exit("no table on standard input; use: ./run example 01 | tools/draw_strip.py")
    naive = [row[1] for row in rows]
    smooth = [row[3] for row in rows]
    first, last = min(naive + smooth), max(naive + smooth)
    scale = (WIDTH - LEFT - RIGHT - BOX) / (last - first)
    frames = f"{len(rows)} frames at 144 Hz over 20 ticks a second, drawn on top of each other"
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
          f'aria-label="{frames}: the newest state stands and jumps, Glissade glides">')
    print(f"<style>{STYLE}</style>")
    print(f'<text x="{LEFT}" y="28">Draw the newest state: it stands, it jumps</text>')
    print(row_of_boxes([x - first for x in naive], scale, 42, "naive"))
    print(f'<text x="{LEFT}" y="114">Draw with Glissade: it glides, one tick later</text>')
    print(row_of_boxes([x - first for x in smooth], scale, 128, "smooth"))
    print(f'<text class="small" x="{LEFT}" y="198">{frames}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
