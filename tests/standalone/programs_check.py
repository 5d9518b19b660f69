#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that stand alone, made of the kernels in tests/standalone/programs: each is built by a C++
compiler with the shim and executed, forward and backward, and has to print PASS, RAN
where its inputs tell too little of the kernel but all numbers are right, or what a comment says:

    # ends: RAN           in the line of the kernel's def: the program prints this
    # forward             in the line of the kernel's def: there is no backward form
    # no form: words      in a line: the message that the kernel with this line is refused with there
    # no gradient: words  in a line: the warning there, and the program is forward only

Where threads share what they write by atomics, the program runs again with its threads in reverse order, and has to
end in the same way: a GPU has an order of its own.

With --one-in N, one of N kernels, in the order of the files.

usage: programs_check.py WEFT [--only WORD] [--one-in N [--seed S]] [--jobs J] [--compiler CXX] [--flags FLAGS]
"""

import argparse
import concurrent.futures
import glob
import os
import re
import sys
import tempfile

from standalone_check import execute, part, run

HERE = os.path.dirname(os.path.abspath(__file__))


def kernels_of(lines):
    """(name, its comment) of each kernel."""
    for number, line in enumerate(lines):
        if line.startswith("@wp.kernel"):
            define = next(later for later in lines[number + 1 :] if later.startswith("def "))
            yield re.match(r"def (\w+)", define).group(1), define.partition("#")[2].strip()


MARKS = {"error": "# no form:", "warning": "# no gradient:"}


def refusals_of(lines, mark):
    """What has to be said: "FILE:LINE" and words, with what the other lines say."""
    return {number: line.partition(mark)[2].strip() for number, line in enumerate(lines, 1) if mark in line}


def check_refusals(path, lines, said, faults):
    for severity, mark in MARKS.items():
        check_messages(path, refusals_of(lines, mark), severity, said, faults)


def check_messages(path, wanted, severity, said, faults):
    found = {int(at): words for at, words in re.findall(re.escape(path) + rf":(\d+):\d+: {severity}: (.*)", said)}
    for number in sorted({*wanted, *found}):
        have, want = found.get(number), wanted.get(number)
        if have is None or want is None or want not in have:
            faults.append(f"{path}:{number}: wanted '{want}', said: {have}")


def reverse_threads(shim):
    """The header by which the last thread runs first."""
    text = open(shim).read()
    forward = r"for \((\w+Idx\.\w) = 0; \1 < (\w+\.\w); \1\+\+\)"
    assert re.search(forward, text)
    with open(shim, "w") as stream:
        stream.write(re.sub(forward, r"for (\1 = \2; \1-- > 0;)", text))


def check_reversed(options, path, name, at, end, faults):
    program = open(os.path.join(at, name + ".cu")).read()
    if "atomic" not in program.partition("// the host")[0]:
        return
    reverse_threads(os.path.join(at, "cuda_on_cpu.h"))
    other, said = execute(options, at, name)
    if other != end:
        faults.append(f"{path}: {name}: {end}, in reverse order {other}\n{said[:1500]}")


def check_kernel(options, path, name, comment, folder):
    """Was there a program? And the faults."""
    lines = open(path).read().splitlines()
    faults = []
    refused = bool(refusals_of(lines, MARKS["error"]))
    at = os.path.join(folder, os.path.basename(path), name)
    more = ["--no-backward"] if comment == "forward" else []
    command = [options.weft, "compile", "--emit", "standalone", "--cpu-shim", "--kernel", name, "-o",
               os.path.dirname(at) + os.sep, *more, path]
    done = run(command, None)
    made = os.path.isdir(at)
    if made:
        end, said = execute(options, at, name)
        wanted = [comment[6:]] if comment.startswith("ends: ") else ["PASS", "PASS (forward)", "RAN"]
        if end not in wanted or (end == "RAN" and "largest error" not in said and not comment):
            faults.append(f"{path}: {name}: {end}\n{said[:1500]}")
        check_reversed(options, path, name, at, end, faults)
    elif not refused or done.returncode != 1:
        faults.append(f"{path}: {name}: status {done.returncode}\n{done.stderr}")
    if refused or refusals_of(lines, MARKS["warning"]):
        check_one_refusal(path, lines, done.stderr, name, faults)
    return made, faults


def check_one_refusal(path, lines, said, name, faults):
    """The lines of the kernel alone, from its decorator on."""
    start = next(i for i, line in enumerate(lines) if re.match(rf"def {name}\b", line)) - 1
    end = next((i for i in range(start + 2, len(lines)) if lines[i].startswith("@")), len(lines))
    own = ["" if not start <= i < end else line for i, line in enumerate(lines)]
    check_refusals(path, own, said, faults)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.rpartition("\n\n")[2], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O0")
    chosen = part.take(sys.argv)
    options = parser.parse_args()
    files = [path for path in sorted(glob.glob(os.path.join(HERE, "programs", "*.py"))) if options.only in path]
    kernels = [(path, *kernel) for path in files for kernel in kernels_of(open(path).read().splitlines())]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ends = list(pool.map(lambda kernel: check_kernel(options, *kernel, folder), chosen.of(kernels)))
    faults = [fault for _, found in ends for fault in found]
    for fault in faults:
        print(fault)
    print(f"{sum(made for made, _ in ends)} programs of {len(files)} files, {len(faults)} faults")
    sys.exit(1 if faults or not ends else 0)


if __name__ == "__main__":
    main()
