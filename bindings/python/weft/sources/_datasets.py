# SPDX-License-Identifier: Apache-2.0
"""For Hugging Face datasets."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List

import datasets

from .._streams import Plan


def _rows(plan: Plan, shards: List[int]) -> Iterator[Dict[str, Any]]:
    for shard in shards:
        for batch in plan.reader(shard):
            yield from batch.to_pylist()


def iterable_dataset_of(plan: Plan) -> Any:
    """A list among the arguments is what datasets divides among workers."""
    return datasets.IterableDataset.from_generator(
        _rows,
        gen_kwargs={"plan": plan, "shards": list(range(1, plan.parts + 1))},
        features=datasets.Features.from_arrow_schema(plan.schema()),
    )
