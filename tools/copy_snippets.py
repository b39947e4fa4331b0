#!/usr/bin/env python3
"""Copies code from the sources into the README and the docs, so that what people read is what is compiled.

    tools/copy_snippets.py            rewrites the code blocks that are out of date
    tools/copy_snippets.py --check    changes nothing; names each block that is out of date; exit code 1 if any

A code block that belongs to a snippet follows a line such as

    <!-- snippet: examples/01_fixed_step.cpp#loop -->

and is the text between the lines `// [loop]` and `// [/loop]` of that file, moved to the left margin. Without `#name`
it is the whole file after its first comment.
"""

import argparse
import re
import sys
import textwrap
from pathlib import Path

MARKER = re.compile(r"^<!-- snippet: (?P<file>[^#\s]+)(#(?P<region>\w+))? -->$")
REGION_LINE = re.compile(r"^\s*// \[/?\w+\]$")


class SnippetError(Exception):
    pass


def without_first_comment(lines):
    start = 0
    while start < len(lines) and (lines[start].startswith("//") or not lines[start].strip()):
        start += 1
    return lines[start:]


def region_of(lines, region, name):
    stripped = [line.strip() for line in lines]
    begin, end = f"// [{region}]", f"// [/{region}]"
    if stripped.count(begin) != 1 or stripped.count(end) != 1:
        raise SnippetError(f"{name} must have exactly one line '{begin}' and one '{end}'")
    return lines[stripped.index(begin) + 1 : stripped.index(end)]


def read_snippet(root, name, region):
    path = root / name
    if not path.is_file():
        raise SnippetError(f"{name} does not exist")
    lines = path.read_text(encoding="utf-8").splitlines()
    lines = region_of(lines, region, name) if region else without_first_comment(lines)
    # Markers of other regions are no part of the program.
    text = "\n".join(line for line in lines if not REGION_LINE.match(line))
    return textwrap.dedent(text).strip("\n").split("\n")


def update(root, lines):
    """The lines of a document with every snippet renewed, and the line numbers of those that changed."""
    result, changed = [], []
    index = 0
    while index < len(lines):
        result.append(lines[index])
        match = MARKER.match(lines[index])
        index += 1
        if not match:
            continue
        number = index
        if index >= len(lines) or not lines[index].startswith("```"):
            raise SnippetError(f"line {number}: a code block must follow the snippet comment at once")
        fence = index
        end = next((i for i in range(fence + 1, len(lines)) if lines[i].strip() == "```"), None)
        if end is None:
            raise SnippetError(f"line {number}: the code block has no end")
        snippet = read_snippet(root, match["file"], match["region"])
        if lines[fence + 1 : end] != snippet:
            changed.append(number)
        result += [lines[fence], *snippet, lines[end]]
        index = end + 1
    return result, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root.resolve()

    failed = False
    for document in sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md")) + [root / "web" / "README.md"]:
        name = document.relative_to(root)
        text = document.read_text(encoding="utf-8")
        try:
            lines, changed = update(root, text.split("\n"))
        except SnippetError as error:
            print(f"{name}: {error}")
            failed = True
            continue
        if not changed:
            continue
        if arguments.check:
            for number in changed:
                print(f"{name}:{number}: the snippet is out of date; run tools/copy_snippets.py")
            failed = True
        else:
            document.write_text("\n".join(lines), encoding="utf-8")
            print(f"{name}: {len(changed)} renewed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
