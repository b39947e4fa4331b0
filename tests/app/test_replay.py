"""glissade replay: what is drawn, in which form, and from what."""

import json
import unittest

from support import ProgramTest, joined, listed_methods, run, sample, small_trace

CONTRACT_METHODS = {"playout", "newest", "chase-target", "constant-interval", "measured-interval", "exponential",
                    "hybrid", "camera-only", "extrapolate", "predict", "hermite", "accumulator"}
OWN_METHODS = {"soft-snap", "chase-add", "chase"}
STATES = {"interpolate", "extrapolate", "hold", "empty"}
RECORDING = "worker-heavy-free-60"


def frame_numbers(trace):
    return [line["frame"] for line in map(json.loads, trace.splitlines()) if "frame" in line]


class Methods(ProgramTest):
    def test_the_list_has_every_method_with_one_line(self):
        lines = self.run_well("methods").text.splitlines()
        self.assertEqual(len(lines), len(CONTRACT_METHODS | OWN_METHODS))
        self.assertEqual({line.split()[0] for line in lines}, CONTRACT_METHODS | OWN_METHODS)
        for line in lines:
            self.assertRegex(line, r"^\S+ +\S.{15,}$")
            self.assertLessEqual(len(line), 120)

    def test_each_method_draws_each_frame(self):
        trace = sample(RECORDING)
        path = self.write("trace", trace)
        expected = frame_numbers(trace)
        for method in sorted(CONTRACT_METHODS | OWN_METHODS):
            with self.subTest(method):
                drawn = self.run_well("replay", path, "--method", method).lines
                self.assertEqual([line["frame"] for line in drawn], expected)
                self.assertEqual({pose["id"] for pose in drawn[-1]["poses"]}, {1, 2})

    def test_methods_draw_differently(self):
        path = self.write("trace", sample(RECORDING))
        drawn = {}
        for method in listed_methods():
            places = str([line["poses"] for line in self.run_well("replay", path, "--method", method).lines])
            drawn.setdefault(places, set()).add(method)
        # Without a camera in the trace, camera-only is newest.
        self.assertEqual([names for names in drawn.values() if len(names) > 1], [{"newest", "camera-only"}])

    def test_an_unknown_method_is_refused_before_anything_is_written(self):
        path = self.write("trace", sample(RECORDING))
        done = run("replay", path, "--method", "magic", "--out", self.folder / "drawn")
        self.assert_error(done, 2, "'magic'", "glissade methods")
        self.assertEqual(done.out, b"")
        self.assertEqual(self.names(), ["trace"])

    def test_the_default_is_playout(self):
        path = self.write("trace", sample(RECORDING))
        plain = self.run_well("replay", path).out
        self.assertEqual(plain, self.run_well("replay", path, "--method", "playout").out)
        self.assertNotEqual(plain, self.run_well("replay", path, "--method", "newest").out)


class Output(ProgramTest):
    def test_lines_have_the_keys_of_the_contract(self):
        path = self.write("trace", sample(RECORDING))
        for method in listed_methods():
            with self.subTest(method):
                for line in self.run_well("replay", path, "--method", method).lines:
                    self.assertEqual(set(line), {"frame", "sample", "delay", "state", "poses"})
                    self.assertIs(type(line["sample"]), int)
                    self.assertIs(type(line["delay"]), int)
                    self.assertIn(line["state"], STATES)
                    for pose in line["poses"]:
                        self.assertEqual(set(pose), {"id", "p", "q"})
                        self.assertEqual((len(pose["p"]), len(pose["q"])), (3, 4))

    def test_a_file_and_the_standard_output_get_the_same_bytes(self):
        path = self.write("trace", sample(RECORDING))
        to_file = self.run_well("replay", path, "--out", self.folder / "drawn")
        self.assertEqual(to_file.out, b"")
        self.assertEqual((self.folder / "drawn").read_bytes(), self.run_well("replay", path).out)
        self.assertEqual(self.names(), ["drawn", "trace"])

    def test_an_existing_file_is_replaced_as_a_whole(self):
        path = self.write("trace", joined(small_trace()))
        out = self.write("drawn", b"x" * 1_000_000)
        self.run_well("replay", path, "--out", out)
        self.assertEqual(out.read_bytes(), self.run_well("replay", path).out)

    def test_a_dash_reads_the_standard_input(self):
        trace = sample(RECORDING)
        path = self.write("trace", trace)
        self.assertEqual(self.run_well("replay", "-", stdin=trace).out, self.run_well("replay", path).out)

    def test_two_runs_give_the_same_bytes(self):
        path = self.write("trace", sample(RECORDING))
        self.assertEqual(self.run_well("replay", path).out, self.run_well("replay", path).out)

    def test_line_ends_of_windows_and_a_missing_last_one_make_no_difference(self):
        trace = joined(small_trace())
        plain = self.run_well("replay", "-", stdin=trace).out
        self.assertEqual(len(plain.splitlines()), 10)
        self.assertEqual(self.run_well("replay", "-", stdin=trace.replace(b"\n", b"\r\n")).out, plain)
        self.assertEqual(self.run_well("replay", "-", stdin=trace.rstrip(b"\n")).out, plain)

    def test_unknown_keys_are_ignored(self):
        lines = small_trace()
        more = [line[:-1] + ',"remark":{"deep":[1,"two",null]}}' for line in lines]
        drawn = self.run_well("replay", "-", stdin=joined(more))
        self.assertEqual(len(drawn.lines), 10)
        self.assertEqual(drawn.out, self.run_well("replay", "-", stdin=joined(lines)).out)

    def test_a_trace_without_frames_draws_nothing(self):
        lines = [line for line in small_trace() if '"frame"' not in line]
        self.assertEqual(self.run_well("replay", "-", stdin=joined(lines)).out, b"")

    def test_frames_before_the_first_tick_are_empty(self):
        lines = small_trace()
        lines.insert(1, '{"frame":-2,"cpu":-10}')
        for method in listed_methods():
            with self.subTest(method):
                drawn = self.run_well("replay", "-", "--method", method, stdin=joined(lines)).lines
                self.assertEqual(drawn[0],
                                 {"frame": -2, "sample": 0, "delay": 0, "state": "empty", "poses": []})


