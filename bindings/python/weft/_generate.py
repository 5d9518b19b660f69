# SPDX-License-Identifier: Apache-2.0
"""Training pairs, one after another."""

from __future__ import annotations

import _thread
import ctypes
import json
import re
import threading
from types import TracebackType
from typing import Any, Dict, List, Literal, NoReturn, Optional, Sequence, Tuple, Type, Union, cast, overload

from ._arguments import Count, Names, amount, device_bits, one_of, several, shown, similarity, whole, word, words
from ._context import PATIENCE
from ._errors import GenerateError, in_python, warn
from ._interrupt import Call
from ._library import BAD_ARGUMENT, IO_ERROR, NEAR_KEPT, NO_MEMORY, OK, GenerateOptions, library, strings, text
from ._paths import Path, Paths, file_error, listed, maybe_path
from ._record import Item, Record, RecordIterator, parse_record
from ._task import Task

Levels = Union[int, str, Sequence[int], None]
Part = Optional[Tuple[int, int]]
LINES_LEAST, LINES_MOST = 3, 80  # of a kernel


def record_fields(options: Optional[GenerateOptions] = None) -> List[Dict[str, Any]]:
    """The fields of records that are made with these options; None: all that any record may have."""
    task = Task()
    status = task.call("weft_record_fields", options, task.callbacks, task.on_text)
    task.end(status)
    return cast(List[Dict[str, Any]], json.loads("".join(task.texts)))


class _Generator:
    """A weft_generator that is given back when the last reference to it goes."""

    def __init__(self) -> None:
        self.lib, self.handle = library(), ctypes.c_void_p()

    def start(self, options: GenerateOptions) -> int:
        """What is excluded is read here, which may be long."""
        return int(self.lib.weft_generator_new(options, self.handle))

    def message(self) -> str:
        return in_python(text(self.lib.weft_generator_message(self.handle)))

    def __del__(self) -> None:
        try:
            if getattr(self, "handle", None):
                self.lib.weft_generator_free(self.handle)
        except KeyboardInterrupt:  # would be lost here: it comes again, behind this
            _thread.start_new_thread(_thread.interrupt_main, ())


class Records(RecordIterator[Item]):
    """An iterator over records, made as they are asked for (some hundred are made ahead).

    It may be left at any time: close it, use it in a `with`, or drop it. A child process cannot go on
    with an iterator that its parent began.
    """

    def __init__(self, options: GenerateOptions, raw: bool, excluded: Sequence[bytes] = ()):
        self._about, self._taken = f"{options.count} records of seed {options.seed}", 0
        self._raw, self._options, self._lock = raw, options, threading.Lock()
        self._json, self._size = ctypes.c_void_p(), ctypes.c_size_t()
        self._made: Optional[_Generator] = None
        made = _Generator()
        status = Call(lambda: made.start(options), patience=PATIENCE).run() if excluded else made.start(options)
        if status != OK:
            self._fail(made, status, excluded)
        if made.message():
            warn(made.message())
        self._made = made

    def __repr__(self) -> str:
        return f"<Records: {self._taken} of {self._about} taken>"

    def _fail(self, made: _Generator, status: int, paths: Sequence[bytes] = ()) -> NoReturn:
        message = made.message()
        self._made = None
        if status == NO_MEMORY:
            raise MemoryError(f"weft: {message or 'out of memory'}")
        if status == IO_ERROR:
            raise file_error(message, paths)
        raise (ValueError if status == BAD_ARGUMENT else GenerateError)(message)

    def fields(self) -> List[Dict[str, Any]]:
        """The fields that all these records have, as weft_record_fields of weft.h describes them."""
        return record_fields(self._options)

    def __next__(self) -> Item:
        data = self.take().decode("utf-8")
        return cast(Item, data if self._raw else parse_record(data))

    def take(self) -> bytes:
        """The next record's JSON in UTF-8; StopIteration: there is none."""
        with self._lock:
            made = self._made
            if not made:
                raise StopIteration
            status = made.lib.weft_generator_next(made.handle, self._json, self._size)
            if status != OK:
                self._fail(made, status)
            if not self._json:
                self._made = None
                raise StopIteration
            self._taken += 1
            return ctypes.string_at(self._json.value or 0, self._size.value)

    def close(self) -> None:
        """Stops the work and gives its memory back; the iterator is at its end then."""
        with self._lock:
            self._made = None

    def __enter__(self) -> "Records[Item]":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _levels(difficulty: Levels) -> int:
    """A bit for each level."""
    if difficulty is None:
        return 0
    levels = several(difficulty)
    if isinstance(difficulty, str):
        levels = []
        for part in difficulty.split(","):
            found = re.fullmatch("([1-5])(?:-([1-5]))?", part)
            if not found or int(found[1]) > int(found[2] or 5):
                raise ValueError(f"difficulty has levels from 1 to 5, such as '3', '2-4' or '1,3,5', not {difficulty!r}")
            levels += range(int(found[1]), int(found[2] or found[1]) + 1)
    if levels is None:
        levels = [difficulty]
    return sum(1 << level for level in {whole("difficulty", level, 1, 5) for level in levels})


def _lines(name: str, value: Any) -> int:
    """0 for any."""
    if isinstance(value, int) and value == 0:
        return 0
    return whole(name, value, LINES_LEAST, LINES_MOST)


def _mix(kind: Optional[str], mix: Optional[str]) -> Any:
    """Of one kind, or of both; None for what weft makes if nobody says otherwise."""
    if kind is None:
        return word("mix", mix)
    alone = ("exercise", "purpose")[one_of("kind", kind, ("exercise", "purpose"))]
    if mix is not None:
        raise ValueError("kind and mix exclude each other")
    return word("mix", f"{alone}=1")


