#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on files over 800 lines (.def tables excepted) and functions over 80 lines.

A C function that is one flat switch may be longer: the comment /* flat switch */ within it or on
the line above says so. Every file's first comment must tell its job; .c file names are unique.
"""

import ast
import os
import re
import sys

from project_files import finish, project_files, read_text

FILE_CAP = 800
FUNCTION_CAP = 80
MARK = "/* flat switch */"
HEAD = re.compile(r"^[A-Za-z_][^;]*\)\s*\{?\s*$")


def c_functions(text):
    """(name, first line, last line) of each function, by the formatter's column-0 braces."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines, 1):
        if start is None and line.endswith("{") and "(" in head_of(lines, number - 1):
            start = number
        elif line.startswith("}") and start is not None:
            name = re.search(r"(\w+)\s*\(", head_of(lines, start - 1))
            yield (name[1] if name else "?"), start, number
            start = None


def head_of(lines, index):
    """The text of a definition's head that ends on this line, when it begins at column 0."""
    first = index
    while first > 0 and lines[first][:1] in (" ", "\t", "{"):
        first -= 1
    head = " ".join(lines[first:index + 1])
    plain = not head.startswith(("#", "/", "}", "typedef", "struct {", "enum")) and "= {" not in head
    return head if plain else ""


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def has_job_comment(path, text):
    if path.endswith(".py"):
        return ast.get_docstring(ast.parse(text)) is not None or not text.strip()
    return re.sub(r"^(/\*|//) SPDX-.*\n", "", text).lstrip().startswith(("/*", "//"))


def file_problems(path):
    text = read_text(path)
    lines = text.split("\n")
    if not path.endswith(".def") and len(lines) - 1 > FILE_CAP:
        yield f"{path}: {len(lines) - 1} lines, the cap is {FILE_CAP}"
    if not has_job_comment(path, text):
        yield f"{path}: the first comment has to tell the file's job"
    functions = python_functions(text) if path.endswith(".py") else c_functions(text)
    for name, first, last in functions:
        flat = MARK in "\n".join(lines[max(first - 2, 0):last])
        if last - first + 1 > FUNCTION_CAP and not flat:
            yield f"{path}:{first}: {name} has {last - first + 1} lines, the cap is {FUNCTION_CAP}"


def name_problems(paths):
    """Source file names that occur twice in the tree."""
    seen = {}
    for path in paths:
        name = os.path.basename(path)
        if path.startswith("src/") and seen.setdefault(name, path) != path:
            yield f"{path}: {seen[name]} has the same name"


def main():
    paths = project_files()
    problems = [problem for path in paths for problem in file_problems(path)]
    return finish("check_sizes", problems + list(name_problems(paths)))


if __name__ == "__main__":
    sys.exit(main())
