#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of src/fmath: constants and function values to 106 bits.

usage: gen_fmath.py [--check]

Every value is computed here with 400 bits by series, and printed as the sum of two doubles. With
--check nothing is written: the exit status says whether the files hold what they should.
"""

import fractions
import math
import pathlib
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "src" / "fmath"
BITS = 400
ONE = 1 << BITS
F = fractions.Fraction


def fixed(x):
    """A rational number as a multiple of 2^-BITS."""
    return (x.numerator << BITS) // x.denominator


def mul(a, b):
    return a * b >> BITS


def div(a, b):
    return (a << BITS) // b


def exp(x):
    """e^x of fixed numbers: by the series of x / 2^20, squared 20 times."""
    x >>= 20
    term = total = ONE
    n = 1
    while term:
        term = mul(term, x) // n
        total += term
        n += 1
    for _ in range(20):
        total = mul(total, total)
    return total


def atanh_inverse(n):
    """atanh(1 / n)"""
    power, total, k = ONE // n, 0, 1
    while power:
        total += power // k
        power //= n * n
        k += 2
    return total


def atan(x):
    """Of |x| <= 1: halved twice by atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))), then the series."""
    for _ in range(2):
        root = math.isqrt((ONE + mul(x, x)) << BITS)
        x = div(x, ONE + root)
    power, total, k = x, 0, 1
    square = mul(x, x)
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power = mul(power, square)
        k += 2
    return 4 * total


LN2 = 2 * atanh_inverse(3)
LN10 = 3 * LN2 + 2 * atanh_inverse(9)  # 10 = 8 * (1 + 1/9) / (1 - 1/9)
PI = 4 * atan(ONE)


def log(x):
    """Of a rational number in [0.5, 2], by atanh."""
    t = fixed((x - 1) / (x + 1))
    power, total, k = t, 0, 1
    square = mul(t, t)
    while abs(power) > 1:
        total += power // k
        power = mul(power, square)
        k += 2
    return 2 * total


def sin_cos(x):
    """Of a fixed number."""
    results = []
    for start in (1, 0):
        term, total, n = (x if start else ONE), 0, start
        while abs(term) > 1:
            total += term
            term = -mul(mul(term, x), x) // ((n + 1) * (n + 2))
            n += 2
        results.append(total)
    return results


def erfc(x):
    """1 - erf(x) of a rational number up to 6.1: erf by its series, all of whose terms are positive."""
    square = fixed(x * x)
    term, total, n = fixed(2 * x), 0, 0
    while term:
        total += term
        n += 1
        term = mul(term, 2 * square) // (2 * n + 1)
    root_pi = math.isqrt(PI << BITS)
    return ONE - div(mul(total, exp(-square)), root_pi)


def rounded(x):
    """The nearest double to a fixed number, as a fraction."""
    return F(float(F(x, ONE)))


def pair(x):
    hi = rounded(x)
    lo = rounded(x - fixed(hi))
    return f"{float(hi).hex()}, {float(lo).hex()}"


def cut(x, bits):
    """The leading bits of a positive fixed number: what is printed, and what is left."""
    drop = x.bit_length() - bits
    top = x >> drop << drop
    return float(F(top, ONE)).hex(), x - top


def parts(name, x, *bits):
    """NAME_1 and so on of so many bits each, and the last with what follows."""
    lines = []
    for number, count in enumerate(bits, 1):
        text, x = cut(x, count)
        lines.append((f"{name}_{number}", text))
    lines.append((f"{name}_{len(bits) + 1}", float(F(x, ONE)).hex()))
    return lines


def constants():
    lines = parts("LN2", LN2, 42)
    lines += parts("LN2_BY_64", LN2 >> 6, 32)
    lines += parts("HALF_PI", PI >> 1, 33, 33, 53)
    for name, x in (("HALF_PI", PI >> 1), ("PI", PI), ("THIRD", ONE // 3), ("BY_LN2", div(ONE, LN2)),
                    ("BY_LN10", div(ONE, LN10)), ("BY_ROOT_PI", div(ONE, math.isqrt(PI << BITS)))):
        hi, lo = pair(x).split(", ")
        lines += [(f"{name}_HI", hi), (f"{name}_LO", lo)]
    width = max(len(name) for name, _ in lines)
    return [f"#define {name:{width}} {value}" for name, value in lines]


def two_by_pi():
    """The first 20 words of 64 bits behind the point of 2 / pi."""
    words = 20
    extra = 64 * words + 128
    global BITS, ONE
    saved = BITS, ONE
    BITS, ONE = extra, 1 << extra
    x = (2 * ONE << BITS) // (4 * atan(ONE))
    rows = [f"WORD(0x{x >> (BITS - 64 * (i + 1)) & (1 << 64) - 1:016x})" for i in range(words)]
    BITS, ONE = saved
    return rows


def log_rows():
    """For each j in 90 .. 182 a number c near 128 / j of 12 bits, and -log(c)."""
    for j in range(90, 183):
        c = F(round(F(128, j) * 2048), 2048)
        yield f"ROW({float(c).hex()}, {pair(-log(c))})"


def sin_rows():
    for i in range(52):
        sine, cosine = sin_cos(fixed(F(i, 64)))
        yield f"ROW({pair(sine)}, {pair(cosine)})"


def erfc_rows():
    for i in range(97):
        a = F(i, 16)
        slope = div(2 * exp(-fixed(a * a)), math.isqrt(PI << BITS))
        yield f"ROW({pair(erfc(a))}, {pair(slope)})"


FILES = {
    "fmath_constant.h": ("constants, each the sum of NAME_1 and so on, or of a pair", constants),
    "fmath_two_by_pi.def": ("the bits of 2 / pi behind the point", two_by_pi),
    "fmath_exp.def": ("2^(i / 64), i from 0", lambda: (f"ROW({pair(exp(LN2 * i >> 6))})" for i in range(64))),
    "fmath_log.def": ("c near 128 / j, j from 90, and -log(c)", log_rows),
    "fmath_sin.def": ("sin(i / 64) and cos(i / 64), i from 0", sin_rows),
    "fmath_atan.def": ("atan(i / 64), i from 0", lambda: (f"ROW({pair(atan(fixed(F(i, 64))))})" for i in range(65))),
    "fmath_erfc.def": ("erfc(a) and 2 / sqrt(pi) e^(-a^2), a = i / 16, i from 0", erfc_rows),
}


def main():
    wrong = []
    for name, (what, rows) in FILES.items():
        lines = ["/* SPDX-License-Identifier: Apache-2.0 */", f"/* generated by tools/gen_fmath.py: {what} */", *rows()]
        if name.endswith(".h"):
            guard = f"WEFT_FMATH_{name[:-2].upper()}_H"
            lines[2:2] = [f"#ifndef {guard}", f"#define {guard}", ""]
            lines += ["", "#endif"]
        text = "\n".join(lines) + "\n"
        path = OUT / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            wrong.append(name)
    for name in wrong:
        print(f"src/fmath/{name} is not what tools/gen_fmath.py writes")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
