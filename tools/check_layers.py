#!/usr/bin/env python3
"""Checks every #include of the project against the map of layers.

    tools/check_layers.py [--root FOLDER]    prints file:line and the reason of each violation; exit code 1 if any
    tools/check_layers.py --self-test        proves that each rule catches its violation
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

# Which layer may include which. A layer also sees what these see in turn. A new layer needs a row here, one in the
# map of the README, and a note in docs/decisions/.
LAYERS = {
    "base": [],
    "pose": ["base"],
    "time": ["base"],
    "stage": ["pose", "time"],
    "link": ["base"],
    "remote": ["pose", "time"],
    "feed": ["stage", "link", "remote", "time"],
    "rig": ["stage", "pose", "time"],
    "trace": ["pose", "time"],
}

# Headers directly in include/glissade/. The umbrella is for users; inside the library it would turn every arrow round.
UMBRELLA = "glissade.h"
FREE_HEADERS = {"version.h"}

# Third-party headers by their first path component: where in the library they may stand.
THIRD_PARTY = {
    "glm": ("GLM", lambda file: file.layer not in ("base", "time", "link")),
    "hwy": ("Highway", lambda file: not file.public),
    "nlohmann": ("nlohmann-json", lambda file: not file.public and file.layer == "trace"),
    "fmt": ("fmt", lambda file: not file.public and file.layer == "trace"),
}

NOT_EVERYWHERE = "is not in the standard library of every supported compiler"
NO_CLOCK = "the library reads no clock: times are passed in"
NO_FILES = "the library knows no file: text and buffers are passed in"
NO_THREADS = "the library starts and blocks no thread"

# Standard and system headers that the library does without.
FORBIDDEN = {
    "chrono": NO_CLOCK, "ctime": NO_CLOCK, "time.h": NO_CLOCK,
    "iostream": NO_FILES, "fstream": NO_FILES, "sstream": NO_FILES, "filesystem": NO_FILES,
    "thread": NO_THREADS, "mutex": NO_THREADS, "shared_mutex": NO_THREADS, "condition_variable": NO_THREADS,
    "future": NO_THREADS,
    "exception": "the library throws nothing", "stdexcept": "the library throws nothing",
    "format": NOT_EVERYWHERE, "expected": NOT_EVERYWHERE, "ranges": NOT_EVERYWHERE, "coroutine": NOT_EVERYWHERE,
    "source_location": NOT_EVERYWHERE, "memory_resource": NOT_EVERYWHERE, "stop_token": NOT_EVERYWHERE,
    "unistd.h": "the library is portable", "pthread.h": "the library is portable",
}

LIBRARY_ROOTS = ("include/glissade", "src")
OTHER_ROOTS = ("tests", "bench", "examples", "lab", "app", "demos", "web/native")
# Who, outside the library, may look at private headers.
SEES_PRIVATE = ("tests", "bench")
# Who may include headers of these folders by their full name, such as lab/<header>. embedded/ is generated: files of the
# lab as constants.
SEES = {
    "lab": ("lab", "app", "tests", "bench", "demos", "web"),
    "web": ("web", "tests"),
    "embedded": ("lab",),
    "app": ("app",),
}
SUFFIXES = {".h", ".cpp", ".inl"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def closure(layer):
    """The layers that `layer` sees, itself included."""
    seen = {layer}
    for lower in LAYERS[layer]:
        seen |= closure(lower)
    return seen


class SourceFile:
    """One file of the project: where it stands decides what it may include."""

    def __init__(self, root, path):
        self.path = path
        self.relative = path.relative_to(root)
        parts = self.relative.parts
        self.public = parts[:2] == ("include", "glissade")
        self.library = self.public or parts[0] == "src"
        inside = parts[2:] if self.public else parts[1:]
        self.area = None if self.library else parts[0]
        self.layer = inside[0] if len(inside) > 1 else None
        self.name = inside[-1]


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []

    def run(self):
        for folder in LIBRARY_ROOTS + OTHER_ROOTS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in SUFFIXES:
                    self.check_file(SourceFile(self.root, path))
        return self.problems

    def check_file(self, file):
        if file.library and file.layer is not None and file.layer not in LAYERS:
            self.problems.append(f"{file.relative}:1: '{file.layer}' is not a layer")
            return
        for number, line in enumerate(file.path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            reason = self.reason_against(file, quoted=match[1] == '"', target=match[2])
            if reason:
                self.problems.append(f"{file.relative}:{number}: {match[2]}: {reason}")

    def reason_against(self, file, quoted, target):
        """Why `file` may not include `target`, or None."""
        if target.startswith("glissade/"):
            return self.against_public(file, target.split("/")[1:])
        if quoted:
            return self.against_private(file, target)
        return self.against_foreign(file, target)

    def against_public(self, file, inside):
        if len(inside) == 1:
            if inside[0] == UMBRELLA:
                return "the umbrella header is for users of the library" if file.library else None
            return None if inside[0] in FREE_HEADERS else "no such header"
        return self.against_layer(file, inside[0])

    def against_private(self, file, target):
        folder = target.split("/")[0]
        if folder in SEES:
            return None if file.area in SEES[folder] else f"only {', '.join(SEES[folder])} may use {folder}/"
        own = (file.path.parent / target).resolve()
        private = own if own.exists() else (self.root / "src" / target).resolve()
        try:
            inside = private.relative_to(self.root / "src").parts
        except ValueError:
            # A header beside the file, in include/ or in tests/, not a private one.
            if file.library:
                return "public headers are included by their full name, glissade/<layer>/<header>"
            return None
        if file.public:
            return "a public header must not include a private one"
        if file.area and file.area not in SEES_PRIVATE:
            return f"{file.area}/ uses public headers only"
        if not private.exists():
            # Outside the library the compiler finds it elsewhere, or complains better than we could.
            return "no such header" if file.library else None
        return self.against_layer(file, inside[0]) if len(inside) > 1 else None

    def against_layer(self, file, layer):
        if layer not in LAYERS:
            return f"'{layer}' is not a layer"
        if file.layer in LAYERS and (file.library or file.area == "tests") and layer not in closure(file.layer):
            allowed = ", ".join(sorted(closure(file.layer) - {file.layer})) or "no other layer"
            return f"{file.layer} must not use {layer} (it may use {allowed})"
        return None

    def against_foreign(self, file, target):
        if not file.library:
            return None
        if target == "atomic" and file.layer != "link":
            return "only link/ uses atomics"
        if target in FORBIDDEN:
            return FORBIDDEN[target]
        if "/" not in target:
            return None
        head = target.split("/")[0]
        if head not in THIRD_PARTY:
            return f"'{head}' is not a dependency of the library"
        name, allowed = THIRD_PARTY[head]
        return None if allowed(file) else f"{name} has no place here"


# Each: file, its include, and a part of the expected reason (None: allowed).
SELF_TEST = [
    ("include/glissade/stage/stage.h", '"glissade/time/tick.h"', None),
    ("include/glissade/stage/ok.h", '"glissade/base/id.h"', None),
    ("include/glissade/stage/glm.h", "<glm/vec3.hpp>", None),
    ("include/glissade/stage/version.h", '"glissade/version.h"', None),
    ("include/glissade/glissade.h", '"glissade/rig/camera.h"', None),
    ("src/stage/columns.h", "<vector>", None),
    ("src/stage/stage.cpp", '"stage/columns.h"', None),
    ("src/stage/beside.cpp", '"columns.h"', None),
    ("src/stage/kernel.cpp", "<hwy/highway.h>", None),
    ("tests/stage/stage_test.cpp", '"stage/columns.h"', None),
    ("tests/whole/whole_test.cpp", '"glissade/rig/camera.h"', None),
    ("examples/ok.cpp", "<glissade/glissade.h>", None),
    ("app/main.cpp", '"lab/replay.h"', None),
    ("demos/physics/judge.cpp", '"lab/replay.h"', None),
    ("src/trace/lab.cpp", '"lab/replay.h"', "may use lab/"),
    ("lab/up.cpp", '"app/console.h"', "may use app/"),
    ("include/glissade/time/up.h", '"glissade/stage/stage.h"', "time must not use stage"),
    ("include/glissade/pose/side.h", '"glissade/time/tick.h"', "pose must not use time"),
    ("include/glissade/pose/angle.h", "<glissade/rig/camera.h>", "pose must not use rig"),
    ("src/time/up.cpp", '"stage/columns.h"', "time must not use stage"),
    ("src/time/climb.cpp", '"../stage/columns.h"', "time must not use stage"),
    ("src/time/missing.cpp", '"time/missing.h"', "no such header"),
    ("include/glissade/stage/private.h", '"stage/columns.h"', "must not include a private one"),
    ("include/glissade/stage/short.h", '"stage.h"', "by their full name"),
    ("include/glissade/stage/all.h", '"glissade/glissade.h"', "umbrella"),
    ("include/glissade/misc/misc.h", "<vector>", "not a layer"),
    ("include/glissade/stage/hwy.h", "<hwy/highway.h>", "Highway has no place here"),
    ("include/glissade/time/clock.h", "<chrono>", "no clock"),
    ("src/stage/shared.cpp", "<atomic>", "only link/"),
    ("src/stage/sdl.cpp", "<SDL2/SDL.h>", "not a dependency"),
    ("examples/private.cpp", '"stage/columns.h"', "public headers only"),
    ("demos/physics/private.cpp", '"stage/columns.h"', "public headers only"),
    ("tests/time/up_test.cpp", '"glissade/stage/stage.h"', "time must not use stage"),
]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, include, _ in SELF_TEST:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"#include {include}\n", encoding="utf-8")
        problems = Checker(root).run()

    wrong = []
    for name, include, expected in SELF_TEST:
        found = [problem for problem in problems if problem.startswith(f"{name}:1: ")]
        if expected is None and found:
            wrong.append(f"allowed, but refused: {found[0]}")
        if expected is not None and not (found and expected in found[0]):
            wrong.append(f"{name} with {include}: expected '{expected}', found {found or 'nothing'}")
    print("\n".join(wrong) if wrong else f"{len(SELF_TEST)} cases as expected")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    problems = Checker(arguments.root.resolve()).run()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
