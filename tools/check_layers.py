#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include in src/ that goes up or sideways in the layer list (tools/layers.txt).

A file may include headers of its own folder, of folders on lower levels, and those of include/. Headers may not
include each other in a circle. The list names the folders that exist, all of them and no others.

A module is NAME.c, NAME.h and NAME.def of one folder. Modules that include each other (a.c includes b.h, b.c
includes a.h) are a cycle; the list says how large one may be, and which folders have none of their own modules.
A room of tools/layers_only.txt includes the rooms named there alone. Only src/base calls malloc and its like.
"""

import collections
import os
import re
import sys

from project_files import ROOT, finish, project_files, read_text

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

PUBLIC = ("weft.h", "weft_collect.h", "weft_program.h", "weft_sets.h")
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
HEAP_CALL = re.compile(r"(?<![.>\w])(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup|strndup|free)\s*\(")


class Layers:
    """What tools/layers.txt says."""

    def __init__(self, text):
        self.levels = {}  # folder -> level; a higher number lies lower
        self.acyclic, self.largest = set(), 0
        for number, line in enumerate(text.splitlines()):
            name, colon, rest = line.partition(":")
            if colon and name == "acyclic":
                self.acyclic |= set(rest.split())
            elif colon and name == "largest cycle":
                self.largest = int(rest)
            elif line and line[0] != "#":
                self.levels.update(dict.fromkeys(line.split(), number))

    def problems(self, folders):
        """Names of folders that do not exist, and folders without a name."""
        yield from (f"tools/layers.txt: there is no folder src/{name}" for name in sorted({*self.levels, *self.acyclic} - folders))
        yield from (f"src/{name} is not in tools/layers.txt" for name in sorted(folders - self.levels.keys()))


def include_problem(path, target, levels):
    """What is wrong with this include, or None."""
    folder, other = path.split("/")[1], target.split("/")[0]
    if target in PUBLIC:
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
        and target not in PUBLIC
        and target.split("/")[0] not in [path.split("/")[0], *rules[path.split("/")[0]]]
    }
    yield from (f'{path}: "{target}" is not for its room (tools/layers_only.txt)' for path, target in sorted(broken - allowed))
    yield from (f"tools/layers_only.txt: {path} does not include {target}" for path, target in sorted(allowed - broken))


def heap_problems(path, text):
    """Calls of the C library's allocator in a file below src/ that is not base's."""
    if path.startswith("base/"):
        return
    bare = COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in HEAP_CALL.finditer(bare):
        line = bare.count("\n", 0, found.start()) + 1
        yield f"src/{path}:{line}: {found[1]} is for src/base alone: base/mem.h and base/arena.h have memory"


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


def module_of(path):
    """folder/NAME of a path below src/."""
    return os.path.splitext(path)[0]


def module_graph(texts):
    """{module: modules that it includes}; {path below src/: text} is given."""
    graph = {module_of(path): set() for path in texts}
    for path, text in texts.items():
        targets = {module_of(target) for target in INCLUDE.findall(text) if target in texts}
        graph[module_of(path)] |= targets - {module_of(path)}
    return graph


def cycles(graph):
    """The strongly connected sets of two or more nodes, largest first, each sorted (Tarjan, without recursion)."""
    index, low, on_path, path, found = {}, {}, set(), [], []
    for root in sorted(graph):
        work = [(root, iter(sorted(graph[root])))] if root not in index else []
        while work:
            node, targets = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                path.append(node)
                on_path.add(node)
            for target in targets:
                if target not in index:
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_path:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = path.index(node)
                    if len(path) - at > 1:
                        found.append(sorted(path[at:]))
                    on_path -= set(path[at:])
                    del path[at:]
    return sorted(found, key=lambda members: (-len(members), members))


def folder_cycles(graph):
    """{folder: cycles of its own modules}; what goes through other folders is not seen."""
    folders = collections.defaultdict(set)
    for module in graph:
        folders[os.path.dirname(module)].add(module)
    return {folder: cycles({m: graph[m] & members for m in members}) for folder, members in sorted(folders.items())}


def cycle_problems(graph, limits):
    """Cycles that are larger than the limit for all rooms, and those in rooms that must have none."""
    for members in cycles(graph):
        if len(members) > limits.largest:
            yield f"{len(members)} modules include each other, the limit is {limits.largest}: {', '.join(members)}"
    for folder, found in folder_cycles(graph).items():
        if folder in limits.acyclic:
            yield from (f"src/{folder} must have no cycle of includes: {', '.join(members)}" for members in found)


def main():
    layers, problems = Layers(read_text("tools/layers.txt")), []
    paths = [path for path in project_files(".c", ".h", ".def") if path.startswith("src/")]
    problems += layers.problems({path.split("/")[1] for path in paths})
    texts = {path[len("src/"):]: read_text(path) for path in paths if path.split("/")[1] in layers.levels}
    includes = {path: INCLUDE.findall(text) for path, text in texts.items()}
    for path, targets in includes.items():
        problems += filter(None, (include_problem(f"src/{path}", target, layers.levels) for target in targets))
    for path, text in texts.items():
        problems += heap_problems(path, text)
    problems += only_problems(includes, *read_only())
    problems += circles({path: targets for path, targets in includes.items() if path.endswith(".h")})
    problems += cycle_problems(module_graph(texts), layers)
    return finish("check_layers", problems)


if __name__ == "__main__":
    sys.exit(main())
