# SPDX-License-Identifier: Apache-2.0
"""NVIDIA Warp kernels compiled to C++ and CUDA text, executed, and made into training pairs.

    import weft

    for kernel in weft.compile(open("scale.py").read()):
        print(kernel.cuda)
    for record in weft.generate(1000, seed=1):
        print(record["python_source"])

No function prints, and none but ptx() needs warp-lang, a GPU or a compiler of CUDA. What fails raises an
exception; those of programs (CompileError) know file, line, column and the error's id. Native work
is done without the interpreter's lock, so threads run side by side.
"""

from typing import TYPE_CHECKING

from . import sources
from ._check import check, explain
from ._collect import Collected, collect
from ._compile import Kernel, Kernels, compile, compile_file
from ._cuda import check_cuda, cpu_shim, standalone
from ._errors import CompileError, CompileWarning, Diagnostic, GenerateError, RunError, WeftError
from ._generate import Records, generate
from ._gradients import Gradient, gradients
from ._library import version
from ._parquet import read_records, to_parquet
from ._ptx import Ptx, ptx, ptx_statistics
from ._record import Counts, Hashes, Message, Metadata, Parameter, Provenance, ReadRecords, Record, Tokens, Verification
from ._run import run
from ._sets import Dedup, Merged, Report, Split, Stats, dedup, merge, report, split, stats
from ._streams import pairs
from ._task import Problem
from ._validate import Validation, validate

__version__: str
__all__ = [
    "Collected",
    "CompileError",
    "CompileWarning",
    "Counts",
    "Dedup",
    "Diagnostic",
    "GenerateError",
    "Gradient",
    "Hashes",
    "Kernel",
    "Kernels",
    "Merged",
    "Message",
    "Metadata",
    "Parameter",
    "Problem",
    "Provenance",
    "Ptx",
    "ReadRecords",
    "Record",
    "Records",
    "Report",
    "RunError",
    "Split",
    "Stats",
    "Tokens",
    "Validation",
    "Verification",
    "WeftError",
    "check",
    "check_cuda",
    "collect",
    "compile",
    "compile_file",
    "cpu_shim",
    "dedup",
    "explain",
    "generate",
    "gradients",
    "merge",
    "pairs",
    "ptx",
    "ptx_statistics",
    "read_records",
    "report",
    "run",
    "sources",
    "split",
    "standalone",
    "stats",
    "to_parquet",
    "validate",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        """`python -m weft.constants` needs no library: its version is asked for where it is used."""
        if name == "__version__":
            return version()
        raise AttributeError(f"module 'weft' has no attribute {name!r}")
