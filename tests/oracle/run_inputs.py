# SPDX-License-Identifier: Apache-2.0
"""Arguments of one launch, the same for warp-lang and for `weft run`, with their adjoints.

An argument is a tree: structs have fields, arrays of structs have one file for each field. Its
leaves are the arrays that both sides are compared in.
"""

import numpy as np

EDGES = [
    0.0, -0.0, 1.0, -1.5, 0.5, 1e30, -3e38, 1e-42, float("nan"), float("inf"), float("-inf"), 3.25, -2.0, 1e-3,
]


class CannotMake(Exception):
    """A parameter of a type that this test does not make."""


def lanes(wp, dtype):
    """(scalar type, trailing shape) of a number, vector or matrix type; None for others."""
    if dtype in wp._src.types.scalar_types or dtype is wp.bool:
        return dtype, ()
    if dtype in (int, float, bool):
        return {int: wp.int32, float: wp.float32, bool: wp.bool}[dtype], ()
    if hasattr(dtype, "_wp_scalar_type_") and hasattr(dtype, "_shape_"):
        return dtype._wp_scalar_type_, tuple(dtype._shape_)
    return None


class Draw:
    """Numbers for a parameter. Kinds: "plain", "edge", "small" (what generated kernels promise)."""

    def __init__(self, kind, size, seed):
        self.kind, self.size = kind, size
        self.random = np.random.default_rng(seed)

    def shape(self, path, ndim):
        return (self.size,) * ndim

    def numbers(self, path, dtype, shape):
        if dtype == np.bool_:
            return self.random.integers(0, 2, shape).astype(dtype)
        if np.issubdtype(dtype, np.floating):
            return self.floats(path, dtype, shape)
        low = -3 if self.kind == "edge" and not np.issubdtype(dtype, np.unsignedinteger) else 0
        return self.random.integers(low, max(2, min(self.size, 6)), shape).astype(dtype)

    def floats(self, path, dtype, shape):
        plain = self.random.uniform(0.25, 2.0, shape)
        if self.kind == "edge":
            edges = self.random.choice(EDGES, shape)
            plain = np.where(self.random.random(shape) < 0.5, edges, -plain)
        with np.errstate(over="ignore"):
            return plain.astype(dtype)

    def seeds(self, dtype, shape):
        """Adjoints of what a kernel wrote; halves, so that sums are exact more often."""
        return (self.random.integers(-6, 7, shape) / 2).astype(dtype)


class Leaf:
    """An array of numbers: `start` as both sides get it; `end` and `gradient` as warp-lang left it."""

    def __init__(self, path, start, end, seed=None, gradient=None):
        self.path, self.start, self.end = path, start, end
        self.seed, self.gradient = seed, gradient


class Argument:
    def __init__(self, warp, adjoint, values, leaves):
        self.warp, self.adjoint = warp, adjoint
        self.values = values  # (path, array) of each file that weft gets
        self.leaves = leaves


def is_float(dtype):
    return np.issubdtype(dtype, np.floating)


def number(wp, draw, path, dtype):
    found = lanes(wp, dtype)
    if not found or found[0] is wp.bfloat16:
        raise CannotMake("a parameter this test cannot make")
    scalar, shape = found
    data = draw.numbers(path, wp.dtype_to_numpy(scalar), shape)
    if shape:
        return Argument(dtype(*[x.item() for x in data.flatten()]), None, [(path, data)], [])
    return Argument(scalar(data.item()), None, [(path, np.asarray(data))], [])


def with_gradient(wp, data, kind, wanted=True):
    """The array with its gradient beside it, as wp.Tape wants it: a store then clears the adjoint."""
    return wp.array(data, dtype=kind.dtype, ndim=kind.ndim, device="cpu", requires_grad=wanted)


def plain_array(wp, draw, path, kind):
    scalar, trailing = lanes(wp, kind.dtype)
    if scalar is wp.bfloat16:
        raise CannotMake("a parameter this test cannot make")
    dtype = wp.dtype_to_numpy(scalar)
    shape = tuple(draw.shape(path, kind.ndim))
    data = draw.numbers(path, dtype, shape + trailing)
    array = with_gradient(wp, data, kind, is_float(dtype))
    leaf = Leaf(path, data.copy(), array.numpy)
    adjoint = None
    if is_float(dtype):
        adjoint = array.grad
        leaf.seed = draw.seeds(dtype, shape + trailing)
        adjoint.assign(leaf.seed)
        leaf.gradient = adjoint.numpy
    return Argument(array, adjoint, [(path, leaf.start)], [leaf])


