# SPDX-License-Identifier: Apache-2.0
"""Python text to Warp's text."""

from __future__ import annotations

import ast
import ctypes
import dataclasses
import os
from typing import Iterable, List, Optional, Tuple, Union

from . import _html
from ._context import Context
from ._errors import CompileError, CompileWarning, Diagnostic, warn
from ._library import INPUT_ERRORS, RawKernel, maybe, text as decode
from ._paths import Define, Path, Paths, Texts, listed, path_bytes, python_files, sources, text_and_name


@dataclasses.dataclass(frozen=True, repr=False)
class Kernel:
    """A kernel's text, forward and backward, as warp-lang emits it for a module that holds it alone.

    `line` is that of its first decorator. A text is None for a device that was not asked for, and
    where `error` says why there is none: an error, or a warning that the kernel is generic. `file` is
    the file's path, or what a program that is text was called. In notebooks a kernel is shown as its
    source beside its CUDA text.
    """

    name: str
    line: int
    cpu: Optional[str]
    cuda: Optional[str]
    error: Optional[Diagnostic] = None
    program: str = dataclasses.field(default="", compare=False)  # the text of the file that it is in
    file: str = dataclasses.field(default="", compare=False)

    @property
    def source(self) -> str:
        """The lines of the program that define it; the whole program if this Python cannot parse it."""
        try:
            tree = ast.parse(self.program)
        except (SyntaxError, ValueError):
            return self.program
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == self.name.split("__")[-1]:
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                if first == self.line:
                    return "\n".join(self.program.split("\n")[first - 1 : node.end_lineno]) + "\n"
        return self.program

    def _place(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}" if self.file else f"line {self.line}"

    def __repr__(self) -> str:
        sizes = [f"{name} {len(code):,} characters" for name, code in (("cpu", self.cpu), ("cuda", self.cuda)) if code]
        return f"<Kernel {self.name}, {self._place()}: {self.error or ', '.join(sizes) or 'no text'}>"

    def _repr_html_(self) -> str:
        texts = [("Python", self.source)]
        if self.error:
            texts.append(("Error", str(self.error)))
        elif self.cuda is not None:
            texts.append(("CUDA", self.cuda))
        elif self.cpu is not None:
            texts.append(("C++", self.cpu))
        return _html.columns(f"{self.name}, {self._place()}", texts)


def _text_of(address: Optional[int], size: int) -> Optional[str]:
    return None if address is None else decode(ctypes.string_at(address, size))


def _public(raw: RawKernel, program: str, file: str) -> Kernel:
    error = raw.error.contents.public() if raw.error else None
    cpu, cuda = _text_of(raw.cpu, raw.cpu_size), _text_of(raw.cuda, raw.cuda_size)
    return Kernel(maybe(raw.name) or "", raw.line, cpu, cuda, error, program, file)


class Kernels(List[Kernel]):
    """The kernels of a program or several, in source order. `warnings`: what weft warns of, such as
    kernels that are not among them. `errors`: with keep_errors, all errors of the programs."""

    warnings: Tuple[Diagnostic, ...] = ()
    errors: Tuple[Diagnostic, ...] = ()


