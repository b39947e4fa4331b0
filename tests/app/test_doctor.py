"""glissade doctor, as far as it is a command: exit codes, names, order. What it finds is tested with the lab."""

from support import ProgramTest, joined, listed_samples, run, sample, small_trace

NAMES = {"clock_origin_gap", "free_running_source", "cpu_time_sampling", "alpha_restart", "clamp_without_margin",
         "measured_interval", "missed_cut", "quantum_divisor", "underruns", "needless_delay", "frame_pacing",
         "camera_damping_per_frame"}


class Doctor(ProgramTest):
    def draw(self, name, method):
        trace = self.write("trace", sample(name))
        drawn = self.folder / "drawn"
        self.run_well("replay", trace, "--method", method, "--out", drawn)
        return trace, drawn

    def diagnose(self, *files):
        """The diagnosis as JSON, after a look at its form."""
        diagnosis = self.run_well("doctor", *files, "--json").json
        self.assertEqual(set(diagnosis), {"healthy", "findings", "notes"})
        self.assertIs(type(diagnosis["healthy"]), bool)
        for finding in diagnosis["findings"]:
            self.assertEqual(set(finding), {"name", "severity", "what", "evidence", "cure"})
            self.assertIn(finding["name"], NAMES)
            self.assertIsInstance(finding["severity"], (int, float))
            for key in ("what", "evidence", "cure"):
                self.assertRegex(finding[key], r"^\S.{20,}\.$")
        severities = [finding["severity"] for finding in diagnosis["findings"]]
        self.assertEqual(severities, sorted(severities, reverse=True))
        self.assertLessEqual(diagnosis["healthy"], not diagnosis["findings"])
        return diagnosis

    def test_a_healthy_recording_is_called_healthy(self):
        trace, drawn = self.draw("worker-light-abs-60", "playout")
        diagnosis = self.diagnose(trace, drawn)
        self.assertTrue(diagnosis["healthy"], diagnosis["findings"])
        self.assertEqual(diagnosis["findings"], [])
        self.assertTrue(self.run_well("doctor", trace, drawn).text.startswith("Healthy."))

    def test_several_diseases_are_named_worst_first(self):
        trace, drawn = self.draw("worker-heavy-free-144", "constant-interval")
        diagnosis = self.diagnose(trace, drawn)
        self.assertFalse(diagnosis["healthy"])
        names = [finding["name"] for finding in diagnosis["findings"]]
        self.assertGreaterEqual(len(names), 2)
        self.assertEqual(len(set(names)), len(names))
        self.assertIn("free_running_source", names)
        self.assertIn("clamp_without_margin", names)

    def test_the_text_says_the_same_in_the_same_order(self):
        trace, drawn = self.draw("worker-heavy-free-144", "constant-interval")
        text = self.run_well("doctor", trace, drawn).text
        words = " ".join(text.split())
        at = -1
        for number, finding in enumerate(self.diagnose(trace, drawn)["findings"], 1):
            title = f"{number}. {finding['name']} What: {finding['what']}"
            self.assertGreater(words.find(title), at, title)
            at = words.find(title)
            self.assertIn(f"Seen: {finding['evidence']} Cure: {finding['cure']}", words)
        self.assertNotIn("Healthy", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 120, line)

    def test_a_trace_alone_is_examined_and_says_what_is_missing(self):
        trace = self.write("trace", sample("worker-heavy-free-144"))
        diagnosis = self.diagnose(trace)
        self.assertIn("free_running_source", [finding["name"] for finding in diagnosis["findings"]])
        self.assertTrue(any("drawn" in note for note in diagnosis["notes"]), diagnosis["notes"])
        self.assertIn(diagnosis["notes"][0], self.run_well("doctor", trace).text)

    def test_findings_are_no_failure_for_any_recording(self):
        for name in listed_samples()["Recordings"]:
            with self.subTest(name):
                self.diagnose(*self.draw(name, "newest"))

    def test_a_dash_reads_the_standard_input(self):
        trace = sample("worker-light-abs-60")
        path = self.write("trace", trace)
        self.assertEqual(self.run_well("doctor", "-", stdin=trace).out, self.run_well("doctor", path).out)

    def test_frames_of_another_trace_are_refused(self):
        _, drawn = self.draw("worker-light-abs-144", "newest")
        other = self.write("other", sample("worker-light-abs-60"))
        done = run("doctor", other, drawn, "--json")
        self.assert_error(done, 2, str(drawn), "the trace has no such frame")
        self.assertEqual(done.out, b"")

    def test_a_short_trace_is_no_failure(self):
        self.diagnose(self.write("trace", joined(small_trace())))
        self.diagnose(self.write("trace", joined(small_trace()[:1])))
