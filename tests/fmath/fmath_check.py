#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The functions of src/fmath are as exact as fmath.h says, and C's where C says what the result is.

usage: fmath_check.py LIBRARY [--points N]

LIBRARY is libfmath_preload.so, which has them under the names of C. At random points each result is
compared with the value that tools/gen_fmath.py's series give, to 300 bits: at most LIMIT units in the
last place of a double. Near the ends of ranges, at integers and at special values it is compared with
the C library's result: the same NaN, infinity or signed zero, or as near as the library is itself.
The tables of src/fmath have to be what tools/gen_fmath.py writes.
"""

import argparse
import ctypes
import fractions
import itertools
import math
import os
import random
import struct
import subprocess
import sys

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPO, "tools"))

import gen_fmath as exact  # noqa: E402

LIMIT = 0.51
LIBRARY_LIMIT = 4.0  # what glibc 2.36 stays below
F = fractions.Fraction
UNARY = "sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 cbrt erf erfc".split()
BINARY = "atan2 pow hypot".split()
SPECIAL = [0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-20, 1e-8, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.5, 7.0,
           26.5, 27.2, 27.3, 40.0, 700.0, 709.7, 709.8, 710.4, 710.5, 745.1, 745.2, 1024.0, 1e5, 1e15, 9007199254740992.0,
           9007199254740993.0 * 2, 1e22, 1e300, 1.7976931348623157e308, math.inf, math.nan]
SPECIAL += [-x for x in SPECIAL]


def fixed(x):
    return exact.fixed(F(x))


def exp_of(x):
    """e^x of a rational number, as a rational number."""
    n = round(x / F(exact.LN2, exact.ONE))
    return F(exact.exp(exact.fixed(x) - n * exact.LN2), exact.ONE) * F(2) ** n


def log_of(x):
    """Of a positive rational number, as a rational number."""
    e = math.frexp(float(x))[1]
    return F(exact.log(x / F(2) ** e) + e * exact.LN2, exact.ONE)


def circular(x):
    """(sine, cosine) as rational numbers."""
    sine, cosine = exact.sin_cos(exact.fixed(x) % (2 * exact.PI))
    return F(sine, exact.ONE), F(cosine, exact.ONE)


def root(x):
    """The square root of a rational number, to 300 bits."""
    scale = 1 << 600
    return F(math.isqrt(x.numerator * scale // x.denominator), 1 << 300)


def angle(y, x):
    """Of the point (x, y), rational numbers, x > 0 or y != 0."""
    if abs(y) <= abs(x):
        r = F(exact.atan(exact.fixed(abs(y) / abs(x))), exact.ONE)
    else:
        r = F(exact.PI // 2 - exact.atan(exact.fixed(abs(x) / abs(y))), exact.ONE)
    r = F(exact.PI, exact.ONE) - r if x < 0 else r
    return -r if y < 0 else r


def error_function(x):
    return F(exact.ONE - exact.erfc(abs(x)), exact.ONE) * (1 if x > 0 else -1)


def cube_root(x):
    scale, low = 1 << 600, 1
    target = abs(x.numerator) * (scale ** 3) // x.denominator
    low = 1 << -(-target.bit_length() // 3)
    while True:
        after = (2 * low + target // (low * low)) // 3
        if after >= low:
            break
        low = after
    return F(low, scale) * (1 if x > 0 else -1)


EXACT = {
    "sin": lambda x: circular(x)[0], "cos": lambda x: circular(x)[1],
    "tan": lambda x: circular(x)[0] / circular(x)[1],
    "asin": lambda x: angle(x, root(1 - x * x)), "acos": lambda x: angle(root(1 - x * x), x),
    "atan": lambda x: angle(x, F(1)),
    "sinh": lambda x: (exp_of(x) - exp_of(-x)) / 2, "cosh": lambda x: (exp_of(x) + exp_of(-x)) / 2,
    "tanh": lambda x: 1 - 2 / (exp_of(2 * x) + 1), "exp": exp_of, "log": log_of,
    "log2": lambda x: log_of(x) / F(exact.LN2, exact.ONE), "log10": lambda x: log_of(x) / F(exact.LN10, exact.ONE),
    "cbrt": cube_root, "erf": error_function, "erfc": lambda x: 1 - error_function(x),
    "atan2": angle, "pow": lambda x, y: exp_of(y * log_of(x)), "hypot": lambda x, y: root(x * x + y * y),
}
# Where points are drawn, uniformly or by exponent: "e" and exponents of 2. Signs follow from the first.
RANGES = {
    "sin": [(-7, 7), (-1e6, 1e6), ("e", -40, 60)], "cos": [(-7, 7), (-1e6, 1e6)], "tan": [(-7, 7), ("e", -40, 30)],
    "asin": [(-1, 1), ("e", -40, -1)], "acos": [(-1, 1), (0.99, 1)], "atan": [(-3, 3), ("e", -40, 60)],
    "sinh": [(-5, 5), (-700, 700), ("e", -40, 3)], "cosh": [(-5, 5), (-700, 700)], "tanh": [(-20, 20), ("e", -40, 3)],
    "exp": [(-1, 1), (-708, 709), (-745, -708)], "log": [(0.5, 2), (0.99, 1.01), (1e-5, 1e5)],
    "log2": [(0.5, 2), (1e-5, 1e5)], "log10": [(0.5, 2), (1e-5, 1e5)], "cbrt": [(-8, 8), ("e", -500, 500)],
    "erf": [(-1, 1), (-6, 6), ("e", -40, 0)], "erfc": [(-6, 1), (0, 6)],
    "atan2": [(-10, 10)], "pow": [(0.1, 10), (0.9, 1.1)], "hypot": [(-10, 10), ("e", -40, 40)],
}


def bits(x):
    return struct.unpack("<q", struct.pack("<d", x))[0]


def ulps(got, want):
    """How far a double is from a rational number, in units of its last place."""
    if want == 0:
        return 0.0 if got == 0 else math.inf
    unit = max(math.frexp(float(abs(want)))[1], -1021) - 53
    return float(abs(F(got) - want) / F(2) ** unit)


def draw(rng, spread):
    if spread[0] == "e":
        return rng.choice((-1, 1)) * 2.0 ** rng.uniform(*spread[1:])
    return rng.uniform(*spread)


def measure(name, call, rng, points):
    """The largest error, and where."""
    worst, where = 0.0, None
    for spread in RANGES[name]:
        for _ in range(points // len(RANGES[name])):
            x = [draw(rng, spread) for _ in range(2 if name in BINARY else 1)]
            if name == "pow":
                x[1] = rng.uniform(-30, 30)
            d = ulps(call(*x), EXACT[name](*map(F, x)))
            worst, where = max((worst, where), (d, x))
    return worst, where


def same_kind(got, want):
    """Is what C's library gives for a special value what we give?"""
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    if math.isinf(want) or math.isinf(got) or not want or not got:
        return bits(got) == bits(want) or abs(got - want) <= LIBRARY_LIMIT * 5e-324
    return ulps(got, F(want)) <= LIBRARY_LIMIT


