# SPDX-License-Identifier: Apache-2.0
"""Records as a stream of Arrow batches: what data loaders and engines take (weft.sources)."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, Dict, Iterator

from ._arguments import Count, whole
from ._columns import arrow_schema, batch_of
from ._generate import Records, generate


def need(package: str, what: str, install: str) -> Any:
    """The package, imported; else an ImportError that says what to install."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise ImportError(f"{what} needs {package}: pip install {install}") from None


def _batches(records: Records[str], schema: Any, size: int) -> Iterator[Any]:
    with records:
        while True:
            lines = list(itertools.islice(iter(records.take, None), size))
            if not lines:
                return
            yield batch_of(b"\n".join(lines), schema)


def pairs(count: Count, seed: int = 0, *, shard: int = 1, of: int = 1, batch: int = 1000, **options: Any) -> Any:
    """The records of `generate` as a pyarrow.RecordBatchReader: one schema, `batch` records at a time.

        for batch in weft.pairs(10_000, seed=1, shard=1, of=4):
            print(batch.num_rows, batch.column_names)

    count, seed: of the whole run. shard, of: makes the shard-th of so many parts, from 1: the rows of
    `weft generate --shard 1/4`. Any worker can make any part, and they need to know nothing of each
    other; only a structure that two parts share is in both.
    batch: rows of a batch, up to 100,000; the last one may have fewer.
    options: those of generate.

    The schema follows from the options. Records are made as batches are asked for. Needs pyarrow.
    """
    pa = need("pyarrow", "pairs", "pyarrow")
    size = whole("batch", batch, 1, 100_000)
    records = generate(count, seed, part=(shard, of), raw=True, **options)
    schema = arrow_schema(records.fields())
    return pa.RecordBatchReader.from_batches(schema, _batches(records, schema, size))


@dataclasses.dataclass(frozen=True)
class Plan:
    """A run in parts, for workers of an engine: it can be pickled, and each part made anywhere."""

    count: Count
    parts: int
    batch: int
    options: Dict[str, Any]

    @classmethod
    def of(cls, count: Count, shards: int, batch: int, options: Dict[str, Any]) -> "Plan":
        """Raises what generate raises for wrong options, before any worker sees them. A worker has one
        thread unless `jobs` says otherwise, since there are several of them."""
        plan = cls(count, whole("shards", shards, 1, 2**32 - 1), batch, {"jobs": 1, **options})
        plan.schema()
        return plan

    def reader(self, shard: int) -> Any:
        return pairs(self.count, shard=shard, of=self.parts, batch=self.batch, **self.options)

    def schema(self) -> Any:
        return self.reader(1).schema
