# SPDX-License-Identifier: Apache-2.0
"""CUDA text to PTX, and what PTX consists of."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any, Dict, List, Optional, Tuple

from ._arguments import word
from ._context import Context
from ._errors import WeftError
from ._library import FAILED, STOPPED, PtxOptions, TextOut, strings, text as decode
from ._paths import Path, Paths, listed, maybe_path, text_and_name
from ._ptx_process import apart


@dataclasses.dataclass(frozen=True, repr=False)
class Ptx:
    """PTX, and what each of its kernels consists of, as `weft ptx --json` has it."""

    text: str
    compiler: Optional[str]  # "NVRTC 12.9"; None: it was PTX already
    version: str  # of PTX
    target: str  # "sm_75"
    kernels: Tuple[Dict[str, Any], ...]

    def __repr__(self) -> str:
        names = ", ".join(kernel["kernel"] for kernel in self.kernels if "kernel" in kernel)
        return f"<Ptx {self.version} for {self.target}: {len(self.text):,} characters; kernels: {names}>"


def _result(context: Context, status: int, code: object, statistics: TextOut) -> Ptx:
    if status == FAILED:
        raise WeftError(context.message())
    context.check(status)
    told = json.loads(str(statistics))
    return Ptx(str(code), told["compiler"], told["version"], told["target"], tuple(told["kernels"]))


def ptx(
    text: Path,
    name: str = "kernel.cu",
    *,
    arch: str = "sm_75",
    packages: Optional[Paths] = None,
    warp_include: Optional[Path] = None,
) -> Ptx:
    """CUDA text, plain or in Warp's dialect, compiled by NVRTC, or by nvcc where that is all there is.

    text: CUDA text, or a path object for a file. name: what messages call a text.
    arch: "sm_90" and the like.
    packages: folders of packages where NVRTC and headers are looked for, before toolkits; None for this
        interpreter's.
    warp_include: Warp's native headers; None for those that are found.

    It works in a process of its own, which the next call finds again: Ctrl-C ends it at once.

    Raises CompileError if the text has errors, WeftError if nothing here compiles it.
    """
    source, called = text_and_name(text, name)
    if packages is None:
        packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    dirs = listed("packages", packages)
    made: Ptx = apart(_compile, source, called, word("arch", arch), dirs, maybe_path("warp_include", warp_include))
    return made


def _compile(source: bytes, called: bytes, arch: Optional[bytes], dirs: List[bytes], warp_include: Optional[bytes]) -> Ptx:
    """ptx(), in the process that compiles."""
    options = PtxOptions(arch=arch, package_dirs=strings(dirs), package_dir_count=len(dirs), warp_include=warp_include)
    code, statistics = TextOut(), TextOut()
    with Context() as context:
        places = *code.places, *statistics.places
        # Where it is the caller's, for want of another: NVRTC has a handler of SIGINT that ends the process.
        # The library holds the signal back in the thread that calls, and ends the work. The signal's handler
        # runs afterwards; where it returns, the work begins again.
        status = STOPPED
        while status == STOPPED:
            status = context.call("weft_ptx_text", called, source, len(source), options, *places, directly=True)
        return _result(context, status, code, statistics)


def ptx_statistics(text: Path, name: str = "kernel.ptx") -> Ptx:
    """What PTX, a text or a path object for a file, consists of; needs no compiler.

    Raises CompileError if it is no PTX.
    """
    source, called = text_and_name(text, name)
    statistics = TextOut()
    with Context() as context:
        status = context.call_on_text("weft_ptx_statistics", called, source, *statistics.places)
        return _result(context, status, decode(source), statistics)
