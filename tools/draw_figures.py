#!/usr/bin/env python3
"""Draws the figures of docs/concepts/smoothness.md and remote-entities.md from a report of the lab.

    ./run lab --quick --out build/report && tools/draw_figures.py build/report/report.json docs/images
"""

import json
import math
import statistics
import sys
from pathlib import Path

WIDTH, LEFT, RIGHT = 760, 60, 24
SHOWN = ["newest", "constant-interval", "playout"]
SAYS = {
    "newest": "newest: the newest state, as it is",
    "constant-interval": "constant-interval: blended, clamped, by the CPU clock",
    "playout": "playout: stamped states behind a delay, by the display's clock",
}

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 }
.small { font-size: 11px; fill: #667 } .truth { stroke: #889; stroke-dasharray: 2 3 }
line { stroke: #ccd } polyline { fill: none; stroke-width: 1.5 }
.naive { stroke: #c2410c; fill: #c2410c } .ours { stroke: #0f766e; fill: #0f766e }
rect.naive, rect.ours { fill-opacity: .16 } text.naive, text.ours { stroke: none } polyline { fill: none !important }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb } .small { fill: #9aa4b2 } line { stroke: #445 }
  .naive { stroke: #fb923c; fill: #fb923c } .ours { stroke: #2dd4bf; fill: #2dd4bf }
}
"""


def kind(method):
    return "ours" if method in ("playout", "accumulator", "chase") else "naive"


def svg(height, label, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{label}">\n<style>{STYLE}</style>')
    return "\n".join([head, *parts, "</svg>", ""])


def text(x, y, words, name=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"' + (f' class="{name}"' if name else "") + f">{words}</text>"


def find_plot(report, scenario):
    return next(plot for plot in report["plots"] if plot["scenario"] == scenario)


def lines_of(plot, method):
    return next(lines for lines in plot["methods"] if lines["name"] == method)


def draw_rate(report):
    """Rate over one second of constant speed, one panel a method."""
    plot = find_plot(report, "constant-speed")
    count = sum(1 for ms in plot["present_ms"] if ms < plot["present_ms"][0] + 1000)
    times = plot["present_ms"][:count]
    top_rate, panel = 3.0, 110
    parts = []
    for index, method in enumerate(SHOWN):
        top = 34 + index * (panel + 34)
        parts.append(text(LEFT, top - 8, SAYS[method]))
        for rate in (0, 1, 2, 3):
            y = top + panel * (1 - rate / top_rate)
            parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(text(LEFT - 18, y + 4, rate, "small"))
        points = []
        for ms, rate in zip(times, lines_of(plot, method)["rate"]):
            if rate is not None:
                x = LEFT + (ms - times[0]) / 1000 * (WIDTH - LEFT - RIGHT)
                points.append(f"{x:.1f},{top + panel * (1 - min(max(rate, 0), top_rate) / top_rate):.1f}")
        parts.append(f'<polyline class="{kind(method)}" points="{" ".join(points)}"/>')
    height = 34 + len(SHOWN) * (panel + 34) + 6
    parts.append(text(LEFT, height - 8, "one second of frames; 1 is perfect, 0 stands, 2 goes twice as far", "small"))
    return svg(height, "Rate of three methods over one second", parts)


def place_label(words, x, y, used):
    """The label of a point: to the right of it, else to the left, else further down with a line to it."""
    width = 7.2 * len(words)
    for step in range(12):
        for side in (10, -10 - width):
            box = (x + side, y + 4 + 14 * step)
            free = all(abs(box[1] - other[1]) >= 13 or box[0] + width < other[0] or other[0] + other[2] < box[0]
                       for other in used)
            if free and box[0] > LEFT:
                used.append((*box, width))
                leader = f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x + side / abs(side) * 8:.1f}" y2="{box[1] - 4:.1f}"/>'
                return ([leader] if step else []) + [text(*box, words)]
    return [text(x + 10, y + 4, words)]


def draw_lag(report):
    """Each method at the median of its scenarios."""
    reference = next(row["name"] for row in report["conditions"] if row["reference"])
    height, top, bottom = 380, 30, 330
    low, high, most_lag = 1e-4, 3.0, 40.0
    parts = []
    for power in range(-4, 1):
        y = bottom - (bottom - top) * math.log10(10**power / low) / math.log10(high / low)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(text(8, y + 4, f"{10**power:g}", "small"))
    for lag in range(0, 41, 10):
        x = LEFT + lag / most_lag * (WIDTH - LEFT - RIGHT)
        parts.append(text(x - 20, bottom + 18, f"{lag} ms", "small"))
    used = []
    for method in (row["name"] for row in report["methods"]):
        rows = [row for row in report["results"] if row["method"] == method and row["condition"] == reference
                and row["rate_rms"] is not None and row["lag_ms_mean"] is not None]
        rate = statistics.median(row["rate_rms"] for row in rows)
        lag = statistics.median(row["lag_ms_mean"] for row in rows)
        x = LEFT + max(lag, 0) / most_lag * (WIDTH - LEFT - RIGHT)
        y = bottom - (bottom - top) * math.log10(max(rate, low) / low) / math.log10(high / low)
        parts.append(f'<circle class="{kind(method)}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        parts.extend(place_label(method, x, y, used))
    parts.append(text(LEFT, 18, "rate error (log), below is smoother; lag to the right", "small"))
    parts.append(text(LEFT, height - 10, f"median of {len(report['scenarios'])} scenarios, condition {reference}", "small"))
    return svg(height, "Rate error against lag of every method", parts)


def draw_exposure(report):
    """Successive frames of constant speed on top of each other."""
    strip = find_plot(report, "constant-speed")["strip"]
    box, count, row_height = 16, 26, 66
    parts = []
    for index, method in enumerate(SHOWN):
        places = next(row["xy"] for row in strip["methods"] if row["name"] == method)[:count]
        xs = [place[0] for place in places if place]
        scale = (WIDTH - LEFT - RIGHT - box) / (max(xs) - min(xs))
        top = 30 + index * row_height
        parts.append(text(LEFT, top - 8, SAYS[method]))
        for x in xs:
            parts.append(f'<rect class="{kind(method)}" x="{LEFT + (x - min(xs)) * scale:.1f}" y="{top}" '
                         f'width="{box}" height="{box}" rx="3"/>')
    height = 30 + len(SHOWN) * row_height
    parts.append(text(LEFT, height - 10, f"{count} successive frames as one exposure; darker boxes stood", "small"))
    return svg(height, "Positions at successive frames", parts)


REMOTE_SAYS = {
    "newest": "hard snap (newest): stands for a second, then pops",
    "predict": "dead reckoning (predict): runs on through every stop, then pops back",
    "soft-snap": "dead reckoning, corrections fade in (soft-snap): slides back instead",
    "playout": "playout: the true path, a second late",
    "chase": "chase: its own legs between updates, walks what is left to correct",
}


def draw_remote(report):
    """Way over four seconds of stop and go with one update a second, one panel a method."""
    plot = next(plot for plot in report["remote"]["plots"] if plot["scenario"] == "remote-stop-and-go")
    times = plot["present_ms"]
    drawn = [value for method in REMOTE_SAYS for value in lines_of(plot, method)["value"] if value is not None]
    low, high, panel = min(drawn), max(drawn + plot["truth"]["value"]), 96
    parts = []
    for index, (method, words) in enumerate(REMOTE_SAYS.items()):
        top = 34 + index * (panel + 30)

        def place(ms, value):
            x = LEFT + (ms - times[0]) / (times[-1] - times[0]) * (WIDTH - LEFT - RIGHT)
            return f"{x:.1f},{top + panel * (1 - (value - low) / (high - low)):.1f}"

        truth = [place(ms, value) for ms, value in zip(plot["truth"]["ms"], plot["truth"]["value"])]
        points = [place(ms, value) for ms, value in zip(times, lines_of(plot, method)["value"]) if value is not None]
        parts.append(text(LEFT, top - 8, words))
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{top + panel}" y2="{top + panel}"/>')
        parts.append(f'<polyline class="truth" points="{" ".join(truth)}"/>')
        parts.append(f'<polyline class="{kind(method)}" points="{" ".join(points)}"/>')
    height = 34 + len(REMOTE_SAYS) * (panel + 30) + 6
    parts.append(text(LEFT, height - 10, "way over four seconds: a body that runs, stops, walks and stops, with one update a "
                      "second; dotted: where it really is, 80 ms of network later", "small"))
    return svg(height, "What five methods draw of a body with one update a second", parts)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: tools/draw_figures.py REPORT.JSON FOLDER")
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = Path(sys.argv[2])
    for name, draw in (("rate", draw_rate), ("lag", draw_lag), ("exposure", draw_exposure),
                       ("remote", draw_remote)):
        (folder / f"{name}.svg").write_text(draw(report), encoding="utf-8")


if __name__ == "__main__":
    main()
