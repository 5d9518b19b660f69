# SPDX-License-Identifier: Apache-2.0
"""Kernels executed on arrays."""

from __future__ import annotations

import ctypes
import operator
import os
from difflib import get_close_matches
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, overload

from ._arguments import one_of, several, shown, whole, word
from ._context import Context
from ._library import BAD_ARGUMENT, Argument, KernelParameter, RunOptions, RunResult, text
from ._paths import Define, Path, Paths, Texts, path_bytes, text_and_name
from ._values import Buffer, Place, places

EXECUTORS = ("reference", "text", "text-cuda")
Dim = Union[int, Sequence[int], None]
UNLIMITED = 2**64 - 1
FAULT_KERNEL, FAULT_KERNELS, FAULT_MISSING, FAULT_ARGUMENT, FAULT_VALUE = 1, 2, 3, 4, 6


def _dims(dim: Dim) -> Tuple[int, ...]:
    if dim is None:
        raise TypeError("dim is missing: how many threads?")
    try:
        dims: Tuple[Any, ...] = (operator.index(dim),)  # type: ignore[arg-type]
    except TypeError:
        sizes = several(dim)
        if sizes is None:
            raise TypeError(f"dim is a number of threads, or up to four, not {shown(dim)}") from None
        dims = tuple(sizes)
    if not 1 <= len(dims) <= 4:
        raise ValueError(f"dim has one to four numbers, not {len(dims)}")
    return tuple(whole("dim", size, 0, 2**31 - 1) for size in dims)


def _seed(values: Mapping[str, Place], grad: Mapping[str, Any]) -> List[str]:
    """Gives every value that may be an array of floats an adjoint; returns the names of seeds."""
    seeds = places("grad", grad, "adjoint")
    for name, place in values.items():
        place.seed(seeds.get(name))
    for name in seeds:
        if name not in values or values[name].gradient is None:
            raise ValueError(f"adjoint {name!r}: there is no array of floats of this name")
    return list(seeds)


def _example(parameter: KernelParameter, parameters: List[KernelParameter]) -> str:
    """What may be given for a parameter: the library's example is one of the command line."""
    kind, example = text(parameter.type), text(parameter.example)
    below = text(parameter.name) + "."
    fields = [text(p.name)[len(below) :] for p in parameters if p.field and text(p.name).startswith(below)]
    if fields:
        return f"a dict of arrays: {', '.join(fields)}"
    if kind == "bool":
        return "True or False"
    if example.startswith("zeros:"):
        shape = tuple(map(int, example[len("zeros:") :].split("x")))
        return f"a list, a NumPy array or another buffer, of shape {shape} for example"
    return f"a {'list' if example.startswith('[') else 'number'}, {example} for example"


def _missing(parameters: List[KernelParameter], name: str) -> str:
    """ "argument 's' is missing: float32; give a number, 1.0 for example" """
    absent = [p for p in parameters if not p.given and not p.field] or [p for p in parameters if text(p.name) == name]
    lines = []
    for p in absent:
        outer, dot, field = text(p.name).rpartition(".")
        below = f"{field!r} in the dict {outer!r}: " if dot else ""
        lines.append(f"argument {text(p.name)!r} is missing: {text(p.type)}; give {below}{_example(p, parameters)}")
    return "\n".join(lines)


def _unknown(parameters: List[KernelParameter], name: str, message: str) -> str:
    names = [text(p.name) for p in parameters]
    near = get_close_matches(name, names, 1)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    takes = ", ".join(f"{text(p.name)}: {text(p.type)}" for p in parameters)
    return f"{message}{meant}\nparameters: {takes}"


def _check(
    context: Context, status: int, options: RunOptions, values: Mapping[str, Place], paths: Sequence[bytes]
) -> None:
    """Raises what a status says; for arguments that do not fit, what the kernel takes."""
    result: RunResult = options.result.contents
    parameters = [result.parameters[i] for i in range(result.parameter_count)]
    if status == BAD_ARGUMENT and parameters and result.name and not result.gradient:
        if result.fault == FAULT_MISSING:
            raise ValueError(_missing(parameters, text(result.name)))
        if result.fault == FAULT_ARGUMENT:
            raise ValueError(_unknown(parameters, text(result.name), context.message()))
    if result.fault in (FAULT_KERNEL, FAULT_KERNELS):
        context.check_kernel(status, None if options.kernel is None else text(options.kernel), paths)
    try:
        context.check(status, paths)
    except ValueError as error:
        place = values.get(text(result.name or b"")) if result.fault == FAULT_VALUE else None
        if not isinstance(place, Buffer) or not place.shape:
            raise
        hint = "an array has items of its parameter's type; the numbers of a list are converted"
        raise ValueError(f"{error}\nhint: {hint}") from None


