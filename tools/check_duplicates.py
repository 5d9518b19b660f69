#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where 8 or more lines of code stand twice in the project.

Lines are compared without spaces and comments; blank lines, lone brackets, includes and imports
do not count, and a run has to hold at least 5 different lines. Rows of .def tables are data and
are left out. tools/duplicates_allowed.txt may name pairs of files with the reason.
"""

import collections
import re
import sys

from project_files import finish, project_files, read_text

WINDOW = 8
DISTINCT = 5
NOISE = re.compile(r"^[\s{}()\[\];,]*$|^\s*#\s*include|^\s*(import|from) |^\s*(else|do|default:|break;)\W*$")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def code_lines(path):
    """[(line number, normalised text)] of the lines that count."""
    text = read_text(path)
    if path.endswith(".py"):
        text = re.sub(r"(?m)(^|\s)#.*$", "", text)
    else:
        text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = enumerate(text.split("\n"), 1)
    return [(number, "".join(line.split())) for number, line in lines if not NOISE.match(line)]


def windows(path):
    """(text of a window, line of its start, line of its end)."""
    lines = code_lines(path)
    for start in range(len(lines) - WINDOW + 1):
        chunk = lines[start:start + WINDOW]
        if len({text for _, text in chunk}) >= DISTINCT:
            yield "\n".join(text for _, text in chunk), chunk[0][0], chunk[-1][0]


def allowed_pairs():
    rows = read_text("tools/duplicates_allowed.txt").splitlines()
    return {tuple(sorted(row.split()[:2])) for row in rows if row and not row.startswith("#")}


def repeated_runs(paths):
    """Merges neighbouring repeated windows: [(path, first, last, other path, other first)]."""
    places = collections.defaultdict(list)
    for path in paths:
        for text, first, last in windows(path):
            places[text].append((path, first, last))
    runs = []
    for (path, first, last), (other, other_first, _) in sorted(
        (found[0], again) for found in places.values() for again in found[1:]
    ):
        if runs and runs[-1][0] == path and runs[-1][3] == other and first <= runs[-1][2]:
            runs[-1][2] = last
        else:
            runs.append([path, first, last, other, other_first])
    return runs


def main():
    allowed = allowed_pairs()
    problems = [
        f"{path}:{first}-{last} stands also in {other}:{other_first}"
        for path, first, last, other, other_first in repeated_runs(project_files(".c", ".h", ".py"))
        if tuple(sorted((path, other))) not in allowed
    ]
    return finish("check_duplicates", problems)


if __name__ == "__main__":
    sys.exit(main())
