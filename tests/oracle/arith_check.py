#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operations of src/arith give the values and the adjoints that warp-lang's CPU device gives.

usage: arith_check.py CALL_ARITH [--kinds float32,float64] [--only NAME] [--points N] [--one-in N [--seed S]]

Each row of ROWS is a kernel of one call, launched forward and then backward by warp-lang, and the
same call by CALL_ARITH (tests/unit/call_arith.c), on random points and on points of edge values.
Both must be equal bit for bit (any NaN equals any other), but for rows that call a function of
the C library: there up to ULPS units in the last place.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

KINDS = ["float16", "bfloat16", "float32", "float64"]
ULPS = 0
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1e30, -3e38, 1e-42, 6e-8, 65504.0, float("nan"), float("inf"), float("-inf")]
# s scalar, D vec2, v vec3, F vec5, V vec6, Q quaternion, T transformation, N mat22, m mat33, M mat44, S mat66,
# R mat23, P mat32, i int32
SHAPES = {"s": (), "D": (2,), "v": (3,), "F": (5,), "V": (6,), "Q": (4,), "T": (7,), "N": (2, 2), "m": (3, 3)}
SHAPES |= {"M": (4, 4), "S": (6, 6), "R": (2, 3), "P": (3, 2), "i": ()}
SPELLINGS = {"D": ":vec2", "F": ":vec5", "N": ":mat2x2", "R": ":mat2x3", "P": ":mat3x2", "v": ":vec3", "V": ":vec6", "Q": ":quat", "T": ":transform", "m": ":mat3x3", "M": ":mat4x4", "S": ":mat6x6"}

