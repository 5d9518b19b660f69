#!/usr/bin/env python3
"""Fails on an include in src/ that goes up or sideways in the layer list (tools/layers.txt).

A file may include headers of its own folder, of folders on lower levels, and weft.h. Headers of
one folder may not include each other in a circle. A folder that the list does not name fails.
A room of tools/layers_only.txt includes the rooms named there alone.
"""

import os
import re
import sys

from project_files import ROOT, finish, project_files, read_text

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_levels():
    """{folder: level}; a higher number lies lower."""
    levels = {}
    lines = read_text("tools/layers.txt").splitlines()
    for number, line in enumerate(line for line in lines if line and line[0] != "#"):
        for folder in line.split():
            levels[folder] = number
    return levels


def include_problem(path, target, levels):
    """What is wrong with this include, or None."""
    folder, other = path.split("/")[1], target.split("/")[0]
    if target == "weft.h":
        return None
    if "/" not in target or not os.path.exists(os.path.join(ROOT, "src", target)):
        return f'{path}: "{target}" is no path from src/'
    if other not in levels:
        return f"{path}: folder {other} is not in tools/layers.txt"
    if other != folder and levels[other] <= levels[folder]:
        way = "sideways" if levels[other] == levels[folder] else "up"
        return f'{path}: the include of "{target}" goes {way}'
    return None


def read_only():
    """({room: rooms that it may include}, {(file, header) that may break this})."""
    lines = [line.split() for line in read_text("tools/layers_only.txt").splitlines() if line and line[0] != "#"]
    rules = {words[0][:-1]: words[1:] for words in lines if words[0].endswith(":")}
    return rules, {tuple(words) for words in lines if not words[0].endswith(":")}


def only_problems(includes, rules, allowed):
    """Includes beside the rules of layers_only.txt, and rows there that allow what is not there."""
    broken = {
        (f"src/{path}", target)
        for path, targets in includes.items()
        for target in targets
        if path.split("/")[0] in rules
        and target != "weft.h"
        and target.split("/")[0] not in [path.split("/")[0], *rules[path.split("/")[0]]]
    }
    yield from (f'{path}: "{target}" is not for its room (tools/layers_only.txt)' for path, target in sorted(broken - allowed))
    yield from (f"tools/layers_only.txt: {path} does not include {target}" for path, target in sorted(allowed - broken))


def circles(includes):
    """Headers that include each other in a circle, as readable chains."""
    found, state = [], {}

    def visit(header, chain):
        state[header] = "open"
        for target in includes.get(header, []):
            if state.get(target) == "open":
                found.append("circle of includes: " + " -> ".join([*chain, header, target]))
            elif target not in state:
                visit(target, [*chain, header])
        state[header] = "done"

    for header in sorted(includes):
        if header not in state:
            visit(header, [])
    return found


def main():
    levels, problems, includes = read_levels(), [], {}
    for path in project_files(".c", ".h", ".def"):
        if not path.startswith("src/"):
            continue
        if path.split("/")[1] not in levels:
            problems.append(f"{path}: its folder is not in tools/layers.txt")
            continue
        targets = INCLUDE.findall(read_text(path))
        includes[path[len("src/"):]] = targets
        problems += filter(None, (include_problem(path, target, levels) for target in targets))
    problems += only_problems(includes, *read_only())
    problems += circles({k: v for k, v in includes.items() if k.endswith(".h")})
    return finish("check_layers", problems)


if __name__ == "__main__":
    sys.exit(main())
