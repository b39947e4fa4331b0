#!/usr/bin/env python3
"""Runs the tests of the program `glissade`, from outside, and writes what tools/count_results.py counts.

    GLISSADE_PROGRAM=PROGRAM tests/app/run.py [--results FILE.xml] [PATTERN]

PATTERN is a part of a case's name, such as test_replay or Causality. Exit code 1 if a case failed or there was none.
"""

import argparse
import os
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path


class Results(unittest.TestResult):
    """Keeps what became of each case. Errors count as failures; one case fails once, however many parts of it do."""

    def __init__(self):
        super().__init__()
        self.cases = {}
        self.started_s = 0.0

    def startTest(self, test):
        super().startTest(test)
        self.started_s = time.monotonic()
        self.cases[test.id()] = {"seconds": 0.0, "failure": [], "skipped": None}

    def stopTest(self, test):
        super().stopTest(test)
        case = self.cases[test.id()]
        case["seconds"] = time.monotonic() - self.started_s
        word = "failed" if case["failure"] else "passed" if case["skipped"] is None else f"skipped: {case['skipped']}"
        print(f"{case['seconds']:7.2f} s  {test.id()}  {word}", flush=True)

    def of(self, test):
        # What fails outside of a case, such as setUpClass(), has not been started.
        return self.cases.setdefault(test.id(), {"seconds": 0.0, "failure": [], "skipped": None})

    def fail(self, test, text):
        self.of(test)["failure"].append(text)
        print(text, flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.fail(test, self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.fail(test, self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.fail(test, f"{subtest.id()}\n{self._exc_info_to_string(err, test)}")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.fail(test, "passed, but it is marked as failing")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.of(test)["skipped"] = reason


def write_junit(path, cases):
    suite = ElementTree.Element("testsuite", name="app", tests=str(len(cases)))
    for name, case in cases.items():
        suite_name, _, case_name = name.rpartition(".")
        entry = ElementTree.SubElement(suite, "testcase", classname=suite_name, name=case_name,
                                       time=f"{case['seconds']:.3f}")
        if case["failure"]:
            # XML has no place for control characters, which a failure may quote.
            text = "".join(c if c.isprintable() or c == "\n" else "?" for c in "\n".join(case["failure"]))
            ElementTree.SubElement(entry, "failure", message=text.strip().rpartition("\n")[2]).text = text
        elif case["skipped"] is not None:
            ElementTree.SubElement(entry, "skipped", message=case["skipped"])
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path)
    parser.add_argument("pattern", nargs="?", default="")
    arguments = parser.parse_args()
    if not os.environ.get("GLISSADE_PROGRAM"):
        parser.error("the environment variable GLISSADE_PROGRAM must name the program")

    folder = Path(__file__).resolve().parent
    sys.path.insert(0, str(folder))
    loader = unittest.TestLoader()
    if arguments.pattern:
        loader.testNamePatterns = [f"*{arguments.pattern}*"]
    results = Results()
    loader.discover(str(folder), top_level_dir=str(folder)).run(results)
    if arguments.results:
        write_junit(arguments.results, results.cases)
    failed = sum(1 for case in results.cases.values() if case["failure"])
    print(f"{len(results.cases)} cases, {failed} failed, {len(results.skipped)} skipped")
    return 1 if failed or not results.cases else 0


if __name__ == "__main__":
    sys.exit(main())
