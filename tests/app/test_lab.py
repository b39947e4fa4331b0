"""glissade lab: its files, its table, and how it behaves on a terminal and off it."""

import errno
import json
import os
import pty
import re
import subprocess

from support import PROGRAM, TIMEOUT_S, ProgramTest, environment, listed_methods, listed_samples, run

# Shorter than the default, to be quick.
QUICK = ("lab", "--quick", "--length-s", "4")
ESCAPE = "\x1b"


def run_on_terminal(arguments, **variables):
    """Exit code and what a terminal got, with the outputs and the input of the program connected to it."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=theirs, stdout=theirs, stderr=theirs,
                          env=environment(TERM="xterm", **variables)) as program:
        os.close(theirs)
        pieces = []
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError as error:
            # Linux says so when the program has closed its side.
            if error.errno != errno.EIO:
                raise
        os.close(ours)
        code = program.wait(TIMEOUT_S)
    return code, b"".join(pieces).decode()


class QuickLab(ProgramTest):
    """One run for all cases, with the outputs in pipes."""

    @classmethod
    def setUpClass(cls):
        case = cls("run_well")
        case.setUp()
        cls.addClassCleanup(case.doCleanups)
        cls.report = case.folder / "new" / "report"
        cls.done = run(*QUICK, "--out", cls.report, cwd=case.folder)
        cls.files = sorted(str(path.relative_to(case.folder)) for path in case.folder.rglob("*") if path.is_file())

    def test_it_ends_well_and_says_nothing_on_the_error_output(self):
        self.assertEqual((self.done.code, self.done.err), (0, ""))

    def test_it_writes_the_page_and_the_data_and_nothing_else(self):
        self.assertEqual(self.files, ["new/report/report.html", "new/report/report.json"])
        page = (self.report / "report.html").read_text()
        self.assertTrue(page.lower().startswith("<!doctype html>"))
        self.assertTrue(page.rstrip().endswith("</html>"))
        self.assertLess(len(page.encode()), 8_000_000)

    def test_the_data_have_every_method_in_every_scenario(self):
        report = json.loads((self.report / "report.json").read_text())
        methods, scenarios = [method["name"] for method in report["methods"]], listed_samples()["Scenarios,"]
        remote = [method["name"] for method in report["remote"]["methods"]]
        self.assertEqual(set(methods) | set(remote), set(listed_methods()))
        self.assertEqual(set(listed_methods()) - set(methods), {"soft-snap", "chase", "chase-add"})
        self.assertEqual([scenario["name"] for scenario in report["scenarios"]], list(scenarios))
        self.assertEqual(sorted((result["method"], result["scenario"]) for result in report["results"]),
                         sorted((method, scenario) for method in methods for scenario in scenarios))
        self.assertEqual((report["length_s"], report["seed"]), (4, 1))
        self.assertIn("lab --quick", report["command"])

    def test_the_table_has_a_row_for_each_method_and_a_column_for_each_scenario(self):
        report = json.loads((self.report / "report.json").read_text())
        figures = {(result["method"], result["scenario"]): result["rate_rms"] for result in report["results"]}
        scenarios = listed_samples()["Scenarios,"]
        for method in (method["name"] for method in report["methods"]):
            row = re.search(rf"^  {method} +(.*)$", self.done.text, re.MULTILINE).group(1).split()
            expected = [figures[method, scenario] for scenario in scenarios]
            self.assertEqual(row[:-1], ["-" if figure is None else f"{figure:.3f}" for figure in expected], method)
            self.assertRegex(row[-1], r"^-?\d+\.\d$")
        for number, scenario in enumerate(scenarios, 1):
            self.assertRegex(self.done.text, rf"(?m)^.*\b{number} {scenario}\b")

    def test_the_last_line_says_where_the_report_is(self):
        self.assertIn(str(self.report / "report.html"), self.done.text.splitlines()[-1])

    def test_off_a_terminal_there_are_neither_colours_nor_progress(self):
        self.assertIn("playout", self.done.text)
        for text in (self.done.text, self.done.err):
            self.assertNotIn(ESCAPE, text)
            self.assertNotIn("\r", text)


class Terminal(ProgramTest):
    def test_the_lab_has_colours_and_progress(self):
        code, text = run_on_terminal([*QUICK, "--out", self.folder / "report"])
        self.assertEqual(code, 0, text)
        self.assertIn("\x1b[32m", text)
        self.assertIn("\x1b[31m", text)
        self.assertRegex(text, r"\rcomparing methods +\d+ %")
        self.assertIn("\r\x1b[K", text)

    def test_no_color_takes_the_colours_away(self):
        code, text = run_on_terminal([*QUICK, "--out", self.folder / "report"], NO_COLOR="1")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"\rcomparing methods +\d+ %")
        # The progress line is erased, which is no colour.
        self.assertNotRegex(text, r"\x1b\[[0-9;]*m")

    def test_an_empty_no_color_means_nothing(self):
        self.assertIn(ESCAPE, run_on_terminal(["methods"], NO_COLOR="")[1])

    def test_lists_have_colours_only_where_wanted(self):
        for arguments in (["methods"], ["sample"], ["lab", "--gate-table"]):
            with self.subTest(arguments):
                self.assertIn(ESCAPE, run_on_terminal(arguments)[1])
                self.assertNotIn(ESCAPE, run_on_terminal(arguments, NO_COLOR="1")[1])
                self.assertNotIn(ESCAPE, run(*arguments).text)

    def test_errors_are_coloured_only_where_wanted(self):
        arguments = ["sample", "magic"]
        self.assertIn("\x1b[31merror:\x1b[0m", run_on_terminal(arguments)[1])
        self.assertNotIn(ESCAPE, run_on_terminal(arguments, NO_COLOR="1")[1])
        self.assertNotIn(ESCAPE, run(*arguments).err)


class GateTable(ProgramTest):
    def test_it_is_printed_and_nothing_is_written(self):
        done = self.run_well("lab", "--gate-table", cwd=self.folder)
        rows = [line.split() for line in done.text.splitlines()[2:]]
        self.assertEqual([float(row[0]) for row in rows], [50, 60, 75, 120, 144, 165, 240] * 2)
        self.assertEqual({row[2] for row in rows}, {"ms"})
        for word in ("MinQuantum", "LastQuantum", "Stamped", "jitter"):
            self.assertIn(word, done.text)
        self.assertNotIn(ESCAPE, done.text)
        self.assertEqual(self.names(), [])


class ClockTable(ProgramTest):
    def test_it_is_printed_and_nothing_is_written(self):
        done = self.run_well("lab", "--clock-table", cwd=self.folder)
        rows = done.text.splitlines()[2:]
        self.assertEqual(len(rows), 8)
        self.assertTrue(rows[-1].split()[0] == "playout" and len(rows[-1].split()) == 13, rows[-1])
        self.assertIn("worker-heavy-free-144", done.text)
        self.assertEqual(self.names(), [])


class LiteralTable(ProgramTest):
    def test_it_is_printed_and_nothing_is_written(self):
        done = self.run_well("lab", "--literal-table", cwd=self.folder)
        rows = [line.split() for line in done.text.splitlines()[2:]]
        self.assertEqual(len(rows), 7)
        self.assertEqual(rows[0][:4], ["root_motion", rows[0][1], "of", "70"])
        self.assertEqual(rows[-1][0], "literal()")
        self.assertEqual(self.names(), [])


class UnwritableFolder(ProgramTest):
    """Refused at once, before the comparison."""

    def test_below_a_file(self):
        out = self.write("file", "precious") / "report"
        done = run("lab", "--quick", "--out", out)
        self.assert_error(done, 1, f"error: {out}: ", "Not a directory", "--out")
        self.assertEqual((done.out, self.names()), (b"", ["file"]))
        self.assertEqual((self.folder / "file").read_bytes(), b"precious")

    def test_a_file_is_no_folder(self):
        out = self.write("file", "precious")
        done = run("lab", "--quick", "--out", out)
        self.assert_error(done, 1, f"error: {out}: ", "--out")
        self.assertEqual((done.out, out.read_bytes()), (b"", b"precious"))
