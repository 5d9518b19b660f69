# SPDX-License-Identifier: Apache-2.0
"""For Spark 4."""

from __future__ import annotations

import inspect
from typing import Any, Dict, Iterator, List

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from .._generate import generate
from .._streams import Plan

SWITCHES = {"true": True, "false": False}


def _value(name: str, text: str) -> Any:
    """An option of generate from Spark's text for it."""
    known = inspect.signature(generate).parameters.get(name)
    if known is not None and isinstance(known.default, bool):
        if text.lower() not in SWITCHES:
            raise ValueError(f"{name} is true or false, not {text!r}")
        return SWITCHES[text.lower()]
    if known is not None and isinstance(known.default, int):
        return int(text)
    return float(text) if name == "near" else text


def _plan(options: Dict[str, str]) -> Plan:
    words = {name.lower(): text for name, text in options.items()}
    if "count" not in words:
        raise ValueError("weft: the option count says how many records there will be")
    count = words.pop("count")
    shards, batch = (int(words.pop(name, usual)) for name, usual in (("shards", "8"), ("batch", "1000")))
    return Plan.of(count, shards, batch, {name: _value(name, text) for name, text in words.items()})


class WeftReader(DataSourceReader):  # type: ignore[misc]
    def __init__(self, plan: Plan):
        self.plan = plan

    def partitions(self) -> List[InputPartition]:
        return [InputPartition(shard) for shard in range(1, self.plan.parts + 1)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Batches of Arrow, which Spark takes as they are."""
        yield from self.plan.reader(partition.value)


class WeftDataSource(DataSource):  # type: ignore[misc]
    """A partition for each part of the run."""

    @classmethod
    def name(cls) -> str:
        return "weft"

    def schema(self) -> StructType:
        return from_arrow_schema(_plan(self.options).schema())

    def reader(self, schema: StructType) -> DataSourceReader:
        return WeftReader(_plan(self.options))
