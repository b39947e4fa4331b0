"""Bad files and places that cannot be written: a message with file, line, cause and remedy, and nothing left behind."""

import json
import os
import subprocess
import threading
import unittest

from support import HEADER, PROGRAM, ProgramTest, environment, frame_line, joined, run, sample, small_trace, tick_line

NOBODY = 65534


class BadTrace(ProgramTest):
    """Line 6 of a healthy trace of 21 lines is broken, unless the case says otherwise."""

    def check(self, content, line, *causes):
        trace = self.write("trace", content)
        kept = self.write("kept", "precious")
        for out in (self.folder / "drawn", kept):
            done = run("replay", trace, "--out", out)
            self.assert_error(done, 2, f"error: {trace}:{line}: ", *causes)
            self.assertEqual(done.out, b"")
        self.assertEqual(self.names(), ["kept", "trace"])
        self.assertEqual(kept.read_bytes(), b"precious")
        # The other commands read it in the same way, and print nothing on their output.
        for command in (["doctor", trace], ["score", trace, trace], ["doctor", trace, "--json"]):
            done = run(*command)
            self.assert_error(done, 2, f"error: {trace}:{line}: ", *causes)
            self.assertEqual(done.out, b"")

    def check_line(self, old, new, *causes):
        lines = small_trace()
        self.assertIn(old, lines[5])
        lines[5] = lines[5].replace(old, new, 1)
        self.check(joined(lines), 6, *causes)

    def test_a_truncated_file(self):
        lines = small_trace()
        self.check(joined(lines[:10]) + lines[10][:-7].encode(), 11)

    def test_reordered_lines(self):
        lines = small_trace()
        lines[3], lines[5] = lines[5], lines[3]
        self.check(joined(lines), 5, '"cpu"')

    def test_a_frame_number_twice(self):
        lines = small_trace()
        lines[6] = lines[4]
        self.check(joined(lines), 7, "before")

    def test_a_nan(self):
        self.check_line('"p": [0.04', '"p": [NaN', '"p"', "NaN")

    def test_an_infinity(self):
        self.check_line('"p": [0.04', '"p": [-Infinity', '"p"', "infinity")

    def test_a_number_too_large_for_a_double(self):
        self.check_line('"p": [0.04', '"p": [1e999', '"p"', "1e999")

    def test_a_wrong_type(self):
        self.check_line('"arrive": 40000000', '"arrive": "40000000"', '"arrive"', "string")

    def test_a_fraction_of_a_nanosecond(self):
        self.check_line('"arrive": 40000000', '"arrive": 40000000.5', '"arrive"', "integer")

    def test_a_null(self):
        self.check_line('"v": [1.0, 0.0, 0.0]', '"v": null', '"v"', "null")

    def test_an_unknown_kind(self):
        self.check_line('"tick"', '"tock"', '"tick"', '"frame"')

    def test_a_missing_key(self):
        self.check_line('"arrive": 40000000, ', "", '"arrive"', "missing")

    def test_an_empty_line_in_the_middle(self):
        lines = small_trace()
        lines[5] = ""
        self.check(joined(lines), 6)

    def test_a_line_that_is_not_json(self):
        lines = small_trace()
        lines[5] = "frame 6 at 40 ms"
        self.check(joined(lines), 6)

    def test_an_array_instead_of_an_object(self):
        lines = small_trace()
        lines[5] = f"[{lines[5]}]"
        self.check(joined(lines), 6)

    def test_an_empty_file(self):
        self.check(b"", 1, "no line")

    def test_a_missing_header(self):
        self.check(joined(small_trace()[1:]), 1, '"trace"')

    def test_a_later_version(self):
        self.check(joined([HEADER.replace('"trace":1', '"trace":2')]), 1, "2")

    def test_a_binary_file(self):
        self.check(b"\x7fELF\x02\x01\x01\x00\x00" + bytes(range(256)), 1, "binary")

    def test_bytes_that_are_not_utf_8(self):
        self.check(joined([HEADER]).replace(b"small", b"sm\xe4ll"), 1)

    def test_a_huge_line(self):
        # One past what the reader takes, 16 MiB, and without an end.
        self.check(joined([HEADER]) + b"x" * 17_000_000, 2, "longer")

    def test_the_standard_input_is_named_as_it_was_given(self):
        lines = small_trace()
        lines[5] = "{}"
        done = run("replay", "-", "--out", self.folder / "drawn", stdin=joined(lines))
        self.assert_error(done, 2, "error: -:6: ")
        self.assertEqual((done.out, self.names()), (b"", []))

    def test_an_error_far_into_a_file_leaves_nothing_either(self):
        lines = sample("worker-heavy-free-144").splitlines(keepends=True)
        trace = self.write("trace", b"".join(lines[:-1]) + b"{}\n")
        done = run("replay", trace, "--out", self.folder / "drawn")
        self.assert_error(done, 2, f"{trace}:{len(lines)}: ")
        self.assertEqual((done.out, self.names()), (b"", ["trace"]))