# native name, arguments, results, the call in Python; "!": the call changes argument 0, r
ROWS = [
    ("add", "QQ", "Q", "a + b"),
    ("add", "TT", "T", "a + b"),
    ("sub", "QQ", "Q", "a - b"),
    ("sub", "TT", "T", "a - b"),
    ("mul", "QQ", "Q", "a * b"),
    ("mul", "Qs", "Q", "a * b"),
    ("mul", "sQ", "Q", "a * b"),
    ("mul", "TT", "T", "a * b"),
    ("mul", "Ts", "T", "a * b"),
    ("mul", "sT", "T", "a * b"),
    ("div", "Qs", "Q", "a / b"),
    ("div", "sQ", "Q", "a / b"),
    ("approx_div", "Qs", "Q", "wp.div_approx(a, b)"),
    ("approx_div", "sQ", "Q", "wp.div_approx(a, b)"),
    ("neg", "Q", "Q", "-a"),
    ("pos", "Q", "Q", "+a"),
    ("dot", "QQ", "s", "wp.dot(a, b)"),
    ("length", "Q", "s", "wp.length(a)"),
    ("length_sq", "Q", "s", "wp.length_sq(a)"),
    ("normalize", "Q", "Q", "wp.normalize(a)"),
    ("lerp", "QQs", "Q", "wp.lerp(a, b, c)"),
    ("lerp", "TTs", "T", "wp.lerp(a, b, c)"),
    ("extract", "Qi", "s", "a[b]"),
    ("extract", "Ti", "s", "a[b]"),
    ("assign_inplace", "Qis", "!", "r[b] = c"),
    ("assign_inplace", "Tis", "!", "r[b] = c"),
    ("add_inplace", "Qis", "!", "r[b] += c"),
    ("add_inplace", "Tis", "!", "r[b] += c"),
    ("sub_inplace", "Qis", "!", "r[b] -= c"),
    ("sub_inplace", "Tis", "!", "r[b] -= c"),
    ("quat_from_axis_angle", "vs", "Q", "wp.quat_from_axis_angle(a, b)"),
    ("quat_to_axis_angle", "Q", "vs", "wp.quat_to_axis_angle(a)"),
    ("quat_from_matrix", "m", "Q", "wp.quat_from_matrix(a)"),
    ("quat_from_matrix", "M", "Q", "wp.quat_from_matrix(a)"),
    ("quat_rpy", "sss", "Q", "wp.quat_rpy(a, b, c)"),
    ("quat_inverse", "Q", "Q", "wp.quat_inverse(a)"),
    ("quat_rotate", "Qv", "v", "wp.quat_rotate(a, b)"),
    ("quat_rotate_inv", "Qv", "v", "wp.quat_rotate_inv(a, b)"),
    ("quat_slerp", "QQs", "Q", "wp.quat_slerp(a, b, c)"),
    ("quat_to_matrix", "Q", "m", "wp.quat_to_matrix(a)"),
    ("transform_get_translation", "T", "v", "wp.transform_get_translation(a)"),
    ("transform_get_rotation", "T", "Q", "wp.transform_get_rotation(a)"),
    ("transform_set_translation", "Tv", "!", "wp.transform_set_translation(r, b)"),
    ("transform_set_rotation", "TQ", "!", "wp.transform_set_rotation(r, b)"),
    ("transform_multiply", "TT", "T", "wp.transform_multiply(a, b)"),
    ("transform_point", "Tv", "v", "wp.transform_point(a, b)"),
    ("transform_point", "Mv", "v", "wp.transform_point(a, b)"),
    ("transform_vector", "Tv", "v", "wp.transform_vector(a, b)"),
    ("transform_vector", "Mv", "v", "wp.transform_vector(a, b)"),
    ("transform_inverse", "T", "T", "wp.transform_inverse(a)"),
    ("spatial_adjoint", "mm", "S", "wp.spatial_adjoint(a, b)"),
    ("spatial_dot", "VV", "s", "wp.spatial_dot(a, b)"),
    ("spatial_cross", "VV", "V", "wp.spatial_cross(a, b)"),
    ("spatial_cross_dual", "VV", "V", "wp.spatial_cross_dual(a, b)"),
    ("spatial_top", "V", "v", "wp.spatial_top(a)"),
    ("spatial_bottom", "V", "v", "wp.spatial_bottom(a)"),
    ("=Q", "ssss", "Q", "Q(a, b, c, d)"),
    ("=Q", "vs", "Q", "Q(a, b)"),
    ("=T", "vQ", "T", "T(a, b)"),
    ("=T", "s", "T", "T(a)"),
    ("=T", "sssssss", "T", "T(a, b, c, d, e, f, g)"),
    ("=V", "vv", "V", "wp.spatial_vector(a, b)"),
    ("add", "DD", "D", "a + b"),
    ("sub", "DD", "D", "a - b"),
    ("cw_mul", "DD", "D", "wp.cw_mul(a, b)"),
    ("cw_div", "DD", "D", "wp.cw_div(a, b)"),
    ("mul", "Ds", "D", "a * b"),
    ("mul", "sD", "D", "a * b"),
    ("div", "Ds", "D", "a / b"),
    ("div", "sD", "D", "a / b"),
    ("neg", "D", "D", "-a"),
    ("pos", "D", "D", "+a"),
    ("lerp", "DDs", "D", "wp.lerp(a, b, c)"),
    ("add", "vv", "v", "a + b"),
    ("sub", "vv", "v", "a - b"),
    ("cw_mul", "vv", "v", "wp.cw_mul(a, b)"),
    ("cw_div", "vv", "v", "wp.cw_div(a, b)"),
    ("mul", "vs", "v", "a * b"),
    ("mul", "sv", "v", "a * b"),
    ("div", "vs", "v", "a / b"),
    ("div", "sv", "v", "a / b"),
    ("neg", "v", "v", "-a"),
    ("pos", "v", "v", "+a"),
    ("lerp", "vvs", "v", "wp.lerp(a, b, c)"),
    ("add", "FF", "F", "a + b"),
    ("sub", "FF", "F", "a - b"),
    ("cw_mul", "FF", "F", "wp.cw_mul(a, b)"),
    ("cw_div", "FF", "F", "wp.cw_div(a, b)"),
    ("mul", "Fs", "F", "a * b"),
    ("mul", "sF", "F", "a * b"),
    ("div", "Fs", "F", "a / b"),
    ("div", "sF", "F", "a / b"),
    ("neg", "F", "F", "-a"),
    ("pos", "F", "F", "+a"),
    ("lerp", "FFs", "F", "wp.lerp(a, b, c)"),
    ("add", "RR", "R", "a + b"),
    ("sub", "RR", "R", "a - b"),
    ("cw_mul", "RR", "R", "wp.cw_mul(a, b)"),
    ("cw_div", "RR", "R", "wp.cw_div(a, b)"),
    ("mul", "Rs", "R", "a * b"),
    ("mul", "sR", "R", "a * b"),
    ("div", "Rs", "R", "a / b"),
    ("div", "sR", "R", "a / b"),
    ("neg", "R", "R", "-a"),
    ("pos", "R", "R", "+a"),
    ("lerp", "RRs", "R", "wp.lerp(a, b, c)"),
    ("approx_div", "vs", "v", "wp.div_approx(a, b)"),
    ("approx_div", "sR", "R", "wp.div_approx(a, b)"),
    ("dot", "DD", "s", "wp.dot(a, b)"),
    ("length", "D", "s", "wp.length(a)"),
    ("length_sq", "D", "s", "wp.length_sq(a)"),
    ("normalize", "D", "D", "wp.normalize(a)"),
    ("abs", "D", "D", "wp.abs(a)"),
    ("sign", "D", "D", "wp.sign(a)"),
    ("mod", "DD", "D", "wp.mod(a, b)"),
    ("min", "DD", "D", "wp.min(a, b)"),
    ("max", "DD", "D", "wp.max(a, b)"),
    ("min", "D", "s", "wp.min(a)"),
    ("max", "D", "s", "wp.max(a)"),
    ("extract", "Di", "s", "a[b]"),
    ("assign_inplace", "Dis", "!", "r[b] = c"),
    ("add_inplace", "Dis", "!", "r[b] += c"),
    ("sub_inplace", "Dis", "!", "r[b] -= c"),
    ("dot", "vv", "s", "wp.dot(a, b)"),
    ("length", "v", "s", "wp.length(a)"),
    ("length_sq", "v", "s", "wp.length_sq(a)"),
    ("normalize", "v", "v", "wp.normalize(a)"),
    ("abs", "v", "v", "wp.abs(a)"),
    ("sign", "v", "v", "wp.sign(a)"),
    ("mod", "vv", "v", "wp.mod(a, b)"),
    ("min", "vv", "v", "wp.min(a, b)"),
    ("max", "vv", "v", "wp.max(a, b)"),
    ("min", "v", "s", "wp.min(a)"),
    ("max", "v", "s", "wp.max(a)"),
    ("extract", "vi", "s", "a[b]"),
    ("assign_inplace", "vis", "!", "r[b] = c"),
    ("add_inplace", "vis", "!", "r[b] += c"),
    ("sub_inplace", "vis", "!", "r[b] -= c"),
    ("dot", "FF", "s", "wp.dot(a, b)"),
    ("length", "F", "s", "wp.length(a)"),
    ("length_sq", "F", "s", "wp.length_sq(a)"),
    ("normalize", "F", "F", "wp.normalize(a)"),
    ("abs", "F", "F", "wp.abs(a)"),
    ("sign", "F", "F", "wp.sign(a)"),
    ("mod", "FF", "F", "wp.mod(a, b)"),
    ("min", "FF", "F", "wp.min(a, b)"),
    ("max", "FF", "F", "wp.max(a, b)"),
    ("min", "F", "s", "wp.min(a)"),
    ("max", "F", "s", "wp.max(a)"),
    ("extract", "Fi", "s", "a[b]"),
    ("assign_inplace", "Fis", "!", "r[b] = c"),
    ("add_inplace", "Fis", "!", "r[b] += c"),
    ("sub_inplace", "Fis", "!", "r[b] -= c"),
    ("assign_inplace", "Riv", "!", "r[b] = c"),
    ("add_inplace", "Riv", "!", "r[b] += c"),
    ("sub_inplace", "Riv", "!", "r[b] -= c"),
    ("ddot", "NN", "s", "wp.ddot(a, b)"),
    ("trace", "N", "s", "wp.trace(a)"),
    ("ddot", "mm", "s", "wp.ddot(a, b)"),
    ("trace", "m", "s", "wp.trace(a)"),
    ("ddot", "MM", "s", "wp.ddot(a, b)"),
    ("trace", "M", "s", "wp.trace(a)"),
    ("ddot", "RR", "s", "wp.ddot(a, b)"),
    ("determinant", "N", "s", "wp.determinant(a)"),
    ("inverse", "N", "N", "wp.inverse(a)"),
    ("determinant", "m", "s", "wp.determinant(a)"),
    ("inverse", "m", "m", "wp.inverse(a)"),
    ("determinant", "M", "s", "wp.determinant(a)"),
    ("inverse", "M", "M", "wp.inverse(a)"),
    ("approx_inverse", "m", "m", "wp.inverse_approx(a)"),
    ("mul", "mv", "v", "a * b"),
    ("mul", "vm", "v", "a * b"),
    ("mul", "Rv", "D", "a * b"),
    ("mul", "DR", "v", "a * b"),
    ("mul", "mm", "m", "a * b"),
    ("mul", "RP", "N", "a * b"),
    ("mul", "MM", "M", "a * b"),
    ("outer", "Dv", "R", "wp.outer(a, b)"),
    ("cross", "vv", "v", "wp.cross(a, b)"),
    ("skew", "v", "m", "wp.skew(a)"),
    ("transpose", "R", "P", "wp.transpose(a)"),
    ("diag", "v", "m", "wp.diag(a)"),
    ("get_diag", "m", "v", "wp.get_diag(a)"),
    ("extract", "Ri", "v", "a[b]"),
    ("svd2", "N", "NDN", "wp.svd2(a)"),
    ("svd3", "m", "mvm", "wp.svd3(a)"),
    ("qr3", "m", "mm", "wp.qr3(a)"),
    ("eig3", "m", "mv", "wp.eig3(a)"),
    ("matrix_from_rows", "vv", "R", "wp.matrix_from_rows(a, b)"),
    ("matrix_from_cols", "vv", "P", "wp.matrix_from_cols(a, b)"),
    ("matrix_from_rows", "vvv", "m", "wp.matrix_from_rows(a, b, c)"),
    ("matrix_from_cols", "vvv", "m", "wp.matrix_from_cols(a, b, c)"),
    ("=v", "sss", "v", "v(a, b, c)"),
    ("=F", "s", "F", "F(a)"),
    ("=F", "sssss", "F", "F(a, b, c, d, e)"),
    ("=R", "ssssss", "R", "R(a, b, c, d, e, f)"),
    ("=m", "s", "m", "m(a)"),
]
LIBRARY = {"quat_from_axis_angle", "quat_to_axis_angle", "quat_rpy", "quat_slerp"}


