# SPDX-License-Identifier: Apache-2.0
"""Data sets of the kernels in somebody's files."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Optional

from ._arguments import Count, Names, amount, device_bits, one_of, similarity, whole, word, words
from ._library import IO_ERROR, CollectOptions, RawCollected, strings, text
from ._paths import Path, Paths, listed, path_bytes
from ._sets import METHODS
from ._task import OnProgress, Task

FORMATS = ("jsonl", "files", "standalone", "parquet")


@dataclasses.dataclass(frozen=True)
class Collected:
    """What was found: files, of these those that were left out for their licence and those that do not load,
    and kernels. `records` were written: `proofs` counts them by what was proved; `skipped` the other kernels by the reason. `complete`:
    the set was there already (resume=True), and nothing was counted."""

    files: int
    unlicensed: int
    unloaded: int
    kernels: int
    records: int
    proofs: Dict[str, int]
    skipped: Dict[str, int]
    complete: bool
    seconds: float


def _counts(found: Any, count: int) -> Dict[str, int]:
    return {text(one.name): one.records for one in found[:count]}


def collect(
    paths: Paths,
    output: Path,
    *,
    include: Paths = (),
    licenses: Names = None,
    exclude: Paths = (),
    near: Optional[float] = None,
    device: str = "cuda",
    backward: bool = True,
    verify: bool = True,
    style: str = "pair",
    tasks: Names = None,
    format: str = "jsonl",
    cpu_shim: bool = False,
    compress: str = "none",
    shard_rows: Count = 0,
    license: Optional[str] = None,
    jobs: int = 0,
    resume: bool = False,
    warp: Optional[str] = None,
    progress: OnProgress = None,
) -> Collected:
    """Makes records of the kernels in files, folders and installed packages, as `weft collect`:

        weft.collect("src", "out/mine", licenses="mit,apache-2.0").records

    paths: files, folders and names of packages; one or several.
    output: the folder for the data set, empty or not there yet. include: folders of imports and packages.
    licenses: SPDX identifiers, or one text with commas: no other code is taken; None for all that are known.
    exclude: Python and JSON files, and folders of them; no record shares a structure with their kernels.
    near: also leaves out kernels as similar as that, from 0.5 to 1, to an earlier one.
    device, backward, verify, style, tasks, warp: as in generate.
    format: "jsonl", "files", "parquet", or "standalone" for CUDA programs, with cpu_shim for `make cpu` too.
    compress: "none", "zstd" or "gzip". shard_rows: records in each file; 0 for 25,000.
    license: of the card, as the Hub writes it; None for other. resume: goes on with a run that was stopped.
    jobs: threads, 0 for one each core; the records do not depend on it.
    progress: called now and then with the number of files done.

    Kernels that are no record stand in the output's skipped.jsonl. Raises WeftError if nothing can be
    collected. After an exception nothing of the output is left; after an interrupt, what resume=True goes on
    with.
    """
    operands, dirs, excluded = listed("paths", paths, 1), listed("include", include), listed("exclude", exclude)
    options = CollectOptions(
        output=path_bytes("output", output),
        include_dirs=strings(dirs),
        include_dir_count=len(dirs),
        exclude=strings(excluded),
        exclude_count=len(excluded),
        licenses=words("licenses", licenses),
        license=word("license", license),
        near=similarity(near),
        shard_rows=amount("shard_rows", shard_rows, 0, 2**63 - 1),
        devices=device_bits(device),
        jobs=whole("jobs", jobs, 0, 1024),
        no_backward=not backward,
        no_verify=not verify,
        compress=one_of("compress", compress, METHODS),
        messages=one_of("style", style, ("pair", "messages")),
        tasks=words("tasks", tasks),
        warp=word("warp", warp),
        resume=bool(resume),
        format=one_of("format", format, FORMATS),
        cpu_shim=cpu_shim,
    )
    task, found = Task(progress), RawCollected()
    status = task.call("weft_collect", strings(operands), len(operands), options, task.callbacks, found)
    task.end(status, paths=operands + excluded if status == IO_ERROR else (), output=options.output)
    return Collected(
        files=found.files,
        unlicensed=found.unlicensed,
        unloaded=found.unloaded,
        kernels=found.kernels,
        records=found.records,
        proofs=_counts(found.proofs, found.proof_count),
        skipped=_counts(found.skipped, found.skipped_count),
        complete=bool(found.complete),
        seconds=found.seconds,
    )
