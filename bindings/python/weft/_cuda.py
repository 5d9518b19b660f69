# SPDX-License-Identifier: Apache-2.0
"""CUDA programs that stand alone, and checks of CUDA text."""

from __future__ import annotations

import ctypes
import os
from typing import List, Optional, Sequence

from ._compile import Path
from ._errors import Diagnostic
from ._library import INPUT_ERRORS, Context, text as decode


def _source(code: str) -> bytes:
    if not isinstance(code, str):
        raise TypeError(f"text is a str, not {type(code).__name__}")
    return code.encode("utf-8", "surrogatepass")


def standalone(
    text: str,
    name: str = "kernel.py",
    *,
    kernel: Optional[str] = None,
    backward: bool = True,
    include: Sequence[Path] = (),
) -> str:
    """A kernel as a CUDA program without Warp, with a host that runs and checks it.

    `kernel` names one where the program has several. Raises CompileError if the kernel has errors or
    no such form, ValueError if there is no such kernel.
    """
    source = _source(text)
    out, size = ctypes.c_void_p(), ctypes.c_size_t()
    wanted = None if kernel is None else kernel.encode()
    with Context("cuda", backward, include) as context:
        context.check(
            context.lib.weft_standalone_text(
                context.handle, os.fsencode(name), source, len(source), wanted, ctypes.byref(out), ctypes.byref(size)
            )
        )
        return decode(ctypes.string_at(out.value, size.value)) or ""


def cpu_shim() -> str:
    """The text of cuda_on_cpu.h, with which a C++ compiler builds such programs without CUDA."""
    out, size = ctypes.c_void_p(), ctypes.c_size_t()
    with Context("cuda", True, ()) as context:
        context.check(context.lib.weft_standalone_shim(context.handle, ctypes.byref(out), ctypes.byref(size)))
        return decode(ctypes.string_at(out.value, size.value)) or ""


def check_cuda(text: str, name: str = "kernel.cu") -> List[Diagnostic]:
    """What static checks find in any CUDA text, without a toolkit: brackets, kernels, indexes, guards."""
    source = _source(text)
    with Context("cuda", True, ()) as context:
        status = context.lib.weft_check_cuda(context.handle, os.fsencode(name), source, len(source))
        if status != INPUT_ERRORS:
            context.check(status)
        return context.diagnostics()