def kernel_source(number, args, results, body):
    names = "abcdefg"[: len(args)]
    outs = [args[0]] if results == "!" else list(results)
    params = [f"{n}_: wp.array(dtype={t})" for n, t in zip(names, args)]
    params += [f"r{k}: wp.array(dtype={t})" for k, t in enumerate(outs)]
    lines = ["@wp.kernel", f"def k{number}({', '.join(params)}):", "    i = wp.tid()"]
    lines += [f"    {n} = {n}_[i]" for n in names]
    if results == "!":
        lines += ["    r = a", f"    {body}", "    r0[i] = r"]
    else:
        lines += [f"    {', '.join(f'x{k}' for k in range(len(outs)))} = {body}"]
        lines += [f"    r{k}[i] = x{k}" for k in range(len(outs))]
    return "\n".join(lines) + "\n"


def rows_of(kind, rows):
    """warp-lang makes spatial vectors of two parts in float32 alone."""
    return [(n, row) for n, row in rows if kind == "float32" or row[0] != "=V"]


def make_module(kind, rows, folder):
    """The kernels of one scalar type, as a module of its own file."""
    path = os.path.join(folder, f"arith_rows_{kind}.py")
    with open(path, "w") as out:
        out.write(f"import warp as wp\n\nfrom warp.types import matrix, quaternion, transformation, vector\n\ns = wp.{kind}\ni = wp.int32\n")
        out.write("v = vector(length=3, dtype=s)\nV = vector(length=6, dtype=s)\nQ = quaternion(dtype=s)\n")
        out.write("T = transformation(dtype=s)\nm = matrix(shape=(3, 3), dtype=s)\nM = matrix(shape=(4, 4), dtype=s)\n")
        out.write("S = matrix(shape=(6, 6), dtype=s)\nD = vector(length=2, dtype=s)\nF = vector(length=5, dtype=s)\n")
        out.write("N = matrix(shape=(2, 2), dtype=s)\nR = matrix(shape=(2, 3), dtype=s)\nP = matrix(shape=(3, 2), dtype=s)\n\n")
        for number, (_, args, results, body) in rows:
            out.write(kernel_source(number, args, results, body) + "\n")
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Numbers:
    """Arrays of one scalar type: as float64 for drawing, and as the bytes of memory."""

    def __init__(self, np, kind, seed):
        self.np, self.kind = np, kind
        self.random = np.random.default_rng(seed)

    def stored(self, x):
        np = self.np
        with np.errstate(all="ignore"):
            if self.kind != "bfloat16":
                return x.astype(self.kind)
            bits = x.astype(np.float32).view(np.uint32)
            return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)

    def as_float(self, x):
        if self.kind != "bfloat16":
            return x.astype(self.np.float64)
        return (x.astype(self.np.uint32) << 16).view(self.np.float32).astype(self.np.float64)

    def draw(self, letter, points, rows_of_first):
        np = self.np
        shape = (points,) + SHAPES[letter]
        if letter == "i":
            return self.random.integers(-rows_of_first, rows_of_first, shape).astype(np.int32)
        x = self.random.uniform(-2, 2, shape)
        edges = self.random.choice(EDGES, shape)
        late = np.arange(points).reshape((points,) + (1,) * len(SHAPES[letter])) >= points // 2
        x = np.where(late & (self.random.random(shape) < 0.3), edges, x)
        x[: points // 8] = np.round(x[: points // 8])
        with np.errstate(all="ignore"):
            return self.stored(x)


def run_warp(wp, np, module, number, args, outs, inputs, seeds):
    """(results, adjoints of the arguments) as arrays of stored numbers."""
    kernel = getattr(module, f"k{number}")

    def array(data, letter):
        dtype = getattr(module, letter)
        raw = wp.array(ptr=data.ctypes.data, dtype=dtype, shape=(data.shape[0],), copy=False, device="cpu")
        return raw

    points = inputs[0].shape[0]
    results = [np.zeros_like(s) for s in seeds]
    adjoints = [np.zeros_like(x) for x in inputs]
    given = [array(x, t) for x, t in zip(inputs, args)] + [array(x, t) for x, t in zip(results, outs)]
    wp.launch(kernel, dim=points, inputs=given, device="cpu")
    back = [s.copy() for s in seeds]
    adj = [array(x, t) for x, t in zip(adjoints, args)] + [array(x, t) for x, t in zip(back, outs)]
    wp.launch(kernel, dim=points, inputs=given, adj_inputs=adj, adj_outputs=[], adjoint=True, device="cpu")
    return results, adjoints


def spelled(kind, letter):
    return "int32" if letter == "i" else kind + SPELLINGS.get(letter, "")


def run_ours(np, program, kind, row, inputs, seeds, shapes):
    name, args, results, _ = row
    outs = [] if results == "!" else list(results)
    name = "=" + spelled(kind, name[1]) if name[0] == "=" else name
    lines = [f"op {name} {len(args)} {' '.join(spelled(kind, t) for t in args)} {len(outs)} {' '.join(spelled(kind, t) for t in outs)}"]
    for point in range(inputs[0].shape[0]):
        lines.append("".join(x[point].tobytes().hex() for x in inputs + seeds))
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != inputs[0].shape[0]:
        return None, f"status {done.returncode}, {answers[:1]} {done.stderr[-300:]}"
    collected = [np.zeros_like(x) for x in shapes]
    for point, answer in enumerate(answers):
        if answer.startswith("status"):
            return None, f"point {point}: {answer}"
        data = bytes.fromhex(answer)
        for x in collected:
            x[point] = np.frombuffer(data[: x[point].nbytes], dtype=x.dtype).reshape(x[point].shape)
            data = data[x[point].nbytes :]
    return collected, None


def distance(np, numbers, a, b):
    """Per element: units in the last place between two arrays, inf for what cannot be near."""
    if a.dtype == np.int32:
        return (a != b) * 1.0
    x, y = numbers.as_float(a), numbers.as_float(b)
    same = (a == b) if numbers.kind == "bfloat16" else (x == y) & (np.signbit(x) == np.signbit(y))
    same |= np.isnan(x) & np.isnan(y)
    bits = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}[numbers.kind]
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(x), np.abs(y))
        unit = np.exp2(np.floor(np.log2(np.where(scale > 0, scale, 1.0))) - bits + 1)
        apart = np.where(np.isfinite(x - y), np.abs(x - y) / unit, np.inf)
    return np.where(same, 0.0, np.maximum(apart, 1e-3))