class Delay(ProgramTest):
    def x_of_last(self, *options):
        path = self.write("trace", sample("worker-light-abs-60"))
        last = self.run_well("replay", path, *options).lines[-1]
        return last, next(pose["p"][0] for pose in last["poses"] if pose["id"] == 1)

    def test_a_longer_delay_draws_an_earlier_place(self):
        short, x_short = self.x_of_last("--delay-ms", 20)
        long, x_long = self.x_of_last("--delay-ms", 100)
        self.assertEqual((short["delay"], long["delay"]), (20_000_000, 100_000_000))
        self.assertEqual(short["sample"] - long["sample"], 80_000_000)
        # The body goes 1 m/s; playout carries 32-bit differences, of which 1e-6 m is a hundred.
        self.assertAlmostEqual(x_short - x_long, 0.08, delta=1e-6)

    def test_the_default_is_what_the_lateness_asks_for(self):
        plain, _ = self.x_of_last()
        self.assertGreater(plain["delay"], 16_666_667)
        self.assertLess(plain["delay"], 16_666_667 + 8_000_000)

    def test_parts_of_a_millisecond_count(self):
        line, _ = self.x_of_last("--delay-ms", "33.5")
        self.assertEqual(line["delay"], 33_500_000)

    def test_no_delay_is_a_delay(self):
        line, _ = self.x_of_last("--delay-ms", 0)
        self.assertEqual((line["delay"], line["state"]), (0, "extrapolate"))


class Causality(ProgramTest):
    """A frame is drawn from the lines above it: what comes later changes nothing."""

    def check(self, trace, kept_lines):
        lines = trace.splitlines()
        for method in listed_methods():
            with self.subTest(method):
                whole = self.run_well("replay", "-", "--method", method, stdin=trace).out.splitlines()
                for count in kept_lines:
                    cut = b"\n".join(lines[:count]) + b"\n"
                    part = self.run_well("replay", "-", "--method", method, stdin=cut).out.splitlines()
                    self.assertEqual(len(part), len(frame_numbers(cut)))
                    self.assertEqual(part, whole[:len(part)], f"the first {count} lines")

    def test_of_a_recording(self):
        trace = sample(RECORDING)
        last_frame = max(number for number, line in enumerate(trace.splitlines(), 1) if b'"frame"' in line)
        self.check(trace, (20, 701, last_frame - 1))

    def test_of_cuts_and_shifts(self):
        trace = sample("portals", "--length-s", "3")
        count = len(trace.splitlines())
        self.check(trace, (count // 3, count // 2))

    def test_truth_is_for_judges_only(self):
        trace = sample("orbit", "--length-s", "2")
        blind = b"".join(line for line in trace.splitlines(keepends=True) if b'"truth"' not in line)
        self.assertLess(len(blind), len(trace))
        for method in listed_methods():
            with self.subTest(method):
                self.assertEqual(self.run_well("replay", "-", "--method", method, stdin=blind).out,
                                 self.run_well("replay", "-", "--method", method, stdin=trace).out)


if __name__ == "__main__":
    unittest.main()
