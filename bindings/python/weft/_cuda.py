# SPDX-License-Identifier: Apache-2.0
"""CUDA programs that stand alone, and checks of CUDA text."""

from __future__ import annotations

import os
from typing import List, Optional

from ._arguments import word
from ._context import Context
from ._errors import Diagnostic
from ._library import INPUT_ERRORS, TextOut
from ._paths import Define, Path, Paths, Texts, path_bytes, text_and_name


def standalone(
    text: Path,
    name: str = "kernel.py",
    *,
    kernel: Optional[str] = None,
    backward: bool = True,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    warp: Optional[str] = None,
) -> str:
    """A kernel as a CUDA program without Warp, with a host that runs and checks it.

        pathlib.Path("scale.cu").write_text(weft.standalone(pathlib.Path("scale.py")))

    text: the program, or a path object for a file.
    name: what the result's head and messages call a program that is text.
    kernel: its name, where the program has several.
    backward: whether the result has a backward kernel.
    include: folders where imports are searched.
    instances: kernels that only a running program makes, as Python expressions: "make_kernel(3)" calls a
        function of the program, "k[x=wp.vec3, n=int]" gives a generic kernel the types of a launch.
    define: environment variables as the program sees them in os.environ; it sees no others.
    warp: the release of Warp that the kernel is for, as "1.18"; None for the newest.

    Raises CompileError if the kernel has errors or no such form, ValueError if there is no such kernel.
    """
    out, wanted, paths = TextOut(), word("kernel", kernel), []  # type: TextOut, Optional[bytes], List[bytes]
    with Context("cuda", backward, include=include, instances=instances, define=define, warp=warp) as context:
        if isinstance(text, os.PathLike):
            paths = [path_bytes("text", text)]
            status = context.call("weft_standalone_file", *paths, wanted, *out.places)
        else:
            source, called = text_and_name(text, name)
            status = context.call("weft_standalone_text", called, source, len(source), wanted, *out.places)
        context.check_kernel(status, kernel, paths)
        return str(out)


def cpu_shim() -> str:
    """The text of cuda_on_cpu.h, with which a C++ compiler builds such programs without CUDA."""
    out = TextOut()
    with Context() as context:
        context.check(context.lib.weft_standalone_shim(context.handle, *out.places))
        return str(out)


def check_cuda(text: Path, name: str = "kernel.cu") -> List[Diagnostic]:
    """What static checks find in any CUDA text, without a toolkit: brackets, kernels, indexes, guards.

        assert not weft.check_cuda(pathlib.Path("kernel.cu"))

    text: CUDA text, or a path object for a file. name: what the diagnostics call a text.
    """
    source, called = text_and_name(text, name)
    with Context() as context:
        status = context.call_on_text("weft_check_cuda", called, source)
        if status != INPUT_ERRORS:
            context.check(status)
        return context.diagnostics()
