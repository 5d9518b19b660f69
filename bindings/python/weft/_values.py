# SPDX-License-Identifier: Apache-2.0
"""The arguments of a run: what a caller gives for a parameter, in C's memory and back.

    {"x": [1, 2.5], "ball": {"mass": numpy.float32(2)}}   ->   List "x", f8 (2,);  Buffer "ball.mass", f4 ()

A Buffer has items of the parameter's own type. A List has Python's numbers, which the library
converts to the parameter's type if they fit, and back.
"""

from __future__ import annotations

import ctypes
import math
import struct
import sys
from typing import Any, Dict, Iterator, List as ListOf, Mapping, Optional, Sequence, Tuple, Union

from ._arguments import c_string, shown
from ._library import Argument

Number = Union[int, float]
Shape = Tuple[int, ...]
# dtype: what memoryview and struct call it
FLOATS = {"f2": "e", "f4": "f", "f8": "d"}
NUMBERS = {**FLOATS, "i8": "q", "u8": "Q"}


def _is_sequence(value: object) -> bool:
    return isinstance(value, (list, tuple, range))


def _shape_of(value: Any) -> Shape:
    """Of nested lists, by their first items."""
    if not _is_sequence(value):
        return tuple(getattr(value, "shape", ()))
    return (len(value), *_shape_of(value[0])) if value else (0,)


def _columns(value: Mapping[Any, Any]) -> str:
    """A struct of a list of structs, as it is written: "{'pos': [...], 'mass': [...]}"."""
    return "{" + ", ".join(f"{name!r}: [...]" for name in value) + "}"