def columns(wp, draw, path, struct, shape, data, seeds):
    """Fills the fields of a structured array; gives (path, names) of each field that is a number."""
    for name, var in struct.vars.items():
        inner = f"{path}.{name}"
        if isinstance(var.type, wp._src.codegen.Struct):
            yield from ((p, [name, *names]) for p, names in
                        columns(wp, draw, inner, var.type, shape, data[name], seeds[name]))
            continue
        found = lanes(wp, var.type)
        if not found or found[0] is wp.bfloat16:
            raise CannotMake("an array of structs with other things than numbers")
        dtype = wp.dtype_to_numpy(found[0])
        data[name][...] = draw.numbers(inner, dtype, shape + found[1])
        if is_float(dtype):
            seeds[name][...] = draw.seeds(dtype, shape + found[1])
        yield inner, [name]


def struct_array(wp, draw, path, kind):
    struct = kind.dtype
    shape = tuple(draw.shape(path, kind.ndim))
    dtype = struct.numpy_dtype()
    data, seeds = np.zeros(shape, dtype), np.zeros(shape, dtype)
    found = list(columns(wp, draw, path, struct, shape, data, seeds))
    if not found:
        raise CannotMake("an array of structs without fields")
    array = with_gradient(wp, data, kind)
    adjoint = array.grad
    adjoint.assign(wp.array(seeds, dtype=struct, ndim=kind.ndim, device="cpu"))

    def column(of, names):
        for name in names:
            of = of[name]
        return np.ascontiguousarray(of)

    leaves = []
    for inner, names in found:
        leaf = Leaf(inner, column(data, names), lambda names=names: column(array.numpy(), names))
        if is_float(leaf.start.dtype):
            leaf.seed = column(seeds, names)
            leaf.gradient = lambda names=names: column(adjoint.numpy(), names)
        leaves.append(leaf)
    return Argument(array, adjoint, [(leaf.path, leaf.start) for leaf in leaves], leaves)


def struct_value(wp, draw, path, struct):
    value, adjoint = struct(), struct()
    values, leaves = [], []
    for name, var in struct.vars.items():
        field = argument(wp, draw, f"{path}.{name}", var.type)
        setattr(value, name, field.warp)
        if field.adjoint is not None:
            setattr(adjoint, name, field.adjoint)
        values += field.values
        leaves += field.leaves
    return Argument(value, adjoint, values, leaves)


def argument(wp, draw, path, kind):
    """The argument called `path` of this type. Raises CannotMake."""
    if isinstance(kind, wp._src.codegen.Struct):
        return struct_value(wp, draw, path, kind)
    if isinstance(kind, wp._src.types._ArrayAnnotation):  # wp.array[float]
        kind = wp.array(dtype=kind.dtype, ndim=kind.ndim)
    if not isinstance(kind, wp.array):
        return number(wp, draw, path, kind)
    if type(kind) is not wp.array:
        raise CannotMake(f"an array of class {type(kind).__name__}")
    if isinstance(kind.dtype, wp._src.codegen.Struct):
        return struct_array(wp, draw, path, kind)
    if not lanes(wp, kind.dtype):
        raise CannotMake("an array of items this test cannot make")
    return plain_array(wp, draw, path, kind)


def arguments(wp, draw, kernel):
    return [argument(wp, draw, var.label, var.type) for var in kernel.adj.args]


class PromisedDraw(Draw):
    """What a generated record promises to take: sizes by the letters of shapes, numbers within
    2**magnitude; edge values on request."""

    def __init__(self, kind, size, seed, metadata):
        super().__init__(kind, size, seed)
        letters = sorted({part for a in metadata["arguments"] for part in a["shape"].split(",") if part.isalpha()}
                         | set(metadata["launch"].split(",")))
        self.sizes = {letter: size if k == 0 else min(size, 5 + 2 * k) for k, letter in enumerate(letters)}
        self.described = {a["name"]: a for a in metadata["arguments"]}
        self.dim = tuple(self.size_of(part) for part in metadata["launch"].split(","))

    def size_of(self, part):
        return int(part) if part.isdigit() else self.sizes[part]

    def shape(self, path, ndim):
        shape = self.described[path.partition(".")[0]]["shape"]
        if not shape:  # an array in a struct is as long as the launch is wide
            return self.dim[:ndim]
        return [self.size_of(part) for part in shape.split(",")]

    def numbers(self, path, dtype, shape):
        described = self.described[path.partition(".")[0]]
        if described["shape"] and "array" not in described["type"]:
            return np.full(shape, self.size_of(described["shape"]), dtype)
        limit = 2.0 ** described.get("magnitude", 0)
        if self.kind == "edge" and np.issubdtype(dtype, np.floating):
            return super().numbers(path, dtype, shape)
        if np.issubdtype(dtype, np.floating):
            return self.random.uniform(-limit, limit, shape).astype(dtype)
        if dtype == np.bool_:
            return super().numbers(path, dtype, shape)
        low = 0 if np.issubdtype(dtype, np.unsignedinteger) else -int(limit)
        return self.random.integers(low, int(limit) + 1, shape).astype(dtype)
