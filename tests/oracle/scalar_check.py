#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operations of scalars give what warp-lang's CPU device gives: values and adjoints.

usage: scalar_check.py CALL_ARITH [--only NAME,...] [--flags FLAGS] [--optimize LEVEL]

For each operation and type a kernel r[i] = wp.NAME(a0[i], ...) is launched forward and backward by
warp-lang, and CALL_ARITH (tests/unit/call_arith.c) is given the same points: random ones and edge
values. Values and adjoints must agree: integers and random numbers exactly, floats within ULPS
units in the last place (any NaN equals any other). Points that CALL_ARITH calls unspecified (a
conversion or a shift out of range: docs/decisions/portable-numbers.md) have no right value and are
left out; they are counted, and what is left of each operation must be LEAST points at least.
"""

import argparse
import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile

import oracle_env

ULPS = 0
POINTS = 64
LEAST = 8
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -7.25, 1e30, -3e38, 1e-42, float("nan"), float("inf"), float("-inf")]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
OF_FLOAT = {
    1: "sin cos tan asin acos atan sinh cosh tanh sqrt cbrt exp log log2 log10 erf erfc erfinv erfcinv degrees"
    " radians floor ceil trunc round rint frac".split(),
    2: "div_approx pow atan2 copysign".split(),
    3: "lerp smoothstep".split(),
}
OF_NUMBER = {
    1: "abs sign step nonzero neg pos".split(),
    2: "add sub mul div mod floordiv min max".split(),
    3: ["clamp"],
}
OF_INTEGER = {1: ["invert", "bit_count", "unot"], 2: "bit_and bit_or bit_xor lshift rshift".split()}
RANDOM = [
    ("rand_init", "int32", "uint32"),
    ("rand_init", "int32 int32", "uint32"),
    ("randi", "uint32", "int32"),
    ("randi", "uint32 int32 int32", "int32"),
    ("randu", "uint32", "uint32"),
    ("randu", "uint32 uint32 uint32", "uint32"),
    ("randf", "uint32", "float32"),
    ("randf", "uint32 float32 float32", "float32"),
    ("randn", "uint32", "float32"),
    ("poisson", "uint32 float32", "uint32"),
    ("sample_triangle", "uint32", "vec2"),
    ("sample_unit_ring", "uint32", "vec2"),
    ("sample_unit_disk", "uint32", "vec2"),
    ("sample_unit_square", "uint32", "vec2"),
    ("sample_unit_cube", "uint32", "vec3"),
    ("sample_unit_sphere", "uint32", "vec3"),
    ("sample_unit_sphere_surface", "uint32", "vec3"),
    ("sample_unit_hemisphere", "uint32", "vec3"),
    ("sample_unit_hemisphere_surface", "uint32", "vec3"),
]
NOISE = [("noise", f"uint32 {t}", "float32") for t in ("float32", "vec2", "vec3", "vec4")]
NOISE += [
    ("pnoise", f"uint32 {t}" + " int32" * n, "float32")
    for n, t in enumerate(("float32", "vec2", "vec3", "vec4"), 1)
]
NOISE += [
    ("curlnoise", f"uint32 {t} uint32 float32 float32", r)
    for t, r in (("vec2", "vec2"), ("vec3", "vec3"), ("vec4", "vec3"))
]
# Operations that end the process of warp-lang for some values of integers.
DIVISIONS = ("div", "mod", "floordiv")


def operations():
    """(name, argument types, result type)"""
    for table, types in ((OF_FLOAT, FLOATS), (OF_NUMBER, FLOATS + INTEGERS), (OF_INTEGER, INTEGERS)):
        for n, names in table.items():
            for name in names:
                for t in types:
                    result = {"bit_count": "int32", "unot": "bool"}.get(name, t)
                    yield name, [t] * n, result
    for t in FLOATS:
        for name in ("isnan", "isinf", "isfinite"):
            yield name, [t], "bool"
    for name in FLOATS + INTEGERS + ["bool"]:
        for t in FLOATS + INTEGERS + ["bool"]:
            narrow = {name, t} & {"float16", "bfloat16"}
            if len(narrow) < 2 and not (narrow and "bool" in (name, t)):  # ambiguous in Warp's C++
                yield name, [t], name
    for name, args, result in RANDOM + NOISE:
        yield name, args.split(), result


def annotation(t):
    return f"wp.array(dtype=wp.{t})"


def is_drawn(name, args, result):
    """Does it change a random state?"""
    return args[0] == "uint32" and (name, " ".join(args), result) in RANDOM


def kernel_text(key, name, args, result):
    drawn = is_drawn(name, args, result)
    parameters = [f"a{i}: {annotation(t)}" for i, t in enumerate(args)] + [f"r: {annotation(result)}"]
    values = [f"a{i}[i]" for i in range(len(args))]
    lines = ["@wp.kernel", f"def {key}({', '.join(parameters)}):", "    i = wp.tid()"]
    if drawn:
        lines.append("    s = a0[i]")
        values[0] = "s"
    call = f"wp.{name}" if name != "bool" else "bool"
    lines.append(f"    r[i] = {call}({', '.join(values)})")
    if drawn:
        lines.append("    a0[i] = s")
    return "\n".join(lines) + "\n"


class Check:
    def __init__(self, wp, np, program):
        self.wp, self.np = wp, np
        self.random = np.random.default_rng(1)
        self.program = program
        self.compared, self.missing, self.failures = 0, [], []
        self.left_out = {}  # operation -> points

    def scalar(self, t):
        """(NumPy type that holds the bits, lanes)"""
        t = getattr(self.wp, t)
        lanes = getattr(t, "_length_", 1)
        t = getattr(t, "_wp_scalar_type_", t)
        if t is self.wp.bfloat16:
            return self.np.dtype("uint16"), lanes
        return self.np.dtype(self.wp.dtype_to_numpy(t)), lanes

    def values(self, name, t, place):
        """POINTS values of type t."""
        dtype, lanes = self.scalar(t)
        np, shape = self.np, (POINTS, lanes)
        if t == "bool":
            return self.random.integers(0, 2, shape).astype(bool)
        if name == "poisson" and place:
            return self.random.uniform(0, 50, shape).astype(dtype)
        if name == "curlnoise" and place == 2:
            return self.random.integers(0, 4, shape).astype(dtype)
        if t in INTEGERS:
            info = np.iinfo(dtype)
            if name == "pnoise" and place > 1:
                return self.random.integers(1, 9, shape).astype(dtype)
            x = self.random.integers(max(info.min, -9), 10, shape).astype(dtype)
            wide = self.random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
            x = np.where(self.random.random(shape) < 0.5, x, wide)
            if name in DIVISIONS and place or name in ("randi", "randu") and place == 1:
                x = np.where((x == 0) | (x == info.max), 1, np.abs(x) if info.min else x).astype(dtype)
            if name in ("randi", "randu") and place == 2:
                x = np.full_like(x, info.max)
            if name in ("lshift", "rshift") and place:  # some counts stay out of range
                inside = np.clip(x, 0, (64 if dtype.itemsize == 8 else 32) - 1).astype(dtype)
                x = np.where(np.arange(POINTS)[:, None] % 4, inside, x)
            return x
        x = self.random.uniform(-1, 1, shape)
        x[POINTS // 4 : POINTS // 2] *= 20
        x[POINTS // 2 :] = np.where(
            self.random.random(x[POINTS // 2 :].shape) < 0.5,
            self.random.choice(EDGES if lanes == 1 and "noise" not in name else [0.0, 1.0, -2.0, 0.5], x[POINTS // 2 :].shape),
            x[POINTS // 2 :] * 3,
        )
        with np.errstate(all="ignore"):
            if t == "bfloat16":
                return (np.ascontiguousarray(x, dtype="<f4").view("<u4") >> 16).astype("uint16")
            return x.astype(dtype)

    def array(self, t, data, grad=None):
        wp = self.wp
        dtype, lanes = self.scalar(t)
        native = getattr(wp, t)
        a = wp.zeros(POINTS, dtype=native, device="cpu", requires_grad=True)
        self.bits(a, t)[:] = data
        if grad is not None:
            self.bits(a.grad, t)[:] = grad
        return a

    def bits(self, a, t):
        """The memory of a Warp array as NumPy."""
        dtype, lanes = self.scalar(t)
        raw = (ctypes.c_uint8 * (POINTS * lanes * dtype.itemsize)).from_address(a.ptr)
        return self.np.frombuffer(raw, dtype=dtype).reshape(POINTS, lanes)

    def spelled(self, t):
        return f"float32:{t}" if t.startswith("vec") else t

    def ours(self, name, args, result, data, seed):
        """({"r": results, "x0": argument 0 after, "d0": adjoint of argument 0, ...}, where they are
        specified), or (None, None)."""
        np, drawn = self.np, is_drawn(name, args, result)
        native = {"div_approx": "approx_div"}.get(name, name)
        types = [" ".join(self.spelled(t) for t in part) for part in (args, [result])]
        lines = [f"op {native} {len(args)} {types[0]} 1 {types[1]}"]
        seeds = [np.zeros((POINTS, self.scalar(t)[1]), self.scalar(t)[0]) for t in args] if drawn else []
        seeds.append(np.broadcast_to(seed, (POINTS, self.scalar(result)[1])).astype(self.scalar(result)[0]))
        for i in range(POINTS):
            lines.append("".join(x[i].tobytes().hex() for x in [*data, *seeds]))
        done = subprocess.run([self.program], input="\n".join(lines) + "\n", capture_output=True, text=True)
        answers = done.stdout.splitlines()
        if done.returncode or len(answers) != POINTS or any(a.startswith("status") for a in answers):
            return None, None
        out = [(f"x{i}", *self.field(t)) for i, t in enumerate(args) if drawn] + [("r", *self.field(result))]
        out += [(f"d{i}", *self.field(t)) for i, t in enumerate(args)]
        specified = np.array([a != "unspecified" for a in answers])
        zeros = "00" * np.dtype(out).itemsize
        return np.frombuffer(bytes.fromhex("".join(a if s else zeros for a, s in zip(answers, specified))), dtype=out), specified

    def field(self, t):
        dtype, lanes = self.scalar(t)
        return dtype, (lanes,)

    def plain(self, t, x):
        """Floats for comparing; bfloat16 from its bits."""
        if t == "bfloat16":
            return (x.astype("<u4") << 16).view("<f4")
        return x

    def distance(self, t, a, b):
        np = self.np
        a, b = self.plain(t, self.np.ascontiguousarray(a)), self.plain(t, self.np.ascontiguousarray(b))
        if not np.issubdtype(a.dtype, np.floating):
            return np.where(a == b, 0.0, np.inf)
        with np.errstate(all="ignore"):
            unit = np.spacing(np.maximum(np.abs(a), np.abs(b)))
            if t == "bfloat16":
                unit = np.maximum(np.abs(a), np.abs(b)) * np.float32(2**-8)
            d = np.abs(a - b) / unit
        d = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, d)
        return np.where(np.isnan(d), np.inf, d)

    def compare(self, what, t, points, specified, got, want):
        d = self.distance(t, got, want)
        d[~specified] = 0
        worst = self.np.unravel_index(self.np.argmax(d), d.shape)
        if d[worst] > ULPS:
            inputs = [points[n][worst[0]].tolist() for n in points.dtype.names if n[0] == "x"]
            got, want = self.plain(t, got), self.plain(t, want)
            self.failures.append(
                f"{what}: {got[worst]} should be {want[worst]} for {inputs} ({(d > ULPS).sum()} points)"
            )

    def launch(self, kernel, name, args, result):
        wp = self.wp
        data = [self.values(name, t, i) for i, t in enumerate(args)]
        seed = self.values("", result, 0) if result not in INTEGERS + ["bool"] else 0
        if result not in INTEGERS + ["bool", "bfloat16"]:
            seed = self.random.uniform(-2, 2, (POINTS, self.scalar(result)[1])).astype(self.scalar(result)[0])
        arrays = [self.array(t, x) for t, x in zip(args, data)]
        r = self.array(result, 0, seed)
        found, specified = self.ours(name, args, result, data, seed)
        title = f"{name}({', '.join(args)})"
        if found is None:
            self.missing.append(title)
            return
        if not specified.all():
            self.left_out[title] = int((~specified).sum())
        if specified.sum() < LEAST:
            self.failures.append(f"{title}: only {specified.sum()} points are specified")
        wp.launch(kernel, dim=POINTS, inputs=[*arrays, r], device="cpu")
        self.compared += 1
        points = self.np.zeros(POINTS, dtype=[(f"x{i}", *self.field(t)) for i, t in enumerate(args)])
        for i, x in enumerate(data):
            points[f"x{i}"] = x
        self.compare(title, result, points, specified, found["r"], self.bits(r, result))
        for i, t in enumerate(args):
            if is_drawn(name, args, result):
                after = self.bits(arrays[i], t)
                self.compare(f"{title} argument {i} after", t, points, specified, found[f"x{i}"], after)
        if (name, " ".join(args), result) in RANDOM or result in INTEGERS + ["bool"]:
            return
        wp.launch(
            kernel, dim=POINTS, inputs=[*arrays, r], device="cpu", adjoint=True,
            adj_inputs=[*[a.grad for a in arrays], r.grad],
        )
        for i, t in enumerate(args):
            if t in FLOATS or t.startswith("vec"):
                got = self.bits(arrays[i].grad, t)
                self.compare(f"{title} adjoint of {i}", t, points, specified, found[f"d{i}"], got)


def inside(program, only, flags, level):
    import numpy as np
    import warp as wp

    wp.config.quiet, wp.config.optimization_level = True, level
    if flags is not None:
        wp.config.cpu_compiler_flags = flags
    wp.config.kernel_cache_dir = oracle_env.start_with_fmath()
    wp.init()
    check = Check(wp, np, program)
    chosen = [o for o in operations() if not only or o[0] in only]
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(chosen), 100):
            path = os.path.join(folder, f"arith_{start}.py")
            part = chosen[start : start + 100]
            with open(path, "w") as stream:
                stream.write("import warp as wp\n\n")
                for i, operation in enumerate(part):
                    stream.write("\n" + kernel_text(f"k{i}", *operation))
            spec = importlib.util.spec_from_file_location(f"arith_{start}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for i, operation in enumerate(part):
                check.launch(getattr(module, f"k{i}"), *operation)
    print(f"{check.compared} operations agree but for {len(check.failures)} comparisons")
    print(f"{sum(check.left_out.values())} points of {len(check.left_out)} operations are unspecified and left out:",
          ", ".join(f"{title} {n}" for title, n in check.left_out.items()) or "none")
    print("missing:", ", ".join(check.missing) or "none")
    print(*check.failures, sep="\n")
    sys.exit(1 if check.failures or check.missing else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", help="wp.config.cpu_compiler_flags")
    parser.add_argument("--optimize", type=int, default=0, help="0 compiles faster")
    parser.add_argument("--inside", action="store_true", help="running under the oracle's Python")
    args = parser.parse_args()
    if args.inside:
        inside(args.program, [n for n in args.only.split(",") if n], args.flags, args.optimize)
    command = [oracle_env.oracle_python(), __file__, *sys.argv[1:], "--inside"]
    sys.exit(subprocess.run(command, env=oracle_env.with_fmath()).returncode)


if __name__ == "__main__":
    main()
