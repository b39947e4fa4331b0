#!/usr/bin/env python3
"""Reduces a trace to its timing, the form of the recordings in lab/data (described in lab/data/README.md).

    tools/compact_timing.py TRACE --what SENTENCE [--rate 60/1] > lab/data/NAME.timing

Wanted is a trace of a local or threaded source that lost no tick and no frame. Poses, stamps and truth are left out.
"""

import argparse
import json
import sys
from fractions import Fraction
from statistics import median_low


def read_trace(path):
    """The header, and the tick and frame lines in the order of the file."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    if not rows or rows[0].get("trace") != 1:
        sys.exit(f"{path}:1: not a trace: the first line is no header")
    return rows[0], [row for row in rows[1:] if "truth" not in row]


def check(header, rows, rate):
    """What the compact form cannot say must not be in the trace."""
    if header["source"] == "network":
        return "the source is 'network': ticks may be lost, and the compact form has no word for that"
    if "\n" in header["name"]:
        return "the name has a line break"
    for key in ("tick", "frame"):
        numbers = [row[key] for row in rows if key in row]
        if not numbers or numbers != list(range(len(numbers))):
            return f"the {key} lines are not numbered 0, 1, 2, ..."
    for row in rows:
        if "tick" in row and row["sim"] != round(row["tick"] / rate * 10**9):
            return f"tick {row['tick']}: sim is {row['sim']}, which is not its number over the rate of {rate}"
    return None


def stamps(row):
    """When the line's stamp lies, and how much later it could be known; None where there is no stamp but that."""
    known = row["arrive"] if "tick" in row else row["cpu"]
    stamp = row.get("due" if "tick" in row else "present")
    return (known, None) if stamp is None else (stamp, known - stamp)


def compact(header, rows, rate, what):
    tick_ns = header["tick_ns"] or round(10**9 / rate)
    frame_times = [stamps(row)[0] for row in rows if "frame" in row]
    steps = [later - earlier for earlier, later in zip(frame_times, frame_times[1:])]
    frame_ns = median_low(steps) if steps else tick_ns
    yield f"# {what}"
    yield f"name {header['name']}"
    yield f"source {header['source']}"
    yield f"rate {rate.numerator} {rate.denominator}"
    yield f"steps {tick_ns} {frame_ns}"
    previous = {"t": 0, "f": 0}
    for row in rows:
        kind, step_ns = ("t", tick_ns) if "tick" in row else ("f", frame_ns)
        stamp, lateness = stamps(row)
        step = stamp - previous[kind] - step_ns
        previous[kind] = stamp
        yield f"{kind} {step}" if lateness is None else f"{kind} {step} {lateness}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", metavar="TRACE")
    parser.add_argument("--what", required=True, help="one sentence: the loop, the load, the display")
    parser.add_argument("--rate", type=Fraction, default=Fraction(60), help="nominal ticks per second (60/1)")
    arguments = parser.parse_args()
    header, rows = read_trace(arguments.trace)
    problem = check(header, rows, arguments.rate)
    if problem:
        sys.exit(f"{arguments.trace}: {problem}")
    print("\n".join(compact(header, rows, arguments.rate, arguments.what)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
