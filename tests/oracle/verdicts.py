# SPDX-License-Identifier: Apache-2.0
"""Compares weft's kernels with warp-lang's and counts equal, differs and refused, by cause."""

import collections
import re

import oracle_env


class Tally:
    """Counts of verdicts, and the causes of what is not equal, each with an example."""

    def __init__(self):
        self.counts = collections.Counter()
        self.causes = collections.Counter()
        self.examples = {}
        self.faults = []

    def add(self, verdict, cause="", example=""):
        self.counts[verdict] += 1
        if cause:
            self.causes[(verdict, cause)] += 1
            self.examples.setdefault((verdict, cause), example)

    def report(self, most=None):
        """Prints the causes, the commonest first, then the faults and the counts."""
        for (verdict, cause), count in self.causes.most_common(most):
            print(f"{count:5d} {verdict}: {cause}\n        e.g. {self.examples[verdict, cause]}")
        for fault in self.faults:
            print(f"FAULT {fault}")
        total = sum(self.counts.values())
        words = [f"{self.counts[v]} {v}" for v in ("equal", "differs", "refused", "missing")]
        print(f"{total} kernels: {', '.join(words)}; {len(self.faults)} faults", flush=True)


def first_difference(theirs, ours):
    """The first pair of lines that differ."""
    left, right = theirs.split("\n"), ours.split("\n")
    for number in range(max(len(left), len(right))):
        a = left[number] if number < len(left) else "<end>"
        b = right[number] if number < len(right) else "<end>"
        if a != b:
            return f"warp `{a.strip()[:100]}` weft `{b.strip()[:100]}`"
    return "nothing"


def refusal(error):
    """The diagnostic of a refused kernel, without the names and numbers of this one kernel."""
    if isinstance(error, dict):
        error = f"{error.get('message', '')} [{error.get('id', '')}]"
    return re.sub(r"'[^']*'|`[^`]*`|\S+\.py:\d+:\d+|\d+", "...", error)[:160]


def judge(theirs, ours):
    """(verdict, cause) of one kernel."""
    if ours is None:
        return "missing", "not in weft's output"
    if ours.get("error"):
        return "refused", refusal(ours["error"])
    for device in ("cpu", "cuda"):
        if ours.get(device) != theirs[device]:
            return "differs", f"{device}: {first_difference(theirs[device], ours.get(device) or '')}"
    return "equal", ""


def wanted(kernel):
    """Whether a kernel of warp-lang's dump takes part: at module level, not generic, with text."""
    return kernel["static"] and not kernel["generic"] and kernel["cpu"] and kernel["cuda"]


def compare_file(tally, record, weft, include=None, quiet=False, release=None):
    """Adds the verdict of each kernel of a file that warp-lang emits text for; see oracle_env.weft_kernels."""
    ours, fault = oracle_env.weft_kernels(weft, record["file"], include, quiet=quiet, release=release)
    if fault:
        tally.faults.append(f"{record['file']}: {fault}")
    by_line = {(kernel["kernel"], kernel["line"]): kernel for kernel in ours}
    for kernel in filter(wanted, record["kernels"]):
        verdict, cause = judge(kernel, by_line.get((kernel["key"], kernel["line"])))
        tally.add(verdict, cause, f"{record['file']}:{kernel['line']} {kernel['key']}")
