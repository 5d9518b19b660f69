# SPDX-License-Identifier: Apache-2.0
"""Python text to Warp's text."""

from __future__ import annotations

import ctypes
import dataclasses
import os
from typing import List, Optional, Sequence, Union

from ._errors import Diagnostic
from ._library import INPUT_ERRORS, Context, RawKernel, maybe, text

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel's text, forward and backward, as warp-lang emits it for a module that holds it alone.

    `line` is that of its first decorator. A text is None for a device that was not asked for, and
    after an error.
    """

    name: str
    line: int
    cpu: Optional[str]
    cuda: Optional[str]
    error: Optional[Diagnostic] = None


def _text_of(address: Optional[int], size: int) -> Optional[str]:
    return None if address is None else text(ctypes.string_at(address, size))


def _public(raw: RawKernel) -> Kernel:
    error = raw.error.contents.public() if raw.error else None
    cpu, cuda = _text_of(raw.cpu, raw.cpu_size), _text_of(raw.cuda, raw.cuda_size)
    return Kernel(maybe(raw.name) or "", raw.line, cpu, cuda, error)


def _kernels(context: Context, status: int, keep_errors: bool) -> List[Kernel]:
    count = context.lib.weft_kernel_count(context.handle)
    if not (status == INPUT_ERRORS and keep_errors and count):
        context.check(status)
    return [_public(context.lib.weft_kernel_at(context.handle, i).contents) for i in range(count)]


def compile(
    text: str,
    name: str = "kernel.py",
    *,
    device: str = "both",
    backward: bool = True,
    include: Sequence[Path] = (),
    keep_errors: bool = False,
) -> List[Kernel]:
    """Compiles the kernels of a program's text, in source order.

    `name` is what comments and messages call it; `include` lists folders where imports are searched.
    Raises CompileError if any kernel has errors; with `keep_errors` such a kernel has its first error
    in `.error` instead (errors that leave no kernel are raised all the same).
    """
    if not isinstance(text, str):
        raise TypeError(f"text is a str, not {type(text).__name__}; compile_file takes paths")
    source = text.encode("utf-8", "surrogatepass")
    with Context(device, backward, include) as context:
        status = context.lib.weft_compile_text(context.handle, os.fsencode(name), source, len(source))
        return _kernels(context, status, keep_errors)


def compile_file(
    path: Path,
    *,
    device: str = "both",
    backward: bool = True,
    include: Sequence[Path] = (),
    keep_errors: bool = False,
) -> List[Kernel]:
    """Like compile, of a file; its own folder and package are searched for imports first."""
    with Context(device, backward, include) as context:
        status = context.lib.weft_compile_file(context.handle, os.fsencode(path))
        return _kernels(context, status, keep_errors)
