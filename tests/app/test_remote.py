"""Traces of a server: what the program makes of their packets, and the figures of the documents."""

import json

from support import ProgramTest, joined, listed_samples, run, sample, small_trace

PACKETS = {
    "motion": '{"motion":1,"id":1,"arrive":0,"gait":"run"}',
    "vector": '{"vector":1,"id":1,"arrive":0,"v":[0,0,5]}',
    "moveto": '{"moveto":1,"id":1,"arrive":0,"kind":"position","p":[1,2,3]}',
    "player": '{"player":0,"p":[0,0,0]}',
    "blocked": '{"blocked":true,"id":1,"arrive":0}',
}


class Remote(ProgramTest):
    def score(self, name, method, network="1hz"):
        trace = self.write("trace", sample(name, "--condition", network))
        drawn = self.folder / "drawn"
        self.run_well("replay", trace, "--method", method, "--out", drawn)
        return json.loads(self.run_well("score", trace, drawn, "--json").text)

    def test_chase_runs_evenly_at_one_update_a_second(self):
        figures = self.score("remote-runner", "chase")
        self.assertEqual(figures["pops"], 0)
        self.assertLess(figures["rate_rms"], 0.05)

    def test_a_hard_snap_pops_at_every_update(self):
        # Judged from 2 s to the end at 12 s.
        self.assertGreaterEqual(self.score("remote-runner", "newest")["pops"], 10)

    def test_the_text_has_the_pops(self):
        trace = self.write("trace", sample("remote-runner"))
        drawn = self.folder / "drawn"
        self.run_well("replay", trace, "--method", "newest", "--out", drawn)
        self.assertRegex(self.run_well("score", trace, drawn).text, r"(?m)^  pops +1\d ")

    def test_packets_are_nothing_to_other_methods(self):
        lines = sample("remote-stop-and-go", "--condition", "5hz").splitlines()
        without = [line for line in lines if not any(line.startswith(b'{"' + kind.encode()) for kind in PACKETS)]
        self.assertLess(len(without), len(lines))
        for method in ("playout", "predict", "newest", "soft-snap"):
            with self.subTest(method):
                drawn = [run("replay", "-", "--method", method, stdin=b"\n".join(text)).out for text in (lines, without)]
                self.assertEqual(drawn[0], drawn[1])

    def test_a_packet_in_a_trace_of_another_source_is_refused(self):
        header, *rest = small_trace()
        for kind, packet in PACKETS.items():
            with self.subTest(kind):
                path = self.write("trace", joined([header, packet, *rest]))
                done = run("replay", path, "--method", "chase", "--out", self.folder / "drawn")
                self.assert_error(done, 2, ":2:", f"a {kind} line", "network")
                self.assertNotIn("drawn", self.names())

    def test_every_command_reads_them(self):
        trace = self.write("trace", sample("remote-jump", "--length-s", "6"))
        drawn = self.folder / "drawn"
        self.run_well("replay", trace, "--out", drawn)
        self.run_well("score", trace, drawn)
        self.assertEqual(run("doctor", trace).code, 0)

    def test_the_lab_has_a_table_of_them(self):
        report = self.folder / "report"
        text = self.run_well("lab", "--quick", "--length-s", "4", "--out", report).text
        remote = json.loads((report / "report.json").read_text())["remote"]
        self.assertEqual([scenario["name"] for scenario in remote["scenarios"]], list(listed_samples()["Remote"]))
        table = text[text.index("Remote entities"):]
        for method in remote["methods"]:
            self.assertRegex(table, rf"(?m)^  {method['name']} +-? +\d")
