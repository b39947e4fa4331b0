"""Help, version and wrong use of every command."""

import os
import subprocess
import unittest

from support import COMMANDS, PROGRAM, ProgramTest, environment, run, sample

OPTIONS = {
    "replay": ("TRACE", "--method", "--delay-ms", "--out", "--max-objects", "playout", "glissade methods"),
    "score": ("TRACE", "DRAWN", "--json", "--warmup-s"),
    "doctor": ("TRACE", "DRAWN", "--json"),
    "lab": ("--out", "--seed", "--length-s", "--quick", "--gate-table", "--clock-table", "--literal-table"),
    "methods": (),
    "sample": ("NAME", "--condition", "--seed", "--length-s", "--out"),
}


class Help(ProgramTest):
    def check_help(self, arguments, parts):
        done = self.run_well(*arguments)
        for part in (*parts, "-h,--help", "Exit codes: 0 done, 1 the run failed, 2 wrong use or bad input"):
            self.assertIn(part, done.text)
        for line in done.text.splitlines():
            self.assertLessEqual(len(line), 120, line)

    def test_the_program_names_its_commands(self):
        self.check_help(["--help"], [*COMMANDS, "--version"])

    def test_replay_names_its_options(self):
        self.check_help(["replay", "--help"], OPTIONS["replay"])

    def test_score_names_its_options(self):
        self.check_help(["score", "--help"], OPTIONS["score"])

    def test_doctor_names_its_options(self):
        self.check_help(["doctor", "--help"], OPTIONS["doctor"])

    def test_lab_names_its_options(self):
        self.check_help(["lab", "--help"], OPTIONS["lab"])

    def test_methods_has_help(self):
        self.check_help(["methods", "--help"], OPTIONS["methods"])

    def test_sample_names_its_options(self):
        self.check_help(["sample", "--help"], OPTIONS["sample"])

    def test_help_comes_before_missing_arguments_and_in_short(self):
        self.check_help(["score", "-h"], OPTIONS["score"])

    def test_the_version_is_three_numbers(self):
        self.assertRegex(self.run_well("--version").text, r"^\d+\.\d+\.\d+\n$")


class WrongUse(ProgramTest):
    def test_no_arguments_hint_at_the_help(self):
        self.assert_wrong_use(run())

    def test_an_unknown_command_is_named(self):
        self.assert_wrong_use(run("nonsense"), "'nonsense'")

    def test_an_unknown_option_is_named_by_every_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assert_wrong_use(run(command, "a", "b", "--nonsense"), "--nonsense")

    def test_an_unknown_option_of_the_program_is_named(self):
        self.assert_wrong_use(run("--nonsense"), "--nonsense")

    def test_a_missing_file_argument_is_named(self):
        for arguments, missing in ((["replay"], "TRACE"), (["score"], "TRACE"), (["score", "a"], "DRAWN"),
                                   (["doctor"], "TRACE")):
            with self.subTest(arguments):
                self.assert_wrong_use(run(*arguments), missing)

    def test_an_argument_too_many_is_named(self):
        for arguments in (["replay", "a", "surplus"], ["score", "a", "b", "surplus"], ["doctor", "a", "b", "surplus"],
                          ["lab", "surplus"], ["methods", "surplus"], ["sample", "a", "surplus"]):
            with self.subTest(arguments):
                self.assert_wrong_use(run(*arguments), "surplus")

    def test_an_option_without_its_value_is_named(self):
        for command, option in (("replay", "--method"), ("replay", "--out"), ("score", "--warmup-s"),
                                ("lab", "--seed"), ("sample", "--condition")):
            with self.subTest(command=command, option=option):
                self.assert_wrong_use(run(command, "a", "b", option), option)

    def test_numbers_out_of_range_are_refused(self):
        cases = [("replay", "--delay-ms", value) for value in ("-1", "10001", "x", "nan", "-nan", "NaN", "inf")]
        cases += [("replay", "--max-objects", value) for value in ("0", "-1", "16777215", "1.5", "x")]
        cases += [("score", "--warmup-s", value) for value in ("-1", "nan", "x", "1e7")]
        cases += [("lab", "--length-s", value) for value in ("3", "601", "nan")]
        cases += [("lab", "--seed", value) for value in ("-1", "x")]
        cases += [("sample", "--length-s", value) for value in ("0", "3601", "nan")]
        cases += [("sample", "--seed", value) for value in ("-1", "1.5")]
        for command, option, value in cases:
            with self.subTest(command=command, option=option, value=value):
                files = {"lab": [], "score": ["a", "b"]}.get(command, ["a"])
                self.assert_wrong_use(run(command, *files, option, value, cwd=self.folder), option)
        self.assertEqual(self.names(), [])


@unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
class FullDisk(ProgramTest):
    """What cannot be written to the standard output is a failed run, not a silent one."""

    def check(self, *arguments):
        # Opened for writing as a shell does; never given as --out.
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, check=False,
                                  timeout=60, env=environment())
        error = done.stderr.decode()
        self.assertEqual(done.returncode, 1, error)
        self.assertIn("error: standard output: cannot be written: No space left", error)
        self.assertNotIn("fault of the program", error)

    def test_of_help_and_lists(self):
        for arguments in (["--help"], ["--version"], ["methods"], ["sample"], ["lab", "--gate-table"]):
            with self.subTest(arguments):
                self.check(*arguments)

    def test_of_a_sample_and_a_replay(self):
        trace = self.write("trace", sample("worker-light-abs-60"))
        self.check("sample", "worker-light-abs-60")
        self.check("replay", trace)

    def test_of_a_score_and_a_diagnosis(self):
        trace = self.write("trace", sample("worker-light-abs-60"))
        drawn = self.write("drawn", self.run_well("replay", trace).out)
        for options in ([], ["--json"]):
            self.check("score", trace, drawn, *options)
            self.check("doctor", trace, drawn, *options)
