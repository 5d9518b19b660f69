#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on mistakes in the files of assets/, which the program carries and writes out.

cuda_on_cpu.h compiles as C++17 without a warning (its format is check_format's). report.js is
parsed by node. report.css has balanced braces, declarations only, and no variable that is not
defined or not used; css-tree, where node finds it, also knows properties and their values. What
this machine lacks a tool for is left out and named.
"""

import os
import re
import shutil
import subprocess
import sys

from project_files import ROOT, finish, read_text

COMPILERS = ("g++", "clang++")
WARNINGS = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")
NODE_PATH = "/usr/share/nodejs:/usr/lib/nodejs"  # Debian's, which only Debian's node searches
CSS_TREE = """
const tree = require('css-tree'), text = require('fs').readFileSync(0, 'utf8');
const say = (node, what) => console.log(node.loc.start.line + ': ' + what.split('\\n')[0]);
const ast = tree.parse(text, { positions: true, onParseError: e => console.log(e.line + ': ' + e.message) });
tree.walk(ast, node => {
  if (node.type !== 'Declaration' || node.property.startsWith('--')) return;
  const error = tree.lexer.matchDeclaration(node).error;
  if (error && !/var\\(\\) is not supported/.test(error.message)) say(node, node.property + ': ' + error.message);
});
"""


def output_of(command, **options):
    """(status, what it printed)."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    return done.returncode, done.stdout.strip()


def shim_problems(path, compilers):
    for compiler in compilers:
        # -include: a header that is the main file would be warned about
        status, said = output_of([compiler, *WARNINGS, "-x", "c++", "-include", path, os.devnull])
        if status:
            yield f"{path}: {compiler}: {said}"


def script_problems(path, node):
    status, said = output_of([node, "--check", path])
    if status:
        yield f"{path}: {said}"


def blocks_of(text):
    """(line, body) of each innermost {...}; raises ValueError where a brace has no partner."""
    plain = re.sub(r'/\*.*?\*/|"(\\.|[^"\\\n])*"', lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    open_at = []
    for at, char in enumerate(plain):
        if char == "{":
            open_at.append((at + 1, plain.count("{", 0, at)))
        elif char == "}":
            if not open_at:
                raise ValueError(f"{text.count(chr(10), 0, at) + 1}: '}}' closes nothing")
            start, before = open_at.pop()
            if plain.count("{", 0, at) == before + 1:
                yield text.count("\n", 0, start) + 1, plain[start:at]
    if open_at:
        raise ValueError(f"{text.count(chr(10), 0, open_at[-1][0]) + 1}: '{{' is not closed")


def style_problems(path, text):
    try:
        for line, body in blocks_of(text):
            for part in body.split(";"):
                if part.strip() and not re.fullmatch(r"\s*-?-?[a-z][a-z-]*\s*:[^:{}]+", part):
                    yield f"{path}:{line}: {' '.join(part.split())!r} is no declaration"
    except ValueError as problem:
        yield f"{path}:{problem}"
    defined, used = set(re.findall(r"(--[\w-]+)\s*:", text)), set(re.findall(r"var\((--[\w-]+)", text))
    yield from (f"{path}: {name} is used and not defined" for name in sorted(used - defined))
    yield from (f"{path}: {name} is defined and not used" for name in sorted(defined - used))


def css_tree_problems(path, text, node):
    environment = dict(os.environ, NODE_PATH=os.environ.get("NODE_PATH", NODE_PATH))
    if output_of([node, "-e", "require('css-tree')"], env=environment)[0]:
        print("css-tree is not installed: properties and values of CSS are not checked")
        return
    _, said = output_of([node, "-e", CSS_TREE], env=environment, input=text)
    yield from (f"{path}:{line}" for line in said.splitlines())


def main():
    shim, script, style = (os.path.join(ROOT, "assets", name) for name in ("cuda_on_cpu.h", "report.js", "report.css"))
    compilers, node = [found for found in map(shutil.which, COMPILERS) if found], shutil.which("node")
    text = read_text(style)
    problems = [*shim_problems(shim, compilers), *style_problems(style, text)]
    if not compilers:
        print("there is no C++ compiler: cuda_on_cpu.h is not compiled")
    if node:
        problems += [*script_problems(script, node), *css_tree_problems(style, text, node)]
    else:
        print("there is no node: report.js is not parsed")
    return finish("check_assets", [problem.replace(ROOT + os.sep, "") for problem in problems])


if __name__ == "__main__":
    sys.exit(main())
