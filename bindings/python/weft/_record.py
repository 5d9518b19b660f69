# SPDX-License-Identifier: Apache-2.0
"""Records: their fields as types, how they are shown, and iterators over them."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple, TypedDict, TypeVar, cast

from . import _html

# An item of an iterator: Record, or str for JSON text.
Item = TypeVar("Item")


class _Parameter(TypedDict):
    name: str
    type: str  # "array(dtype=vec3f, ndim=1)"
    shape: str  # letters as in `launch`; "" for values and structs
    magnitude: int  # numbers lie within plus and minus 2 to this power


class Parameter(_Parameter, total=False):
    """A parameter of a kernel."""

    values: str  # of collected kernels: which numbers it takes, "0:n"; "": those of `magnitude`


class Counts(TypedDict):
    """Sizes of a kernel."""

    source_lines: int
    kernel_lines: int
    statements: int
    variables: int
    loop_depth: int
    branches: int


# "class" is a word of the language.
_Verification = TypedDict(
    "_Verification",
    {
        "status": str,
        "class": str,
        "inputs": int,
        "forward_error": Optional[float],
        "adjoint_error": Optional[float],
        "tolerance": Optional[float],
        "mutants": int,
        "killed": int,
    },
)


class Verification(_Verification, total=False):
    """The proof by execution: what was tried, and what came of it."""

    why: str  # of collected kernels: why one was not executed, or its gradient not judged


class Provenance(TypedDict):
    """Where a collected kernel stands."""

    package: str
    version: str
    path: str
    line: int
    license: str
    repository: str  # its web address, or ""
    instance: str  # of generic kernels: "x: array(ndim=1, dtype=vec3f)"
    types_from: str  # "overload", "launch" or "chosen"


class _Hashes(TypedDict):
    python_source: str


class Hashes(_Hashes, total=False):
    """SHA-256 of each text that the record has."""

    inputs: str  # of collected kernels: of `launch` and what the arguments' fields say
    provenance: str  # of collected kernels: of the values of `provenance`
    cuda_ir_forward: str
    cuda_ir_backward: str
    cpp_forward: str
    cpp_backward: str


class _Metadata(TypedDict):
    schema: str
    weft_version: str
    warp_version: str
    kernel_name: str
    category: str
    difficulty: int
    device: str
    artifact: str
    seed: int
    index: int
    attempt: int
    launch: str
    block_dim: int
    target: str
    structure: str
    family: str
    arguments: List[Parameter]
    builtins: List[str]
    counts: Counts
    sha256: Hashes
    verification: Verification


class Metadata(_Metadata, total=False):
    """What is known of a record; its card explains every field."""

    ptx: Dict[str, Any]  # with PTX: its compiler, and what it consists of
    origin: str  # "collected"; where there are kernels with a purpose, "composed" or "exercise"
    provenance: Provenance
    kernels: List[str]  # style="script": the script's kernels, in the order of their launches


class Message(TypedDict):
    """One message of a conversation."""

    role: str
    content: str


class Tokens(TypedDict, total=False):
    """About how many tokens each text of the record has."""

    messages: int
    prompt: int
    python_source: int
    cuda_source: int
    cuda_ir_forward: int
    cuda_ir_backward: int
    cpp_forward: int
    cpp_backward: int


class _Record(TypedDict):
    id: str
    metadata: Metadata


class Record(_Record, total=False):
    """A record: a dict with these keys. Which of the optional ones are there depends on the options
    of generate, and is the same for all records of a run."""

    python_source: str
    # kind="purpose", and sets that mix kinds
    prompt: str
    cuda_source: str
    tests: str  # a list in JSON; "[]": verification_info says why
    problem_id: str
    difficulty: int
    verification_info: str  # an object in JSON
    tokens: Tokens
    license: str
    # device="cuda" or "both"
    cuda_ir_forward: str
    cuda_ir_backward: str
    # device="cpu" or "both"
    cpp_forward: str
    cpp_backward: str
    # style="messages"
    messages: List[Message]
    task: str
    # task="repair"
    broken_source: str
    diagnostic: str
    defect: str


SHOWN = (
    ("broken_source", "Python with a mistake"),
    ("python_source", "Python"),
    ("cuda_ir_forward", "CUDA, forward"),
    ("cpp_forward", "C++, forward"),
)


class ShownRecord(Dict[str, Any]):
    """A record as a dict with a short repr; in notebooks its source stands beside its CUDA text."""

    def __repr__(self) -> str:
        about = self.get("metadata")
        if not isinstance(about, dict):
            return dict.__repr__(self)
        words = [self.get("task"), self.get("defect"), about.get("category"), about.get("device")]
        status = (about.get("verification") or {}).get("status")
        more = ", ".join(str(word) for word in [*words, status] if word)
        return f"<Record {self.get('id')}: {about.get('kernel_name')}, {more}>"

    def _repr_html_(self) -> str:
        if isinstance(self.get("messages"), list):
            rows = [(message.get("role", ""), message.get("content", "")) for message in self["messages"]]
            return "".join(_html.columns("" if i else repr(self)[1:-1], [row]) for i, row in enumerate(rows))
        texts = [(head, self[key]) for key, head in SHOWN if isinstance(self.get(key), str)]
        return _html.columns(repr(self)[1:-1], texts)


def parse_record(text: str) -> Record:
    """A line of JSON as a record."""
    value = json.loads(text)
    return cast(Record, ShownRecord(value) if isinstance(value, dict) else value)


class RecordIterator(Iterator[Item]):
    """An iterator over records."""

    def __iter__(self) -> "RecordIterator[Item]":
        return self

    def to_dataset(self) -> Any:
        """What is left of the records as a `datasets.Dataset` of Hugging Face, in memory.

        Raises ImportError if the package datasets is not installed. For a data set on disk that is
        larger than memory, `datasets.load_dataset(folder)` reads the folder as it is.
        """
        from ._parquet import dataset_of

        return dataset_of(self)


class ReadRecords(RecordIterator[Record]):
    """The records of files; see read_records."""

    def __init__(self, what: str, lines: Iterator[Tuple[str, int, str]]):
        self._what, self._lines, self._taken = what, lines, 0

    def __next__(self) -> Record:
        file, number, line = next(self._lines)
        self._taken += 1
        try:
            return parse_record(line)
        except ValueError as error:
            raise ValueError(f"{file}:{number}: {error}") from None

    def __repr__(self) -> str:
        return f"<ReadRecords of {self._what}: {self._taken} taken>"
