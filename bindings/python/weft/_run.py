# SPDX-License-Identifier: Apache-2.0
"""Kernels executed on arrays."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import Argument, Context, RunOptions

EXECUTORS = {"reference": 0, "text": 1, "text-cuda": 2}
UNLIMITED = 2**64 - 1


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


def _nested(values: Sequence[Any]) -> Any:
    """A list of numbers, or of equally long lists of them, as a C array of 8-byte numbers."""
    rows = [list(row) for row in values] if values and isinstance(values[0], (list, tuple)) else None
    flat = [x for row in rows for x in row] if rows else list(values)
    if rows and any(len(row) != len(rows[0]) for row in rows):
        raise TypeError("its rows differ in length")
    whole = all(isinstance(x, int) for x in flat)
    if whole and any(not -(2**63) <= x < 2**63 for x in flat):
        raise OverflowError("its numbers do not fit any parameter")
    kind = ctypes.c_int64 if whole else ctypes.c_double
    return (kind * len(rows[0]) * len(rows))(*map(tuple, rows)) if rows else (kind * len(flat))(*flat)


def _view_of(value: Any) -> memoryview:
    if isinstance(value, bool):
        return memoryview(ctypes.c_bool(value))
    if isinstance(value, int):
        return memoryview(_number(value))
    if isinstance(value, float):
        return memoryview(ctypes.c_double(value))
    if isinstance(value, (list, tuple)):
        return memoryview(_nested(value))
    if not hasattr(value, "__array_interface__") and hasattr(value, "__array__"):
        import numpy

        return memoryview(numpy.asarray(value))
    return memoryview(value)


class _Place:
    """One value in C's memory, and the caller's object that it comes from and goes back to."""

    def __init__(self, name: str, value: Any):
        self.name = name
        try:
            self.view = _view_of(value)
            self.dtype = _dtype_of(self.view)
        except TypeError as error:
            raise TypeError(f"argument {name!r}: {error}") from None
        self.shape = tuple(self.view.shape)
        self.before = self.view.tobytes()
        self.bytes = ctypes.create_string_buffer(self.before, max(len(self.before), 1))
        self.gradient: Any = None
        self.has_gradient = ctypes.c_int(0)

    def raw(self, keep: List[Any]) -> Argument:
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        argument = Argument(
            name=self.name.encode(),
            dtype=self.dtype.encode(),
            ndim=len(self.shape),
            shape=shape,
            data=ctypes.addressof(self.bytes),
            gradient=None if self.gradient is None else ctypes.addressof(self.gradient),
            has_gradient=ctypes.pointer(self.has_gradient),
        )
        keep += [shape, argument]
        return argument

    def write_back(self) -> None:
        """Puts the items that the kernel left into the caller's array."""
        after = self.bytes.raw[: len(self.before)]
        if after == self.before:
            return
        if self.view.readonly:
            raise ValueError(f"the kernel writes to {self.name!r}, which is read-only")
        if self.view.c_contiguous:
            (ctypes.c_char * len(after)).from_buffer(self.view)[:] = after
        else:  # an array with gaps is NumPy's
            import numpy

            numpy.asarray(self.view)[...] = numpy.frombuffer(after, self.view.format).reshape(self.shape)


def _places(args: Mapping[str, Any], prefix: str = "") -> List[_Place]:
    """Structs are mappings, and arrays of structs mappings of arrays or NumPy's structured arrays."""
    found: List[_Place] = []
    for name, value in args.items():
        path = prefix + name
        names = getattr(getattr(value, "dtype", None), "names", None)
        if isinstance(value, Mapping):
            found += _places(value, path + ".")
        elif names:
            found += _places({field: value[field] for field in names}, path + ".")
        else:
            found.append(_Place(path, value))
    return found


def _array_of(place: _Place) -> Any:
    """The gradient as a NumPy array, or without NumPy as a memoryview."""
    code = {"f2": "e", "f4": "f", "f8": "d"}.get(place.dtype, "B")
    view = memoryview(place.gradient.raw[: len(place.before)]).cast("B")
    try:
        import numpy
    except ImportError:
        return view.cast(code, place.shape) if place.shape and all(place.shape) else view.cast(code)
    return numpy.frombuffer(view, dtype=place.dtype).reshape(place.shape).copy()


