# SPDX-License-Identifier: Apache-2.0
"""What the longer tasks of the library share: callbacks, and their end as an exception.

Callbacks run in the calling thread, so that an interrupt is raised in one of them, ends the task and
is raised again.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import itertools
import json
import os
import tempfile
import warnings
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _library as c
from ._errors import WeftError
from ._library import text
from ._paths import Path

ERROR, USAGE, CAUTION = 1, 2, 4
OnProgress = Optional[Callable[[int], object]]


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that is wrong. `line` is None for a whole file; `file` is None for records that came
    from memory, whose `line` is their number, from 1."""

    file: Optional[str]
    line: Optional[int]
    id: str
    check: str
    reason: str

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file or "record", self.line) if part is not None)
        label = "".join(f"{word}: " for word in (self.id, self.check) if word)
        return f"{where}: {label}{self.reason}"


class Task:
    """One call's callbacks: collects problems, messages and texts."""

    def __init__(self, progress: OnProgress = None):
        self.problems: List[Problem] = []
        self.texts: List[str] = []
        self.progress = progress
        self.raised: Optional[BaseException] = None
        self.message: Optional[str] = None
        self.on_problem = c.ON_PROBLEM(lambda _, raw: self._guarded(self._take, raw.contents))
        self.on_text = c.ON_TEXT(lambda _, at, size: self._guarded(self._take_text, at, size) and None)
        self.callbacks = c.Callbacks(
            message=c.ON_MESSAGE(lambda _, kind, said: self._guarded(self._take_message, kind, said) and None),
            problem=self.on_problem,
            progress=c.ON_TASK_PROGRESS(lambda _, raw: self._guarded(self.tell, raw.contents.done)),
        )

    def _guarded(self, work: Callable[..., object], *args: Any) -> bool:
        """Whether something has been raised: the library ends the task then."""
        try:
            work(*args)
        except BaseException as error:
            self.raised = self.raised or error
        return self.raised is not None

    def tell(self, records: int) -> None:
        if self.progress:
            self.progress(records)

    def on_count(self, _: object, records: int) -> bool:
        """For a callback that is given the number of records alone."""
        return self._guarded(self.tell, records)

    def _take(self, p: c.RawProblem) -> None:
        self.problems.append(Problem(os.fsdecode(p.file), p.line or None, text(p.id), text(p.check), text(p.reason)))

    def _take_text(self, at: int, size: int) -> None:
        self.texts.append(text(ctypes.string_at(at, size)))

    def _take_message(self, kind: int, said: bytes) -> None:
        if kind in (ERROR, USAGE):
            self.message = text(said)
        elif kind == CAUTION:
            warnings.warn(text(said), stacklevel=6)

    def end(self, status: int, message: Optional[str] = None) -> None:
        """Raises what a status says."""
        message = message or self.message or text(c.library().weft_status_text(status))
        if self.raised is not None:
            raise self.raised
        if status == c.NO_MEMORY:
            raise MemoryError(f"weft: {message}")
        if status != c.OK:
            raise {c.BAD_ARGUMENT: ValueError, c.IO_ERROR: OSError}.get(status, WeftError)(message)


def is_record(value: object) -> bool:
    """A dict, or a text that begins as JSON's objects do; else it is a path."""
    return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip()[:1] == "{")


@contextlib.contextmanager
def as_paths(what: Union[Path, Iterable[Any]]) -> Iterator[Tuple[List[Path], bool]]:
    """Paths, and whether they are those of a temporary file with records that came from memory."""
    if isinstance(what, (str, os.PathLike)) or isinstance(what, Mapping):
        what = [what]
    items = iter(what)
    first = list(itertools.islice(items, 1))
    if not first or not is_record(first[0]):
        yield [*first, *items], False
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl", errors="surrogatepass") as stream:
        for record in itertools.chain(first, items):
            stream.write(record if isinstance(record, str) else json.dumps(record, ensure_ascii=False))
            stream.write("\n")
        stream.flush()
        yield [stream.name], True
