#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares weft's table of builtins, and what it makes of sample calls, with the live warp-lang.

usage: check_builtins.py DUMP_BUILTINS [--seed N] [--show N] [--rows] [--name BUILTIN]

DUMP_BUILTINS is the program made of tests/unit/dump_builtins.c. Names and rows that warp-lang has
and weft has not are listed by --rows. WEFT_SEED overrides the seed, which is printed.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "oracle"))
import oracle_env  # noqa: E402

INTS = "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
FLOATS = "float16 bfloat16 float32 float64".split()
KERNEL_ONLY = "kernel_only "
NO_FORMAT = "refused printf-arguments: the first argument"  # Warp writes text for it that is no C++
ARRAYS = 5  # classes that Warp declares each array row for


def live(python, *args):
    script = os.path.join(HERE, "builtin_calls.py")
    done = subprocess.run([python, script, *args], stdout=subprocess.PIPE, text=True, check=True)
    wanted = ("?", KERNEL_ONLY)
    return [line for line in done.stdout.splitlines() if "\t" in line or line.startswith(wanted)]


def ours(program, mode, text=""):
    done = subprocess.run([program, mode, oracle_env.WARP_VERSION], input=text, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def canonical(signature):
    """Both sides' signatures in one spelling: no result, no alias, no space."""
    text = re.sub(r" ->.*", "", signature)
    text = re.sub(r"\bint\b(?!\()", "int32", text)
    text = re.sub(r"\bfloat\b", "float32", text)
    for n in "234":
        for suffix, elem in (("h", "float16"), ("d", "float64"), ("f", "float32"), ("", "float32")):
            text = re.sub(rf"\bvec{n}{suffix}\b(?!\[)", f"vec[{n}, {elem}]", text)
    for kind in ("quat", "transform"):
        for suffix, elem in (("h", "float16"), ("d", "float64"), ("f", "float32")):
            text = re.sub(rf"\b{kind}{suffix}\b", f"{kind}[{elem}]", text)
    return text.replace(" ", "")


def expanded(line):
    """A row with an each_ type stands for several of Warp's."""
    if "each_array" in line:
        return [line.replace("each_array", "array")] * ARRAYS
    if "each_int" in line:
        return [line.replace("each_int", t) for t in INTS]
    if "each_scalar" in line:
        doubled = ["bool", "int32", "float32"]  # Python's own types are listed again
        return [line.replace("each_scalar", t) for t in INTS + FLOATS + doubled]
    return [line]


def check_rows(python, program, show):
    def fields(line):
        signature, native, flags = line.split("\t")
        flags = " ".join(sorted(set(flags.split()) - {"hidden"}))
        return "\t".join((canonical(signature), native, flags))

    unsaid = collections.Counter()
    want, have = collections.Counter(), collections.Counter()
    theirs, mine = live(python, "rows"), ours(program, "rows")
    same_names = check_kernel_only(theirs, mine)
    for line in rows_of(theirs):
        if line.startswith("?"):
            unsaid[line[1:]] += 1
        else:
            want[fields(line)] += 1
    for line in rows_of(mine):
        for row in expanded(line):
            have[fields(row)] += 1
    missing, extra = want - have, have - want
    print(f"rows: {sum(want.values())} of warp-lang, {sum((want & have).values())} equal, "
          f"{sum(missing.values())} missing, {sum(extra.values())} only here, "
          f"{sum(unsaid.values())} that cannot be written down")  # fmt: skip
    if show:
        for line in missing:
            print("missing:  ", line)
        for line in extra:
            print("only here:", line)
    return same_names and not extra


def rows_of(lines):
    return [line for line in lines if not line.startswith(KERNEL_ONLY)]


def check_kernel_only(theirs, mine):
    """Names that kernels know and Python's module `warp` does not, among those that weft has."""
    known = {line.split("(")[0] for line in rows_of(mine)}
    want, have = (
        {line.removeprefix(KERNEL_ONLY) for line in lines if line.startswith(KERNEL_ONLY)} & known
        for lines in (theirs, mine)
    )
    print(f"names for kernels only: {len(want)} of warp-lang, {len(have)} here")
    for name in sorted(want ^ have):
        print(f"KERNEL_ONLY should {'' if name in want else 'not '}stand on the first row of {name}")
    return want == have


def check_calls(python, program, seed, show, only):
    pairs = [line.split("\t", 1) for line in live(python, "calls", str(seed))]
    if only:
        pairs = [p for p in pairs if p[0].split("\x1f")[0] == only]
    answers = ours(program, "calls", "".join(p[0].replace("\x1f", "\t") + "\n" for p in pairs))
    counts, wrong = collections.Counter(), collections.Counter()
    for (request, want), have in zip(pairs, answers, strict=True):
        name = request.split("\x1f")[0]
        refusals = want.startswith("refused"), have.startswith("refused")
        if have.startswith(NO_FORMAT):
            refusals = True, True
        equal = all(refusals) or (not any(refusals) and normal(want) == normal(have))
        counts["refused" if all(refusals) else "equal" if equal else "different"] += 1
        if not equal:
            wrong[name] += 1
            if sum(wrong.values()) <= show and (wrong[name] <= 3 or only):
                print(f"call: {request.replace(chr(0x1f), ' | ')}\n  warp: {want}\n  weft: {have}")
    print(f"calls (seed {seed}): {dict(counts)}")
    if wrong:
        print("different by builtin:", ", ".join(f"{n} {k}" for n, k in wrong.most_common()))
    return not wrong


def normal(answer):
    return re.sub(r"\s+", " ", answer).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_SEED", "1")))
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--name")
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    fine = check_rows(python, args.program, args.rows)
    fine &= check_calls(python, args.program, args.seed, args.show, args.name)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
