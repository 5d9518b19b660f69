# SPDX-License-Identifier: Apache-2.0
"""libweft.so, its structs and functions as include/weft.h has them."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import sys
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64
from ctypes import c_void_p
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._errors import Diagnostic, in_python

OK, INPUT_ERRORS, BAD_ARGUMENT, IO_ERROR, NO_MEMORY, FAILED, STOPPED = range(7)
EMIT_NONE = 6
NEAR_KEPT = -1


class Sized(Structure):
    """A struct that begins with its size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(self), **fields)


class Options(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("include_dirs", POINTER(c_char_p)),
        ("include_dir_count", c_size_t),
        ("devices", c_uint),
        ("no_backward", c_int),
        ("memory_limit", c_size_t),
        ("stop", c_void_p),
        ("timings", c_int),
        ("warp", c_char_p),
        ("block_dim", c_int),
    ]


class RawDiagnostic(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("message", c_char_p),
        ("hint", c_char_p),
        ("file", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
        ("end_line", c_uint32),
        ("end_column", c_uint32),
        ("warning", c_int),
    ]

    def public(self) -> Diagnostic:
        place = self.line, self.column, self.end_line, self.end_column
        hint = None if self.hint is None else in_python(text(self.hint))
        file = None if self.file is None else os.fsdecode(self.file)
        return Diagnostic(text(self.id), text(self.message), hint, file, *place, bool(self.warning))


class RawKernel(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("line", c_uint32),
        ("cpu", c_void_p),
        ("cuda", c_void_p),
        ("cpu_size", c_size_t),
        ("cuda_size", c_size_t),
        ("error", POINTER(RawDiagnostic)),
    ]


class Argument(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("dtype", c_char_p),
        ("ndim", c_int),
        ("shape", POINTER(c_int64)),
        ("data", c_void_p),
        ("gradient", c_void_p),
        ("has_gradient", POINTER(c_int)),
        ("text", c_char_p),
        ("gradient_text", c_char_p),
        ("numbers", POINTER(c_char)),
    ]


class KernelParameter(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("example", c_char_p), ("given", c_int), ("field", c_int)]


class RunResult(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("kernel", c_char_p),
        ("fault", c_int),
        ("gradient", c_int),
        ("index", c_size_t),
        ("name", c_char_p),
        ("differences", c_void_p),
        ("difference_count", c_size_t),
        ("error", c_double),
        ("forward_ms", c_float),
        ("backward_ms", c_float),
        ("parameters", POINTER(KernelParameter)),
        ("parameter_count", c_size_t),
    ]


class RunOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("kernel", c_char_p),
        ("ndim", c_int),
        ("dim", c_int64 * 4),
        ("arguments", POINTER(Argument)),
        ("argument_count", c_size_t),
        ("gradients", c_int),
        ("executor", c_int),
        ("fuel", c_uint64),
        ("saves", c_void_p),
        ("save_count", c_size_t),
        ("device", c_void_p),
        ("begin", c_void_p),
        ("arg", c_void_p),
        ("result", POINTER(RunResult)),
        ("progress", c_void_p),
        ("block_dim", c_int),
    ]


class GenerateOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("count", c_uint64),
        ("seed", c_uint64),
        ("devices", c_uint),
        ("categories", c_char_p),
        ("no_verify", c_int),
        ("no_backward", c_int),
        ("exact_gradients", c_int),
        ("part", c_uint32),
        ("parts", c_uint32),
        ("jobs", c_uint32),
        ("difficulties", c_uint),
        ("min_lines", c_uint32),
        ("max_lines", c_uint32),
        ("messages", c_int),
        ("no_dedup", c_int),
        ("repair", c_int),
        ("tasks", c_char_p),
        ("exclude", POINTER(c_char_p)),
        ("exclude_count", c_size_t),
        ("near", c_double),
        ("output", c_char_p),
        ("write", c_void_p),
        ("write_arg", c_void_p),
        ("format", c_int),
        ("compress", c_int),
        ("shard_rows", c_uint64),
        ("license", c_char_p),
        ("resume", c_int),
        ("cpu_shim", c_int),
        ("with_ptx", c_int),
        ("ptx_compiler", c_char_p),
        ("package_dirs", POINTER(c_char_p)),
        ("package_dir_count", c_size_t),
        ("warp_include", c_char_p),
        ("timings", c_int),
        ("warp", c_char_p),
        ("purpose", c_int),
        ("mix", c_char_p),
        ("no_tests", c_int),
        ("scripts", c_int),
        ("max_tokens", c_uint64),
        ("profile", c_char_p),
    ]


class PtxOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("arch", c_char_p),
        ("package_dirs", POINTER(c_char_p)),
        ("package_dir_count", c_size_t),
        ("warp_include", c_char_p),
        ("assemble", c_int),
    ]


class EmitOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("form", c_int),
        ("kernels", POINTER(c_char_p)),
        ("kernel_count", c_size_t),
        ("found", POINTER(c_int)),
        ("stages", c_char_p),
        ("elements", c_uint32),
        ("write", c_void_p),
        ("program", c_void_p),
        ("name", c_void_p),
        ("arg", c_void_p),
    ]


class RawProblem(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint64), ("id", c_char_p), ("check", c_char_p), ("reason", c_char_p)]


ON_PROBLEM = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(RawProblem))
ON_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64)


class ValidateOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("checks", c_char_p),
        ("jobs", c_uint32),
        ("problem", ON_PROBLEM),
        ("progress", ON_PROGRESS),
        ("arg", c_void_p),
        ("device", c_int),
        ("package_dirs", POINTER(c_char_p)),
        ("package_dir_count", c_size_t),
        ("message", c_void_p),
    ]


class RawCheck(Structure):
    _fields_ = [("name", c_char_p), ("what", c_char_p), ("problems", c_uint64), ("done", c_int)]


class RawValidation(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("records", c_uint64),
        ("ok", c_uint64),
        ("files", c_uint64),
        ("bytes", c_uint64),
        ("problems", c_uint64),
        ("message", c_char * 256),
        ("seconds", c_double),
        ("checks", RawCheck * 16),
        ("check_count", c_uint32),
        ("lost", c_char * 512),
    ]


class RawCount(Structure):
    _fields_ = [("name", c_char_p), ("records", c_uint64), ("bytes", c_uint64)]


class RawProgress(Structure):
    _fields_ = [
        ("done", c_uint64),
        ("total", c_uint64),
        ("kept", c_uint64),
        ("verified", c_uint64),
        ("failed", c_uint64),
        ("refused", POINTER(RawCount)),
        ("refused_count", c_size_t),
    ]


ON_MESSAGE = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)
ON_CHECKED = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
ON_SEARCHED = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)


class RawGradient(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("file", c_char_p),
        ("kernel", c_char_p),
        ("line", c_uint32),
        ("verdict", c_int),
        ("why", c_char_p),
        ("class_name", c_char_p),
        ("variable", c_char_p),
        ("cause_file", c_char_p),
        ("cause_line", c_uint32),
        ("cause_column", c_uint32),
        ("dim_count", c_size_t),
        ("dim", c_int64 * 4),
        ("input", c_char_p),
        ("output", c_char_p),
        ("warp", c_double),
        ("truth", c_double),
        ("arguments", c_char_p),
    ]


ON_GRADIENT = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(RawGradient))


class CheckOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("kernels", POINTER(c_char_p)),
        ("kernel_count", c_size_t),
        ("found", POINTER(c_int)),
        ("checked", ON_CHECKED),
        ("message", ON_MESSAGE),
        ("arg", c_void_p),
        ("counts", c_void_p),
        ("progress", ON_SEARCHED),
        ("gradient", ON_GRADIENT),
    ]


ON_TASK_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(RawProgress))
ON_TEXT = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Callbacks(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("message", ON_MESSAGE),
        ("problem", ON_PROBLEM),
        ("progress", ON_TASK_PROGRESS),
        ("begin", c_void_p),
        ("arg", c_void_p),
        ("waiting", c_void_p),
        ("input", c_void_p),
    ]


