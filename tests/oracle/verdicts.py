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


def has_text(kernel):
    """Whether warp-lang emits text for a kernel of its dump."""
    return bool(kernel["cpu"] and kernel["cuda"])


def kind(kernel):
    """Where a kernel of warp-lang's dump comes from: "module", "factory" (made in a function), "instance"."""
    return "instance" if kernel["instance"] else "module" if kernel["static"] else "factory"


def best_verdict(kernel, ours):
    """(verdict, cause) of a kernel, of which weft has the records `ours`: one text for each way to make it."""
    verdicts = [judge(kernel, one) for one in ours or [None]]
    return min(verdicts, key=lambda verdict: ("equal", "differs", "refused", "missing").index(verdict[0]))


def wrong_texts(record, ours):
    """(name, line) of each text of weft's that differs from all that warp-lang has for the kernel."""
    theirs = collections.defaultdict(list)
    for kernel in filter(has_text, record["kernels"]):
        theirs[kernel["key"], kernel["line"]].append(kernel)
    for one in ours:
        place = one["kernel"], one["line"]
        if not one["error"] and place in theirs:
            if not any(judge(kernel, one)[0] == "equal" for kernel in theirs[place]):
                yield place


def compare_file(record, tally_of, weft, include=(), quiet=False, release=None):
    """Adds the verdict of each kernel of a file that warp-lang emits text for to tally_of(kernel).

    A text of weft's that is none of warp-lang's is a fault of the first tally. See
    oracle_env.weft_kernels for `include`, `quiet` and `release`.
    """
    ours, fault = oracle_env.weft_kernels(weft, record["file"], include, quiet=quiet, release=release)
    faults = tally_of(None).faults
    if fault:
        faults.append(f"{record['file']}: {fault}")
    by_place = collections.defaultdict(list)
    for one in ours:
        by_place[one["kernel"], one["line"]].append(one)
    for kernel in filter(has_text, record["kernels"]):
        verdict, cause = best_verdict(kernel, by_place[kernel["key"], kernel["line"]])
        tally_of(kernel).add(verdict, cause, f"{record['file']}:{kernel['line']} {kernel['key']}")
    for name, line in wrong_texts(record, ours):
        faults.append(f"{record['file']}:{line}: a text of {name} is none of warp-lang's")