def load(path, names):
    library = ctypes.CDLL(path)
    functions = {}
    for name in names:
        functions[name] = getattr(library, name)
        functions[name].restype = ctypes.c_double
        functions[name].argtypes = [ctypes.c_double] * (2 if name in BINARY else 1)
    return functions


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--points", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    ours, theirs = load(args.library, UNARY + BINARY), load("libm.so.6", UNARY + BINARY)
    rng = random.Random(args.seed)
    problems, compared = 0, 0
    for name in UNARY + BINARY:
        worst, where = measure(name, ours[name], rng, args.points)
        print(f"{name:6} {worst:.4f} units in the last place at {where}")
        if not worst <= LIMIT:
            print(f"{name}: more than {LIMIT}")
            problems += 1
        for x in itertools.product(SPECIAL, repeat=2 if name in BINARY else 1):
            compared += 1
            got, want = ours[name](*x), theirs[name](*x)
            if not same_kind(got, want):
                print(f"{name}{x}: {got!r}, the C library {want!r}")
                problems += 1
    print(f"{args.points} points of each of {len(EXACT)} functions, {compared} special ones, {problems} problems")
    problems += subprocess.run([sys.executable, os.path.join(REPO, "tools/gen_fmath.py"), "--check"]).returncode
    sys.exit(1 if problems or not compared else 0)


if __name__ == "__main__":
    main()