def _flatten(value: Any, shape: Shape, out: ListOf[Number]) -> None:
    """Adds the numbers of nested lists to `out`. NumPy's arrays and numbers may be among them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not shape and isinstance(value, (int, float)):
        out.append(value)
    elif not shape and isinstance(value, Mapping):
        raise TypeError(f"an array of structs is a dict with a list for each field, {_columns(value)}, not a list of dicts")
    elif not shape and not _is_sequence(value):
        raise TypeError(f"{shown(value)} is not a number: a list holds numbers, or lists of one length")
    elif not shape or not _is_sequence(value) or len(value) != shape[0]:
        raise TypeError("its rows differ in length")
    else:
        for item in value:
            _flatten(item, shape[1:], out)


def _nest(numbers: Iterator[Number], shape: Shape) -> Any:
    """Nested lists of that shape."""
    if not shape:
        return next(numbers)
    return [_nest(numbers, shape[1:]) for _ in range(shape[0])]


def _refill(target: Any, values: ListOf[Any]) -> None:
    """Puts values into nested lists in place."""
    if values and isinstance(values[0], list) and _is_sequence(target):
        for inner, row in zip(target, values):
            _refill(inner, row)
    else:
        target[:] = values


def _dtype_name(dtype: str) -> str:
    """As NumPy calls it: "f8" is "float64"."""
    kinds = {"b": "bool", "f": "float", "i": "int", "u": "uint"}
    return kinds[dtype[0]] + ("" if dtype == "b1" else str(8 * int(dtype[1:])))


def _is_writable(value: Any) -> bool:
    """Whether the innermost lists are no tuples."""
    if _is_sequence(value) and len(value) and hasattr(value[0], "__len__"):
        return all(map(_is_writable, value))
    return not isinstance(value, (tuple, range))


def _number_type(numbers: ListOf[Number]) -> Tuple[str, Any]:
    """The dtype and C type of 8 bytes that hold the numbers."""
    if not all(isinstance(x, int) for x in numbers):
        return "f8", ctypes.c_double
    if all(-(2**63) <= x < 2**63 for x in numbers):
        return "i8", ctypes.c_int64
    if all(0 <= x < 2**64 for x in numbers):
        return "u8", ctypes.c_uint64
    raise OverflowError("its numbers do not fit any parameter")


class Place:
    """One value in C's memory, and the caller's object that it comes from and goes back to."""

    dtype: str
    shape: Shape
    gradient_dtype: Optional[str]  # None: it has no adjoint

    def __init__(self, name: str, items: bytes):
        self.name = name
        self.before = items
        self.bytes = ctypes.create_string_buffer(items, max(len(items), 1))
        self.gradient: Any = None
        self.has_gradient = ctypes.c_int(0)
        self.kind = ctypes.c_char(b"\0")

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    def raw(self, keep: ListOf[Any]) -> Argument:
        """The C struct; `keep` holds what it points to."""
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        argument = Argument(
            name=self.name.encode(),
            dtype=self.dtype.encode(),
            ndim=len(self.shape),
            shape=shape,
            data=ctypes.addressof(self.bytes),
            gradient=None if self.gradient is None else ctypes.addressof(self.gradient),
            has_gradient=ctypes.pointer(self.has_gradient),
            numbers=ctypes.pointer(self.kind) if isinstance(self, List) else None,
        )
        keep += [shape, argument]
        return argument

    def floats(self) -> Optional[ListOf[float]]:
        """The items as Python's floats; None for those of other dtypes."""
        code = NUMBERS.get(self.dtype)
        return [float(x) for x in struct.unpack(f"{self.count}{code}", self.before)] if code else None

    def seed(self, seed: Optional["Place"]) -> None:
        """Gives the value an adjoint: zeros, or the seed, of which a single number is for every item."""
        dtype, items = self.gradient_dtype, None
        if dtype is None:
            return
        size = self.count * int(dtype[1])
        if seed is None:
            items = bytes(size)
        elif (seed.dtype, seed.shape) == (dtype, self.shape):
            items = seed.before
        elif not seed.shape or (seed.shape == self.shape and (isinstance(seed, List) or isinstance(self, List))):
            floats = seed.floats()
            if floats is not None:
                items = struct.pack(f"{self.count}{FLOATS[dtype]}", *(floats if seed.shape else floats * self.count))
        if items is None:
            assert seed is not None
            same = seed.shape == self.shape
            wrong = f"its items are {_dtype_name(seed.dtype)}, not {_dtype_name(dtype)}" if same else f"its shape is {seed.shape}, not {self.shape}"
            raise ValueError(f"adjoint {self.name!r}: {wrong}")
        self.gradient = ctypes.create_string_buffer(items, max(size, 1))

    def check_writable(self) -> None:
        """Raises ValueError if the kernel has changed what cannot be changed here."""
        if self.is_changed() and not self.is_writable():
            raise ValueError(f"the kernel writes to {self.name!r}, which is read-only")

    def is_changed(self) -> bool:
        raise NotImplementedError

    def is_writable(self) -> bool:
        raise NotImplementedError

    def write_back(self) -> None:
        """Puts the items that the kernel left into the caller's object."""
        raise NotImplementedError

    def gradient_value(self) -> Any:
        """The adjoint after a run, in the form of the value."""
        raise NotImplementedError


class List(Place):
    """Nested lists or tuples of numbers."""

    gradient_dtype = "f8"

    def __init__(self, name: str, value: Sequence[Any]):
        self.value, self.shape = value, _shape_of(value)
        numbers: ListOf[Number] = []
        _flatten(value, self.shape, numbers)
        self.dtype, kind = _number_type(numbers)
        super().__init__(name, bytes((kind * len(numbers))(*numbers)))

    def is_changed(self) -> bool:
        return self.kind.value != b"\0"

    def is_writable(self) -> bool:
        return _is_writable(self.value)

    def write_back(self) -> None:
        if self.is_changed():
            kind = self.kind.value.decode()
            code = {"f": "d", "i": "q", "b": "q", "u": "Q"}[kind]
            numbers = struct.unpack(f"{self.count}{code}", self.bytes.raw[: len(self.before)])
            _refill(self.value, _nest(iter(map(bool, numbers) if kind == "b" else numbers), self.shape))

    def gradient_value(self) -> Any:
        numbers = struct.unpack(f"{self.count}d", self.gradient.raw[: 8 * self.count])
        return _nest(iter(numbers), self.shape)


