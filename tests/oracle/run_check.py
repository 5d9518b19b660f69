#!/usr/bin/env python3
"""Kernels executed by `weft run` give what warp-lang's CPU device gives.

usage: run_check.py WEFT [--count N] [--seed S]

Every kernel of tests/kernels whose parameters are numbers, vectors, matrices and arrays of them,
and N generated ones, run on plain inputs, on edge values and on empty arrays. Results must be
equal bit for bit (any NaN equals any other); floats may be up to ULPS units in the last place
apart, and how many kernels needed that is printed. A run that weft ends with an error is not
given to warp-lang, which does not check accesses; such errors are counted by cause.
"""

import argparse
import ast
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

import oracle_env

ULPS = 4
EDGES = [0.0, -0.0, -1.5, 1e30, -3e38, 1e-42, float("nan"), float("inf"), float("-inf"), 0.5]
FLOORS = {"kernels": 160, "generated": 0.6}  # kernels compared; share of the generated ones


def launch_rank(kernel):
    """How many indices wp.tid() is unpacked into."""
    rank = 1
    for node in ast.walk(kernel.adj.tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if ast.unparse(node.value.func).endswith("tid") and isinstance(node.targets[0], ast.Tuple):
                rank = max(rank, len(node.targets[0].elts))
    return rank


def lanes(wp, dtype):
    """(scalar type, trailing shape) of a number, vector or matrix type; None for others."""
    if dtype in wp._src.types.scalar_types or dtype is wp.bool:
        return dtype, ()
    if dtype in (int, float, bool):
        return {int: wp.int32, float: wp.float32, bool: wp.bool}[dtype], ()
    if hasattr(dtype, "_wp_scalar_type_") and hasattr(dtype, "_shape_"):
        return dtype._wp_scalar_type_, tuple(dtype._shape_)
    return None


class Inputs:
    """Draws the inputs of one launch: the same for both sides."""

    def __init__(self, wp, np, kind, size, seed):
        self.wp, self.np, self.kind, self.size = wp, np, kind, size
        self.random = np.random.default_rng(seed)

    def items(self, scalar, shape):
        dtype = self.wp.dtype_to_numpy(scalar)
        if dtype == self.np.bool_:
            return self.random.integers(0, 2, shape).astype(dtype)
        if self.np.issubdtype(dtype, self.np.floating):
            plain = self.random.uniform(0.25, 2.0, shape)
            if self.kind == "edge":
                edges = self.random.choice(EDGES, shape)
                plain = self.np.where(self.random.random(shape) < 0.5, edges, -plain)
            with self.np.errstate(over="ignore"):
                return plain.astype(dtype)
        low = -3 if self.kind == "edge" and not self.np.issubdtype(dtype, self.np.unsignedinteger) else 0
        return self.random.integers(low, max(2, min(self.size, 6)), shape).astype(dtype)

    def argument(self, var):
        """(what wp.launch gets, what weft gets as a NumPy array, is it an array); None: cannot."""
        wp = self.wp
        if isinstance(var.type, wp.array):
            found = lanes(wp, var.type.dtype)
            if not found or type(var.type) is not wp.array or found[0] is wp.bfloat16:
                return None
            data = self.items(found[0], (self.size,) * var.type.ndim + found[1])
            return wp.array(data, dtype=var.type.dtype, ndim=var.type.ndim, device="cpu"), data.copy(), True
        found = lanes(wp, var.type)
        if not found or found[0] is wp.bfloat16:
            return None
        data = self.items(found[0], found[1])
        if found[1]:
            return var.type(*[x.item() for x in data.flatten()]), data, False
        return found[0](data.item()), self.np.asarray(data), False


def run_weft(weft, np, path, kernel, rank, size, arguments, folder):
    """({array: result}, None) or (None, error)."""
    command = [weft, "run", path, "--kernel", kernel.key, "--dim", ",".join([str(size)] * rank)]
    command += ["--fuel", "3000000"]
    arrays = []
    for name, (_, data, is_array) in arguments.items():
        np.save(os.path.join(folder, name + ".npy"), data)
        command += ["--arg", f"{name}=@{folder}/{name}.npy"]
        if is_array:
            arrays.append(name)
            command += ["--save", f"{name}=@{folder}/{name}.out.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    if done.returncode:
        return None, done.stderr.strip()
    return {name: np.load(os.path.join(folder, name + ".out.npy")) for name in arrays}, None


def distance(np, a, b):
    """The largest number of units in the last place between two arrays."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return float("inf")
    if not np.issubdtype(a.dtype, np.floating):
        return 0 if np.array_equal(a, b) else float("inf")
    different = ~((a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b))
    if not different.any():
        return 0
    x, y = a[different], b[different]
    if not (np.isfinite(x) & np.isfinite(y)).all():
        return float("inf")
    with np.errstate(all="ignore"):
        return max(1.0, float(np.max(np.abs(x - y) / np.spacing(np.maximum(np.abs(x), np.abs(y))))))


class Check:
    def __init__(self, wp, np, weft):
        self.wp, self.np, self.weft = wp, np, weft
        self.compared, self.inexact = set(), set()
        self.refused = collections.defaultdict(set)
        self.failures = []

    def launch(self, path, kernel, kind, size):
        inputs = Inputs(self.wp, self.np, kind, size, sum(kernel.key.encode()))
        arguments = {var.label: inputs.argument(var) for var in kernel.adj.args}
        if None in arguments.values():
            self.refused["a parameter this test cannot make"].add(kernel.key)
            return
        rank = launch_rank(kernel)
        name = f"{os.path.basename(path)}:{kernel.key} ({kind})"
        with tempfile.TemporaryDirectory() as folder:
            ours, error = run_weft(self.weft, self.np, path, kernel, rank, size, arguments, folder)
        if error:
            found = re.search(r"cannot execute .*|is out of bounds|by zero|divided by -1|fuel|$", error)
            self.refused[found[0] or error.splitlines()[0]].add(name)
            return
        self.wp.launch(
            kernel, dim=(size,) * rank, inputs=[a for a, _, _ in arguments.values()], device="cpu"
        )
        self.compare(path, name, kernel, kind, ours, arguments)

    def compare(self, path, name, kernel, kind, ours, arguments):
        if kind != "empty":
            self.compared.add((path, kernel.key))
        for label, result in ours.items():
            wanted = arguments[label][0].numpy()
            apart = distance(self.np, result, wanted)
            if 0 < apart <= ULPS:
                self.inexact.add(name)
            elif apart:
                self.failures.append(f"{name}: '{label}' is {apart} ulps off\n  warp {wanted.flatten()[:12]}"
                                     f"\n  weft {result.flatten()[:12]}")

    def file(self, path, module):
        kernels = [k for k in vars(module).values() if isinstance(k, self.wp.Kernel)]
        for kernel in kernels:
            if kernel.is_generic or kernel.adj.tree is None:
                continue
            for kind, size in (("plain", 7), ("edge", 13), ("empty", 0)):
                try:
                    self.launch(path, kernel, kind, size)
                except Exception as error:  # warp-lang itself refuses
                    self.refused[f"warp-lang: {str(error)[:70]}"].add(kernel.key)


def report(check, generated):
    of_generated = sum(1 for path, _ in check.compared if path in generated)
    of_files = len(check.compared) - of_generated
    print(f"{of_files} kernels of tests/kernels and {of_generated} of {len(generated)} generated ones "
          f"compared; {len(check.inexact)} runs within {ULPS} ulps, the others equal")
    for cause, names in sorted(check.refused.items(), key=lambda item: -len(item[1])):
        print(f"  not compared, {len(names)} runs: {cause} (e.g. {sorted(names)[0]})")
    for failure in check.failures:
        print("DIFFERS " + failure)
    enough = of_files >= FLOORS["kernels"] and of_generated >= FLOORS["generated"] * len(generated)
    return 0 if enough and not check.failures else 1


def work(args):
    """Runs under the Python that has warp-lang."""
    import numpy as np
    import warp as wp
    import warp_text
    import generated_check

    warp_text.start(os.path.join(oracle_env.CACHE, "run"))
    wp.config.enable_backward = False
    check = Check(wp, np, args.weft)
    print(f"seed {args.seed} (WEFT_ORACLE_SEED sets it)")
    for path in sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py"))):
        check.file(path, warp_text.import_file(path))
    with tempfile.TemporaryDirectory() as folder:
        records = generated_check.generate(args.weft, args.count, args.seed)
        generated = generated_check.write_sources(records, folder)
        for path in generated:
            check.file(path, warp_text.import_file(path))
    return report(check, generated)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "20240")))
    parser.add_argument("--worker", action="store_true")
    args = parser.parse_args()
    if args.worker:
        sys.exit(work(args))
    python = oracle_env.oracle_python()
    sys.exit(subprocess.run([python, os.path.abspath(__file__), *sys.argv[1:], "--worker"]).returncode)


if __name__ == "__main__":
    main()