def _execute(
    context: Context, source: Optional[Path], path: Optional[Path], name: str, options: RunOptions,
    values: Mapping[str, Place], keep: Any
) -> None:  # fmt: skip
    """`values` and `keep`: what the options have addresses of."""
    if (source is None) == (path is None):
        raise TypeError("either a source or path=, the file with the kernel")
    file, paths = source if isinstance(source, os.PathLike) else path, []  # type: Optional[Path], List[bytes]
    with context:
        if file is not None:
            paths = [path_bytes("path", file)]
            status = context.call("weft_run_file", *paths, options, keep=(values, keep))
        else:
            data, called = text_and_name(source, name, "source")
            status = context.call("weft_run_text", called, data, len(data), options, keep=(values, keep))
        _check(context, status, options, values, paths)


@overload
def run(
    source: Optional[Path] = ..., dim: Dim = ..., args: Optional[Mapping[str, Any]] = ..., *, grad: None = ...,
    path: Optional[Path] = ..., kernel: Optional[str] = ..., executor: str = ..., fuel: Optional[int] = ...,
    include: Paths = ..., instances: Texts = ..., define: Define = ..., warp: Optional[str] = ...,
    block_dim: Optional[int] = ..., name: str = ...,
) -> None: ...  # fmt: skip


@overload
def run(
    source: Optional[Path] = ..., dim: Dim = ..., args: Optional[Mapping[str, Any]] = ..., *, grad: Mapping[str, Any],
    path: Optional[Path] = ..., kernel: Optional[str] = ..., executor: str = ..., fuel: Optional[int] = ...,
    include: Paths = ..., instances: Texts = ..., define: Define = ..., warp: Optional[str] = ...,
    block_dim: Optional[int] = ..., name: str = ...,
) -> Dict[str, Any]: ...  # fmt: skip


def run(
    source: Optional[Path] = None,
    dim: Dim = None,
    args: Optional[Mapping[str, Any]] = None,
    *,
    path: Optional[Path] = None,
    kernel: Optional[str] = None,
    grad: Optional[Mapping[str, Any]] = None,
    executor: str = "reference",
    fuel: Optional[int] = 20_000_000,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    warp: Optional[str] = None,
    block_dim: Optional[int] = None,
    name: str = "kernel.py",
) -> Optional[Dict[str, Any]]:
    """Executes one kernel, with every access checked. Arrays are written in place.

        x = [1.0, 2.0, 3.0]
        weft.run(path="scale.py", dim=3, args={"x": x, "s": 2})    # x == [2.0, 4.0, 6.0]

    source: the program's text, or a path object for a file; `path` names a file as well.
    dim: threads, a number or up to four.
    args: a value for each parameter. Arrays are lists, NumPy arrays or anything else with the buffer
        protocol; items that are vectors and matrices are last dimensions. Structs are mappings, arrays
        of structs mappings of arrays. The numbers of lists are converted to the parameter's type.
    kernel: its name, where the program has several.
    grad: seeds of adjoints by name, or a number for all items of an array. Warp's backward pass follows
        the forward pass.
    executor: "reference" interprets the Python source; "text" and "text-cuda" execute the emitted text
        of that device.
    fuel: steps of a pass at most; 0 and None for no limit.
    include: folders where imports are searched.
    instances: kernels that only a running program makes, as Python expressions: "make_kernel(3)" calls a
        function of the program, "k[x=wp.vec3, n=int]" gives a generic kernel the types of a launch.
    define: environment variables as the program sees them in os.environ; it sees no others.
    warp: the release of Warp whose kernels these are, as "1.18"; None for the newest.
    block_dim: threads of a block, 1 to 1024; None for what the module's options say, 256, where there are
        tiles; without tiles 256 for "text-cuda" and else 1.
    name: what messages call a source that is text.

    Returns None, or with `grad` the gradients of all arrays of floats by name: lists for lists, else
    NumPy arrays (memoryviews without NumPy). Raises CompileError for the source, ValueError for an
    argument, RunError for what goes wrong in a thread; nothing is written then.
    """
    dims, keep = _dims(dim), []  # type: Tuple[int, ...], List[Any]
    values = places("args", args or {}, "argument")
    seeded = _seed(values, grad) if grad is not None else []
    options = RunOptions(
        kernel=word("kernel", kernel),
        ndim=len(dims),
        dim=(ctypes.c_int64 * 4)(*dims),
        arguments=(Argument * max(len(values), 1))(*[place.raw(keep) for place in values.values()]),
        argument_count=len(values),
        gradients=grad is not None,
        executor=one_of("executor", executor, EXECUTORS),
        fuel=(0 if fuel is None else whole("fuel", fuel, 0, UNLIMITED)) or UNLIMITED,
        result=ctypes.pointer(RunResult()),
    )
    context = Context("both", include=include, instances=instances, define=define, warp=warp, block_dim=block_dim)
    _execute(context, source, path, name, options, values, keep)
    for seed in seeded:
        if not values[seed].has_gradient.value:
            raise ValueError(f"adjoint {seed!r}: the kernel has no such array of floats")
    for place in values.values():
        place.check_writable()
    for place in values.values():
        place.write_back()
    if grad is None:
        return None
    return {name: place.gradient_value() for name, place in values.items() if place.has_gradient.value}