def _dtype_of(view: memoryview) -> str:
    """A memoryview's items as weft writes their type: "f4"."""
    code = view.format.lstrip("@=<" if sys.byteorder == "little" else "@=>")
    kind = "b" if code == "?" else "f" if code in "efd" else "u" if code in "BHILQN" else "i" if code in "bhilqn" else ""
    if len(code) != 1 or not kind:
        raise TypeError(f"items of the form {view.format!r} are no booleans, integers or floats of this machine")
    return f"{kind}{view.itemsize}"


def _number(value: int) -> Any:
    if not -(2**63) <= value < 2**64:
        raise OverflowError(f"{value} does not fit any parameter")
    return ctypes.c_int64(value) if value < 2**63 else ctypes.c_uint64(value)


def _view_of(value: Any) -> memoryview:
    if isinstance(value, bool):
        return memoryview(ctypes.c_bool(value))
    if isinstance(value, int):
        return memoryview(_number(value))
    if isinstance(value, float):
        return memoryview(ctypes.c_double(value))
    if not hasattr(value, "__array_interface__") and hasattr(value, "__array__"):
        import numpy

        found: Any = numpy.asarray(value)
        return memoryview(found)
    try:
        return memoryview(value)
    except TypeError:
        raise TypeError(f"{shown(value)} is no number, list or array") from None


class Buffer(Place):
    """A number, or anything with the buffer protocol."""

    def __init__(self, name: str, value: Any):
        self.view = _view_of(value)
        self.dtype, self.shape = _dtype_of(self.view), tuple(self.view.shape or ())
        self.gradient_dtype = self.dtype if self.dtype[0] == "f" and self.shape else None
        super().__init__(name, self.view.tobytes())

    def is_changed(self) -> bool:
        return self.bytes.raw[: len(self.before)] != self.before

    def is_writable(self) -> bool:
        return not self.view.readonly

    def write_back(self) -> None:
        after = self.bytes.raw[: len(self.before)]
        if after == self.before:
            return
        if self.view.c_contiguous:
            ctypes.memmove((ctypes.c_char * len(after)).from_buffer(self.view), after, len(after))
        else:  # an array with gaps is NumPy's
            import numpy

            numpy.asarray(self.view)[...] = numpy.frombuffer(after, self.view.format).reshape(self.shape)

    def gradient_value(self) -> Any:
        """A NumPy array, or without NumPy a memoryview."""
        view = memoryview(self.gradient.raw[: len(self.before)]).cast("B")
        try:
            import numpy
        except ImportError:
            code: Any = FLOATS[self.dtype]
            return view.cast(code, self.shape) if all(self.shape) else view.cast(code)
        return numpy.frombuffer(view, dtype=self.dtype).reshape(self.shape).copy()


def _place(name: str, value: Any, what: str) -> Place:
    try:
        return List(name, value) if _is_sequence(value) else Buffer(name, value)
    except TypeError as error:
        raise TypeError(f"{what} {name!r}: {error}") from None


def places(parameter: str, args: Mapping[str, Any], what: str, prefix: str = "") -> Dict[str, Place]:
    """The values by path. Structs are mappings, and arrays of structs mappings of arrays or NumPy's
    structured arrays. Errors call a value `what`: "argument" or "adjoint"."""
    if not isinstance(args, Mapping):
        raise TypeError(f"{parameter} is a dict of values by name, not {shown(args)}")
    found: Dict[str, Place] = {}
    for name, value in args.items():
        if not isinstance(name, str):
            raise TypeError(f"{parameter}: a name is a str, not {shown(name)}")
        path = prefix + name
        c_string(parameter, path.encode())
        names = getattr(getattr(value, "dtype", None), "names", None)
        if isinstance(value, Mapping):
            found.update(places(f"{what} {path!r}", value, what, path + "."))
        elif names:
            found.update(places(path, {field: value[field] for field in names}, what, path + "."))
        else:
            found[path] = _place(path, value, what)
    return found
