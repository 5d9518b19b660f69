# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
import warnings
from typing import Any, Optional, Sequence, Union

PACKAGE = os.path.dirname(os.path.abspath(__file__))


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
    """A program has a result, and something to know of it: a kernel that has no text, say, or that it
    has no kernel at all, for which there is a sentence and no diagnostic."""

    def __init__(self, about: Union[Diagnostic, str]):
        self.diagnostic = about if isinstance(about, Diagnostic) else None
        hint = f"\nhint: {about.hint}" if isinstance(about, Diagnostic) and about.hint else ""
        super().__init__(f"{about}{hint}")

    def __reduce__(self) -> "tuple[Any, ...]":
        return CompileWarning, (self.diagnostic or str(self),)


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


OTHER_WORDS = {
    "instance": "instances", "no-backward": "backward=False", "no-dedup": "dedup=False", "no-verify": "verify=False", "shard": "part",
}  # fmt: skip

COMMANDS = "collect|compile|dedup|generate|merge|report|split|stats|validate"


def in_python(message: str) -> str:
    """A hint or an error of the library, which names options, with this package's parameters instead:

    "say the types, --instance 'k[n=int]'"  ->  "say the types, instances='k[n=int]'"
    "--min-lines 9 is more than ..."        ->  "min_lines 9 is more than ..."
    "--emit cu gives the text that ..."     ->  "weft.compile gives the text that ..."

    A command stays as it is typed: "to join them: weft dedup a b --output DIR".
    """
    message, command, rest = re.match(rf"(?s)(.*?)(\bweft (?:{COMMANDS}) |$)(.*)", message).groups()  # type: ignore[union-attr]
    message = re.sub(r"(?<![\w-])-I DIR\b", "include=DIR", message)
    message = re.sub(r"(?<![\w-])--emit (?:cu|json) (?=gives|writes)", "weft.compile ", message)
    message = re.sub(
        r"(?<![\w-])--([a-z][a-z-]*)( (?='))?",
        lambda found: OTHER_WORDS.get(found[1], found[1].replace("-", "_")) + ("=" if found[2] else ""),
        message,
    )
    return f"{message}{command}{rest}"


def warn(warning: Union[str, Warning]) -> None:
    """At the line of a user's program that called the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)
