#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels with tiles give in `weft run` what warp-lang's CPU device gives with blocks of 256.

usage: tile_check.py WEFT [--only NAME]

The kernels are those of tile_kernels.py. warp-lang runs them with wp.config.enable_cpu_blocks, so
that the threads of a block cooperate. Forward: the reference and the CPU text are equal bit for bit;
the CUDA text is equal within a tolerance, since it adds in another order. Backward, by the texts:
the same of the gradients."""

import argparse
import os
import subprocess
import sys
import tempfile

import oracle_env

EXECUTORS = ("reference", "text", "text-cuda")
SEED = 5
# Threads of a block add to one gradient without a barrier between them, in an order that is theirs.
RACES = {"interactions", "gram", "tiles_in_functions"}
# Warp's backward pass reads a variable that only the forward pass sets, or a tile without memory.
FORWARD_ONLY = {"compacted", "in_turn_shared"}
# A GPU's scan reads threads that a block which is not full lacks.
CPU_ONLY = {"running_sum_partial"}


def fill(np, wp, rng, array, shape):
    """Values for an array: multiples of 1/8 from -8 to 8, or small integers."""
    shape = tuple(shape) + tuple(getattr(array.dtype, "_shape_", ()))
    if array.dtype in (int, wp.int32):
        return rng.integers(0, 9, shape).astype(np.int32)
    kind = np.float64 if getattr(array.dtype, "_wp_scalar_type_", array.dtype) is wp.float64 else np.float32
    return (rng.integers(-64, 65, shape) / 8 + rng.random(shape) / 64).astype(kind)


def oracle(np, wp, kernel, dim, values, adjoints):
    """Arrays, and their gradients, after warp-lang's launch."""
    arrays = {}
    for arg in kernel.adj.args:
        value = values[arg.label]
        if isinstance(value, np.ndarray):
            value = wp.array(value, dtype=arg.type.dtype, device="cpu")
            if arg.label in adjoints:
                value.grad = wp.array(adjoints[arg.label], dtype=arg.type.dtype, device="cpu")
        arrays[arg.label] = value
    common = {"dim": dim, "inputs": list(arrays.values()), "block_dim": 256, "device": "cpu"}
    wp.launch(kernel, **common)
    if adjoints:
        nothing = [None] * len(arrays)
        wp.launch(kernel, adjoint=True, adj_inputs=nothing, outputs=[], adj_outputs=[], **common)
    done = {n: a.numpy() for n, a in arrays.items() if hasattr(a, "numpy")}
    return done, {n: arrays[n].grad.numpy() for n in adjoints}


def weft_run(np, weft, path, kernel, dim, values, adjoints, executor, folder):
    """The same by weft; or the error's text."""
    command = [weft, "run", path, "--quiet", "--kernel", kernel.key, "--executor", executor,
               "--dim", ",".join(map(str, dim)), "--fuel", "0"]
    command += ["--grad"] if adjoints else []
    outputs = []
    for name, value in values.items():
        if not isinstance(value, np.ndarray):
            command += ["--arg", f"{name}={value}"]
            continue
        np.save(f"{folder}/{name}.npy", value)
        command += ["--arg", f"{name}=@{folder}/{name}.npy", "--save", f"{name}=@{folder}/out_{name}.npy"]
        outputs.append(name)
        if name in adjoints:
            np.save(f"{folder}/adj_{name}.npy", adjoints[name])
            command += ["--adjoint", f"{name}=@{folder}/adj_{name}.npy",
                        "--save-grad", f"{name}=@{folder}/grad_{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    return ({n: np.load(f"{folder}/out_{n}.npy") for n in outputs},
            {n: np.load(f"{folder}/grad_{n}.npy") for n in adjoints})


def differs(np, want, got, exact):
    """What is wrong with the arrays; None: nothing."""
    for name, value in want.items():
        have = got[name].reshape(value.shape)
        if exact and value.tobytes() != have.astype(value.dtype).tobytes():
            return f"{name} is {have.ravel()[:4]}..., warp-lang has {value.ravel()[:4]}..."
        if not np.allclose(value, have, rtol=2e-5, atol=1e-4):
            return f"{name} is {have.ravel()[:4]}..., warp-lang has {value.ravel()[:4]}..."
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--only")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.inside:  # once more, by the Python that has warp-lang
        command = [oracle_env.oracle_python(), "-B", os.path.abspath(__file__), *sys.argv[1:], "--inside"]
        sys.exit(subprocess.run(command, env=oracle_env.with_fmath()).returncode)
    cache = oracle_env.start_with_fmath()
    import numpy as np
    import warp as wp

    wp.config.quiet = True
    wp.config.kernel_cache_dir = cache
    wp.config.enable_cpu_blocks = True
    import tile_kernels

    path, bad, done = tile_kernels.__file__, [], 0
    for name, (dim, shapes) in tile_kernels.LAUNCHES.items():
        if options.only and name != options.only:
            continue
        kernel, rng = getattr(tile_kernels, name), np.random.default_rng(SEED)
        values = {a.label: fill(np, wp, rng, a.type, shapes[a.label])
                  if isinstance(shapes[a.label], tuple) else shapes[a.label] for a in kernel.adj.args}
        adjoints = {n: fill(np, wp, rng, a.type, shapes[n]) for a in kernel.adj.args for n in [a.label]
                    if isinstance(values[n], np.ndarray) and values[n].dtype.kind == "f"}
        for backward in ({},) if name in FORWARD_ONLY else ({}, adjoints):
            found = {}
            for executor in EXECUTORS:
                if backward and executor == "reference" or name in CPU_ONLY and executor == "text-cuda":
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    found[executor] = weft_run(np, options.weft, path, kernel, dim, values, backward, executor, folder)
            if all(isinstance(got, str) for got in found.values()):
                sys.exit(f"{name}: {found}")
            want = oracle(np, wp, kernel, dim, values, backward)
            for executor, got in found.items():
                exact = executor != "text-cuda" and not (backward and name in RACES)
                what = got if isinstance(got, str) else \
                    differs(np, want[0], got[0], exact) or differs(np, want[1], got[1], exact)
                done += 1
                if what:
                    bad.append(f"{name}, {executor}{', backward' if backward else ''}: {what}")
    for line in bad:
        print(line)
    print(f"{done - len(bad)} of {done} runs of kernels with tiles are as warp-lang's")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
