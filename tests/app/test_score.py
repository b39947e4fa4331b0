"""glissade score: the names of its figures, and what they hang on."""

import json

from support import ProgramTest, joined, run, sample, small_trace

KEYS = {"frames", "scored_frames", "mean_rate", "rate_rms", "rate_p99", "holds", "jumps", "backward", "streaks", "pops",
        "off_path_m_max", "underruns", "lag_ms_mean", "lag_ms_p99", "animation_error_ms_rms", "animation_error_ms_p99",
        "position_error_m_rms", "angle_error_deg_rms", "best_lag_ms", "velocity_error_ratio"}
OF_TRUTH = {"position_error_m_rms", "angle_error_deg_rms", "best_lag_ms", "velocity_error_ratio"}


class ScoreTest(ProgramTest):
    def draw(self, name, method="playout", options=()):
        """Writes a sample and what a method draws of it; returns both paths."""
        trace = self.write("trace", sample(name, *options))
        drawn = self.folder / f"drawn-{method}"
        self.run_well("replay", trace, "--method", method, "--out", drawn)
        return trace, drawn

    def score(self, trace, drawn, *options):
        return self.run_well("score", trace, drawn, "--json", *options).json


class Keys(ScoreTest):
    def test_every_key_stands_at_the_top_and_under_each_object(self):
        score = self.score(*self.draw("constant-speed", options=("--length-s", "6")))
        self.assertEqual(set(score), KEYS | {"object", "objects"})
        self.assertEqual(set(score["objects"]), {"1", "2"})
        for figures in score["objects"].values():
            self.assertEqual(set(figures), KEYS)
        for key in KEYS:
            self.assertIsInstance(score[key], (int, float), key)

    def test_the_top_is_the_object_with_the_largest_rate_error(self):
        score = self.score(*self.draw("worker-heavy-free-60", "constant-interval"))
        worst = max(score["objects"], key=lambda number: score["objects"][number]["rate_rms"])
        self.assertEqual(str(score["object"]), worst)
        self.assertEqual({key: score[key] for key in KEYS}, score["objects"][worst])

    def test_without_truth_its_figures_are_null(self):
        score = self.score(*self.draw("worker-light-abs-60"))
        self.assertEqual({key for key in KEYS if score[key] is None}, OF_TRUTH)


class Figures(ScoreTest):
    def test_smooth_is_scored_as_smooth_and_steps_as_steps(self):
        trace, smooth = self.draw("worker-light-abs-60")
        score = self.score(trace, smooth)
        self.assertLess(score["rate_rms"], 0.02)
        self.assertEqual((score["holds"], score["jumps"], score["backward"]), (0, 0, 0))
        trace, steps = self.draw("worker-heavy-abs-144", "newest")
        score = self.score(trace, steps)
        self.assertGreater(score["rate_rms"], 0.5)
        self.assertGreater(score["holds"], 100)
        self.assertGreater(score["jumps"], 100)

    def test_the_warm_up_is_left_out(self):
        trace, drawn = self.draw("worker-light-abs-60")
        frames = [json.loads(line)["present"] for line in trace.read_text().splitlines() if '"frame"' in line]
        for warmup_s in (0, 5):
            expected = sum(1 for present in frames if present - frames[0] >= warmup_s * 1_000_000_000)
            self.assertAlmostEqual(self.score(trace, drawn, "--warmup-s", warmup_s)["frames"], expected, delta=2)
        self.assertEqual(self.score(trace, drawn), self.score(trace, drawn, "--warmup-s", 2))
        self.assertLess(self.score(trace, drawn)["frames"], len(frames))

    def test_a_warm_up_longer_than_the_run_leaves_nothing(self):
        trace, drawn = self.draw("worker-light-abs-60")
        score = self.score(trace, drawn, "--warmup-s", 100000)
        self.assertEqual((score["frames"], score["scored_frames"], score["rate_rms"]), (0, 0, None))

    def test_it_is_judged_from_what_was_drawn_alone(self):
        trace, drawn = self.draw("worker-heavy-abs-144")
        bare = []
        for line in drawn.read_text().splitlines():
            frame = json.loads(line)
            bare.append(json.dumps({"frame": frame["frame"], "poses": frame["poses"]}))
        told = self.score(trace, drawn)
        untold = self.score(trace, self.write("bare", joined(bare)))
        self.assertIsInstance(told["underruns"], int)
        self.assertIsNone(untold["underruns"])
        self.assertEqual([figures["underruns"] for figures in untold["objects"].values()], [None, None])
        for score in (told, untold):
            for figures in (score, *score["objects"].values()):
                del figures["underruns"]
        self.assertEqual(told, untold)

    def test_the_table_shows_the_figures_of_the_worst_object(self):
        trace, drawn = self.draw("worker-heavy-free-60", "constant-interval")
        score = self.score(trace, drawn)
        text = self.run_well("score", trace, drawn).text
        self.assertIn(f"object {score['object']}\n", text)
        self.assertRegex(text, rf"rate error +{score['rate_rms']:.4f} ")
        self.assertRegex(text, rf"holds +{score['holds']} ")
        self.assertRegex(text, rf"lag +{score['lag_ms_mean']:.4g} ms ")
        self.assertIn("--json", text)

    def test_a_dash_reads_what_was_drawn_from_the_standard_input(self):
        trace, drawn = self.draw("worker-light-abs-60")
        piped = self.run_well("score", trace, "-", "--json", stdin=drawn.read_bytes()).json
        self.assertEqual(piped, self.score(trace, drawn))


class WrongFiles(ScoreTest):
    def test_frames_of_another_trace_are_refused(self):
        _, drawn = self.draw("worker-light-abs-144")
        trace = self.write("other", sample("worker-light-abs-60"))
        done = run("score", trace, drawn, "--json")
        self.assert_error(done, 2, str(drawn), "the trace has no such frame")
        self.assertEqual(done.out, b"")

    def test_a_trace_in_the_place_of_the_drawn_is_refused(self):
        trace = self.write("trace", joined(small_trace()))
        done = run("score", trace, trace)
        self.assert_error(done, 2, f"{trace}:1: ")
        self.assertEqual(done.out, b"")

    def test_drawn_in_the_place_of_the_trace_is_refused(self):
        trace = self.write("trace", joined(small_trace()))
        drawn = self.write("drawn", self.run_well("replay", trace).out)
        done = run("score", drawn, drawn)
        self.assert_error(done, 2, f"{drawn}:1: ")
        self.assertEqual(done.out, b"")

    def test_a_bad_line_of_the_drawn_is_named(self):
        trace = self.write("trace", joined(small_trace()))
        lines = self.run_well("replay", trace).text.splitlines()
        breakages = {
            "a NaN": lines[2].replace('"p":[', '"p":[NaN,', 1),
            "a wrong type": lines[2].replace('"frame":2', '"frame":"two"'),
            "a missing key": lines[2].replace('"poses"', '"postures"'),
            "cut off": lines[2][:-5],
            "an earlier frame": lines[0],
        }
        for what, line in breakages.items():
            with self.subTest(what):
                self.assertNotEqual(line, lines[2])
                drawn = self.write("drawn", joined([*lines[:2], line, *lines[3:]]))
                for command in ("score", "doctor"):
                    done = run(command, trace, drawn, "--json")
                    self.assert_error(done, 2, f"{drawn}:3: ")
                    self.assertEqual(done.out, b"")
