#!/usr/bin/env python3
"""Compiles weft's module text against Warp's native headers: g++ for the CPU, NVRTC for CUDA.

usage: native_check.py WEFT [FILE.py...]

Without files, every program in tests/kernels. The headers come from the installed warp-lang.
"""

import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

import oracle_env


def write_text(weft, source, kind, folder):
    """Lets weft write a module's text; returns its path, or None after telling the error."""
    name = os.path.splitext(os.path.basename(source))[0]
    path = os.path.join(folder, f"{name}.{kind}")
    run = oracle_env.Run([weft, "compile", "--emit", kind, source, "-o", path], timeout=60)
    if run.fault or run.errors or not os.path.exists(path):
        print(f"{source}: {run.fault}\n{run.errors.decode(errors='replace')[:1000]}")
        return None
    return path


def compile_cpp(include, path):
    """Whether the host compiler takes a CPU text; prints what it says where it does not."""
    command = ["g++", "-std=c++17", "-fsyntax-only", "-I", include, path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{path}:\n{done.stderr[:2000]}")
    return done.returncode == 0


def main():
    weft = os.path.abspath(sys.argv[1])
    sources = sys.argv[2:] or sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py")))
    python = oracle_env.oracle_python()
    include = os.path.join(oracle_env.warp_folder(python), "native")
    with tempfile.TemporaryDirectory() as folder:
        texts = {kind: [write_text(weft, source, kind, folder) for source in sources] for kind in ("cpp", "cu")}
        cpp = [path for path in texts["cpp"] if path]
        cuda = [path for path in texts["cu"] if path]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            good = sum(pool.map(lambda path: compile_cpp(include, path), cpp))
        print(f"g++: {good} of {len(sources)} compile")
        nvrtc = os.path.join(oracle_env.HERE, "nvrtc_compile.py")
        status = subprocess.run([python, nvrtc, include, *cuda]).returncode
    if status == oracle_env.SKIPPED:
        oracle_env.skip("the wheel nvidia-cuda-nvrtc-cu12 is not installed")
    right = good == len(sources) == len(cuda) and status == 0
    sys.exit(0 if right and sources else 1)


if __name__ == "__main__":
    main()
