# SPDX-License-Identifier: Apache-2.0
"""Records as columns of Arrow, and back: for streams, and for files of Parquet.

    fields      what the library's table of fields says (weft_record_fields), as JSON
    lines       JSON texts of records, each with its newline
    batch       a pyarrow.RecordBatch

A field that a record lacks is null in its column; null is no value of any field but of floats.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

ROWS = 1000  # of a row group: some 10 MB of text


def _type(field: Dict[str, Any]) -> Any:
    import pyarrow as pa

    kind = field["type"]
    if kind in ("struct", "list"):
        inside = pa.struct([pa.field(part["name"], _type(part)) for part in field["fields"]])
        return inside if kind == "struct" else pa.list_(inside)
    return {
        "string": pa.string(),
        "int": pa.int64(),
        "signed": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "names": pa.list_(pa.string()),
        "ints": pa.list_(pa.int64()),
    }[kind]


def arrow_schema(fields: List[Dict[str, Any]]) -> Any:
    """The pyarrow.Schema of records with these fields."""
    import pyarrow as pa

    return pa.schema([pa.field(field["name"], _type(field)) for field in fields])


def batch_of(lines: bytes, schema: Any) -> Any:
    """Lines as a batch, parsed by Arrow's own reader of JSON. ValueError (pyarrow.ArrowInvalid): they
    are no records, or have other fields."""
    import pyarrow as pa
    import pyarrow.json as pj

    table = pj.read_json(
        pa.BufferReader(lines),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(lines) + 1),
        parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )
    (batch,) = table.combine_chunks().to_batches()
    return batch


def children(kind: Any) -> Optional[Any]:
    """The struct type whose fields lie below a column of this type; None: there are none."""
    import pyarrow as pa

    if pa.types.is_list(kind):
        kind = kind.value_type
    return kind if pa.types.is_struct(kind) else None


def _without_nulls(value: Any, kind: Any) -> Any:
    """A value without the fields that its record lacks."""
    import pyarrow as pa

    below = children(kind)
    if isinstance(value, list) and below is not None:
        return [_without_nulls(part, below) for part in value]
    if not isinstance(value, dict):
        return value
    fields = {field.name: field.type for field in below or kind}
    return {
        name: _without_nulls(part, fields[name])
        for name, part in value.items()
        if part is not None or pa.types.is_floating(fields[name])
    }


def _has_nulls(columns: List[Any]) -> bool:
    """Whether a field other than a float is null somewhere."""
    import pyarrow as pa

    for column in columns:
        if pa.types.is_floating(column.type):
            continue
        if column.null_count:
            return True
        values = column.flatten() if pa.types.is_list(column.type) else column
        if pa.types.is_struct(values.type) and _has_nulls(values.flatten()):
            return True
    return False


def lines_of(batch: Any) -> bytes:
    """The batch's rows as lines, with the bytes that weft writes for these records."""
    rows = batch.to_pylist()
    if _has_nulls(batch.columns):
        rows = [_without_nulls(row, batch.schema) for row in rows]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def writer_of(file: Any, schema: Any, compression: str = "zstd") -> Any:
    """A pyarrow.parquet.ParquetWriter: the same rows give the same bytes with one pyarrow. Pages have
    checksums, so that a changed bit is found."""
    import pyarrow.parquet as pq

    level = 3 if compression == "zstd" else None
    return pq.ParquetWriter(file, schema, compression=compression, compression_level=level, write_page_checksum=True)


def batches_of(file: Any) -> Any:
    """The batches of an open file of Parquet."""
    import pyarrow.parquet as pq

    return pq.ParquetFile(file, page_checksum_verification=True).iter_batches(ROWS)
