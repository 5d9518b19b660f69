# SPDX-License-Identifier: Apache-2.0
"""What is wrong with programs, and what the messages mean."""

from __future__ import annotations

import os
from typing import Iterable, List, Optional, Union

from . import _library as c
from ._arguments import word
from ._context import Context
from ._errors import Diagnostic
from ._paths import Define, Path, Paths, Texts, file_error, path_bytes, sources, text_and_name


class _Findings:
    """The callbacks of weft_check: the diagnostics of all files, and what belongs to none."""

    def __init__(self, context: Context):
        self.context = context
        self.diagnostics: List[Diagnostic] = []
        self.message: Optional[str] = None
        self.raised: Optional[BaseException] = None
        self.options = c.CheckOptions(checked=c.ON_CHECKED(self._take), message=c.ON_MESSAGE(self._take_message))

    def _take(self, _: object, handle: object) -> bool:
        """Other than 0 ends the check."""
        try:
            self.diagnostics += self.context.diagnostics()
        except BaseException as error:
            self.raised = error
        return self.raised is not None

    def _take_message(self, _: object, kind: int, said: bytes) -> None:
        self.message = self.message or c.text(said)

    def end(self, status: int, path: bytes) -> List[Diagnostic]:
        if self.raised is not None:
            raise self.raised
        if status == c.IO_ERROR:
            unread = [found.message for found in self.diagnostics if found.id == "cannot-read"]
            raise file_error(self.message or unread[0], [path])
        if self.message is not None:
            raise ValueError(self.message)
        if status != c.INPUT_ERRORS:
            self.context.check(status)
        return self.diagnostics


def _check_one(context: Context, source: Path, name: str) -> List[Diagnostic]:
    if isinstance(source, os.PathLike):
        findings, path = _Findings(context), path_bytes("text", source)
        return findings.end(context.call("weft_check", path, findings.options), path)
    text, called = text_and_name(source, name)
    status = context.call_on_text("weft_emit_text", called, text, c.EmitOptions(form=c.EMIT_NONE))
    if status != c.INPUT_ERRORS:
        context.check(status)
    return context.diagnostics()


def check(
    text: Union[Path, Iterable[Path]],
    name: str = "kernel.py",
    *,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    warp: Optional[str] = None,
    block_dim: Optional[int] = None,
) -> List[Diagnostic]:
    """What `weft check` finds in kernels: errors and warnings, each with its place.

        for diagnostic in weft.check(pathlib.Path("kernels")):
            print(diagnostic)

    text: a Python program, or a path object for a file, a folder (its .py, .cu and .cuh files, also in
        folders below) or a data set, whose CUDA texts are checked; or several of these.
    name: what the diagnostics call a program that is text.
    include: folders where imports are searched.
    instances: kernels that only a running program makes, as Python expressions: "make_kernel(3)" calls a
        function of the program, "k[x=wp.vec3, n=int]" gives a generic kernel the types of a launch.
    define: environment variables as the program sees them in os.environ; it sees no others.
    warp: the release of Warp that the kernels are for, as "1.18"; None for the newest.
    block_dim: threads of a block, as launches set it; None for what the program's options say, 256, or else
        what its launches say.

    Raises OSError for what cannot be read, ValueError for a folder that holds nothing to check.
    """
    programs = sources(text)
    many = len(programs) > 1 or any(isinstance(program, os.PathLike) and os.path.isdir(program) for program in programs)
    with Context("both", include=include, instances=instances, define=define, warp=warp, block_dim=block_dim, many=many) as context:
        found = [diagnostic for program in programs for diagnostic in _check_one(context, program, name)]
        context.check_instances()
        return found


def explain(id: str) -> str:
    """What a diagnostic means, with a wrong and a right program, as `weft explain` prints it.

    id: "undefined-name", or a message that holds it.

    Raises ValueError if there is no such id; the message names those that resemble it.
    """
    out, wanted = c.TextOut(), word("id", id)
    if wanted is None:
        raise TypeError("id is a str, not None")
    with Context() as context:
        context.check(context.lib.weft_explain(context.handle, wanted, *out.places))
        return str(out)