class UnreadableFile(ProgramTest):
    def check(self, path, *causes, **options):
        before = self.names()
        drawn = self.write("some-drawn", '{"frame":1,"poses":[]}\n')
        for command in (["replay", path, "--out", self.folder / "out"], ["score", path, drawn], ["doctor", path]):
            done = run(*command, **options)
            self.assert_error(done, 2, f"error: {path}: ", *causes)
            self.assertEqual(done.out, b"")
        self.assertEqual(self.names(), sorted([*before, "some-drawn"]))

    def test_a_missing_file(self):
        self.check(self.folder / "missing", "No such file")

    def test_a_folder(self):
        folder = self.folder / "folder"
        folder.mkdir()
        self.check(folder, "directory", "folder")

    def test_a_file_below_a_file(self):
        self.check(self.write("trace", HEADER) / "trace", "Not a directory")

    def test_a_missing_drawn_is_named_instead_of_the_trace(self):
        trace = self.write("trace", joined(small_trace()))
        for command in ("score", "doctor"):
            self.assert_error(run(command, trace, self.folder / "missing"), 2, f"{self.folder / 'missing'}: ")

    def test_a_file_without_the_right_to_read_it(self):
        options = {}
        if os.geteuid() == 0:
            # Root may read everything.
            options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.folder, NOBODY, NOBODY)
            try:
                run("--version", **options)
            except PermissionError:
                self.skipTest("root may read everything, and nobody else may start the program")
        trace = self.write("trace", joined(small_trace()))
        trace.chmod(0)
        self.check(trace, "Permission denied", "rights", **options)


class UnwritableOutput(ProgramTest):
    def check(self, out, *causes):
        trace = self.write("trace", joined(small_trace()))
        before = self.names()
        for command in (["replay", trace], ["sample", "until-idle"]):
            done = run(*command, "--out", out)
            self.assert_error(done, 1, f"error: {out}: ", *causes)
            self.assertEqual(done.out, b"")
            self.assertEqual(self.names(), before)

    def test_in_a_folder_that_is_missing(self):
        self.check(self.folder / "missing" / "drawn", "No such file or directory", "folder")

    def test_below_a_file(self):
        self.check(self.write("file", "precious") / "drawn", "Not a directory")
        self.assertEqual((self.folder / "file").read_bytes(), b"precious")

    def test_a_folder_is_no_file(self):
        folder = self.folder / "folder"
        folder.mkdir()
        self.check(folder, "Is a directory")
        self.assertEqual(list(folder.iterdir()), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_in_a_folder_without_the_right_to_write(self):
        folder = self.folder / "folder"
        folder.mkdir(0o555)
        self.check(folder / "drawn", "Permission denied")

    def test_a_pipe_is_written_to_and_not_replaced(self):
        trace = self.write("trace", joined(small_trace()))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
        reader.start()
        done = run("replay", trace, "--out", pipe)
        self.assertEqual((done.code, done.err, done.out), (0, "", b""))
        self.assertTrue(pipe.is_fifo())
        reader.join(timeout=10)
        self.assertEqual(read, [self.run_well("replay", trace).out])


class TooManyObjects(ProgramTest):
    def test_the_option_that_makes_room_is_named(self):
        lines = [HEADER]
        for number in range(10):
            lines.append(tick_line(number, poses=[{"id": 1, "p": [number, 0, 0]}, {"id": 2, "p": [0, number, 0]}]))
            lines.append(frame_line(number, number * 20_000_000 + 5_000_000))
        trace = self.write("trace", joined(lines))
        done = run("replay", trace, "--max-objects", 1, "--out", self.folder / "drawn")
        self.assert_error(done, 1, f"error: {trace}: ", "object 2", "full", "--max-objects")
        self.assertEqual((done.out, self.names()), (b"", ["trace"]))
        drawn = self.run_well("replay", trace, "--max-objects", 2).lines
        self.assertEqual([pose["id"] for pose in drawn[-1]["poses"]], [1, 2])


class ClosedPipe(ProgramTest):
    def test_a_reader_that_leaves_early_is_no_crash_report(self):
        trace = self.write("trace", sample("worker-heavy-free-144"))
        with subprocess.Popen([PROGRAM, "replay", str(trace)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment()) as program:
            first = program.stdout.readline()
            program.stdout.close()
            error = program.stderr.read()
        self.assertEqual(json.loads(first)["frame"], 0)
        self.assertNotIn(b"fault of the program", error)
