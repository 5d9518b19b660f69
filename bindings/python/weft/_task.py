# SPDX-License-Identifier: Apache-2.0
"""What the longer tasks of the library share: callbacks, and their end as an exception.

A task's callbacks say whether it is to end: after an exception in a caller's function, or one that a
signal's handler has raised (_interrupt.py).
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import tempfile
from ctypes import string_at
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _library as c
from ._arguments import shown
from ._errors import WeftError, in_python, warn
from ._interrupt import Call
from ._library import text
from ._paths import PATH, Path, file_error, listed

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
    """One call and its callbacks: collects problems, messages and texts. The callbacks run in the
    thread that makes the call, the caller's `progress` in the caller's thread."""

    def __init__(self, progress: OnProgress = None):
        if progress is not None and not callable(progress):
            raise TypeError(f"progress is a function of a number, not {shown(progress)}")
        self.problems: List[Problem] = []
        self.texts: List[str] = []
        self.progress = progress
        self.raised: Optional[BaseException] = None
        self.message: Optional[str] = None
        self._cautions: List[str] = []
        self._call: Optional[Call] = None
        self.on_problem = c.ON_PROBLEM(lambda _, raw: self._guarded(self._take, raw.contents))
        self.on_text = c.ON_TEXT(lambda _, at, size: self._guarded(self._take_text, at, size) and None)
        self.callbacks = c.Callbacks(
            message=c.ON_MESSAGE(lambda _, kind, said: self._guarded(self._take_message, kind, said) and None),
            problem=self.on_problem,
            progress=c.ON_TASK_PROGRESS(lambda _, raw: self._guarded(self._tell, raw.contents.done)),
        )

    def call(self, name: str, *args: Any) -> int:
        """The status of a function of the library, to which `args` give the callbacks. An exception of a
        callback or of a signal's handler ends it, and what it was writing is removed."""
        function = getattr(c.library(), name)
        self._call = Call(lambda: int(function(*args)))
        status = self._call.run()
        self._call = None
        for caution in self._cautions:
            warn(in_python(caution))
        return status

    def _guarded(self, work: Callable[..., object], *args: Any) -> bool:
        """Whether the task is to end."""
        try:
            work(*args)
        except BaseException as error:
            self.raised = self.raised or error
        return self.raised is not None or (self._call is not None and self._call.is_left)

    def _tell(self, records: int) -> None:
        if self.progress and self._call:
            self._call.ask(self.progress, records)

    def on_count(self, _: object, records: int) -> bool:
        """For a callback that is given the number of records alone."""
        return self._guarded(self._tell, records)

    def _take(self, p: c.RawProblem) -> None:
        self.problems.append(Problem(os.fsdecode(p.file), p.line or None, text(p.id), text(p.check), text(p.reason)))

    def _take_text(self, at: int, size: int) -> None:
        self.texts.append(text(string_at(at, size)))

    def _take_message(self, kind: int, said: bytes) -> None:
        if kind in (ERROR, USAGE):
            self.message = text(said)
        elif kind == CAUTION:
            self._cautions.append(text(said))

    def end(
        self, status: int, message: Optional[str] = None, *, paths: Sequence[bytes] = (), kind: str = "any",
        output: Optional[bytes] = None,
    ) -> None:  # fmt: skip
        """Raises what a status says; `paths` were to be read, `output` was to be written."""
        message = in_python(message or self.message or text(c.library().weft_status_text(status)))
        if self.raised is not None:
            raise self.raised
        if status == c.NO_MEMORY:
            raise MemoryError(f"weft: {message}")
        if status == c.IO_ERROR:
            raise file_error(message, paths, kind, output)
        if status != c.OK:
            raise (ValueError if status == c.BAD_ARGUMENT else WeftError)(message)


def is_record(value: object) -> bool:
    """A dict, or a text that begins as JSON's objects do; else it is a path."""
    return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip()[:1] == "{")


def _write(records: Iterable[Any], stream: Any) -> None:
    """One line of JSON for each."""
    for number, record in enumerate(records, 1):
        if not is_record(record):
            raise TypeError(f"record {number} is a dict or a JSON text, not {shown(record)}")
        stream.write(record if isinstance(record, str) else json.dumps(record, ensure_ascii=False))
        stream.write("\n")
    stream.flush()


@contextlib.contextmanager
def as_paths(what: Union[Path, Iterable[Any]]) -> Iterator[Tuple[List[bytes], bool]]:
    """Paths, and whether they are those of a temporary file with records that came from memory."""
    if isinstance(what, (*PATH, Mapping)):
        what = [what]
    if not isinstance(what, Iterable):
        raise TypeError(f"what is a path or several, or records, not {shown(what)}")
    items = iter(what)
    first = list(itertools.islice(items, 1))
    if not first or not is_record(first[0]):
        yield listed("what", itertools.chain(first, items), 1), False
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl", errors="surrogatepass") as stream:
        _write(itertools.chain(first, items), stream)
        yield [os.fsencode(stream.name)], True
