#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile input ends in an error or in success, never in a crash or a hang.

usage: limits_check.py WEFT [--one-in N [--seed S]] [NAME OF AN INPUT TO LEAVE OUT]...

Each input is compiled with --emit ast and --emit json: the exit status has to be 0 or 1, status 1
comes with a diagnostic, and everything ends in time. Inputs marked `refused` have to be refused. A file
of more than MEMORY_MAY_END bytes may end with status 3 instead: a program takes 900 MiB at most.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

CPU_LIMIT = 200  # seconds of processor time; the sanitizers make everything slower
TIMEOUT = 400  # seconds; the machine may be busy
STACK = 8 << 20  # bytes, what a thread has on an ordinary system
MILLION = 1_000_000
MEMORY_MAY_END = 30 * MILLION
KERNEL = b"import warp as wp\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n"


def nested_blocks(head, depth):
    return b"".join(b" " * level + head + b"\n" for level in range(depth)) + b" " * depth + b"pass\n"


# name -> (bytes, whether it has to be refused)
INPUTS = {
    "brackets": (b"(" * MILLION, True),
    "square_brackets": (b"x = " + b"[" * MILLION, True),
    "braces": (b"{" * MILLION, True),
    "closing": (b")" * MILLION, True),
    "balanced": (b"(" * 200_000 + b"1" + b")" * 200_000, True),
    "minus": (b"x = " + b"-" * MILLION + b"1\n", True),
    "nots": (b"x = " + b"not " * MILLION + b"1\n", True),
    "lambdas": (b"x = " + b"lambda: " * 300_000 + b"1\n", True),
    "ternaries": (b"x = " + b"1 if 1 else " * 300_000 + b"1\n", True),
    "sum": (b"x = " + b"1 + " * MILLION + b"1\n", None),
    "powers": (b"x = " + b"1 ** " * 300_000 + b"1\n", True),
    "attributes": (b"x = a" + b".b" * MILLION + b"\n", None),
    "subscripts": (b"x = a" + b"[0]" * 300_000 + b"\n", None),
    "calls": (b"x = a" + b"()" * 300_000 + b"\n", None),
    "comparisons": (b"x = " + b"1 < " * MILLION + b"1\n", None),
    "elifs": (b"if a:\n  pass\n" + b"elif b:\n  pass\n" * 100_000, None),
    "blocks": (nested_blocks(b"if x:", 3000), True),
    "functions": (nested_blocks(b"def f():", 3000), True),
    "decorators": (b"@a\n" * 200_000 + b"def f(): pass\n", None),
    "parameters": (b"def f(" + b"".join(b"a%d, " % i for i in range(100_000)) + b"): pass\n", None),
    "fstrings": (b"x = " + b"f'{" * 2000 + b"1" + b"}'" * 2000 + b"\n", True),
    "format_specs": (b"x = f'{a:" + b"{b:" * 3000 + b"}" * 3000 + b"}'\n", True),
    "long_name": (b"x" * MILLION + b" = 1\n", None),
    "long_number": (b"x = " + b"1" * 100_000 + b"\n", True),
    "long_hex": (b"x = 0x" + b"f" * 100_000 + b"\n", False),
    "long_octal": (b"x = 0o" + b"7_" * 100_000 + b"7\n", False),
    "long_binary": (b"x = 0b" + b"1" * MILLION + b"\n", False),
    "decimal_digits": (b"x = " + b"1_" * 4299 + b"1\n", False),
    "too_many_digits": (b"x = " + b"1" * 4301 + b"\n", True),
    "long_string": (b"x = '" + b"y" * (10 * MILLION) + b"'\n", None),
    "long_line_number": (b"\n" * (3 * MILLION) + b"x = = 1\n", True),
    "many_statements": (b"x = 1\n" * MILLION, None),
    "hundred_megabytes": (b"x = 1\n" * 16_700_000, None),
    "many_errors": (b"x = = 1\n" * 100_000, True),
    "continuation_lines": (b"x = 1 + \\\n" * 100_000 + b"1\n", None),
    "nul": (b"x = 1\0\n", True),
    "nul_in_string": (b"x = '\0'\n", True),
    "broken_utf8": (b"x = '\xff\xfe'\n", True),
    "cut_utf8": (b"x = '\xe2\x82", True),
    "overlong_utf8": (b"x = '\xc0\x80'\n", True),
    "surrogate_utf8": (b"x = '\xed\xa0\x80'\n", True),
    "latin1": (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", False),
    "no_cp1252": (b"# -*- coding: cp1252 -*-\nx = '\x81'\n", True),
    "unknown_cookie": (b"# coding: nothing\n", True),
    "utf16": ("x = 1\n".encode("utf-16"), True),
    "empty": (b"", False),
    "bom": (b"\xef\xbb\xbf", False),
    "bom_and_text": (b"\xef\xbb\xbfx = 1\n", False),
    "blank": (b"\n\t \f\n", False),
    "no_end_of_line": (b"x = 1", False),
    "open_string": (b"x = '''abc\n", True),
    "open_bracket": (b"x = (1,\n", True),
    "stray_indent": (b"  x = 1\n", True),
    "mixed_tabs": (b"if x:\n\ty = 1\n        z = 2\n", True),
    "bad_dedent": (b"if x:\n    y = 1\n  z = 2\n", True),
    "carriage_returns": (b"x = 1\r\ny = 2\rz = 3\n", False),
    "kernel_sum": (KERNEL + b"    a[0] = " + b"1.0 + " * 100_000 + b"1.0\n", None),
    "kernel_statements": (KERNEL + b"    a[0] = a[1] + 1.0\n" * 50_000, None),
    "kernel_branches": (KERNEL + b"".join(
        b"    " * (level + 1) + b"if a[0] > 0.0:\n" for level in range(90)
    ) + b"    " * 91 + b"a[0] = 1.0\n", None),
    "kernel_unrolling": (KERNEL + b"".join(
        b"    " * (level + 1) + b"for i%d in range(16):\n" % level for level in range(12)
    ) + b"    " * 13 + b"a[0] += 1.0\n", True),
    "kernel_recursion": (b"import warp as wp\n@wp.func\ndef f(x: float):\n    return f(x)\n" + KERNEL[18:]
                         + b"    a[0] = f(a[0])\n", True),
    "constant_power": (b"import warp as wp\nN = 9 ** 9 ** 9 ** 9\n" + KERNEL[18:] + b"    a[0] = float(N)\n", None),
    "constant_repeat": (b"import warp as wp\nN = 'x' * 10 ** 12\n" + KERNEL[18:] + b"    a[0] = 1.0\n", None),
    "constant_set": (b"N = len({" + b",".join(b"%d" % i for i in range(300_000)) + b"})\n" + KERNEL
                     + b"    a[0] = float(N)\n", False),
    "constant_product": (b"import itertools\nN = len(list(itertools.product(*[range(4096)] * 6)))\n" + KERNEL
                         + b"    a[0] = float(N)\n", True),
    "constant_combinations": (b"import itertools\nN = len(list(itertools.combinations(range(80), 4)))\n" + KERNEL
                              + b"    a[0] = float(N)\n", True),
    "constant_copies": (b"import copy\nclass O: pass\no = O()\no.a = o.b = o.c = o\no.d = [o, (o, {1: o})]\n"
                        b"N = copy.deepcopy(o).d[1][1][1] is not o\n" + KERNEL + b"    a[0] = float(wp.static(N))\n",
                        False),
    "constant_dicts": (b"from dataclasses import dataclass, asdict\n@dataclass\nclass O:\n    a: list\n"
                       b"o = O([])\np = O([])\no.a = [o, o, o]\np.a = [p, p, p]\nM = o == p\nN = asdict(o)\n" + KERNEL
                       + b"    a[0] = float(wp.static(M))\n", None),
    "constant_generic": (b"import warp as wp\nfrom typing import Any\nV = wp.types.vector(length=Any, dtype=float)\n"
                         b"try:\n    N = V(1.0)\nexcept Exception:\n    pass\n" + KERNEL[18:] + b"    a[0] = 1.0\n",
                         False),
    "constant_least": (b"N = -2 ** 126 * 2 // -1\nM = range(-2 ** 126, 2 ** 126)\nL = [1, 2] * 2 ** 126\n"
                       b"S = (1, 2, 3)[1::2 ** 126 * 2 - 1]\n" + KERNEL + b"    a[0] = 1.0\n", False),
    "constant_loop": (b"while True:\n    pass\n" + KERNEL + b"    a[0] = 1.0\n", None),
}


def chain_of_structs(n):
    first = b"import warp as wp\n\n\n@wp.struct\nclass S0:\n    x: float\n"
    others = b"".join(b"\n\n@wp.struct\nclass S%d:\n    a: S%d\n    b: S%d\n" % (i, i - 1, i - 1) for i in range(1, n))
    return first + others + b"\n\n@wp.kernel\ndef k(s: S%d, a: wp.array(dtype=float)):\n    a[0] = 1.0\n" % (n - 1)


def chain_of_calls(n, word):
    head = b"import warp as wp\nfrom typing import Any\n\n\n@wp.func\ndef f0(x: %s):\n    return x * x\n" % word
    return head + b"".join(
        b"\n\n@wp.func\ndef f%d(x: %s):\n    return f%d(x) + f%d(x)\n" % (i, word, i - 1, i - 1) for i in range(1, n)
    ) + b"\n\n" + KERNEL[18:] + b"    a[0] = f%d(a[0])\n" % (n - 1)


IMPORT = b"import warp as wp\n\n\n"


def static_loops(n, passes):
    return KERNEL + b"".join(
        b"    for i%d in range(%d):\n        a[i%d] = wp.static(float(i%d)) * a[i%d]\n" % (k, passes, k, k, k)
        for k in range(n)
    )


def names_and_branches(names, branches):
    return KERNEL + b"".join(b"    x%d = a[%d] * 2.0\n" % (i, i) for i in range(names)) \
        + b"    if a[0] > 0.0:\n        x0 = x1 + 1.0\n" * branches


def overloads(n):
    return IMPORT + b"".join(
        b"S%d = wp.types.vector(length=%d, dtype=float)\n\n\n@wp.func\ndef f(x: S%d):\n    return x[0]\n\n\n"
        % (i, i + 2, i) for i in range(n)
    ) + KERNEL[18:] + b"".join(b"    a[%d] = f(S%d())\n" % (i, i) for i in range(n))


def large_struct(n, used):
    return IMPORT + b"@wp.struct\nclass S:\n" + b"".join(b"    x%d: float\n" % i for i in range(n)) \
        + b"\n\n@wp.kernel\ndef k(a: wp.array(dtype=S)):\n    s = a[0]\n    t = S()\n" \
        + b"".join(b"    t.x%d = s.x%d + 1.0\n" % (i, (i + 1) % n) for i in range(0, n, n // used)) \
        + b"    a[1] = t\n"


# Products of 60x60 matrices: the work of one statement is bounded, too.
MATRICES = (
    IMPORT + b"M = wp.types.matrix(shape=(60, 60), dtype=float)\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=M)):\n"
    b"    m = a[0]\n    n = m * m\n    for i in range(100):\n        n = n * m + m * n\n    a[1] = n\n"
)

# Programs of their own: no input keeps a pass, or the run that finds expected values, for ever.
PROGRAMS = {
    "calls": chain_of_calls(40, b"float"),
    "generic_calls": chain_of_calls(40, b"Any"),
    "nested_loops": KERNEL + b"".join(b"    " * (n + 1) + b"for i%d in range(17):\n" % n for n in range(60))
                    + b"    " * 61 + b"a[0] += 1.0\n",
    "array_parameters": b"import warp as wp\n\n\n@wp.kernel\ndef k("
                        + b", ".join(b"a%d: wp.array(dtype=float)" % i for i in range(1000)) + b"):\n"
                        + b"".join(b"    a%d[0] = a%d[1] * 2.0\n" % (i, (i + 1) % 1000) for i in range(1000)),
    # Arrays that grow with each attempt: the runs that are not kept have to give their memory back.
    "growing_arrays": b"import warp as wp\n\n\n@wp.kernel\ndef k("
                      + b", ".join(b"a%d: wp.array4d[int]" % i for i in range(12)) + b"):\n    i = wp.tid()\n"
                      + b"".join(b"    a%d[i // 8, i // 16, i // 8, i // 32] += 1\n" % i for i in range(12)),
    "matrices": MATRICES,
    "large_struct": large_struct(50_000, 5000),
    "many_statements": KERNEL + b"    x = a[0]\n" + b"    x = x * a[1] + 1.0\n" * 20_000 + b"    a[0] = x\n",
}
INPUTS["kernel_structs"] = (chain_of_structs(40), True)
ONES = b", ".join([b"1.0"] * 70_000)
INPUTS["kernel_vector"] = (KERNEL + b"    v = wp.vector(" + ONES + b")\n    a[0] = v[0]\n", True)
PROGRAMS["tuple"] = KERNEL + b"    t = (" + ONES + b")\n    a[0] = t[69999]\n"
INPUTS["kernel_static_loops"] = (static_loops(16, 2000), True)
INPUTS["kernel_static_body"] = (
    KERNEL + b"    for i in range(3000):\n"
    + b"".join(b"        x%d = wp.static(float(i)) * a[i]\n" % k for k in range(100)), True)
INPUTS["kernel_names"] = (names_and_branches(5000, 6000), None)
INPUTS["kernel_overloads"] = (overloads(4000), None)


def limit_resources():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def problem(weft, path, kind, refused):
    """What is wrong with how weft takes this input, or None."""
    command = [weft, "compile", "--emit", kind, path]
    try:
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT, preexec_fn=limit_resources
        )
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"no end after {CPU_LIMIT} s of processor time"
    told = re.search(rb":\d+:\d+: error: .*\[[\w-]+\]", done.stderr)
    status = done.returncode
    if status == 1 and not told and b"weft: error: nothing is written: " in done.stderr:
        status = 0  # accepted, but without a kernel
    if done.returncode == 3 and b"out of memory: a program takes" in done.stderr:
        return None if os.path.getsize(path) > MEMORY_MAY_END else "out of memory"
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}: {done.stderr[-300:]!r}"
    if status == 1 and not told:
        return f"refused without a diagnostic: {done.stderr[:200]!r}"
    if refused is not None and refused != (status == 1):
        return "is accepted" if refused else f"is refused: {done.stderr[:200]!r}"
    return None


def main():
    chosen = part.take(sys.argv)
    weft, failed = os.path.abspath(sys.argv[1]), 0
    inputs = dict(chosen.of((name, row) for name, row in INPUTS.items() if name not in sys.argv[2:]))
    programs = dict(chosen.of(PROGRAMS.items()))
    with tempfile.TemporaryDirectory() as folder:
        for name, (data, refused) in inputs.items():
            path = os.path.join(folder, name + ".py")
            with open(path, "wb") as stream:
                stream.write(data)
            for kind in ("ast", "json"):
                only_text = name.startswith(("kernel_", "constant_"))
                found = problem(weft, path, kind, None if only_text and kind == "ast" else refused)
                failed += found is not None
                if found:
                    print(f"{name}, --emit {kind}: {found}")
            os.unlink(path)
        for name, data in programs.items():
            path = os.path.join(folder, name + ".py")
            with open(path, "wb") as stream:
                stream.write(data)
            found = problem(weft, path, "standalone", None)
            failed += found is not None
            if found:
                print(f"{name}, --emit standalone: {found}")
            os.unlink(path)
    print(f"limits: {2 * len(inputs) + len(programs) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
