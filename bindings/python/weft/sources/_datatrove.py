# SPDX-License-Identifier: Apache-2.0
"""For datatrove."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator

from datatrove.pipeline.readers.base import BaseReader

from .._streams import Plan


class WeftReader(BaseReader):  # type: ignore[misc]
    """Makes records as documents; the rank of a task says which part of the run."""

    name = "weft"

    def __init__(self, plan: Plan, **options: Any):
        super().__init__(**options)
        self.plan = plan

    def _documents(self, rank: int, world_size: int) -> Iterator[Any]:
        """With datatrove's `skip`, and without the fields that it takes for its own."""
        plan, number = dataclasses.replace(self.plan, parts=world_size), 0
        for batch in plan.reader(rank + 1):
            for record in batch.to_pylist():
                document = self.get_document_from_dict(record, f"weft-{rank}", number)
                number += 1
                if document and number > self.skip:
                    yield document

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        if data:
            yield from data
        taken = 0
        documents = self._documents(rank, world_size)
        while taken != self.limit:
            with self.track_time():
                document = next(documents, None)
            if document is None:
                return
            taken += 1
            self.update_doc_stats(document)
            yield document