def _seed(places: Mapping[str, _Place], grad: Mapping[str, Any]) -> List[str]:
    """Gives every array of floats an adjoint: the seed for its name, else zeros. Returns the names of seeds."""
    seeds = {place.name: place for place in _places(grad)}
    for name, place in places.items():
        seed = seeds.get(name)
        if seed and (seed.dtype, seed.shape) != (place.dtype, place.shape):
            raise ValueError(f"adjoint {name!r}: it is {seed.dtype} {seed.shape}, not {place.dtype} {place.shape}")
        if place.dtype[0] == "f" and place.shape:
            start = seed.before if seed else bytes(len(place.before))
            place.gradient = ctypes.create_string_buffer(start, max(len(start), 1))
    return list(seeds)


def run(
    source: Union[str, "os.PathLike[str]"],
    dim: Union[int, Sequence[int]],
    args: Mapping[str, Any],
    *,
    kernel: Optional[str] = None,
    grad: Optional[Mapping[str, Any]] = None,
    executor: str = "reference",
    fuel: Optional[int] = 20_000_000,
    include: Sequence[Union[str, "os.PathLike[str]"]] = (),
    name: str = "kernel.py",
) -> Optional[Dict[str, Any]]:
    """Executes one kernel, with every access checked.

    source: the program's text, or a path object for a file. dim: threads, a number or up to four.
    args: a value for each parameter; arrays are NumPy arrays or anything else with the buffer protocol,
    and are written in place; items that are vectors and matrices are last dimensions; structs are
    mappings. With `grad`, seeds of adjoints by name, Warp's backward pass follows; the result is then
    a dict of the gradients of all arrays of floats, else None. executor: "reference" interprets the
    Python source; "text" and "text-cuda" execute the emitted text of that device. fuel: steps of a pass
    at most, None for no limit.

    Raises CompileError for the source, ValueError for an argument, RunError for what goes wrong in a
    thread; nothing is written then.
    """
    if executor not in EXECUTORS:
        raise ValueError(f"executor is one of {', '.join(EXECUTORS)}, not {executor!r}")
    dims: Tuple[int, ...] = (dim,) if isinstance(dim, int) else tuple(dim)
    if not 1 <= len(dims) <= 4:
        raise ValueError("a launch has one to four dimensions")
    if any(not 0 <= size < 2**31 for size in dims):
        raise ValueError(f"a dimension has 0 to {2**31 - 1} threads")
    keep: List[Any] = []
    places = {place.name: place for place in _places(args)}
    seeded = _seed(places, grad) if grad is not None else []
    for path in seeded:
        if path not in places or places[path].gradient is None:
            raise ValueError(f"adjoint {path!r}: there is no array of floats of this name")
    raw = (Argument * max(len(places), 1))(*[place.raw(keep) for place in places.values()])
    options = RunOptions(
        kernel=None if kernel is None else kernel.encode(),
        ndim=len(dims),
        dim=(ctypes.c_int64 * 4)(*dims),
        arguments=raw,
        argument_count=len(places),
        gradients=grad is not None,
        executor=EXECUTORS[executor],
        fuel=UNLIMITED if fuel is None else fuel,
    )
    with Context("both", True, include) as context:
        if isinstance(source, str):
            data = source.encode("utf-8", "surrogatepass")
            status = context.lib.weft_run_text(context.handle, os.fsencode(name), data, len(data), options)
        else:
            status = context.lib.weft_run_file(context.handle, os.fsencode(source), options)
        context.check(status)
    for path in seeded:
        if not places[path].has_gradient.value:
            raise ValueError(f"adjoint {path!r}: the kernel has no such array of floats")
    for place in places.values():
        place.write_back()
    if grad is None:
        return None
    return {path: _array_of(place) for path, place in places.items() if place.has_gradient.value}