def check_row(wp, np, options, kind, module, number, row):
    name, args, results, body = row
    outs = [args[0]] if results == "!" else list(results)
    numbers = Numbers(np, kind, number)
    first = SHAPES[args[0]][0] if SHAPES[args[0]] else 1
    inputs = [numbers.draw(t, options.points, first) for t in args]
    seeds = [numbers.stored(numbers.random.uniform(-2, 2, (options.points,) + SHAPES[t])) for t in outs]
    ours, error = run_ours(np, options.program, kind, row, inputs, seeds, seeds + inputs)
    label = f"{kind} {name}({args})"
    if error:  # which needs no oracle
        return f"{label}: {error}"
    theirs, their_adjoints = run_warp(wp, np, module, number, args, outs, inputs, seeds)
    expected = theirs + their_adjoints
    worst, where = 0.0, ""
    for k, (a, b) in enumerate(zip(expected, ours)):
        if k >= len(theirs) and args[k - len(theirs)] == "i":
            continue
        apart = distance(np, numbers, a, b)
        if apart.max() > worst:
            worst, at = apart.max(), np.unravel_index(apart.argmax(), apart.shape)
            what = f"result {k}" if k < len(theirs) else f"adjoint {k - len(theirs)}"
            where = f"{what} at {[int(j) for j in at]}: {numbers.as_float(a)[at]} here {numbers.as_float(b)[at]}"
            where += f"; {(apart > 0).sum()} of {apart.size} differ; arguments {[numbers.as_float(x)[at[0]].tolist() if x.dtype != np.int32 else x[at[0]].tolist() for x in inputs]}"
    limit = ULPS if name in LIBRARY else 0
    return f"{label}: {worst:.3g} ulps, {where}" if worst > limit else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--only")
    parser.add_argument("--points", type=int, default=400)
    words = sys.argv[1:]
    chosen = part.take(words)
    options = parser.parse_args(words)
    python = oracle_env.oracle_python()
    if os.path.realpath(sys.executable) != os.path.realpath(python) or sys.prefix == sys.base_prefix:
        os.execve(python, [python, "-B", *sys.argv], oracle_env.with_fmath())
    import numpy as np
    import warp as wp

    wp.config.quiet = True
    wp.config.cpu_compiler_flags, wp.config.optimization_level = "", 0  # compiles faster
    wp.config.kernel_cache_dir = oracle_env.start_with_fmath()
    wp.init()
    rows = chosen.of((n, r) for n, r in enumerate(ROWS) if not options.only or r[0] == options.only)
    problems, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds.split(","):
            module = make_module(kind, rows_of(kind, rows), folder)
            for number, row in rows_of(kind, rows):
                problem = check_row(wp, np, options, kind, module, number, row)
                compared += 1
                problems += [problem] if problem else []
    for problem in problems:
        print(problem)
    print(f"arith_check: {compared} operations of a type compared, {len(problems)} differ")
    return 1 if problems or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
