#!/usr/bin/env python3
"""Runs the benchmarks of the stage and prints one table: what costs how much, against what, and whether that is good.

    tools/bench_table.py PROGRAM [--out FOLDER]    runs stage_bench, a few minutes
    tools/bench_table.py --read [--out FOLDER]     the table of the last run again
    tools/bench_table.py --self-test               proves that medians, ratios and bars are as they should be

FOLDER gets <run>-<round>.json of each run as Google Benchmark writes it, and stage.json with all that the table says.
Exit code 1 if a benchmark failed or is missing, and with --strict also if a bar is missed.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

DEFAULT_FOLDER = Path(__file__).parent.parent / "build" / "bench"
SUMMARY = "stage.json"

# Everything that is compared is measured in one run of the program, in random order. Scenes of 10^6 objects are too
# large to have all of them in memory at a time, so there are several runs. Each run is repeated in rounds, as a process
# of its own each time: which pages of memory a process gets makes rows faster or slower by a tenth for as long as it
# lives.
RUNS = {
    "few": r"^(flat|alone|hermite|path|shuffled|changing|tree|far_tree|scaled_flat|scaled_tree|naive|limit)/.*/(1000|10000|100000)$"
           r"|^part/.*/(10000|100000)/",
    "rest": r"^rest/",
    "flat": r"^(flat|alone|naive)/.*/1000000$|^limit/(blend|copy|matrices|frame)/.*/1000000$",
    "hermite": r"^(flat|hermite|path)/(present|frame_poses)/1000000$"
               r"|^limit/(blend|blend_hermite|blend_path)/.*/1000000$",
    "shuffled": r"^(shuffled|changing)/.*/1000000$|^limit/(blend|matrices|frame)/.*/1000000$",
    "part": r"^part/.*/1000000/|^flat/(present|frame_columns)/(10000|100000)$",
    "tree": r"^(flat|tree|far_tree)/(present_matrices|frame_columns)/1000000$"
            r"|^limit/(blend|matrices)/.*/1000000$",
    "scaled": r"^(flat|scaled_flat|scaled_tree)/(present_matrices|frame_columns)/1000000$",
    "threads": r"^threads/",
}

SIZES = (1_000, 10_000, 100_000, 1_000_000)
FEW, MANY = 10_000, 1_000_000


@dataclass(frozen=True)
class Row:
    """One line of the table.

    A reference that is not a whole name stands for the fastest of its forms; several references add up.
    """
    title: str
    size: str  # As shown.
    run: str
    subject: str
    against: str
    references: tuple
    bar: float | None = None
    faster: bool = False  # The ratio says how many times faster the subject is; the bar is the least.


# A state copied, a picture made, matrices written: one after the other in the memory of one frame, or each by itself.
FRAME_LIMIT = ("limit/frame",)
FRAME_PARTS = ("limit/copy", "limit/blend", "limit/matrices")


def power(size):
    return f"10^{len(str(size)) - 1}"


def rows_of_size(size):
    """What is measured at every size, with the bars where there are some."""
    def row(title, subject, against, references, bars=(), faster=False, run="flat"):
        references = tuple(f"{reference}/{size}" for reference in references)
        return Row(title, power(size), run if size == MANY else "few", f"{subject}/{size}", against, references,
                   dict(bars).get(size), faster)

    return [
        row("present, all moving", "flat/present", "limit", ("limit/blend",), {FEW: 1.25, MANY: 1.1}),
        row("present, all moving", "flat/present", "glm loop", ("naive/glm_present",), {FEW: 20, MANY: 6}, True),
        row("present, all moving", "flat/present", "map of states", ("naive/map_present",), faster=True),
        row("present, range by range", "flat/present_ranges", "present", ("flat/present",)),
        row("the limit itself", "limit/blend", "glm loop", ("naive/glm_present",), faster=True),
        row("present with matrices", "flat/present_matrices", "limit", ("limit/blend", "limit/matrices")),
        row("present, matrices alone", "alone/present_matrices", "limit", ("limit/blend", "limit/matrices")),
        row("present, then write_matrices", "flat/present_then_matrices", "limit", ("limit/blend", "limit/matrices")),
        row("the same, objects in no order", "changing/present_then_matrices", "limit", ("limit/blend", "limit/matrices"),
            run="shuffled"),
        row("present, then visual of each", "flat/present_then_visuals", "limit", ("limit/blend",)),
        row("tick alone, batch of columns", "flat/record_columns", "copy", ("limit/copy",)),
        row("tick alone, batch of poses", "flat/record_poses", "copy", ("limit/copy",)),
        row("tick alone, TickWriter", "flat/record_with_writer", "copy", ("limit/copy",)),
        row("tick alone, Stage::move each", "flat/record_objects", "copy", ("limit/copy",)),
        # The limit writes pictures too. Frames of matrices alone need not, so both kinds have the bars.
        row("frame, batch of columns", "alone/frame_columns", "limit of a frame", FRAME_LIMIT,
            {FEW: 1.25, MANY: 1.25}),
        row("frame, batch of columns", "alone/frame_columns", "its parts alone, added", FRAME_PARTS),
        row("frame, batch of columns", "alone/frame_columns", "glm frame", ("naive/glm_frame",), faster=True),
        row("frame, a call per object: TickWriter", "alone/frame_with_writer", "limit of a frame", FRAME_LIMIT,
            {FEW: 2.5, MANY: 1.5}),
        row("frame, a call per object: Stage::move", "alone/frame_objects", "limit of a frame", FRAME_LIMIT,
            {FEW: 2.5, MANY: 1.5}),
        row("frame with poses, batch of columns", "flat/frame_columns", "limit of a frame", FRAME_LIMIT,
            {FEW: 1.25, MANY: 1.25}),
        row("frame with poses, batch of columns", "flat/frame_columns", "its parts alone, added", FRAME_PARTS),
        row("frame with poses, batch of poses", "flat/frame_poses", "limit of a frame", FRAME_LIMIT),
        row("frame with poses, TickWriter", "flat/frame_with_writer", "limit of a frame", FRAME_LIMIT,
            {FEW: 2.5, MANY: 1.5}),
        row("frame with poses, Stage::move", "flat/frame_objects", "limit of a frame", FRAME_LIMIT,
            {FEW: 2.5, MANY: 1.5}),
        row("frame, batch, any order", "shuffled/frame_columns", "limit of a frame", FRAME_LIMIT, {MANY: 3.5},
            run="shuffled"),
        row("frame, batch of poses, any order", "shuffled/frame_poses", "limit of a frame", FRAME_LIMIT,
            run="shuffled"),
        row("frame, calls in any order", "shuffled/frame_objects", "limit of a frame", FRAME_LIMIT, {MANY: 3.5},
            run="shuffled"),
        row("frame, batch, another order each tick", "changing/frame_columns", "limit of a frame", FRAME_LIMIT,
            {MANY: 3.5}, run="shuffled"),
        row("frame, batch of poses, another order", "changing/frame_poses", "limit of a frame", FRAME_LIMIT,
            run="shuffled"),
        row("frame, calls in another order", "changing/frame_objects", "limit of a frame", FRAME_LIMIT,
            run="shuffled"),
        row("Hermite present", "hermite/present", "linear present", ("flat/present",), {MANY: 1.9}, run="hermite"),
        row("Hermite present", "hermite/present", "limit with velocities", ("limit/blend_hermite",), run="hermite"),
        row("HermitePath present", "path/present", "linear present", ("flat/present",), {MANY: 1.45}, run="hermite"),
        row("HermitePath present", "path/present", "limit with speeds", ("limit/blend_path",), run="hermite"),
        row("Hermite frame, batch of poses", "hermite/frame_poses", "linear frame", ("flat/frame_poses",),
            run="hermite"),
        row("hierarchy of 3, matrices", "tree/present_matrices", "flat", ("flat/present_matrices",),
            {FEW: 1.75, MANY: 1.75}, run="tree"),
        row("hierarchy of 3, matrices", "tree/present_matrices", "limit", ("limit/blend", "limit/matrices"), run="tree"),
        row("hierarchy of 3, a kilometre apart", "far_tree/present_matrices", "flat", ("flat/present_matrices",),
            run="tree"),
        row("hierarchy of 3, frame", "tree/frame_columns", "flat frame", ("flat/frame_columns",), run="tree"),
        row("hierarchy of 3 with scale, matrices", "scaled_tree/present_matrices", "flat with scale",
            ("scaled_flat/present_matrices",), {FEW: 2.2, MANY: 2.2}, run="scaled"),
        row("hierarchy of 3 with scale, matrices", "scaled_tree/present_matrices", "flat without",
            ("flat/present_matrices",), run="scaled"),
        row("flat with scale, matrices", "scaled_flat/present_matrices", "flat without", ("flat/present_matrices",),
            run="scaled"),
        row("hierarchy of 3 with scale, frame", "scaled_tree/frame_columns", "flat frame with scale",
            ("scaled_flat/frame_columns",), run="scaled"),
    ]


def make_rows():
    # One comparison at all sizes, then the next.
    rows = [row for sizes in zip(*(rows_of_size(size) for size in SIZES)) for row in sizes]
    for size in SIZES[1:]:
        rows.append(Row("present, nothing moves (a call)", power(size), "rest", f"rest/present/{size}", "10^3 objects",
                        ("rest/present/1000",), 1.25 if size == MANY else None))
    for percent, alone, bars in ((1, 10_000, (1.1, 1.6)), (10, 100_000, (None, None))):
        title = f"{percent} % of 10^6 moving"
        for what, name, bar in (("present", "present", bars[0]), ("frame, batch", "frame_columns", bars[1])):
            rows.append(Row(f"{what}, {title}", power(alone), "part", f"part/{name}/1000000/{percent}",
                            "a stage of only those", (f"flat/{name}/{alone}",), bar))
    for size in SIZES:
        rows.append(Row("present with matrices, two threads", power(size), "threads", f"threads/two/{size}/real_time",
                        "one thread", (f"threads/one/{size}/real_time",), faster=True))
    return rows


ROWS = make_rows()


class Results:
    """Times per object of all runs, by run and name."""

    def __init__(self):
        self.samples = {}
        self.errors = []
        self.context = {}

    def add(self, run, document):
        self.context = document.get("context", self.context)
        for entry in document["benchmarks"]:
            if entry.get("run_type") != "iteration":
                continue
            if entry.get("error_occurred"):
                self.errors.append(f"{entry['name']}: {entry.get('error_message', 'failed')}")
                continue
            # CPU time, because others use the machine too; threads are the exception.
            time = entry["real_time"] if entry["name"].endswith("/real_time") else entry["cpu_time"]
            samples = self.samples.setdefault(run, {}).setdefault(entry["name"], [])
            samples.append(time * NS_PER_UNIT[entry["time_unit"]] / entry.get("objects", 1))

    def fastest(self, run, name):
        """The samples of a name, or of the fastest of its forms: limit/blend/10000 may be limit/blend/<form>/10000."""
        names = self.samples.get(run, {})
        if name in names:
            return names[name]
        head, _, tail = name.rpartition("/")
        forms = [samples for other, samples in names.items() if re.fullmatch(f"{head}/[a-z_]+/{tail}", other)]
        return min(forms, key=statistics.median) if forms else None


NS_PER_UNIT = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def spread_of(samples):
    """The middle half of the samples, as a part of their median."""
    if len(samples) < 4:
        return 0.0
    quarters = statistics.quantiles(samples, n=4)
    return (quarters[2] - quarters[0]) / statistics.median(samples)


def judge(row, results):
    """One row as it goes into stage.json, or None if something was not measured."""
    subject = results.fastest(row.run, row.subject)
    references = [results.fastest(row.run, reference) for reference in row.references]
    if subject is None or None in references:
        return None
    time = statistics.median(subject)
    against = sum(statistics.median(samples) for samples in references)
    ratio = against / time if row.faster else time / against
    verdict = ""
    if row.bar is not None:
        verdict = "ok" if (ratio >= row.bar if row.faster else ratio <= row.bar) else "OVER"
    return {"title": row.title, "objects": row.size, "median_ns": round(time, 4),
            "spread": round(spread_of(subject), 4), "against": row.against, "against_ns": round(against, 4),
            "against_spread": round(max(spread_of(samples) for samples in references), 4),
            "ratio": round(ratio, 4), "faster": row.faster, "bar": row.bar, "verdict": verdict, "run": row.run,
            "subject": row.subject, "references": list(row.references)}


def cells(judged):
    """A row as the table shows it."""
    ratio = f"{judged['ratio']:.2f}x" + (" faster" if judged["faster"] else "")
    sign = ">=" if judged["faster"] else "<="
    bar = "" if judged["bar"] is None else f"{sign} {judged['bar']:g}"
    return [judged["title"], judged["objects"], f"{judged['median_ns']:.2f}", f"{100 * judged['spread']:.0f} %",
            judged["against"], f"{judged['against_ns']:.2f}", ratio, bar, judged["verdict"]]


HEADINGS = ["what", "objects", "ns each", "spread", "against", "ns each", "ratio", "bar", ""]
TO_THE_RIGHT = (2, 3, 5, 6, 7)


def format_table(lines):
    widths = [max(len(line[column]) for line in [HEADINGS] + lines) for column in range(len(HEADINGS))]

    def joined(line):
        return "  ".join(cell.rjust(width) if column in TO_THE_RIGHT else cell.ljust(width)
                         for column, (cell, width) in enumerate(zip(line, widths))).rstrip()
    return "\n".join([joined(HEADINGS), "  ".join("-" * width for width in widths)] + [joined(line) for line in lines])


def cpu_model():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1] if match else "unknown"


def machine(context):
    caches = [f"L{cache['level']} {cache['size'] // 1024} KiB" for cache in context.get("caches", [])
              if cache.get("type") != "Instruction"]
    return {"cpu": cpu_model(), "cores": os.cpu_count(), "caches": caches,
            "compiler": context.get("compiler", "unknown"), "vector_target": context.get("vector_target", "unknown")}


def files_of(folder, run):
    return sorted(folder.glob(f"{run}-*.json"))


def run_program(program, folder, rounds, repetitions, min_time_s):
    folder.mkdir(parents=True, exist_ok=True)
    for run in RUNS:
        for file in files_of(folder, run):
            file.unlink()
    for number in range(1, rounds + 1):
        for run, pattern in RUNS.items():
            print(f"      round {number} of {rounds}: {run}", file=sys.stderr, flush=True)
            subprocess.run([program, f"--benchmark_filter={pattern}", f"--benchmark_out={folder / run}-{number}.json",
                            "--benchmark_out_format=json", "--benchmark_enable_random_interleaving=true",
                            f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time_s}"],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_results(folder):
    results = Results()
    for run in RUNS:
        files = files_of(folder, run)
        if not files:
            results.errors.append(f"{folder / run}-*.json: no such file")
        for file in files:
            try:
                results.add(run, json.loads(file.read_text(encoding="utf-8")))
            except (OSError, json.JSONDecodeError) as error:
                results.errors.append(f"{file}: {error}")
    return results


def report(folder, strict):
    results = read_results(folder)
    judged = []
    for row in ROWS:
        line = judge(row, results)
        if line is None:
            results.errors.append(f"not measured: {row.subject} against {', '.join(row.references)}")
        else:
            judged.append(line)
    about = machine(results.context)
    print(f"{about['cpu']}, {about['cores']} cores, {', '.join(about['caches'])}; {about['compiler']}; "
          f"{about['vector_target']}")
    print(format_table([cells(line) for line in judged]))
    summary = {"machine": about, "rows": judged}
    (folder / SUMMARY).write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    over = sum(line["verdict"] == "OVER" for line in judged)
    good = sum(line["verdict"] == "ok" for line in judged)
    print(f"{good} bars met, {over} missed. Medians; spread is the middle half of the repetitions.")
    for error in results.errors:
        print(f"failed: {error}", file=sys.stderr)
    return 1 if results.errors or (strict and over) else 0


def self_test_entry(name, time, unit="ns", **more):
    return {"name": name, "run_type": "iteration", "cpu_time": time, "real_time": 2 * time, "time_unit": unit,
            "objects": 10.0, **more}


def self_test():
    results = Results()
    entries = [self_test_entry("flat/present/10", time) for time in (10, 30, 20)]
    entries += [self_test_entry("limit/blend/slow/10", 40), self_test_entry("limit/blend/fast/10", 0.016, "us"),
                self_test_entry("limit/blend_scaled/fast/10", 1), self_test_entry("limit/copy/one/10", 4),
                self_test_entry("threads/two/10/real_time", 10), self_test_entry("bad/one/10", 1, error_occurred=True),
                {**self_test_entry("flat/present/10", 999), "run_type": "aggregate"}]
    results.add("few", {"context": {"compiler": "some"}, "benchmarks": entries})

    def verdict(bar, references=("limit/blend/10",), faster=False, subject="flat/present/10"):
        line = judge(Row("", "", "few", subject, "", references, bar, faster), results)
        return line and (line["ratio"], line["verdict"])

    expected = [
        (verdict(1.25), (1.25, "ok")), (verdict(1.2), (1.25, "OVER")), (verdict(None), (1.25, "")),
        (verdict(1.0, ("limit/blend/10", "limit/copy/10")), (1.0, "ok")),
        (verdict(0.8, faster=True), (0.8, "ok")), (verdict(0.9, faster=True), (0.8, "OVER")),
        (verdict(None, subject="threads/two/10/real_time"), (1.25, "")),
        (verdict(1, ("limit/none/10",)), None), (len(results.errors), 1),
        (round(spread_of([1, 2, 3, 4, 5, 6, 7]), 6), 1.0),
    ]
    wrong = [f"{found}, expected {wanted}" for found, wanted in expected if found != wanted]
    # The filter of each run selects what its rows need; a form of a limit stands before the size.
    for row in ROWS:
        for name in (row.subject,) + row.references:
            form = re.sub(r"/([^/]+)$", r"/blocks/\1", name) if name.startswith("limit/") else name
            if not re.search(RUNS[row.run], form):
                wrong.append(f"the run {row.run} leaves out {name}")
    with tempfile.TemporaryDirectory() as folder:
        if len(read_results(Path(folder)).errors) != len(RUNS):
            wrong.append("missing files are no error")
        for number, time in ((1, 10), (2, 30)):
            file = Path(folder) / f"few-{number}.json"
            file.write_text(json.dumps({"benchmarks": [self_test_entry("flat/present/10", time)]}), encoding="utf-8")
        if read_results(Path(folder)).samples["few"]["flat/present/10"] != [1.0, 3.0]:
            wrong.append("rounds do not add up")
    print("\n".join(wrong) if wrong else f"{len(expected) + len(ROWS)} cases as expected")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", help="stage_bench")
    parser.add_argument("--out", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--rounds", type=int, default=3, help="processes for each run")
    parser.add_argument("--repetitions", type=int, default=5, help="in each of them")
    parser.add_argument("--min-time", type=float, default=0.03, help="seconds a repetition")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.read:
        if arguments.program is None:
            parser.error("a program, --read or --self-test")
        try:
            run_program(arguments.program, arguments.out, arguments.rounds, arguments.repetitions, arguments.min_time)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"failed: {error}", file=sys.stderr)
            return 1
    return report(arguments.out, arguments.strict)


if __name__ == "__main__":
    sys.exit(main())
