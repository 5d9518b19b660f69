#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that a project's own code decides: types of generic ones, decorators, enums in closures.

usage: found_check.py WEFT
"""

import os
import sys
import unittest

import collect_check
from collect_check import Collected, records, weft, write

OPEN_TYPES = """import warp as wp
from typing import Any


@wp.struct
class Writer:
    scale: float
    place: int


@wp.kernel
def writes(w: Any, out: wp.array(dtype=Any)):
    out[w.place] = w.scale


@wp.kernel
def mixes(v: wp.array(dtype=Any), m: wp.array(dtype=Any), r: wp.array(dtype=Any)):
    i = wp.tid()
    d = wp.determinant(r[i])
    s = wp.sin(m[i])
    c = wp.cross(v[i], v[i + 1])
    v[i] = r[i] * c * s * d
"""


DIMENSIONS = """import warp as wp
from typing import Any


@wp.struct
class Points1:
    places: wp.array(dtype=wp.types.vector(length=1, dtype=float))
    masses: wp.array(dtype=float)


@wp.struct
class Points2:
    places: wp.array(dtype=wp.vec2)
    masses: wp.array(dtype=float)


@wp.struct
class Weights1:
    w: wp.array(dtype=float)


@wp.struct
class Weights2:
    w: wp.array(dtype=wp.vec2)


@wp.func
def weight(w: Weights1, i: int):
    return w.w[i]


@wp.func
def weight(w: Weights2, i: int):
    return w.w[i]


@wp.func
def moment(p: Any, w: Any, i: int, out: Any):
    return wp.cw_mul(p.places[i], weight(w, i)) * p.masses[i] + wp.vec2(out[0], 0.0)


@wp.kernel
def moments(p: Any, w: Any, out: wp.array(dtype=Any)):
    i = wp.tid()
    out[i] = moment(p, w, i, out[i])
"""


DECORATORS = """import warp as wp


def kernel(of=None, **options):
    options.setdefault("enable_backward", False)

    def decorate(f):
        return wp.kernel(**options)(f)

    return decorate if of is None else decorate(of)


@kernel
def own(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] * 3.0 - 1.0
"""


DECORATED = """import warp as wp

import decorators as tools


@tools.kernel
def bare(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] * b[i]


@tools.kernel(module="unique")
def with_options(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] - b[i] / 2.0
"""


ENUMS = """from enum import Enum, IntEnum

import warp as wp


class Mode(IntEnum):
    SLOW = 1
    FAST = 2


class Kind(Enum):
    X = "x"
    Y = "y"


def make(mode):
    @wp.kernel
    def by_mode(a: wp.array(dtype=int)):
        if wp.static(mode is Mode.SLOW):
            a[0] = 1
        else:
            a[0] = wp.static(mode.value) * a[1]

    return by_mode


def make_kind(kind):
    @wp.kernel
    def by_kind(a: wp.array(dtype=int)):
        if wp.static(kind is Kind.X):
            a[0] = 1
        elif wp.static(kind == Kind.Y):
            a[0] = a[1]

    return by_kind


fast = make(Mode.FAST)
second = make_kind(Kind.Y)
"""


METHODS = """from __future__ import annotations

from enum import IntEnum

import warp as wp


class Axis(IntEnum):
    X = 0
    Y = 1

    @classmethod
    def of(cls, value: AxisLike) -> Axis:
        return cls(value)

    def turned(self, by: AxisLike = 1) -> Axis:
        return Axis(int(self) + by)


AxisLike = Axis | int


