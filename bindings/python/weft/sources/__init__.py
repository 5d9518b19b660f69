# SPDX-License-Identifier: Apache-2.0
"""Sources of records for data loaders and engines, which make them on their own workers.

    weft.sources.iterable_dataset(10_000, shards=8)     a datasets.IterableDataset
    weft.sources.datatrove_reader(10_000)               a block that begins a datatrove pipeline
    weft.sources.ray_datasource(10_000, shards=8)       for ray.data.read_datasource
    weft.sources.spark_data_source()                    for spark.dataSource.register, format("weft")

All are weft.pairs in parts: with `shards=N` the rows are those of `weft generate --shard 1/N` to `N/N`.
They take the options of weft.generate. Each needs its own package, and nothing else of weft does.
"""

from __future__ import annotations

from typing import Any

from .._arguments import Count
from .._streams import Plan, need

__all__ = ["datatrove_reader", "iterable_dataset", "ray_datasource", "spark_data_source"]


def iterable_dataset(count: Count, *, shards: int = 8, batch: int = 100, **options: Any) -> Any:
    """A `datasets.IterableDataset`, which loaders divide among their workers by shards.

    shards: parts of the run, at least as many as there will be workers. batch: records that a worker
    makes at a time. options: those of generate.
    """
    need("datasets", "iterable_dataset", "datasets")
    from ._datasets import iterable_dataset_of

    return iterable_dataset_of(Plan.of(count, shards, batch, options))


def datatrove_reader(count: Count, *, text_key: str = "python_source", batch: int = 100, limit: int = -1,
                     skip: int = 0, adapter: Any = None, **options: Any) -> Any:  # fmt: skip
    """The first block of a datatrove pipeline: task i of N makes the i-th of N parts.

    text_key, limit, skip, adapter: as datatrove's readers have them: which field is a document's text
    (the others become its metadata). options: those of generate.
    """
    need("datatrove", "datatrove_reader", "datatrove")
    from ._datatrove import WeftReader

    return WeftReader(Plan.of(count, 1, batch, options), text_key=text_key, limit=limit, skip=skip, adapter=adapter)


def ray_datasource(count: Count, *, shards: int = 8, batch: int = 1000, **options: Any) -> Any:
    """A `ray.data.Datasource`: `ray.data.read_datasource(weft.sources.ray_datasource(10_000))`.

    shards: read tasks, whatever parallelism Ray asks for, so that the rows do not depend on the cluster.
    batch: rows of a block. options: those of generate.
    """
    need("ray.data", "ray_datasource", "'ray[data]'")
    from ._ray import WeftDatasource

    return WeftDatasource(Plan.of(count, shards, batch, options))


def spark_data_source() -> Any:
    """A `pyspark.sql.datasource.DataSource` with the name "weft", for Spark 4:

        spark.dataSource.register(weft.sources.spark_data_source())
        spark.read.format("weft").options(count=10_000, shards=8, difficulty="2-4").load()

    Options: count (must be there), shards, batch, and those of generate.
    """
    need("pyspark.sql.datasource", "spark_data_source", "'pyspark>=4'")
    from ._spark import WeftDataSource

    return WeftDataSource