def _program_of(path: str) -> str:
    """For showing sources: "" for what cannot be read a second time, such as a pipe."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8-sig", errors="replace") as stream:
        return stream.read()


class _Compilation:
    """Programs compiled one after another."""

    def __init__(self, context: Context):
        self.context = context
        self.kernels: List[Kernel] = []
        self.diagnostics: List[Diagnostic] = []
        self.files: List[str] = []

    def add_text(self, program: str, name: Path) -> None:
        source, called = text_and_name(program, name)
        self._take(self.context.call_on_text("weft_compile_text", called, source), program, os.fsdecode(called), ())

    def add_path(self, path: bytes) -> None:
        """A file, or what a folder and the folders below hold."""
        files = python_files(path)
        if not files:
            raise ValueError(f"{os.fsdecode(path)!r} holds no Python file")
        for file in files:
            status, name = self.context.call("weft_compile_file", file), os.fsdecode(file)
            self._take(status, _program_of(name), name, (file,))

    def _take(self, status: int, program: str, file: str, paths: Tuple[bytes, ...]) -> None:
        lib, handle = self.context.lib, self.context.handle
        self.files.append(file)
        if status != INPUT_ERRORS:
            self.context.check(status, paths)
        count = lib.weft_kernel_count(handle)
        self.kernels += [_public(lib.weft_kernel_at(handle, i).contents, program, file) for i in range(count)]
        self.diagnostics += self.context.diagnostics()

    def without_kernels(self) -> str:
        if len(self.files) > 1:
            return f"none of {len(self.files)} files has a kernel"
        return f"{self.files[0]!r} has no kernel: kernels are functions with the decorator @wp.kernel"

    def result(self, keep_errors: bool) -> Kernels:
        errors = tuple(diagnostic for diagnostic in self.diagnostics if not diagnostic.warning)
        if errors and not (keep_errors and (self.kernels or self.context.many)):
            raise CompileError(self.diagnostics)
        found = Kernels(self.kernels)
        found.warnings = tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.warning)
        found.errors = errors
        return found


def _compile(programs: List[Union[str, bytes]], name: Path, keep_errors: bool, context: Context) -> Kernels:
    """Texts, and paths as bytes. Warnings come last, outside of the context, since a filter may make an
    exception of one."""
    context.many = len(programs) > 1 or any(isinstance(one, bytes) and os.path.isdir(one) for one in programs)
    with context:
        compilation = _Compilation(context)
        for program in programs:
            if isinstance(program, bytes):
                compilation.add_path(program)
            else:
                compilation.add_text(program, name)
        context.check_instances()
        found = compilation.result(keep_errors)
    for diagnostic in found.warnings:
        warn(CompileWarning(diagnostic))
    if compilation.files and not (found or found.warnings or found.errors):
        warn(CompileWarning(compilation.without_kernels()))
    return found


def compile(
    text: Union[Path, Iterable[Path]],
    name: str = "kernel.py",
    *,
    device: str = "both",
    backward: bool = True,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    keep_errors: bool = False,
    warp: Optional[str] = None,
    block_dim: Optional[int] = None,
) -> Kernels:
    """Compiles the kernels of programs, in source order.

        for kernel in weft.compile(text):
            print(kernel.name, kernel.cuda)

    text: the program, or a path object for a file or for a folder, whose Python files are compiled, also
        in folders below; or several of these.
    name: what comments and messages call a program that is text.
    device: "cpu", "cuda" or "both": whose text is made.
    backward: whether kernels have their backward pass.
    include: folders where imports are searched.
    instances: kernels that only a running program makes, as Python expressions: "make_kernel(3)" calls a
        function of the program, "k[x=wp.vec3, n=int]" gives a generic kernel the types of a launch.
    define: environment variables as the program sees them in os.environ; it sees no others.
    keep_errors: a kernel with errors has its first one in `.error` instead of raising it, and all errors
        are in `.errors` of the list; those of a single program without kernels are raised all the same.
    warp: the release of Warp whose text is written, as "1.18"; None for the newest.
    block_dim: threads of a block, as a launch sets them: 1 gives the text that Warp compiles for the CPU;
        None: what the module says, or 256.

    Raises CompileError if any kernel has errors, OSError if a file cannot be read, ValueError for a folder
    without Python files. Warnings alone, such as of kernels that weft does not see, are in `.warnings` of
    the list, and given as CompileWarning by Python's warnings; so is that there is no kernel at all.
    """
    programs = [one if isinstance(one, str) else path_bytes("text", one) for one in sources(text)]
    context = Context(
        device, backward, include=include, instances=instances, define=define, warp=warp, block_dim=block_dim
    )
    return _compile(programs, name, keep_errors, context)


def compile_file(
    path: Paths, *, device: str = "both", backward: bool = True, include: Paths = (), instances: Texts = (),
    define: Define = None, keep_errors: bool = False, warp: Optional[str] = None, block_dim: Optional[int] = None,
) -> Kernels:  # fmt: skip
    """Like compile, of a file, a folder or several, whose names may be text; a file's own folder and
    package are searched for imports first."""
    context = Context(
        device, backward, include=include, instances=instances, define=define, warp=warp, block_dim=block_dim
    )
    return _compile([*listed("path", path)], "", keep_errors, context)
