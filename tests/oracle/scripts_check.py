#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole scripts (`weft generate --style script`) run on warp-lang's CPU device: their kernels
compile, and what they compute is what the scripts expect, gradients included. Scripts in which one
sum became a difference, or the other way round, have to fail by their own check.

usage: scripts_check.py WEFT [--count N] [--seed S] [--least SHARE]

LEAST: of the changed scripts, those that have to fail. The seed is printed; WEFT_ORACLE_SEED sets it.
"""

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile

import oracle_env

PROCESSES = 2
ALONE = 2  # so many run as a person would run them: python script.py


def generate(weft, count, seed):
    command = [weft, "generate", "--kind", "purpose", "--style", "script", "--count", str(count), "--seed", str(seed)]
    done = subprocess.run([*command, "--quiet", "--output", "-"], capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode()[-500:]}")
    return [json.loads(line)["python_source"] for line in done.stdout.splitlines()]


def names(node):
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def indexes(function):
    """Names whose values become an index: a change there would write anywhere."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript):
            found |= names(node.slice)
    known = None
    while known != found:
        known = set(found)
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.For)) else []
            if any(names(target) & found for target in targets):
                found |= names(node.iter if isinstance(node, ast.For) else node.value)
    return found


class Sums(ast.NodeVisitor):
    """Sums and differences in kernels and their functions that lead to no index, and are no part of a range or a test."""

    def __init__(self):
        self.found, self.indexes = [], set()

    def visit_FunctionDef(self, node):
        if node.name != "main":
            self.indexes = indexes(node)
            self.generic_visit(node)

    def visit_Assign(self, node):
        if not any(isinstance(target, ast.Name) and target.id in self.indexes for target in node.targets):
            self.visit(node.value)

    def visit_AugAssign(self, node):
        if not (isinstance(node.target, ast.Name) and node.target.id in self.indexes):
            self.visit(node.value)

    def visit_Subscript(self, node):
        self.visit(node.value)

    def visit_Call(self, node):
        name = ast.unparse(node.func)
        if name not in ("range", "wp.tid", "wp.rand_init", "wp.clamp"):
            self.generic_visit(node)

    def visit_If(self, node):
        for inner in node.body + node.orelse:
            self.visit(inner)

    def visit_While(self, node):
        for inner in node.body:
            self.visit(inner)

    def visit_BinOp(self, node):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            self.found.append(node)
        self.generic_visit(node)


def change(source, draw):
    """The source with one operator changed; None: there is none to change."""
    sums = Sums()
    sums.visit(ast.parse(source))
    places = []
    lines = source.splitlines()
    for node in sums.found:
        left, right = node.left, node.right
        if left.end_lineno != right.lineno:
            continue
        between = lines[left.end_lineno - 1][left.end_col_offset : right.col_offset]
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        if between.count(sign) == 1:
            places.append((left.end_lineno - 1, left.end_col_offset + between.index(sign), "-" if sign == "+" else "+"))
    if not places:
        return None
    line, column, sign = draw.choice(places)
    lines[line] = lines[line][:column] + sign + lines[line][column + 1 :]
    return "\n".join(lines) + "\n"


def run(python, cache, paths):
    """{path: error or None}, by several processes with one cache each."""
    program = os.path.join(oracle_env.HERE, "run_scripts.py")
    parts = [paths[i::PROCESSES] for i in range(PROCESSES)]
    running = [
        subprocess.Popen([python, program, f"{cache}{i}", *part], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for i, part in enumerate(parts)
        if part
    ]
    found = {}
    for process in running:
        out, errors = process.communicate(timeout=1500)
        if process.returncode:
            sys.exit(f"run_scripts.py: exit status {process.returncode}\n{errors.decode(errors='replace')[-2000:]}")
        for line in out.decode(errors="replace").splitlines():
            if line.startswith("{"):  # warp-lang may greet before
                result = json.loads(line)
                found[result["path"]] = result["error"]
    return found


def run_alone(python, cache, path):
    env = {**os.environ, "WARP_CACHE_PATH": cache}
    done = subprocess.run([python, path], capture_output=True, text=True, env=env, cwd=os.path.dirname(path), timeout=300)
    if done.returncode or not done.stdout.strip():
        return f"exit status {done.returncode}: {done.stderr[-600:]}"
    return None


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "5")))
    parser.add_argument("--least", type=float, default=0.8)
    options = parser.parse_args()
    python = oracle_env.oracle_python()
    draw = random.Random(options.seed)
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        sources = generate(options.weft, options.count, options.seed)
        paths = [write(folder, f"script_{i}.py", source) for i, source in enumerate(sources)]
        changed = [(i, change(source, draw)) for i, source in enumerate(sources)]
        wrong = [write(folder, f"changed_{i}.py", source) for i, source in changed if source]
        found = run(python, cache, paths + wrong)
        found.update({path: run_alone(python, cache, path) for path in paths[:ALONE] if not found[path]})
        failed = [path for path in paths if found[path]]
        for path in failed:
            print(f"{os.path.basename(path)}: {found[path]}\n{open(path, encoding='utf-8').read()}")
        passed = [path for path in wrong if not found[path]]
        broken = [path for path in wrong if found[path] and not found[path].startswith("AssertionError")]
        for path in broken:
            print(f"{os.path.basename(path)}: {found[path]}")
    tapes = sum("wp.Tape()" in source for source in sources)
    print(f"{len(paths) - len(failed)} of {len(paths)} scripts run, {tapes} of them with a tape")
    print(f"{len(wrong) - len(passed)} of {len(wrong)} changed scripts fail: {len(broken)} of them not by their check")
    print("changed and not seen:", *(os.path.basename(path) for path in passed))
    good = not failed and len(broken) <= len(wrong) // 10
    return 0 if good and len(wrong) - len(passed) >= options.least * len(wrong) and 4 * tapes > len(paths) else 1


sys.exit(main())
