# SPDX-License-Identifier: Apache-2.0
"""libweft.so, its structs and functions as include/weft.h has them."""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64
from ctypes import c_void_p
from difflib import get_close_matches
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from ._errors import CompileError, Diagnostic, RunError
from ._paths import Define, Path, Paths, Texts, listed, several

OK, INPUT_ERRORS, BAD_ARGUMENT, IO_ERROR, NO_MEMORY, FAILED, STOPPED = range(7)
EMIT_NONE = 6
DEVICES = {"cpu": 1, "cuda": 2, "both": 3}


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
        return Diagnostic(text(self.id), text(self.message), maybe(self.hint), maybe(self.file), *place, bool(self.warning))


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
    "weft_validate": (c_int, [POINTER(c_char_p), c_size_t, POINTER(ValidateOptions), POINTER(RawValidation)]),
}


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


def strings(values: Iterable[Union[Path, bytes]]) -> "ctypes.Array[c_char_p]":
    """A C array of strings, file names among them."""
    raw = [os.fsencode(value) for value in values]
    return (c_char_p * len(raw))(*raw)


def device_bits(device: str) -> int:
    if device not in DEVICES:
        raise ValueError(f"device is 'cpu', 'cuda' or 'both', not {device!r}")
    return DEVICES[device]


Key = Tuple[int, bool, Tuple[bytes, ...], Optional[bytes]]  # devices, backward, folders of imports, release of Warp


class OwnedContext:
    """A weft_context that is given back when the last reference to it goes."""

    def __init__(self, key: Key):
        self.lib, self.handle, self.key = library(), c_void_p(), key
        devices, backward, include, warp = key
        self.dirs = strings(include)  # the context refers to it, and to what each use sets:
        self.instances = self.definitions = strings(())
        self.found: Optional[ctypes.Array[c_int]] = None
        options = Options(
            include_dirs=self.dirs,
            include_dir_count=len(include),
            devices=devices,
            no_backward=not backward,
            warp=warp,
        )
        status = self.lib.weft_context_new(options, self.handle)
        if status == BAD_ARGUMENT and warp:
            raise ValueError(f"weft does not write the text of Warp {text(warp)}")
        if status != OK:
            raise MemoryError(f"weft: {text(self.lib.weft_status_text(status))}")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.lib.weft_context_free(self.handle)


_kept = threading.local()  # the thread's last context, unless it is in use


class Context:
    """A weft_context, for the length of a `with`. Each thread keeps its last one for the next use."""

    def __init__(
        self,
        device: str,
        backward: bool,
        include: Paths,
        instances: Texts = (),
        define: Define = None,
        *,
        many: bool = False,
        warp: Optional[str] = None,
    ):
        release = None if warp is None else warp.encode()
        self.key: Key = device_bits(device), bool(backward), tuple(map(os.fsencode, listed(include))), release
        self.instances = several(instances)
        self.definitions = [f"{name}={value}".encode() for name, value in (define or {}).items()]
        self.many = many  # files, of which some may lack what the instances name
        self.owned: Optional[OwnedContext] = None

    def __enter__(self) -> "Context":
        owned, _kept.owned = getattr(_kept, "owned", None), None
        if owned is None or owned.key != self.key:
            owned = OwnedContext(self.key)
        self.owned, self.lib, self.handle = owned, owned.lib, owned.handle
        owned.instances = strings(self.instances)  # the context refers to it
        owned.definitions = strings(self.definitions)
        self.lib.weft_set_environment(self.handle, owned.definitions, len(self.definitions))
        owned.found = (c_int * len(self.instances))() if self.many else None
        self.lib.weft_set_instances(self.handle, owned.instances, len(self.instances), owned.found)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not MemoryError:
            _kept.owned = self.owned

    def diagnostics(self) -> List[Diagnostic]:
        count = self.lib.weft_diagnostic_count(self.handle)
        return [self.lib.weft_diagnostic_at(self.handle, i).contents.public() for i in range(count)]

    def check(self, status: int) -> None:
        """Raises what a status says."""
        if status == OK:
            return
        if status == NO_MEMORY:
            raise MemoryError("weft: out of memory")
        found = self.diagnostics()
        if status == IO_ERROR and found:
            raise OSError(found[0].message)
        if found and status == INPUT_ERRORS:
            raise CompileError(found)
        message = text(self.lib.weft_message(self.handle)) or text(self.lib.weft_status_text(status))
        raise (RunError if status == FAILED else ValueError)("\n".join([message, *map(str, found)]))

    def kernel_names(self) -> List[str]:
        """Of the program that was compiled last, in source order."""
        names: List[str] = []
        while name := self.lib.weft_kernel_name(self.handle, len(names)):
            names.append(text(name))
        return names

    def check_kernel(self, status: int, wanted: Optional[str]) -> None:
        """check(), for a call that takes the name of a kernel: if it has none of it, those there are."""
        names = self.kernel_names() if status == BAD_ARGUMENT else []
        try:
            self.check(status)
        except ValueError as error:
            if not names or (wanted in names):
                raise
            first, *more = str(error).split("\n")
            near = get_close_matches(wanted or "", names, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError("\n".join([f"{first}{meant}\nkernels: {', '.join(names)}", *more])) from None
