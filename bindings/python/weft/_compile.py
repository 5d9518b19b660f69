# SPDX-License-Identifier: Apache-2.0
"""Python text to Warp's text."""

from __future__ import annotations

import ast
import ctypes
import dataclasses
import os
import warnings
from typing import List, Optional, Tuple

from . import _html
from ._errors import CompileWarning, Diagnostic
from ._library import INPUT_ERRORS, Context, RawKernel, maybe, text
from ._paths import Define, Path, Paths, Texts, text_and_name


@dataclasses.dataclass(frozen=True, repr=False)
class Kernel:
    """A kernel's text, forward and backward, as warp-lang emits it for a module that holds it alone.

    `line` is that of its first decorator. A text is None for a device that was not asked for, and
    where `error` says why there is none: an error, or a warning that the kernel is generic. In notebooks a kernel is shown as its source beside its CUDA text.
    """

    name: str
    line: int
    cpu: Optional[str]
    cuda: Optional[str]
    error: Optional[Diagnostic] = None
    program: str = dataclasses.field(default="", compare=False)  # the text of the file that it is in

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

    def __repr__(self) -> str:
        sizes = [f"{name} {len(code):,} characters" for name, code in (("cpu", self.cpu), ("cuda", self.cuda)) if code]
        return f"<Kernel {self.name}, line {self.line}: {self.error or ', '.join(sizes)}>"

    def _repr_html_(self) -> str:
        texts = [("Python", self.source)]
        if self.error:
            texts.append(("Error", str(self.error)))
        elif self.cuda is not None:
            texts.append(("CUDA", self.cuda))
        elif self.cpu is not None:
            texts.append(("C++", self.cpu))
        return _html.columns(f"{self.name}, line {self.line}", texts)


def _text_of(address: Optional[int], size: int) -> Optional[str]:
    return None if address is None else text(ctypes.string_at(address, size))


def _public(raw: RawKernel, program: str) -> Kernel:
    error = raw.error.contents.public() if raw.error else None
    cpu, cuda = _text_of(raw.cpu, raw.cpu_size), _text_of(raw.cuda, raw.cuda_size)
    return Kernel(maybe(raw.name) or "", raw.line, cpu, cuda, error, program)


class Kernels(List[Kernel]):
    """The kernels of a program, in source order, and what weft warns of: kernels that are not among them."""

    warnings: Tuple[Diagnostic, ...] = ()


def _kernels(context: Context, status: int, keep_errors: bool, program: str) -> Kernels:
    count = context.lib.weft_kernel_count(context.handle)
    if not (status == INPUT_ERRORS and keep_errors and count):
        context.check(status)
    found = Kernels(_public(context.lib.weft_kernel_at(context.handle, i).contents, program) for i in range(count))
    found.warnings = tuple(diagnostic for diagnostic in context.diagnostics() if diagnostic.warning)
    return found


def _warn(found: Kernels) -> Kernels:
    """At the place of the caller of compile or compile_file. Outside of the context, since a filter
    may make an exception of a warning."""
    for diagnostic in found.warnings:
        warnings.warn(CompileWarning(diagnostic), stacklevel=3)
    return found


def compile(
    text: Path,
    name: str = "kernel.py",
    *,
    device: str = "both",
    backward: bool = True,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    keep_errors: bool = False,
    warp: Optional[str] = None,
) -> Kernels:
    """Compiles the kernels of a program, in source order.

        for kernel in weft.compile(text):
            print(kernel.name, kernel.cuda)

    text: the program, or a path object for a file.
    name: what comments and messages call a program that is text.
    device: "cpu", "cuda" or "both": whose text is made.
    backward: whether kernels have their backward pass.
    include: folders where imports are searched.
    instances: kernels that only a running program makes, as Python expressions: "make_kernel(3)" calls a
        function of the program, "k[x=wp.vec3, n=int]" gives a generic kernel the types of a launch.
    define: environment variables as the program sees them in os.environ; it sees no others.
    keep_errors: a kernel with errors has its first one in `.error` instead of raising it; errors that
        leave no kernel are raised all the same.
    warp: the release of Warp whose text is written, as "1.18"; None for the newest.

    Raises CompileError if any kernel has errors, OSError if the file cannot be read. Warnings alone,
    such as of kernels that weft does not see, are in `.warnings` of the list, and given as
    CompileWarning by Python's warnings.
    """
    if isinstance(text, os.PathLike):
        return _warn(_compile_file(text, device, backward, include, instances, define, keep_errors, warp))
    source, called = text_and_name(text, name)
    with Context(device, backward, include, instances, define, warp=warp) as context:
        status = context.lib.weft_compile_text(context.handle, called, source, len(source))
        found = _kernels(context, status, keep_errors, text)
    return _warn(found)


def _program_of(path: Path) -> str:
    """For showing sources: "" for what cannot be read a second time, such as a pipe."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8-sig", errors="replace") as stream:
        return stream.read()


def compile_file(
    path: Path, *, device: str = "both", backward: bool = True, include: Paths = (), instances: Texts = (),
    define: Define = None, keep_errors: bool = False, warp: Optional[str] = None,
) -> Kernels:  # fmt: skip
    """Like compile, of a file; its own folder and package are searched for imports first."""
    return _warn(_compile_file(path, device, backward, include, instances, define, keep_errors, warp))


def _compile_file(
    path: Path, device: str, backward: bool, include: Paths, instances: Texts, define: Define, keep_errors: bool,
    warp: Optional[str],
) -> Kernels:  # fmt: skip
    with Context(device, backward, include, instances, define, warp=warp) as context:
        status = context.lib.weft_compile_file(context.handle, os.fsencode(path))
        return _kernels(context, status, keep_errors, _program_of(path))
