"""What a long run and a foreign locale must not change."""

import locale
import signal
import subprocess
import unittest
from pathlib import Path

from support import HEADER, PROGRAM, SANITIZED, ProgramTest, environment, joined, run, sample

OBJECT_COUNT = 200
COMMA_LOCALE = "de_DE.UTF-8"


def has_comma_locale():
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, COMMA_LOCALE)
    except locale.Error:
        return False
    locale.setlocale(locale.LC_ALL, before)
    return True


def long_trace(size_bytes):
    """The pieces of a trace of about that size: many objects in each tick, and a frame every tenth."""
    poses = ",".join(f'{{"id":{number},"p":[{number}.25,0.5,0.125],"q":[0,0,0,1]}}'
                     for number in range(1, OBJECT_COUNT + 1))
    yield joined([HEADER])
    written = 0
    tick = 0
    while written < size_bytes:
        piece = ""
        for _ in range(10):
            time_ns = tick * 20_000_000
            piece += f'{{"tick":{tick},"sim":{time_ns},"arrive":{time_ns},"poses":[{poses}]}}\n'
            tick += 1
        piece += f'{{"frame":{tick},"cpu":{tick * 20_000_000 - 1}}}\n'
        written += len(piece)
        yield piece.encode()


def peak_bytes(process_id):
    """The most memory that was ever resident, of a process that still runs."""
    for line in Path(f"/proc/{process_id}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


@unittest.skipIf(SANITIZED, "a sanitizer keeps memory for itself")
@unittest.skipUnless(Path("/proc/self/status").exists(), "there is no /proc")
class Memory(ProgramTest):
    def peak_of_replay(self, size_bytes):
        out = self.folder / "drawn"
        with subprocess.Popen([PROGRAM, "replay", "-", "--out", str(out)], stdin=subprocess.PIPE,
                              env=environment()) as program:
            for piece in long_trace(size_bytes):
                program.stdin.write(piece)
            program.stdin.flush()
            # All but what the pipe holds was read by now.
            peak = peak_bytes(program.pid)
            program.stdin.close()
            self.assertEqual(program.wait(), 0)
        self.assertGreater(out.stat().st_size, 0)
        return peak

    def test_a_long_replay_needs_no_more_than_a_short_one(self):
        short = self.peak_of_replay(5_000_000)
        long = self.peak_of_replay(100_000_000)
        self.assertLess(long, 64_000_000)
        # The allocator rounds; the trace is 95 MB longer.
        self.assertLess(long - short, 4_000_000)


@unittest.skipUnless(has_comma_locale(), f"the locale {COMMA_LOCALE} is not installed")
class Interrupted(ProgramTest):
    def test_nothing_is_left_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([PROGRAM, "replay", "-", "--out", str(self.folder / "drawn")],
                                  stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()) as program:
                program.stdin.write(joined([HEADER]))
                program.stdin.flush()
                while not self.names():  # Its temporary file; it now waits for more of the trace.
                    self.assertIsNone(program.poll())
                program.send_signal(number)
                self.assertEqual(program.wait(), -number)
            self.assertEqual(self.names(), [])


class CommaLocale(ProgramTest):
    def check(self, *arguments):
        comma = run(*arguments, env=environment(LC_ALL=COMMA_LOCALE))
        self.assertEqual((comma.code, comma.err), (0, ""))
        self.assertEqual(comma.out, self.run_well(*arguments).out)

    def test_every_command_gives_the_same_bytes(self):
        trace = self.write("trace", sample("worker-heavy-free-60"))
        drawn = self.write("drawn", self.run_well("replay", trace).out)
        for arguments in (["replay", trace, "--delay-ms", "33.5"], ["score", trace, drawn, "--warmup-s", "0.5"],
                          ["score", trace, drawn, "--json"], ["doctor", trace, drawn],
                          ["doctor", trace, drawn, "--json"], ["sample", "sine", "--length-s", "1.5"],
                          ["lab", "--gate-table"], ["replay", "--help"]):
            with self.subTest(arguments):
                self.check(*arguments)
