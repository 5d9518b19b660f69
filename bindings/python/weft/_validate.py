# SPDX-License-Identifier: Apache-2.0
"""Is a data set what it says?"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import tempfile
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Union

from ._library import (
    BAD_ARGUMENT,
    IO_ERROR,
    NO_MEMORY,
    ON_PROBLEM,
    ON_PROGRESS,
    RawValidation,
    ValidateOptions,
    library,
    strings,
    text,
)

Path = Union[str, "os.PathLike[str]"]


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
        return f"{where}: {self.id + ': ' if self.id else ''}{self.check}: {self.reason}"


@dataclasses.dataclass(frozen=True)
class Validation:
    """What was found; true if nothing is wrong."""

    records: int
    ok: int
    files: int
    bytes: int
    problems: List[Problem]

    def __bool__(self) -> bool:
        return not self.problems


class _Callbacks:
    """Collects problems; what a callback raises (an interrupt, say) ends the work and is raised again."""

    def __init__(self, progress: Optional[Callable[[int], object]]):
        self.problems: List[Problem] = []
        self.progress, self.raised = progress, None

    def guarded(self, work: Callable[[], object]) -> int:
        try:
            work()
        except BaseException as error:
            self.raised = error
        return self.raised is not None

    def on_problem(self, _, raw) -> int:
        return self.guarded(lambda: self.take(raw.contents))

    def take(self, p) -> None:
        self.problems.append(Problem(os.fsdecode(p.file), p.line or None, text(p.id), text(p.check), text(p.reason)))

    def on_progress(self, _, records) -> int:
        return self.guarded(lambda: self.progress and self.progress(records))


def _validate_paths(paths: Sequence[Path], checks, jobs: int, progress) -> Validation:
    calls, found = _Callbacks(progress), RawValidation()
    options = ValidateOptions(
        checks=None if checks is None else checks.encode(),
        jobs=jobs,
        problem=ON_PROBLEM(calls.on_problem),
        progress=ON_PROGRESS(calls.on_progress),
    )
    status = library().weft_validate(strings(paths), len(paths), options, found)
    if calls.raised is not None:
        raise calls.raised
    if status == NO_MEMORY:
        raise MemoryError("weft: out of memory, or no thread could be started")
    if status == IO_ERROR:
        raise OSError(text(found.message))
    if status == BAD_ARGUMENT:
        raise ValueError(text(found.message) or "weft: no path given")
    return Validation(found.records, found.ok, found.files, found.bytes, calls.problems)


def _validate_records(records: Iterable[Any], checks, jobs: int, progress) -> Validation:
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl", errors="surrogatepass") as stream:
        for record in records:
            stream.write(record if isinstance(record, str) else json.dumps(record, ensure_ascii=False))
            stream.write("\n")
        stream.flush()
        found = _validate_paths([stream.name], checks, jobs, progress)
    problems = [dataclasses.replace(problem, file=None) for problem in found.problems]
    return dataclasses.replace(found, problems=problems)


def _is_record(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip()[:1] == "{")


def validate(
    what: Union[Path, Iterable[Any]],
    *,
    checks: Union[str, Sequence[str], None] = None,
    jobs: int = 0,
    progress: Optional[Callable[[int], object]] = None,
) -> Validation:
    """Checks data sets, as `weft validate` does.

    what: a path or several (folders of data sets, shards, files of one record), or records (dicts or
    JSON texts; they go through a temporary file). checks: names like "hash" and "execution"; None for
    all. progress: called now and then with the number of records done. What cannot be read raises
    OSError; what is wrong with records is in the result.
    """
    names = checks if checks is None or isinstance(checks, str) else ",".join(checks)
    if isinstance(what, (str, os.PathLike)):
        return _validate_paths([what], names, jobs, progress)
    if isinstance(what, Mapping):
        return _validate_records([what], names, jobs, progress)
    items = iter(what)
    first = list(itertools.islice(items, 1))
    if first and _is_record(first[0]):
        return _validate_records(itertools.chain(first, items), names, jobs, progress)
    return _validate_paths([*first, *items], names, jobs, progress)
