"""glissade sample: the list, and that everything in it can be replayed."""

from support import ProgramTest, listed_methods, listed_samples, run, sample


class Samples(ProgramTest):
    def test_the_list_has_recordings_scenarios_and_conditions(self):
        samples = listed_samples()
        self.assertEqual(set(samples), {"Recordings", "Scenarios,", "Conditions", "Remote", "Networks,"})
        self.assertIn("worker-light-abs-60", samples["Recordings"])
        self.assertIn("constant-speed", samples["Scenarios,"])
        self.assertIn("recorded-heavy-abs-144", samples["Conditions"])
        self.assertIn("remote-runner", samples["Remote"])
        self.assertEqual(samples["Networks,"][0], "1hz")
        for names in samples.values():
            self.assertEqual(len(set(names)), len(names))

    def check_replays(self, trace):
        done = run("replay", "-", stdin=trace)
        self.assertEqual((done.code, done.err), (0, ""))
        frame_count = sum(1 for line in trace.splitlines() if line.startswith(b'{"frame"'))
        self.assertGreater(frame_count, 20)
        self.assertEqual(len(done.lines), frame_count)

    def test_every_recording_can_be_replayed(self):
        for name in listed_samples()["Recordings"]:
            with self.subTest(name):
                self.check_replays(sample(name))

    def test_every_scenario_can_be_replayed(self):
        for name in listed_samples()["Scenarios,"]:
            with self.subTest(name):
                self.check_replays(sample(name, "--length-s", "2"))

    def test_every_condition_can_be_replayed(self):
        for name in listed_samples()["Conditions"]:
            with self.subTest(name):
                self.check_replays(sample("sine", "--length-s", "2", "--condition", name))

    def test_every_remote_scenario_can_be_replayed_through_every_network(self):
        samples = listed_samples()
        for name in samples["Remote"]:
            for network in samples["Networks,"]:
                with self.subTest(name=name, network=network):
                    trace = sample(name, "--length-s", "3", "--condition", network)
                    done = run("replay", "-", "--method", "chase", stdin=trace)
                    self.assertEqual((done.code, done.err), (0, ""))

    def test_without_a_condition_a_remote_scenario_has_the_first_network(self):
        self.assertEqual(sample("remote-runner"), sample("remote-runner", "--condition", "1hz"))

    def test_the_conditions_of_the_two_lists_are_not_mixed(self):
        for name, condition in (("remote-runner", "ideal-60"), ("sine", "1hz")):
            self.assert_error(run("sample", name, "--condition", condition), 2, f"'{condition}'", "glissade sample")

    def test_every_method_takes_every_scenario(self):
        for name in listed_samples()["Scenarios,"]:
            trace = sample(name, "--length-s", "2")
            for method in listed_methods():
                with self.subTest(name=name, method=method):
                    done = run("replay", "-", "--method", method, stdin=trace)
                    self.assertEqual((done.code, done.err), (0, ""))

    def test_a_file_and_the_standard_output_get_the_same_bytes(self):
        out = self.folder / "trace"
        self.assertEqual(self.run_well("sample", "until-idle", "--out", out).out, b"")
        self.assertEqual(out.read_bytes(), sample("until-idle"))
        self.assertEqual(self.names(), ["trace"])

    def test_the_seed_decides(self):
        first = self.run_well("sample", "random-walk", "--seed", 1).out
        self.assertEqual(first, self.run_well("sample", "random-walk", "--seed", 1).out)
        self.assertNotEqual(first, self.run_well("sample", "random-walk", "--seed", 2).out)

    def test_a_longer_scenario_has_more_frames(self):
        self.assertGreater(sample("sine", "--length-s", "4").count(b'"frame"'),
                           1.5 * sample("sine", "--length-s", "2").count(b'"frame"'))

    def test_an_unknown_name_is_refused(self):
        done = run("sample", "magic", "--out", self.folder / "trace")
        self.assert_error(done, 2, "'magic'", "glissade sample")
        self.assertEqual((done.out, self.names()), (b"", []))

    def test_an_unknown_condition_is_refused(self):
        done = run("sample", "sine", "--condition", "magic", "--out", self.folder / "trace")
        self.assert_error(done, 2, "'magic'", "glissade sample")
        self.assertEqual((done.out, self.names()), (b"", []))
