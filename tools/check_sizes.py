#!/usr/bin/env python3
"""Checks the length of source files. A file over its limit says "Long because ..." in its first comment.

    tools/check_sizes.py [--root FOLDER]    prints each file that is too long; exit code 1 if any
"""

import argparse
import sys
from pathlib import Path

FOLDERS = ("include", "src", "tests", "bench", "examples", "lab", "app", "demos", "web/native")
LIMITS = {".h": 300, ".inl": 300, ".cpp": 500}
TEST_LIMIT = 600
EXCUSE = "Long because"


def first_comment(lines):
    """The // lines at the top of the file, as one text."""
    comment = []
    for line in lines:
        if not line.startswith("//"):
            break
        comment.append(line[2:].strip())
    return " ".join(comment)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent)
    root = parser.parse_args().root.resolve()

    too_long = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in LIMITS:
                continue
            limit = TEST_LIMIT if folder == "tests" else LIMITS[path.suffix]
            lines = path.read_text(encoding="utf-8").splitlines()
            if len(lines) > limit and EXCUSE not in first_comment(lines):
                print(f"{path.relative_to(root)}: {len(lines)} lines, the limit is {limit}: split it by meaning,"
                      f" or say '{EXCUSE} ...' in its first comment")
                too_long += 1
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
