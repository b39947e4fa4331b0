"""What the tests of the program share: running it, traces to run it with, and what an error must look like."""

import functools
import json
import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

PROGRAM = os.environ["GLISSADE_PROGRAM"]
COMMANDS = ("replay", "score", "doctor", "lab", "methods", "sample")
# A sanitizer makes the program slow and large.
SANITIZED = bool(os.environ.get("GLISSADE_SANITIZE"))
TIMEOUT_S = 200

HEADER = '{"trace":1,"name":"small","source":"thread","tick_ns":20000000}'


@dataclass
class Finished:
    """How a run of the program ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**changes):
    """The environment of the tests without what changes colours and language; None takes a variable out."""
    variables = {key: value for key, value in os.environ.items()
                 if key not in ("NO_COLOR", "LANG", "LANGUAGE") and not key.startswith("LC_")}
    for key, value in changes.items():
        if value is None:
            variables.pop(key, None)
        else:
            variables[key] = value
    return variables


def run(*arguments, stdin=b"", env=None, **options):
    """Runs the program with arguments of any type that str() knows."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False,
                          timeout=TIMEOUT_S, env=environment() if env is None else env, **options)
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


@functools.cache
def sample(name, *options):
    """The text of a built-in recording or scenario."""
    done = run("sample", name, *options)
    if done.code != 0 or not done.out:
        raise AssertionError(f"sample {name}: {done.err}")
    return done.out


@functools.cache
def listed_methods():
    names = tuple(line.split()[0] for line in run("methods").text.splitlines())
    if not names:
        raise AssertionError("no methods are listed")
    return names


@functools.cache
def listed_samples():
    """{title: (name, ...)} of `glissade sample`."""
    samples = {}
    for line in run("sample").text.splitlines():
        if line.startswith("  "):
            samples[title] += (line.split()[0],)
        else:
            title = line.split()[0]
            samples[title] = ()
    return samples


def tick_line(number, arrive_ns=None, poses=None):
    """Tick `number` of a body that goes along x at 1 m/s, 50 ticks a second."""
    sim_ns = number * 20_000_000
    if poses is None:
        poses = [{"id": 1, "p": [sim_ns * 1e-9, 0.0, 0.0], "v": [1.0, 0.0, 0.0]}]
    return json.dumps({"tick": number, "sim": sim_ns, "arrive": sim_ns if arrive_ns is None else arrive_ns,
                       "poses": poses})


def frame_line(number, cpu_ns):
    return json.dumps({"frame": number, "cpu": cpu_ns})


def small_trace():
    """The lines of a healthy trace: line 1 is the header, then a tick and a frame 5 ms later, ten times."""
    lines = [HEADER]
    for number in range(10):
        lines.append(tick_line(number))
        lines.append(frame_line(number, number * 20_000_000 + 5_000_000))
    return lines


def joined(lines):
    return "".join(line + "\n" for line in lines).encode()


class ProgramTest(unittest.TestCase):
    """A test with an empty folder of its own."""

    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="glissade-app-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def names(self):
        """What is in the folder."""
        return sorted(path.name for path in self.folder.iterdir())

    def run_well(self, *arguments, **options):
        """A run that must end with 0 and say nothing on the error output."""
        done = run(*arguments, **options)
        self.assertEqual((done.code, done.err), (0, ""), arguments)
        return done

    def assert_error(self, done, code, *parts):
        """An error of the program: a line with the cause, one with the remedy, no more; `parts` stand in it."""
        self.assertEqual(done.code, code, done.err)
        lines = done.err.splitlines()
        self.assertEqual(len(lines), 2, done.err)
        self.assertRegex(lines[0], r"^error: \S.{10,}")
        self.assertRegex(lines[1], r"^  [A-Z`].{10,}[.?]$")
        for part in parts:
            self.assertIn(part, done.err)

    def assert_wrong_use(self, done, *parts):
        """Exit code 2, a message on the error output only."""
        self.assertEqual(done.code, 2, done.err)
        self.assertEqual(done.out, b"")
        self.assertIn("--help", done.err)
        for part in parts:
            self.assertIn(part, done.err)
