# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One error or warning of a program. Lines and columns count from 1; columns are bytes."""

    id: str
    message: str
    hint: Optional[str]
    file: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    warning: bool = False

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{where}{'warning' if self.warning else 'error'}: {self.message} [{self.id}]"


class WeftError(Exception):
    """What weft cannot do, and why."""


class CompileWarning(UserWarning):
    """A program has a result, and something to know of it: a kernel that has no text, say."""

    def __init__(self, diagnostic: Diagnostic):
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic) + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""))

    def __reduce__(self) -> "tuple[Any, ...]":
        return CompileWarning, (self.diagnostic,)


class CompileError(WeftError):
    """A program has errors: these and warnings in `diagnostics`, the first error's place at hand."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        first = next((d for d in self.diagnostics if not d.warning), self.diagnostics[0])
        self.id, self.file, self.line, self.column = first.id, first.file, first.line, first.column
        more = len(self.diagnostics) - 1
        text = str(first) + (f"\nhint: {first.hint}" if first.hint else "")
        super().__init__(text + (f"\nand {more} more" if more else ""))

    def __reduce__(self) -> "tuple[Any, ...]":
        return CompileError, (self.diagnostics,)


class RunError(WeftError):
    """A kernel failed while it ran: an index out of bounds, fuel that is spent."""


class GenerateError(WeftError):
    """Records cannot be made."""
