# SPDX-License-Identifier: Apache-2.0
"""Kernels as texts and as counts: from Warp's own Python files, and from data sets of weft."""

import ast
import builtins
import collections
import hashlib
import json
import keyword
import os
import subprocess
import textwrap

class Kernel:
    """text: the function with its decorators; group: kernels of one group stay on one side when a
    model is trained on some and tested on the rest (a file of Warp's; a kernel of ours)."""

    def __init__(self, text, node, group, alias="wp"):
        self.text, self.node, self.group, self.alias = text, node, group, alias

    def normalised(self):
        """Without comments, docstrings and layout; names numbered as they come."""
        return ast.unparse(Renamer(self.alias).visit(ast.parse(self.text))) + "\n"


class Renamer(ast.NodeTransformer):
    """Every name of the writer's becomes x0, x1, ...; module and builtin names stay."""

    def __init__(self, alias):
        self.names, self.alias = {}, alias

    def rename(self, name):
        if name in ("wp", self.alias):
            return "wp"
        if hasattr(builtins, name) or keyword.iskeyword(name):
            return name
        return self.names.setdefault(name, f"x{len(self.names)}")

    def visit_Name(self, node):
        node.id = self.rename(node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.rename(node.arg)
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node):
        node.name = self.rename(node.name)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        self.generic_visit(node)
        return node


def is_kernel(node, alias):
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Attribute) and target.attr == "kernel" and \
                isinstance(target.value, ast.Name) and target.value.id in ("wp", "warp", alias):
            return True
    return False


def kernels_of(source, group):
    """The kernels of one Python file, each as it stands there, without its indentation."""
    tree = ast.parse(source)
    alias = next((name.asname or name.name for node in ast.walk(tree)
                  if isinstance(node, ast.Import) for name in node.names if name.name == "warp"), "wp")
    lines = source.splitlines(keepends=True)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or not is_kernel(node, alias):
            continue
        first = min(decorator.lineno for decorator in node.decorator_list)
        text = textwrap.dedent("".join(lines[first - 1:node.end_lineno]))
        yield Kernel(text, ast.parse(text).body[0], group, alias)


def real_kernels(folders):
    """Of all Python files below; a kernel whose normalised text came before is left out."""
    seen = set()
    for folder in folders:
        for path in sorted(python_files(folder)):
            with open(path, encoding="utf-8") as file:
                source = file.read()
            for kernel in kernels_of(source, os.path.relpath(path, os.path.dirname(folder))):
                key = kernel.normalised()
                if key not in seen:
                    seen.add(key)
                    yield kernel


def python_files(folder):
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                yield os.path.join(base, name)


def records(path):
    """The rows of a data set: a folder with data/*.jsonl (plain, .zst or .gz), or one such file."""
    files = [path]
    if os.path.isdir(path):
        inner = os.path.join(path, "data")
        files = [os.path.join(inner, name) for name in sorted(os.listdir(inner)) if ".jsonl" in name]
    for name in files:
        tool = {".zst": ["zstd", "-dcq"], ".gz": ["gzip", "-dc"]}.get(os.path.splitext(name)[1], ["cat"])
        with subprocess.Popen(tool + [name], stdout=subprocess.PIPE) as process:
            for line in process.stdout:
                yield json.loads(line)
        if process.returncode:
            raise OSError(f"{name}: cannot be read")


def calls(kernel, prefixes):
    return any(name == "builtins" and value.startswith(prefixes) for name, value in features(kernel))


def made_kernels(path, limit):
    for number, record in enumerate(records(path)):
        if number == limit:
            return
        group = hashlib.sha256(record["python_source"].encode()).hexdigest()
        yield from kernels_of(record["python_source"], group)


# --- counts -----------------------------------------------------------------------------------


def features(kernel):
    """(distribution, value) for each thing counted in a kernel."""
    node = kernel.node
    yield "lines", str(min(kernel.text.rstrip("\n").count("\n") + 1, 100))
    yield "depth", str(depth_of(node.body))
    yield "arguments", str(len(node.args.args))
    for arg in node.args.args:
        yield "argument kinds", kind_of(arg.annotation)
        yield "spelling", spelling_of(arg.annotation)
    for body in node.body:
        for part in ast.walk(body):
            yield from statement(part)
            yield from expression(part, kernel.alias)


def depth_of(body):
    """How deep blocks stand in blocks; elif is no deeper than its if."""
    deepest = 0
    for node in body:
        inner = 0
        if isinstance(node, (ast.For, ast.While, ast.With)):
            inner = 1 + depth_of(node.body)
        elif isinstance(node, ast.If):
            rest = node.orelse
            chain = len(rest) == 1 and isinstance(rest[0], ast.If)
            inner = max(1 + depth_of(node.body), depth_of(rest) if chain else 1 + depth_of(rest))
        deepest = max(deepest, inner)
    return deepest


def kind_of(annotation):
    """Arrays as array, everything else by its last name."""
    if annotation is None:
        return "none"
    text = ast.unparse(annotation).split(".")[-1] if not isinstance(annotation, ast.Call) else "array"
    if "array" in ast.unparse(annotation):
        return "array"
    return text.split("[")[0]


def spelling_of(annotation):
    """wp.array(dtype=), wp.array2d[], float, wp.float32, ..."""
    if isinstance(annotation, ast.Call):
        keys = ", ".join(f"{key.arg}=" for key in annotation.keywords)
        return f"{ast.unparse(annotation.func)}({keys})"
    if isinstance(annotation, ast.Subscript):
        return ast.unparse(annotation.value) + "[]"
    return "none" if annotation is None else ast.unparse(annotation)


def statement(part):
    if not isinstance(part, ast.stmt) or isinstance(part, ast.FunctionDef):
        return
    name = type(part).__name__
    if isinstance(part, ast.Assign):
        name += " " + type(part.targets[0]).__name__
    elif isinstance(part, ast.AugAssign):
        name += f" {type(part.op).__name__} {type(part.target).__name__}"
    elif isinstance(part, ast.For):
        name += " " + ("range" if is_range(part.iter) else "other")
    elif isinstance(part, ast.Expr):
        name += " " + type(part.value).__name__
    yield "statements", name


def is_range(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def expression(part, alias):
    if isinstance(part, ast.Call):
        func = part.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and \
                func.value.id in ("wp", alias):
            yield "builtins", func.attr
        elif isinstance(func, ast.Name):
            yield "builtins", func.id if hasattr(builtins, func.id) else "a function"
    if isinstance(part, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        yield "operators", type(part.op).__name__
    if isinstance(part, ast.Compare):
        for op in part.ops:
            yield "operators", type(op).__name__
    if isinstance(part, (ast.Subscript, ast.IfExp, ast.Attribute)):
        yield "operators", type(part).__name__


def distributions(kernels):
    counts = collections.defaultdict(collections.Counter)
    for kernel in kernels:
        for name, value in features(kernel):
            counts[name][value] += 1
    return counts
