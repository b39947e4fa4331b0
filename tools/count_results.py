#!/usr/bin/env python3
"""Counts the results of one ctest run, and shows what failed.

    tools/count_results.py RESULTS_FOLDER

The folder holds ctest.xml (ctest --output-junit) and <entry>.xml of each entry that is a GoogleTest program. Such an
entry counts as its cases, any other as one. The last line of the output is three numbers: passed failed skipped.
"""

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path


def count_cases(path):
    """The GoogleTest cases of one program. A program that crashed has written nothing."""
    count = Counter()
    try:
        tree = ElementTree.parse(path)
    except (OSError, ElementTree.ParseError):
        return count
    for case in tree.iter("testcase"):
        if case.find("failure") is not None:
            count["failed"] += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            count["skipped"] += 1
        else:
            count["passed"] += 1
    return count


def count_entry(entry, folder):
    status = entry.get("status")
    skipped = entry.find("skipped")
    if status == "disabled" or (skipped is not None and "SKIP" in skipped.get("message", "")):
        return Counter(skipped=1)
    cases = count_cases(folder / f"{entry.get('name')}.xml")
    if status != "run":
        # Failed, crashed, timed out, or not even started: at least one failure, whatever the cases say.
        cases["failed"] = max(cases["failed"], 1)
        return cases
    return cases if cases.total() else Counter(passed=1)


def show(entry, folder):
    """Prints what a failed entry said, and how it ended if it did not say so itself."""
    output = (entry.findtext("system-out") or "").rstrip()
    reasons = [part.get("message", "") for part in entry if part.tag in ("failure", "skipped")]
    if "[ RUN " in output and not (folder / f"{entry.get('name')}.xml").exists():
        reasons.append("it ended before it wrote its results: a crash or a timeout")
    print(f"--- {entry.get('name')} failed:")
    print("\n".join(text for text in [output, *reasons] if text) or "it left no output")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder

    total = Counter()
    try:
        entries = list(ElementTree.parse(folder / "ctest.xml").iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"--- ctest left no results: {error}")
        print("0 1 0")
        return 1
    for entry in entries:
        count = count_entry(entry, folder)
        total += count
        if count["failed"]:
            show(entry, folder)
        elif count["skipped"] and not count["passed"]:
            print(f"--- {entry.get('name')} skipped: {(entry.findtext('system-out') or '').strip()}")
    print(total["passed"], total["failed"], total["skipped"])
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