class RawGenerated(Structure):
    _fields_ = [
        ("rows", c_uint64),
        ("bytes", c_uint64),
        ("kept", c_uint64),
        ("was_there", c_int),
        ("seconds", c_double),
        ("categories", POINTER(RawCount)),
        ("category_count", c_size_t),
        ("proofs", POINTER(RawCount)),
        ("proof_count", c_size_t),
        ("mutants", c_uint64),
        ("killed", c_uint64),
        ("refused", POINTER(RawCount)),
        ("refused_count", c_size_t),
        ("suspects", c_uint64),
        ("suspect", c_char_p),
        ("sample", c_char_p),
        ("timings", c_char_p),
        ("moved", c_uint64),
        ("shards", c_int),
        ("next", c_char_p),
        ("first", c_char_p),
        ("kinds", POINTER(RawCount)),
        ("kind_count", c_size_t),
    ]


ON_GENERATED = ctypes.CFUNCTYPE(None, c_void_p, POINTER(RawGenerated))


class MergeOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("output", c_char_p),
        ("exclude", POINTER(c_char_p)),
        ("exclude_count", c_size_t),
        ("memory_mb", c_uint64),
        ("package_dirs", POINTER(c_char_p)),
        ("package_dir_count", c_size_t),
        ("warp_include", c_char_p),
    ]


class CollectOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("output", c_char_p),
        ("include_dirs", POINTER(c_char_p)),
        ("exclude", POINTER(c_char_p)),
        ("include_dir_count", c_size_t),
        ("exclude_count", c_size_t),
        ("licenses", c_char_p),
        ("license", c_char_p),
        ("near", c_double),
        ("shard_rows", c_uint64),
        ("devices", c_uint32),
        ("jobs", c_uint32),
        ("no_backward", c_int),
        ("no_verify", c_int),
        ("compress", c_int),
        ("messages", c_int),
        ("tasks", c_char_p),
        ("warp", c_char_p),
        ("resume", c_int),
        ("format", c_int),
        ("cpu_shim", c_int),
    ]


class SubsetOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("output", c_char_p),
        ("ratios", c_char_p),
        ("near", c_double),
        ("compress", c_int),
        ("repack", c_int),
        ("shard_rows", c_uint64),
        ("license", c_char_p),
    ]


class ReportOptions(Sized):
    _fields_ = [("size", c_size_t), ("measure", c_int), ("samples", c_int32)]


class RawPart(Structure):
    _fields_ = [("name", c_char_p), ("records", c_uint64), ("bytes", c_uint64)]


class RawCollected(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("files", c_uint64),
        ("unlicensed", c_uint64),
        ("kernels", c_uint64),
        ("records", c_uint64),
        ("seconds", c_double),
        ("skipped", RawCount * 16),
        ("proofs", RawCount * 8),
        ("skipped_count", c_size_t),
        ("proof_count", c_size_t),
        ("complete", c_int),
        ("unloaded", c_uint64),
    ]


class RawSubset(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("records", c_uint64),
        ("left", c_uint64),
        ("seconds", c_double),
        ("duplicates", c_uint64),
        ("nears", c_uint64),
        ("unread", c_uint64),
        ("parts", RawPart * 3),
        ("part_count", c_uint32),
        ("json", c_char * 512),
    ]


