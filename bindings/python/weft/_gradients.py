# SPDX-License-Identifier: Apache-2.0
"""Where Warp's gradients are wrong."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from . import _library as c
from ._check import _Findings
from ._context import Context
from ._paths import Define, Path, Paths, Texts, path_bytes


@dataclass(frozen=True)
class Gradient:
    """What was found of one kernel. `verdict` is "right", "wrong", "nondifferentiable", "not_executed" or
    "custom". Of a wrong one: the class of the cause and its place, and one derivative, d `output` / d `input`,
    of a launch, as Warp has it and as it is."""

    file: str
    line: int
    kernel: str
    verdict: str
    why: str
    class_name: str = ""
    variable: str = ""
    cause: Optional[Tuple[str, int, int]] = None  # file, line, column
    dim: Tuple[int, ...] = ()
    input: Optional[str] = None
    output: Optional[str] = None
    warp: Optional[float] = None
    truth: Optional[float] = None
    arguments: Optional[Dict[str, Any]] = None

    def __str__(self) -> str:
        shown = f"{self.file}:{self.line}: {self.kernel}: {self.verdict}"
        if self.input is None:
            return f"{shown}: {self.why}" if self.why else shown
        return f"{shown}: {self.why}; d {self.output} / d {self.input} is {self.warp:.6g} in Warp and {self.truth:.6g} in truth"


class _Gradients(_Findings):
    def __init__(self, context: Context):
        super().__init__(context)
        self.gradients: List[Gradient] = []
        self.options.gradient = c.ON_GRADIENT(self._take_gradient)

    def _take_gradient(self, _: object, given: Any) -> bool:
        try:
            self.gradients.append(self._gradient(given.contents))
        except BaseException as error:
            self.raised = error
        return self.raised is not None

    def _gradient(self, raw: c.RawGradient) -> Gradient:
        found = Gradient(c.text(raw.file), raw.line, c.text(raw.kernel),
                         c.text(self.context.lib.weft_gradient_name(raw.verdict)), c.text(raw.why),
                         c.text(raw.class_name), c.text(raw.variable),
                         (c.text(raw.cause_file), raw.cause_line, raw.cause_column) if raw.cause_line else None)
        if not raw.dim_count:
            return found
        return Gradient(**{**found.__dict__, "dim": tuple(raw.dim[: raw.dim_count]), "input": c.text(raw.input),
                           "output": c.text(raw.output), "warp": raw.warp, "truth": raw.truth,
                           "arguments": json.loads(raw.arguments) if raw.arguments else None})


def gradients(
    path: Path,
    *,
    include: Paths = (),
    instances: Texts = (),
    define: Define = None,
    warp: Optional[str] = None,
    block_dim: Optional[int] = None,
) -> List[Gradient]:
    """Whether Warp's gradient of each kernel is right, as `weft check --gradients` finds it.

        wrong = [found for found in weft.gradients("kernels.py") if found.verdict == "wrong"]

    path: a Python file, or a folder. The others are those of `check`. A kernel with errors is "not_executed".

    Raises OSError for what cannot be read, ValueError for a folder that holds nothing to check.
    """
    named = path_bytes("path", path)
    with Context("both", include=include, instances=instances, define=define, warp=warp, block_dim=block_dim,
                 many=os.path.isdir(path)) as context:
        findings = _Gradients(context)
        findings.end(context.call("weft_check", named, findings.options), named)
        context.check_instances()
        return findings.gradients
