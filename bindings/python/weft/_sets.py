# SPDX-License-Identifier: Apache-2.0
"""Data sets on disk: counted, shown, divided, joined, without their duplicates."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from . import _html
from ._arguments import Count, amount, one_of, real, several, shown, similarity, whole, word
from ._library import (
    INPUT_ERRORS,
    OK,
    ON_GENERATED,
    MergeOptions,
    RawSubset,
    ReportOptions,
    SubsetOptions,
    strings,
    text,
)
from ._paths import Path, Paths, listed, maybe_path, path_bytes
from ._task import OnProgress, Problem, Task, as_paths

METHODS = ("none", "zstd", "gzip")
NO_SAMPLES, SAMPLES_MOST = -1, 10_000


class Stats(Dict[str, Any]):
    """The figures of data sets, with the keys of `weft stats --json`."""

    def __repr__(self) -> str:
        kinds = f"{len(self['category'])} categories, {self['proved']:,} proved, {len(self['damaged'])} damaged"
        return f"<Stats of {self['records']:,} records, {self['bytes']:,} bytes: {kinds}>"

    def _repr_html_(self) -> str:
        rows = [(name, figures["records"], figures["bytes"]) for name, figures in self["category"].items()]
        return _html.table(repr(self)[1:-1], ("category", "records", "bytes"), rows)


def stats(what: Union[Path, Iterable[Any]], *, progress: OnProgress = None) -> Stats:
    """What data sets consist of: `weft.stats("out/demo")["category"]`.

    what: a path or several (folders of data sets, shards, files of one record), or records (they go
        through a temporary file).
    progress: called now and then with the number of records done.

    Returns a dict of figures. Damaged records are listed under "damaged". What cannot be read raises
    OSError.
    """
    task = Task(progress)
    with as_paths(what) as (paths, is_temporary):
        status = task.call("weft_stats", strings(paths), len(paths), 1, task.callbacks, task.on_text)
        task.end(OK if status == INPUT_ERRORS else status, paths=paths)
    damaged = [{"file": None if is_temporary else p.file, "line": p.line, "reason": p.reason} for p in task.problems]
    figures = json.loads("{" + "".join(task.texts) + "}")
    if is_temporary:
        figures["files"] = []
    return Stats(damaged=damaged, **figures)


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """A data set as one HTML page, and the damaged records that are not in it."""

    html: str
    problems: List[Problem]

    def save(self, path: Path) -> None:
        """Writes the page to a file; folders above it are made."""
        folder = os.path.dirname(os.fspath(path))
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(self.html)

    def __repr__(self) -> str:
        return f"<Report: {len(self.html):,} characters of HTML, {len(self.problems)} damaged records>"

    def _repr_html_(self) -> str:
        return _html.frame(self.html)


def report(path: Path, *, samples: Count = 20, measure: bool = False, progress: OnProgress = None) -> Report:
    """A data set as one HTML page: `weft.report("out/demo").save("demo.html")`.

    path: the folder of a data set, or one of its files.
    samples: how many records the page shows, up to 10,000.
    measure: the first samples are made again, for two seconds, and the page says how fast that was.
    progress: called now and then with the number of records done.
    """
    count, name = amount("samples", samples, 0, SAMPLES_MOST) or NO_SAMPLES, path_bytes("path", path)
    task, options = Task(progress), ReportOptions(measure=bool(measure), samples=count)
    status = task.call("weft_report", name, options, task.callbacks, task.on_text)
    task.end(OK if status == INPUT_ERRORS else status, paths=[name])
    return Report("".join(task.texts), task.problems)


def _subset_options(output: Optional[Path], compress: Optional[str], shard_rows: Count, license: Optional[str],
                    **more: Any) -> SubsetOptions:  # fmt: skip
    return SubsetOptions(
        output=maybe_path("output", output),
        compress=0 if compress is None else one_of("compress", compress, METHODS),
        repack=compress is not None,
        shard_rows=amount("shard_rows", shard_rows, 0, 2**63 - 1),
        license=word("license", license),
        **more,
    )


def _subset(function: str, what: Paths, options: SubsetOptions, progress: OnProgress) -> RawSubset:
    task, found, paths = Task(progress), RawSubset(), listed("what", what, 1)
    status = task.call(function, strings(paths), len(paths), options, task.callbacks, found)
    task.end(status, paths=paths, output=options.output)
    return found


@dataclasses.dataclass(frozen=True)
class Split:
    """How many records were written, in all and to each split."""

    records: int
    splits: Dict[str, int]


def _ratios(ratios: Any) -> bytes:
    """The library's form of (80, 10, 10): b"80,10,10"."""
    items = ratios.split(",") if isinstance(ratios, str) else several(ratios)
    if items is None:
        raise TypeError(f"ratios: two or three numbers, not {shown(ratios)}")
    words = items if isinstance(ratios, str) else [f"{real('ratios', item):.12f}".rstrip("0").rstrip(".") for item in items]
    if not 2 <= len(words) <= 3:
        raise ValueError(f"ratios: two or three numbers, not {len(words)}")
    for ratio in words:
        if not re.fullmatch(r"\d+(\.\d*)?", ratio) or not float(ratio):
            raise ValueError(f"ratios: {ratio} is no number above 0, such as 90 or 0.9")
    whole_sum = sum(map(float, words))
    if all(abs(whole_sum - whole) > len(words) * 1e-6 for whole in (1, 100)):
        raise ValueError(f"ratios: {', '.join(words[:-1])} and {words[-1]} add up neither to 100 percent nor to 1")
    return ",".join(words).encode()


