# SPDX-License-Identifier: Apache-2.0
"""Records as a Parquet file, its metadata in columns of their own types."""

from __future__ import annotations

import glob
import gzip
import io
import itertools
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from ._arguments import shown, whole, word
from ._columns import arrow_schema, batches_of, children, lines_of, writer_of
from ._generate import record_fields
from ._paths import PATH, Path, Paths, listed, path_bytes
from ._record import ReadRecords, parse_record
from ._streams import need
from ._task import is_record

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")


def _shards(folder: str, split: Optional[str]) -> List[str]:
    """A data set's shards in order; those of one split where there are several."""
    for where in (os.path.join(folder, "data"), folder):
        found = sorted(path for suffix in SUFFIXES for path in glob.glob(os.path.join(glob.escape(where), f"*{suffix}")))
        if found:
            break
    else:
        found = sorted(glob.glob(os.path.join(glob.escape(folder), "*", "*.json")))
        if not found:
            raise FileNotFoundError(f"no records in {folder}")
        return found
    splits = sorted({os.path.basename(path).split("-")[0] for path in found})
    if split is None and len(splits) > 1:
        raise ValueError(f"{folder} has several splits: choose one of {', '.join(splits)}")
    chosen = [path for path in found if split is None or os.path.basename(path).split("-")[0] == split]
    if not chosen:
        raise ValueError(f"{folder} has no split {split!r}: there are {', '.join(splits)}")
    return chosen


def _lines(path: str) -> Iterator[str]:
    if not path.endswith((".zst", ".parquet")):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as stream:
            yield from stream
        return
    pyarrow = need("pyarrow", f"reading {path}", "pyarrow")
    if path.endswith(".zst"):
        with pyarrow.input_stream(path, compression="zstd") as stream:
            yield from io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        return
    with open(path, "rb") as file:
        for batch in batches_of(file):
            for line in lines_of(batch).splitlines(True):
                yield line.decode()


def _all_lines(files: List[str]) -> Iterator[Tuple[str, int, str]]:
    """(file, number, text) of each line."""
    for file in files:
        for number, line in enumerate(_lines(file), 1):
            yield file, number, line


def read_records(paths: Paths, split: Optional[str] = None) -> ReadRecords:
    """The records of data sets and shards, plain or packed (zstd needs pyarrow), one after another.

    split: which of a folder's splits: "train", "validation", "test".

    Raises OSError for what cannot be read, ValueError for a split that is not there, or not chosen.
    """
    names = [os.fsdecode(path) for path in listed("paths", paths)]
    word("split", split)
    files = [file for name in names for file in (_shards(name, split) if os.path.isdir(name) else [name])]
    for file in files:
        os.stat(file)
    return ReadRecords(", ".join(names), _all_lines(files))


def _full(kind: Any, known: Any) -> Any:
    """A type without nulls in it; `known`: the type of weft's field of this name, or None."""
    import pyarrow as pa

    if pa.types.is_null(kind):
        return known or pa.string()
    if pa.types.is_struct(kind):
        below = {field.name: field.type for field in children(known) or ()} if known else {}
        return pa.struct([pa.field(field.name, _full(field.type, below.get(field.name))) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(_full(kind.value_type, known.value_type if known and pa.types.is_list(known) else None))
    return kind


def _keys(record: Any) -> Any:
    """The names of a record's fields, nested."""
    if isinstance(record, Mapping):
        return {name: _keys(value) for name, value in record.items()}
    return None


def _schema(rows: List[Dict[str, Any]]) -> Any:
    """Of records, also such as weft does not make: by what the rows hold, and where that is nothing or
    null by weft's own fields."""
    import pyarrow as pa

    return pa.schema(list(_full(pa.array(rows).type, pa.struct(list(arrow_schema(record_fields()))))))


def _batches(records: Iterable[Any], size: int) -> Iterator[List[Any]]:
    items = (parse_record(record) if isinstance(record, str) else record for record in records)
    while True:
        rows = list(itertools.islice(items, size))
        if not rows:
            return
        yield rows


def _check(rows: List[Dict[str, Any]], keys: Any, done: int) -> None:
    for number, row in enumerate(rows, done + 1):
        if _keys(row) != keys:
            raise ValueError(f"record {number} ({row.get('id')}) has not the fields of the first one")


def _records_of(source: Any, split: Optional[str]) -> Iterable[Any]:
    if isinstance(source, PATH):
        return read_records(os.fsdecode(source), split)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        raise TypeError(f"source is a path or several, or records, not {shown(source)}")
    items = iter(source)
    first = list(itertools.islice(items, 1))
    paths = first and isinstance(first[0], PATH) and not is_record(first[0])
    everything = itertools.chain(first, items)
    return read_records(everything, split) if paths else everything


def dataset_of(records: Iterable[Any]) -> Any:
    """Records as a `datasets.Dataset`, with the types that to_parquet gives them."""
    datasets = need("datasets", "to_dataset", "datasets")
    rows = [row for batch in _batches(records, 1000) for row in batch]
    if not rows:
        return datasets.Dataset.from_list([])
    _check(rows, _keys(rows[0]), 0)
    return datasets.Dataset.from_list(rows, features=datasets.Features.from_arrow_schema(_schema(rows)))


def _discard(writer: Any, part: str) -> None:
    """Removes what a failed write has left."""
    if writer is None:
        return
    try:
        writer.close()
    except OSError:
        pass  # the failure that brought us here says why
    finally:
        os.unlink(part)


def to_parquet(
    source: Union[Path, Iterable[Any]],
    file: Path,
    *,
    split: Optional[str] = None,
    row_group_size: int = 1000,
    compression: str = "zstd",
) -> Tuple[int, int]:
    """Writes records to a Parquet file; returns (rows, row groups). Needs pyarrow.

    source: a data set's folder, its shards (plain, .gz or .zst), or records (dicts or JSON texts, as
    generate gives them). split: which of a folder's splits. One row group is in memory at a time; the
    same records give the same bytes with one version of pyarrow. The file appears when it is whole.
    """
    pa = need("pyarrow", "to_parquet", "pyarrow")
    row_group_size = whole("row_group_size", row_group_size, 1, 2**31 - 1)
    name, groups, done, writer, keys = os.fsdecode(path_bytes("file", file)), 0, 0, None, None
    part = f"{name}.part"
    try:
        for rows in _batches(_records_of(source, split), row_group_size):
            if writer is None:
                schema, keys = _schema(rows), _keys(rows[0])
                writer = writer_of(part, schema, compression)
            _check(rows, keys, done)
            writer.write_table(pa.Table.from_pylist(rows, schema=writer.schema), row_group_size=row_group_size)
            done, groups = done + len(rows), groups + 1
        if writer is None:
            raise ValueError("there are no records")
        writer.close()
        os.replace(part, name)
    except BaseException:
        _discard(writer, part)
        raise
    return done, groups
