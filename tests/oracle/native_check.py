#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles weft's module text against Warp's native headers: g++ for the CPU, NVRTC for CUDA.

usage: native_check.py WEFT [--one-in N [--seed S]] [FILE.py...]

Without files, every program in tests/kernels. The headers come from the installed warp-lang.
"""

import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402


def write_text(weft, source, kind, folder):
    """Lets weft write a module's text; returns its path, or None after telling the error."""
    name = os.path.splitext(os.path.basename(source))[0]
    path = os.path.join(folder, f"{name}.{kind}")
    words = ["--emit", kind, source, "-o", path, *oracle_env.options_of(source)]
    run = oracle_env.Run([weft, "compile", *words], timeout=60)
    if run.fault or b"error: " in run.errors or not os.path.exists(path):
        print(f"{source}: {run.fault}\n{run.errors.decode(errors='replace')[:1000]}")
        return None
    return path


def take_head(path):
    """Takes the lines up to the last #include from a text; returns them."""
    with open(path) as stream:
        lines = stream.readlines()
    end = max((n for n, line in enumerate(lines, 1) if line.startswith("#include")), default=0)
    with open(path, "w") as stream:
        stream.writelines([f'#line {end + 1} "{path}"\n', *lines[end:]])
    return "".join(lines[:end])


def precompile(include, paths, folder):
    """{path: the header that its text begins with}: Warp's headers are read once for all texts that begin alike."""
    heads = {path: take_head(path) for path in paths}
    headers = {}
    for text in sorted(set(heads.values())):
        headers[text] = os.path.join(folder, f"head_{len(headers)}.h")
        with open(headers[text], "w") as stream:
            stream.write(text)
        subprocess.run(["g++", "-std=c++17", "-I", include, "-x", "c++-header", headers[text]], check=True)
    return {path: headers[text] for path, text in heads.items()}


def compile_cpp(include, path, header):
    """Whether the host compiler takes a CPU text; prints what it says where it does not."""
    command = ["g++", "-std=c++17", "-fsyntax-only", "-I", include, "-include", header, path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{path}:\n{done.stderr[:2000]}")
    return done.returncode == 0


# A module that others import has no kernel, and no text.
NO_KERNEL = {"neighbour.py"}
# warp-lang's own text of these files does not compile: it lacks the definition of a struct, or a
# function multiplies a tile that its caller has in registers.
BROKEN = {"struct_constants.py", "tile_functions.py"}


def main():
    chosen = part.take(sys.argv)
    weft = os.path.abspath(sys.argv[1])
    sources = sys.argv[2:] or [path for path in sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py")))
                               if os.path.basename(path) not in BROKEN | NO_KERNEL]
    sources = chosen.of(sources)
    python = oracle_env.oracle_python()
    include = os.path.join(oracle_env.package_folder(python), "native")
    with tempfile.TemporaryDirectory() as folder:
        texts = {kind: [write_text(weft, source, kind, folder) for source in sources] for kind in ("cpp", "cu")}
        cpp = [path for path in texts["cpp"] if path]
        cuda = [path for path in texts["cu"] if path]
        headers = precompile(include, cpp, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            good = sum(pool.map(lambda path: compile_cpp(include, path, headers[path]), cpp))
        print(f"g++: {good} of {len(sources)} compile")
        nvrtc = os.path.join(oracle_env.HERE, "nvrtc_compile.py")
        status = subprocess.run([python, nvrtc, include, *cuda]).returncode
    if status == oracle_env.SKIPPED:
        oracle_env.skip("the wheel nvidia-cuda-nvrtc-cu12 is not installed")
    right = good == len(sources) == len(cuda) and status == 0
    sys.exit(0 if right and sources else 1)


if __name__ == "__main__":
    main()