def split(
    what: Paths,
    output: Path,
    ratios: Union[str, Sequence[float]] = (90, 5, 5),
    *,
    compress: Optional[str] = None,
    shard_rows: Count = 0,
    license: Optional[str] = None,
    progress: OnProgress = None,
) -> Split:
    """Divides data sets into train, validation and test: `weft.split("out/demo", "out/split")`.

    A family of records that resemble each other stays in one split.

    what: folders of data sets, shards, files of one record; one path or several.
    output: the folder for the new data set, empty or not there yet.
    ratios: percent of train and test, or of train, validation and test, 100 in all; or fractions, 1 in all,
        to a millionth for each: (1/3, 1/3, 1/3).
    compress: "zstd", "gzip" or "none"; None: as the input is.
    shard_rows: records in each file; 0 for 25,000.
    license: of the card, as the Hub writes it; None for apache-2.0.
    progress: called now and then with the number of records done.

    After an exception nothing of the output is left.
    """
    path_bytes("output", output)
    options = _subset_options(output, compress, shard_rows, license, ratios=_ratios(ratios))
    found = _subset("weft_split", what, options, progress)
    parts = found.parts[: found.part_count]
    return Split(found.records, {text(part.name): part.records for part in parts})


@dataclasses.dataclass(frozen=True)
class Dedup:
    """What was read, what is left, and why the others are not: they have the structure of an earlier
    record, are near to one, or cannot be read as kernels (those are kept)."""

    records: int
    left: int
    duplicates: int
    nears: int
    unread: int


def dedup(
    what: Paths,
    output: Optional[Path] = None,
    *,
    near: Optional[float] = None,
    compress: Optional[str] = None,
    shard_rows: Count = 0,
    license: Optional[str] = None,
    progress: OnProgress = None,
) -> Dedup:
    """Leaves out records whose structure an earlier one has: `weft.dedup("out/demo", "out/less", near=0.9)`.

    what: folders of data sets, shards, files of one record; one path or several.
    output: the folder for the new data set, empty or not there yet; None: records are only counted.
    near: also leaves out kernels as similar as that, from 0.5 to 1, to an earlier one.
    compress, shard_rows, license, progress: as in split.

    After an exception nothing of the output is left.
    """
    options = _subset_options(output, compress, shard_rows, license, near=similarity(near))
    found = _subset("weft_dedup", what, options, progress)
    return Dedup(found.records, found.left, found.duplicates, found.nears, found.unread)


@dataclasses.dataclass(frozen=True)
class Merged:
    """What a merge has written. `moved`: pairs that were made anew, since two parts had one structure."""

    records: int
    bytes: int
    moved: int
    seconds: float


def merge(
    parts: Paths,
    output: Path,
    *,
    exclude: Paths = (),
    memory_mb: int = 0,
    packages: Paths = (),
    warp_include: Optional[Path] = None,
    progress: OnProgress = None,
) -> Merged:
    """Joins the parts of a run (`weft generate --shard I/N`) into what one machine makes, or collected sets
    with each other and with generated ones.

        weft.merge(["part1", "part2"], "out/whole")

    parts: the folders of all parts, in any order, or of the sets.
    output: the folder for the data set, empty or not there yet.
    exclude: what the parts were made with, if they were.
    memory_mb: megabytes to sort with; 0 for 256.
    packages, warp_include: for parts with PTX, as in ptx.
    progress: called now and then with the number of records done.

    Raises ValueError if the folders are not the parts of one run, WeftError if one is damaged.
    """
    folders, excluded, dirs = listed("parts", parts, 1), listed("exclude", exclude), listed("packages", packages)
    options = MergeOptions(
        output=path_bytes("output", output),
        exclude=strings(excluded),
        exclude_count=len(excluded),
        memory_mb=whole("memory_mb", memory_mb, 0, 2**40 - 1),
        package_dirs=strings(dirs),
        package_dir_count=len(dirs),
        warp_include=maybe_path("warp_include", warp_include),
    )
    task, made = Task(progress), []  # type: Task, List[Merged]

    def take(_: object, raw: Any) -> None:
        found = raw.contents
        made.append(Merged(found.rows, found.bytes, found.moved, found.seconds))

    status = task.call("weft_merge", strings(folders), len(folders), options, task.callbacks, ON_GENERATED(take))
    task.end(status, paths=folders, kind="folder", output=options.output)
    return made[0]
