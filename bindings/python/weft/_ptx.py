# SPDX-License-Identifier: Apache-2.0
"""CUDA text to PTX, and what PTX consists of."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import sys
from typing import Any, Dict, Optional, Sequence, Tuple

from ._compile import Path
from ._cuda import _source
from ._errors import WeftError
from ._library import FAILED, Context, PtxOptions, strings, text as decode


@dataclasses.dataclass(frozen=True)
class Ptx:
    """PTX, and what each of its kernels consists of, as `weft ptx --json` has it."""

    text: str
    compiler: Optional[str]  # "NVRTC 12.9"; None: it was PTX already
    version: str  # of PTX
    target: str  # "sm_75"
    kernels: Tuple[Dict[str, Any], ...]


class _Text:
    """What a function gives by address and size."""

    def __init__(self):
        self.at, self.size = ctypes.c_void_p(), ctypes.c_size_t()
        self.places = ctypes.byref(self.at), ctypes.byref(self.size)

    def __str__(self) -> str:
        return decode(ctypes.string_at(self.at.value, self.size.value))


def _result(context: Context, status: int, code: Any, statistics: _Text) -> Ptx:
    if status == FAILED:
        raise WeftError(decode(context.lib.weft_message(context.handle)))
    context.check(status)
    told = json.loads(str(statistics))
    return Ptx(str(code), told["compiler"], told["version"], told["target"], tuple(told["kernels"]))


def ptx(
    text: str,
    name: str = "kernel.cu",
    *,
    arch: str = "sm_75",
    packages: Optional[Sequence[Path]] = None,
    warp_include: Optional[Path] = None,
) -> Ptx:
    """CUDA text, plain or in Warp's dialect, compiled by NVRTC, or by nvcc where that is all there is.

    NVRTC and headers are looked for in this interpreter's packages, or in those that `packages` names,
    then in toolkits. Raises CompileError if the text has errors, WeftError if nothing here compiles it.
    """
    source = _source(text)
    if packages is None:
        packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    options = PtxOptions(
        arch=arch.encode(),
        package_dirs=strings(packages),
        package_dir_count=len(packages),
        warp_include=None if warp_include is None else os.fsencode(warp_include),
    )
    code, statistics = _Text(), _Text()
    with Context("cuda", True, ()) as context:
        status = context.lib.weft_ptx_text(
            context.handle, os.fsencode(name), source, len(source), options, *code.places, *statistics.places
        )
        return _result(context, status, code, statistics)


def ptx_statistics(text: str, name: str = "kernel.ptx") -> Ptx:
    """What PTX consists of; needs no compiler. Raises CompileError if it is none."""
    source = _source(text)
    statistics = _Text()
    with Context("cuda", True, ()) as context:
        status = context.lib.weft_ptx_statistics(
            context.handle, os.fsencode(name), source, len(source), *statistics.places
        )
        return _result(context, status, text, statistics)
