#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the generator can express appears in what it makes, and nothing else does. What a syntax tree
shows is counted by CPython's, too, and has to be the same.

usage: coverage_check.py WEFT [--count N] [--seed S] [--verify] [--least PERCENT]

A small set by default, with a floor; `--count 30000 --verify --least 100` is the whole promise.
"""

import argparse
import ast
import collections
import json
import os
import subprocess
import sys
import tempfile


def generate(weft, options, folder):
    command = [weft, "generate", "--kind", "exercise", "--count", str(options.count), "--seed", str(options.seed),
               "--quiet", "--output", folder]
    if not options.verify:
        command.append("--no-verify")
    subprocess.run(command, check=True)
    with open(os.path.join(folder, "stats.json"), encoding="utf-8") as file:
        return json.load(file)


def counts(coverage):
    """{(group, name, type): samples}, from the tables by group."""
    found = {}
    for group, things in coverage.items():
        if not isinstance(things, dict):
            continue
        for name, value in things.items():
            typed = value if isinstance(value, dict) else {"": value}
            found.update({(group, name, kind): n for kind, n in typed.items()})
    return found


def records(folder):
    for name in sorted(os.listdir(os.path.join(folder, "data"))):
        with open(os.path.join(folder, "data", name), encoding="utf-8") as file:
            yield from map(json.loads, file)


STATEMENTS = {
    ast.Return: "return", ast.Break: "break", ast.Continue: "continue", ast.While: "while", ast.Pass: "pass",
    ast.Assert: "assert", ast.And: "and", ast.Or: "or", ast.Not: "not",
}  # fmt: skip


def is_elif(parent, node):
    """An If alone in the `orelse` of another, where that one begins; not an If indented below `else:`."""
    return (isinstance(parent, ast.If) and parent.orelse == [node] and isinstance(node, ast.If)
            and node.col_offset == parent.col_offset)  # fmt: skip


def range_form(call):
    if len(call.args) == 2:
        return "range with a start"
    if len(call.args) == 3:
        return "range downwards" if isinstance(call.args[2], ast.UnaryOp) else "range with a step"
    return None


class Shown(ast.NodeVisitor):
    """The names of what a function's tree shows; `depth` is that of its loops."""

    def __init__(self, function):
        self.names, self.depth, self.loops, self.ifs = set(), 0, 0, 0
        if ast.get_docstring(function, clean=False) is not None:
            self.names.add("docstring")
        for node in function.body:
            self.visit(node)

    def visit(self, node):
        self.names.add(STATEMENTS.get(type(node)))
        if isinstance(node, (ast.For, ast.While)):
            self.loops += 1
            self.depth = max(self.depth, self.loops)
            if isinstance(node, ast.For):
                self.names.add(range_form(node.iter))
            self.generic_visit(node)
            self.loops -= 1
        elif isinstance(node, ast.If):
            self.branch(node, "if")
        else:
            self.generic_visit(node)

    def branch(self, node, name):
        self.names |= {name, "if in a loop" if self.loops else None}
        self.names.add("if in an if" if self.ifs and name == "if" else None)
        self.visit(node.test)
        chained = node.orelse and is_elif(node, node.orelse[0])
        self.names.add("else" if node.orelse and not chained else None)
        self.ifs += 1
        for child in node.body + ([] if chained else node.orelse):
            self.visit(child)
        self.ifs -= 1
        if chained:
            self.branch(node.orelse[0], "elif")


def shown(source, kernel):
    names = set()
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef):
            found = Shown(function)
            names |= found.names
            if function.name == kernel and found.depth:
                names.add(f"loop depth {found.depth}")
    return names - {None}


def check_trees(folder, coverage, depths):
    """The counts of stats.json against CPython's trees, and those of the same thing against each other."""
    have = {name: n for things in coverage.values() if isinstance(things, dict)
            for name, n in things.items() if isinstance(n, int)}  # fmt: skip
    want = collections.Counter()
    for record in records(folder):
        want.update(shown(record["python_source"], record["metadata"]["kernel_name"]))
    names = {*STATEMENTS.values(), "if", "elif", "else", "docstring", "if in a loop", "if in an if", "loop depth 1",
             "loop depth 2", "loop depth 3", "range with a start", "range with a step", "range downwards"}  # fmt: skip
    assert set(want) <= names, set(want) - names
    wrong = {name: (have[name], want[name]) for name in sorted(names) if have[name] != want[name]}
    assert not wrong, f"(stats.json, CPython's trees): {wrong}"
    nesting = {str(i): have[f"loop depth {i}"] for i in (1, 2, 3) if have[f"loop depth {i}"]}
    assert nesting == {k: n for k, n in depths.items() if k != "0"}, (nesting, depths)
    assert have["if in a loop"] and have["if in an if"] and have["atomic in an if"], "nothing is nested"


def targets(folder):
    """(records asked for something, records)."""
    asked = rows = 0
    for record in records(folder):
        rows += 1
        asked += record["metadata"]["target"] != ""
    return asked, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=2000)
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--least", type=float, default=75.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as base:
        folder = os.path.join(base, "set")
        stats = generate(options.weft, options, folder)
        coverage = stats["coverage"]
        check_trees(folder, coverage, stats["loop_depth"])
        asked, rows = targets(folder)
    found = counts(coverage)
    never = [list(key) for key, n in found.items() if not n]
    assert len(found) == coverage["expressible"], (len(found), coverage["expressible"])
    assert sorted(never) == sorted(coverage["never"]), "`never` is not what the tables say"
    assert coverage["seen"] == len(found) - len(never)
    assert all(n <= rows for n in found.values())
    assert coverage["unlisted"] * 1000 <= rows, f"{coverage['unlisted']} samples have what no table names"
    assert 0.15 * rows <= asked <= 0.26 * rows, f"{asked} of {rows} samples were asked for something"
    share = 100 * coverage["seen"] / coverage["expressible"]
    print(f"{coverage['seen']} of {coverage['expressible']} productions ({share:.1f} %) in {rows} samples")
    if share < options.least:
        sys.exit(f"less than {options.least} %: {coverage['never'][:40]}")


if __name__ == "__main__":
    main()
