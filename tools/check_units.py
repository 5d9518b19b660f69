#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the units of the library of computations agree: what is added, compared and stored.

    mass = quantity(float, "kg", "mass", ...)

Each statement of a formula or an algorithm in src/compose/library is followed with units in place of
values. Nothing is known of numbers, which may have any unit ("at least 0.01"), of units that say
"and", "or" or "as", and of builtins that are not listed here.
"""

import ast
import glob
import os
import re
import sys
from fractions import Fraction

from project_files import ROOT, finish

LIBRARY = os.path.join(ROOT, "src", "compose", "library")

# In kg, m, s, A, K; molecules have nm, ps, u, mol and e.
UNITS = {
    "N": "kg m/s^2", "J": "kg m^2/s^2", "W": "kg m^2/s^3", "Pa": "kg/(m s^2)", "Hz": "1/s", "C": "A s",
    "V": "kg m^2/(A s^3)", "T": "kg/(A s^2)", "F": "A^2 s^4/(kg m^2)", "H": "kg m^2/(A^2 s^2)",
    "kJ": "u nm^2 mol/ps^2", "nJ": "nN m", "years": "year", "rad": "1", "dB": "1",
}
BASES = ("kg", "m", "s", "A", "K", "nm", "ps", "u", "mol", "e", "nC", "nN", "l", "mV", "EUR", "year", "d")

# Of builtins: the result has the unit of the arguments, which agree; that of the last argument; none.
AS_ARGUMENTS = ("max", "min", "clamp", "abs", "length", "vec2", "vec3", "vec4", "mat22", "mat33", "transpose", "trace",
                "diag", "floor", "round", "matrix_from_cols", "matrix_from_rows", "any_of", "float", "int", "int64")  # fmt: skip
AS_LAST = ("quat_rotate", "quat_rotate_inv", "transform_vector")
PRODUCTS = ("dot", "cross", "outer", "ddot", "cw_mul")
PURE = ("exp", "log", "log10", "sin", "cos", "tan", "tanh", "cosh", "asin", "acos")
WITHOUT = ("normalize", "sign", "atan2", "smoothstep", *PURE)


def power(unit, exponent):
    return {base: n * exponent for base, n in unit.items() if n * exponent}


def product(a, b):
    """None where one of them is unknown."""
    if a is None or b is None:
        return None
    return {base: n for base in {**a, **b} if (n := a.get(base, 0) + b.get(base, 0))}


def unit_of(text):
    """{"kg": 1, "s": -2} of "kg/s^2"; None: nothing is known."""
    if re.search(r" (and|or|as) |,", text):
        return None
    unit, sign = {}, 1
    for token in re.findall(r"/|(?:sqrt)?\([^)]*\)|[A-Za-z]+(?:\^[\d.]+)?", text):
        if token == "/":
            sign = -1
            continue
        word, _, exponent = token.partition("(" if "(" in token else "^")
        if exponent.endswith(")"):
            factor = power(unit_of(exponent[:-1]), Fraction(1, 2 if word else 1))
        else:
            factor = power({word: 1} if word in BASES else unit_of(UNITS[word]), Fraction(exponent or 1))
        unit = product(unit, power(factor, sign))
        sign = 1
    return unit


def written(unit):
    return " ".join(f"{base}^{n}" if n != 1 else base for base, n in sorted(unit.items())) or "1"


def name_of(node):
    """The word of `wp.dot`, `float`, `out.mass["n"]`."""
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


class Follower:
    """Goes through a body; `units` has what is known of names, `problems` grows."""

    def __init__(self, where, units, results, returned):
        self.where, self.units, self.results, self.returned = where, units, results, returned
        self.problems = []

    def agree(self, units, node, what):
        known = [unit for unit in units if unit is not None]
        for unit in known[1:]:
            if unit != known[0]:
                self.problems.append(f"{self.where}: {written(known[0])} {what} {written(unit)}: {ast.unparse(node)}")
                break
        return known[0] if known else None

    def call(self, node):
        name, units = name_of(node.func), [self.unit(argument) for argument in node.args]
        if name in AS_ARGUMENTS:
            return self.agree(units, node, "with")
        if name in AS_LAST:
            return units[-1]
        if name in ("lerp", "where"):
            return self.agree(units[:2] if name == "lerp" else units[1:], node, "with")
        if name in PRODUCTS:
            return product(*units)
        if name == "length_sq":
            return units[0] and power(units[0], 2)
        if name == "sqrt":
            return units[0] and power(units[0], Fraction(1, 2))
        if name == "pow" and isinstance(node.args[1], ast.Constant):
            return units[0] and power(units[0], Fraction(str(node.args[1].value)))
        if name in (*PURE, "pow"):
            self.agree([{}, units[0]], node, "wanted, not")
        return {} if name in WITHOUT else self.results.get(name)

    def unit(self, node):
        if isinstance(node, ast.Name):
            return self.units.get(node.id)
        if isinstance(node, ast.Subscript):
            return self.unit(node.value)
        if isinstance(node, ast.UnaryOp):
            return self.unit(node.operand)
        if isinstance(node, ast.Attribute):
            return {} if node.attr == "pi" else None
        if isinstance(node, ast.Compare):
            self.agree([self.unit(side) for side in (node.left, *node.comparators)], node, "with")
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.unit(value)
        if isinstance(node, ast.BinOp):
            return self.operation(node)
        return self.call(node) if isinstance(node, ast.Call) else None

    def operation(self, node):
        a, b = self.unit(node.left), self.unit(node.right)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return self.agree([a, b], node, "with")
        if not isinstance(node.op, (ast.Mult, ast.Div)):
            return None
        a, b = ({} if isinstance(side, ast.Constant) else unit for side, unit in ((node.left, a), (node.right, b)))
        return product(a, b if b is None or isinstance(node.op, ast.Mult) else power(b, -1))

    def assign(self, target, value, node):
        if isinstance(target, ast.Tuple):
            for name in target.elts:
                self.units.pop(name.id, None)
        elif isinstance(target, ast.Subscript):
            self.agree([self.unit(target), value], node, "gets")
        elif value is not None:
            self.units[target.id] = value
        elif not isinstance(node.value, (ast.Constant, ast.UnaryOp)):
            self.units.pop(target.id, None)

    def statement(self, node):
        if isinstance(node, ast.Return) and node.value is not None:
            self.agree([self.returned, self.unit(node.value)], node, "wanted, not")
        elif isinstance(node, ast.Assign):
            self.assign(node.targets[0], self.unit(node.value), node)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
            sum_unit = self.agree([self.unit(node.target), self.unit(node.value)], node, "gets")
            if isinstance(node.target, ast.Name):
                self.units[node.target.id] = sum_unit
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if name_of(call.func).startswith("atomic_"):
                self.agree([self.unit(call.args[0]), self.unit(call.args[-1])], call, "gets")
        elif isinstance(node, (ast.If, ast.While)):
            self.unit(node.test)
        for part in ("body", "orelse"):
            self.body(getattr(node, part, []))

    def body(self, statements):
        for statement in statements:
            self.statement(statement)


def unit_problems(files):
    """Of {path: text}, the whole library."""
    trees = {path: ast.parse(text) for path, text in files.items()}
    nodes = [(path, node) for path, tree in trees.items() for node in tree.body]
    quantities, results = {}, {}
    for _, node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and name_of(node.value.func) == "quantity":
            quantities[node.targets[0].id] = unit_of(node.value.args[1].value)
    for _, node in nodes:
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            results[node.name] = quantities.get(name_of(node.returns))
    for path, node in nodes:
        if isinstance(node, ast.FunctionDef):
            units = {a.arg: quantities.get(name_of(a.annotation)) for a in node.args.args if a.annotation}
            follower = Follower(f"{path}:{node.lineno}: {node.name}", units, results, results.get(node.name))
            follower.body(node.body)
            yield from follower.problems


def main():
    files = {}
    for path in sorted(glob.glob(os.path.join(LIBRARY, "*.py"))):
        with open(path, encoding="utf-8") as stream:
            files[os.path.relpath(path, ROOT)] = stream.read()
    return finish("check_units", list(unit_problems(files)))


if __name__ == "__main__":
    sys.exit(main())