@wp.kernel
def along(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = a[i][wp.static(int(Axis.Y))]
"""


EAGER = """import warp as wp


def make_sum(dtype):
    @wp.func
    def total(a: wp.array(dtype=dtype), n: int):
        return a[0] * float(n)

    return total


total = make_sum(wp.float32)
"""


LATE = """from __future__ import annotations

import warp as wp

from eager import total


@wp.kernel
def sums(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int):
    i = wp.tid()
    b[i] = total(a, n)
"""


NO_NUMBERS = """import os
import typing

import warp as wp


def chosen(text):
    return typing.Any if text is None else int(text)


SIZE = chosen(os.getenv("WEFT_TEST_SIZE"))


@wp.kernel
def of_any_size(v: wp.array(dtype=wp.types.vector(length=SIZE, dtype=wp.float32))):
    i = wp.tid()
    v[i] = v[i] * 2.0


def make(least, pairs):
    @wp.kernel
    def limit(a: wp.array(dtype=float)):
        i = wp.tid()
        for k in range(wp.static(len(pairs))):
            a[i] += wp.static(pairs[k][0])
        if wp.static(least is not None):
            a[i] = wp.max(a[i], wp.static(least))

    return limit


limit = make(None, [(1.0, 2.0), (3.0, 4.0)])
"""


OVERLOADS = """import warp as wp
from typing import Any


@wp.kernel
def scale(a: wp.array(dtype=Any), s: Any):
    i = wp.tid()
    a[i] = a[i] * type(a[i])(s)


wp.overload(scale, [wp.array(dtype=float), float])
wp.overload(scale, {"a": wp.array(dtype=wp.float64), "s": wp.float64})
wp.overload(scale, {"a": wp.array(dtype=wp.float64), "s": wp.int32})


@wp.kernel
def scaled(a: wp.array(dtype=Any), s: Any):
    i = wp.tid()
    a[i] = a[i] * s


@wp.overload
def scaled(a: wp.array(dtype=wp.vec3), s: float): ...
"""


class Found(Collected):
    def test_each_overload_is_a_record(self):
        """Those of one kernel differ by their types alone; types that two ways of writing give count once."""
        write(f"{self.project}/overloads.py", OVERLOADS)
        out, _ = self.collect(f"{self.project}/overloads.py")
        made = [r["metadata"] for r in records(out)]
        self.assertEqual([m["provenance"]["instance"] for m in made],
                         [f"a: array(ndim=1, dtype={a}), s: {s}"
                          for a, s in (("float32", "float32"), ("float64", "float64"), ("float64", "int32"), ("vec3f", "float32"))])
        self.assertEqual(len({m["structure"] for m in made}), 4)
        self.assertEqual(len({m["family"] for m in made}), 2)

    def test_types_that_no_launch_tells(self):
        """Structs of the file are tried, too, and one parameter after another from what has the fewest errors."""
        write(f"{self.project}/open.py", OPEN_TYPES)
        out, _ = self.collect(f"{self.project}/open.py")
        made = {r["metadata"]["kernel_name"]: r["metadata"]["provenance"]["instance"] for r in records(out)}
        self.assertEqual(made, {
            "writes": "w: Writer, out: array(ndim=1, dtype=float32)",
            "mixes": "v: array(ndim=1, dtype=vec3f), m: array(ndim=1, dtype=float32), r: array(ndim=1, dtype=mat33f)"})

    def test_structs_that_belong_together(self):
        """Those that have what is read of a parameter, also in functions that take it, change place together."""
        write(f"{self.project}/dimensions.py", DIMENSIONS)
        out, _ = self.collect(f"{self.project}/dimensions.py")
        (record,) = records(out)
        self.assertEqual(record["metadata"]["provenance"]["instance"],
                         "p: Points2, w: Weights2, out: array(ndim=1, dtype=vec2f)")

    def test_decorators_of_the_project(self):
        """A kernel's decorator may be a function of the project that calls wp.kernel, also one of another file."""
        write(f"{self.project}/decorators.py", DECORATORS)
        write(f"{self.project}/decorated.py", DECORATED)
        out, _ = self.collect(self.project)
        weft("validate", out)
        made = [r["metadata"]["kernel_name"] for r in records(out)]
        for name in ("own", "bare", "with_options"):
            self.assertIn(name, made)

    def test_members_of_enums_in_closures(self):
        """They are named by their class, which comes along."""
        write(f"{self.project}/enums.py", ENUMS)
        out, _ = self.collect(f"{self.project}/enums.py")
        weft("validate", out)
        sources = "".join(r["python_source"] for r in records(out))
        for line in ("    mode = Mode.FAST\n", "    kind = Kind.Y\n", "class Mode(IntEnum):\n", "class Kind(Enum):\n"):
            self.assertIn(line, sources)
        self.assertEqual(len(records(out)), 2)

    def test_values_that_are_no_numbers(self):
        """None and lists mean the same wherever they are met; typing.Any has an import of its own."""
        write(f"{self.project}/no_numbers.py", NO_NUMBERS)
        out, _ = self.collect(f"{self.project}/no_numbers.py")
        weft("validate", out)
        sources = {r["metadata"]["kernel_name"]: r["python_source"] for r in records(out)}
        self.assertEqual(len(sources), 2)
        for name, line in (("of_any_size", "from typing import Any\n"), ("of_any_size", "\nSIZE = Any\n"),
                           ("make__locals__limit", "    least = None\n")):
            self.assertIn(line, sources[name])

    def test_annotations_of_methods(self):
        """They may name what stands behind the class and uses it, and are not evaluated."""
        write(f"{self.project}/methods.py", METHODS)
        out, _ = self.collect(f"{self.project}/methods.py")
        weft("validate", out)
        (record,) = records(out)
        self.assertIn("class Axis(IntEnum):\n", record["python_source"])
        self.assertNotIn("\nAxisLike = ", record["python_source"])

    def test_late_annotations_beside_others(self):
        """Names of a function, which its file's annotations use, are unknown to late annotations."""
        write(f"{self.project}/eager.py", EAGER)
        write(f"{self.project}/late.py", LATE)
        out, _ = self.collect(f"{self.project}/late.py", "-I", self.project)
        weft("validate", out)
        (record,) = records(out)
        self.assertIn("dtype = wp.float32\n", record["python_source"])
        self.assertNotIn("__future__", record["python_source"])


if __name__ == "__main__":
    collect_check.WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