def _part(part: Part) -> Tuple[int, int]:
    """(0, 0) for all."""
    if part is None:
        return 0, 0
    pair = several(part)
    if pair is None or len(pair) != 2:
        raise TypeError(f"part is (i, n), two whole numbers, not {shown(part)}")
    first, parts = (whole("part", number, 1, 2**32 - 1) for number in pair)
    if first > parts:
        raise ValueError(f"part is (i, n) with i from 1 to n, not {part!r}")
    return first, parts


@overload
def generate(
    count: Count, seed: int = ..., *, raw: Literal[True], device: str = ..., categories: Names = ...,
    verify: bool = ..., gradients: str = ..., backward: bool = ..., dedup: bool = ...,
    difficulty: Levels = ..., min_lines: int = ..., max_lines: int = ..., style: str = ...,
    tasks: Names = ..., task: str = ..., exclude: Paths = ..., near: Optional[float] = ...,
    part: Part = ..., jobs: int = ..., warp: Optional[str] = ..., kind: Optional[str] = ...,
    mix: Optional[str] = ...,
    tests: bool = ..., max_tokens: int = ..., profile: Optional[Path] = ...,
) -> Records[str]: ...  # fmt: skip


@overload
def generate(
    count: Count, seed: int = ..., *, raw: Literal[False] = ..., device: str = ..., categories: Names = ...,
    verify: bool = ..., gradients: str = ..., backward: bool = ..., dedup: bool = ...,
    difficulty: Levels = ..., min_lines: int = ..., max_lines: int = ..., style: str = ...,
    tasks: Names = ..., task: str = ..., exclude: Paths = ..., near: Optional[float] = ...,
    part: Part = ..., jobs: int = ..., warp: Optional[str] = ..., kind: Optional[str] = ...,
    mix: Optional[str] = ...,
    tests: bool = ..., max_tokens: int = ..., profile: Optional[Path] = ...,
) -> Records[Record]: ...  # fmt: skip


def generate(
    count: Count,
    seed: int = 0,
    *,
    device: str = "cuda",
    categories: Names = None,
    verify: bool = True,
    gradients: str = "any",
    backward: bool = True,
    dedup: bool = True,
    difficulty: Levels = None,
    min_lines: int = 0,
    max_lines: int = 0,
    style: str = "pair",
    tasks: Names = None,
    task: str = "translate",
    exclude: Paths = (),
    near: Optional[float] = None,
    part: Part = None,
    jobs: int = 0,
    raw: bool = False,
    warp: Optional[str] = None,
    kind: Optional[str] = None,
    mix: Optional[str] = None,
    tests: bool = True,
    max_tokens: int = 0,
    profile: Optional[Path] = None,
) -> Records[Any]:
    """The records that `weft generate` writes with these options, made as they are asked for.

        for record in weft.generate(1000, seed=1, categories="loop,vector"):
            print(record["python_source"], record["cuda_ir_forward"])

    count, seed: how many records, and which: the same two give the same records. "10k", "1e3" and "2M" are counts, too.
    device: "cuda", "cpu" or "both": whose texts there are. categories: names, or one text with commas; None for all.
    verify: every pair is proved by execution. backward: there are backward texts; gradients: "exact" keeps proved ones.
    difficulty: 1 to 5, one or several, or a text as "2-4". min_lines, max_lines: of a kernel, 3 to 80; 0 for any.
    style: "pair", "messages" for conversations, of which `tasks` names some, or "script" for whole scripts.
    task: "translate", or "repair" for broken kernels and the right ones. dedup: no two share a structure.
    exclude: Python and JSON files, and folders of them; no record shares a structure with their kernels.
    near: refuses what is as similar as that, from 0.5 to 1; None: as docs/generate.md says; 0: refuses none of it.
    part: (i, n) makes the i-th of n. raw: gives JSON texts.
    jobs: threads, 0 for one each core; the records do not depend on it. warp: the release of the texts, as "1.18".
    kind: "purpose": what people compute; "exercise": they cover the language. mix: shares, as "purpose=9,exercise=1".
    profile: what `weft stats --profile --json` wrote, which those with a purpose follow; they have `tests`.
    max_tokens: of a text, or of a conversation, estimated; 0 for any.

    Raises ValueError for options, OSError for paths, GenerateError if no more records can be made.
    """
    first, parts = _part(part)
    paths = listed("exclude", exclude)
    options = GenerateOptions(
        count=amount("count", count, 0, 10**12),
        seed=whole("seed", seed, 0, 2**63 - 1),
        devices=device_bits(device),
        categories=words("categories", categories),
        no_verify=not verify,
        no_backward=not backward,
        no_dedup=not dedup,
        exact_gradients=one_of("gradients", gradients, ("any", "exact")),
        part=first,
        parts=parts,
        jobs=whole("jobs", jobs, 0, 1024),
        difficulties=_levels(difficulty),
        min_lines=_lines("min_lines", min_lines),
        max_lines=_lines("max_lines", max_lines),
        repair=one_of("task", task, ("translate", "repair")),
        messages=one_of("style", style, ("pair", "messages", "script")) == 1,
        scripts=style == "script",
        tasks=words("tasks", tasks),
        exclude=strings(paths),
        exclude_count=len(paths),
        near=similarity(near, NEAR_KEPT),
        warp=word("warp", warp),
        mix=_mix(kind, mix),
        no_tests=not tests,
        max_tokens=whole("max_tokens", max_tokens, 0, 2**63 - 1),
        profile=maybe_path("profile", profile),
    )
    return Records(options, raw, paths)
