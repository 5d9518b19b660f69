# SPDX-License-Identifier: Apache-2.0
"""Is a data set what it says?"""

from __future__ import annotations

import dataclasses
from typing import Any, Iterable, List, Sequence, Union

from . import _html
from ._arguments import whole, words
from ._library import ON_PROGRESS, RawValidation, ValidateOptions, strings, text
from ._paths import Path
from ._task import OnProgress, Problem, Task, as_paths


@dataclasses.dataclass(frozen=True, repr=False)
class Validation:
    """What was found; true if nothing is wrong."""

    records: int
    ok: int
    files: int
    bytes: int
    problems: List[Problem]

    def __bool__(self) -> bool:
        return not self.problems

    def __repr__(self) -> str:
        return f"<Validation: {self.records:,} records, {self.ok:,} good, {len(self.problems):,} problems>"

    def _repr_html_(self) -> str:
        rows = [(p.file or "", p.line or "", p.id, p.check, p.reason) for p in self.problems[:100]]
        return _html.table(repr(self)[1:-1], ("file", "line", "id", "check", "reason"), rows)


def validate(
    what: Union[Path, Iterable[Any]],
    *,
    checks: Union[str, Sequence[str], None] = None,
    jobs: int = 0,
    progress: OnProgress = None,
) -> Validation:
    """Checks data sets, as `weft validate` does.

        for problem in weft.validate("out/demo").problems:
            print(problem)

    what: a path or several (folders of data sets, shards, files of one record), or records (dicts or
        JSON texts; they go through a temporary file).
    checks: names like "hash" and "execution"; None for all.
    jobs: threads, 0 for one each core.
    progress: called now and then with the number of records done.

    What cannot be read raises OSError; what is wrong with records is in the result.
    """
    task, found = Task(progress), RawValidation()
    with as_paths(what) as (paths, is_temporary):
        options = ValidateOptions(
            checks=words("checks", checks),
            jobs=whole("jobs", jobs, 0, 1024),
            problem=task.on_problem,
            progress=ON_PROGRESS(task.on_count),
        )
        status = task.call("weft_validate", strings(paths), len(paths), options, found)
        task.end(status, text(found.message), paths=paths)
    problems = task.problems
    if is_temporary:
        problems = [dataclasses.replace(problem, file=None) for problem in problems]
    return Validation(found.records, found.ok, found.files, found.bytes, problems)
