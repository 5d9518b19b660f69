# SPDX-License-Identifier: Apache-2.0
"""For Ray Data."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional

import pyarrow as pa
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from .._streams import Plan


def _blocks(plan: Plan, shard: int) -> Iterator[pa.Table]:
    reader = plan.reader(shard)
    for batch in reader:
        yield pa.Table.from_batches([batch], reader.schema)


class WeftDatasource(Datasource):  # type: ignore[misc]
    """A read task for each part of the run."""

    def __init__(self, plan: Plan):
        super().__init__()
        self.plan = plan

    def get_name(self) -> str:
        return "weft"

    def estimate_inmemory_data_size(self) -> Optional[int]:
        """Not known before the records are made."""
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: Optional[int] = None, data_context: Any = None
    ) -> List[ReadTask]:
        schema, plan = self.plan.schema(), self.plan
        about = BlockMetadata(num_rows=None, size_bytes=None, exec_stats=None, input_files=None)
        return [
            ReadTask(lambda shard=shard: _blocks(plan, shard), about, schema, per_task_row_limit)
            for shard in range(1, plan.parts + 1)
        ]