SUBSET = [POINTER(c_char_p), c_size_t, POINTER(SubsetOptions), POINTER(Callbacks), POINTER(RawSubset)]
# name: (result, arguments)
FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "weft_version": (c_char_p, []),
    "weft_status_text": (c_char_p, [c_int]),
    "weft_context_new": (c_int, [POINTER(Options), POINTER(c_void_p)]),
    "weft_stop_new": (c_int, [POINTER(c_void_p)]),
    "weft_stop_set": (None, [c_void_p]),
    "weft_stop_free": (None, [c_void_p]),
    "weft_set_environment": (c_int, [c_void_p, POINTER(c_char_p), c_size_t]),
    "weft_set_instances": (c_int, [c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_int)]),
    "weft_context_free": (None, [c_void_p]),
    "weft_kernel_name": (c_char_p, [c_void_p, c_size_t]),
    "weft_compile_file": (c_int, [c_void_p, c_char_p]),
    "weft_compile_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "weft_standalone_file": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "weft_standalone_text": (
        c_int,
        [c_void_p, c_char_p, c_char_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(c_size_t)],
    ),
    "weft_standalone_shim": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "weft_emit_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(EmitOptions)]),
    "weft_check": (c_int, [c_void_p, c_char_p, POINTER(CheckOptions)]),
    "weft_gradient_name": (c_char_p, [c_int]),
    "weft_explain": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "weft_check_cuda": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "weft_ptx_text": (
        c_int,
        [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(PtxOptions)] + 2 * [POINTER(c_void_p), POINTER(c_size_t)],
    ),
    "weft_ptx_statistics": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(c_size_t)]),
    "weft_kernel_count": (c_size_t, [c_void_p]),
    "weft_kernel_at": (POINTER(RawKernel), [c_void_p, c_size_t]),
    "weft_diagnostic_count": (c_size_t, [c_void_p]),
    "weft_diagnostic_at": (POINTER(RawDiagnostic), [c_void_p, c_size_t]),
    "weft_run_file": (c_int, [c_void_p, c_char_p, POINTER(RunOptions)]),
    "weft_run_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(RunOptions)]),
    "weft_message": (c_char_p, [c_void_p]),
    "weft_read_number": (c_int, [c_char_p, POINTER(c_uint64)]),
    "weft_record_fields": (c_int, [POINTER(GenerateOptions), POINTER(Callbacks), ON_TEXT]),
    "weft_generator_new": (c_int, [POINTER(GenerateOptions), POINTER(c_void_p)]),
    "weft_generator_next": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "weft_generator_message": (c_char_p, [c_void_p]),
    "weft_generator_free": (None, [c_void_p]),
    "weft_stats": (c_int, [POINTER(c_char_p), c_size_t, c_int, POINTER(Callbacks), ON_TEXT]),
    "weft_report": (c_int, [c_char_p, POINTER(ReportOptions), POINTER(Callbacks), ON_TEXT]),
    "weft_split": (c_int, SUBSET),
    "weft_dedup": (c_int, SUBSET),
    "weft_merge": (
        c_int,
        [POINTER(c_char_p), c_size_t, POINTER(MergeOptions), POINTER(Callbacks), ON_GENERATED],
    ),
    "weft_collect": (
        c_int,
        [POINTER(c_char_p), c_size_t, POINTER(CollectOptions), POINTER(Callbacks), POINTER(RawCollected)],
    ),
    "weft_validate": (c_int, [POINTER(c_char_p), c_size_t, POINTER(ValidateOptions), POINTER(RawValidation)]),
}


def offer_python() -> None:
    """The library, and the program that this one starts, have Parquet read and written by a Python that
    has this package and pyarrow (_codec.py): by this one, unless the environment names another."""
    if sys.executable and importlib.util.find_spec("pyarrow"):
        os.environ.setdefault("WEFT_PYTHON", sys.executable)


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The shared library beside this file, or the one that the environment's WEFT_LIBRARY names."""
    path = os.environ.get("WEFT_LIBRARY") or os.path.join(os.path.dirname(__file__), "libweft.so")
    try:
        lib = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"weft's shared library cannot be loaded: {error}; pip install builds it") from error
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    offer_python()
    return lib


def version() -> str:
    return text(library().weft_version())


def text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def maybe(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else text(raw)


class TextOut:
    """A text that a function gives by address and size."""

    def __init__(self) -> None:
        self.at, self.size = c_void_p(), c_size_t()
        self.places = ctypes.byref(self.at), ctypes.byref(self.size)

    def __str__(self) -> str:
        return text(ctypes.string_at(self.at.value or 0, self.size.value))


def strings(values: Sequence[bytes]) -> "ctypes.Array[c_char_p]":
    """A C array of strings, file names among them."""
    return (c_char_p * len(values))(*values)
