#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are the tolerances of src/launch/tolerance.def wide enough for a device, and too narrow for a wrong kernel?

Wide enough: each sample is built with a math library whose results are off by as many units in the last place as the
table says CUDA's may be, with multiplications and additions contracted where this machine can, optimised, its threads
run from the last to the first; it has to print PASS. Narrow enough: operators, functions and constants of kernels are
changed one at a time; a sample has to notice most of that (a change that no number shows cannot be noticed).

usage: tolerance_check.py WEFT [--count N] [--mutants M] [--seed S] [--noise S]
"""

import argparse
import collections
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "src", "launch", "tolerance.def")
HEADERS = "cfloat cmath cstdint cstdio cstdlib cstring ctime math.h stddef.h stdio.h stdlib.h string.h"
ABSENT = {"erfinv", "erfcinv", "rsqrt"}  # not in the C library: the shim has them
NOISE = """
template <class Bits, class T> static T noise(T exact, unsigned units)
{
    Bits bits;
    std::memcpy(&bits, &exact, sizeof bits);
    if (!std::isnormal(exact))
        return exact;
    uint64_t h = (uint64_t(bits) ^ SEEDull) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    bits += Bits(int(uint32_t(h >> 32) % (2 * units + 1)) - int(units));
    std::memcpy(&exact, &bits, sizeof bits);
    return exact;
}
"""
OTHER = {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " < ": " > ", " > ": " < ", "sinf": "cosf", "cosf": "sinf",
         "expf": "sinf", "fmaxf": "fminf", "fminf": "fmaxf"}


def noisy_header(seed):
    """A header that makes of each function of the table one that is as far off as it may be."""
    rows = [row for row in re.findall(r"^ULPS\((\w+), (\d+), (\d+)\)", open(TABLE).read(), re.M) if row[0] not in ABSENT]
    lines = [f"#include <{name}>" for name in HEADERS.split()] + [NOISE.replace("SEED", str(seed))]
    for name, single, double in rows:
        lines.append(f"template <class... A> static float noisy_{name}f(A... a) {{ return noise<uint32_t>(::{name}f(a...), {single}); }}")
        lines.append(f"template <class... A> static double noisy_{name}(A... a) {{ return noise<uint64_t>(::{name}(a...), {double}); }}")
    for name, _, _ in rows:
        lines.append(f"#define {name}f noisy_{name}f\n#define {name} noisy_{name}")
    return "\n".join(lines) + "\n"


def backwards(shim):
    """The shim with its loops over threads and blocks reversed."""
    text, changed = re.subn(r"for \((\w+\.\w) = 0; \1 < (\w+\.\w); \1\+\+\)", r"for (\1 = \2; \1-- > 0;)", shim)
    assert changed == 9, changed  # six of run_grid, three of run_blocks
    return text


def run(path, flags, folder):
    """What the program's last line begins with, and all that it printed."""
    program = os.path.join(folder, "program")
    command = ["g++", "-std=c++17", "-w", "-fwrapv", *flags, "-x", "c++", "-o", program, path]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        return "not built", built.stderr[:500]
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=20, errors="replace")
    except subprocess.TimeoutExpired:
        return "hangs", ""
    words = done.stdout.strip().rpartition("\n")[2].partition(":")[0]
    return (words if done.returncode in (0, 1) else "crash"), done.stdout


def check_noise(options, samples, shim, folder):
    with open(os.path.join(folder, "noise.h"), "w") as out:
        out.write(noisy_header(options.noise))
    with open(os.path.join(folder, "cuda_on_cpu.h"), "w") as out:
        out.write(backwards(shim))
    contract = ["-mfma", "-ffp-contract=fast"] if " fma " in open("/proc/cpuinfo").read() else []
    bad, nearest = [], 0.0
    for path in samples:
        end, said = run(path, ["-O1", *contract, "-I", folder, "-include", os.path.join(folder, "noise.h")], folder)
        if end != "PASS":
            bad.append(f"{path}: {end}\n{said}")
        for error, allowed in re.findall(r"largest error (\S+) of (\S+) allowed", said):
            nearest = max(nearest, float(error) / float(allowed))
    print(f"{len(samples) - len(bad)} of {len(samples)} pass with CUDA's errors; the largest is {nearest:.1%} of what is allowed")
    print("\n".join(bad))
    return not bad


def changes_of(text, draw, count):
    """Some texts with one thing changed in a kernel."""
    begin, end = text.index("__global__"), text.index("// Errors of the CUDA runtime")
    spots = []
    for match in re.finditer(r" [-+*/] | [<>] |\b\d+\.\d+f?\b|\b(?:sinf|cosf|expf|fmaxf|fminf)\b", text[begin:end]):
        at = begin + match.start()
        line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)]
        if "blockIdx" not in line and ">= n" not in line and "//" not in line:
            spots.append((at, match.group()))
    for at, old in draw.sample(spots, min(count, len(spots))):
        new = OTHER.get(old) or repr(float(old.rstrip("f")) * 1.01 + 0.001) + old[len(old.rstrip("f")) :]
        yield text[:at] + new + text[at + len(old) :]


def check_mutants(options, samples, folder, shim_folder):
    draw, ends = random.Random(options.seed), collections.Counter()
    path = os.path.join(folder, "mutant.cu")
    for sample in samples[: options.mutants]:
        for text in changes_of(open(sample).read(), draw, 3):
            with open(path, "w") as out:
                out.write(text)
            ends[run(path, ["-O0", "-ffp-contract=off", "-I", shim_folder], folder)[0]] += 1
    tried = sum(ends.values()) - ends["not built"]
    print(f"{tried - ends['PASS']} of {tried} changed kernels are noticed: {dict(ends)}")
    return ends["PASS"] <= 0.3 * tried


def main():
    parser = argparse.ArgumentParser(usage=__doc__.rpartition("\n\n")[2], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--mutants", type=int, default=3)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--noise", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        at = os.path.join(folder, "set")
        command = [options.weft, "generate", "--kind", "exercise", "--count", str(options.count), "--seed", str(options.seed), "--format", "standalone",
                   "--cpu-shim", "--quiet", "--output", at]
        subprocess.run(command, check=True, timeout=600)
        samples = sorted(glob.glob(os.path.join(at, "*", "*.cu")))
        with open(os.path.join(at, "cuda_on_cpu.h")) as stream:
            shim = stream.read()
        good = len(samples) == options.count and check_noise(options, samples, shim, folder)
        good &= check_mutants(options, samples, folder, at)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
