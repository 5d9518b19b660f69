#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles CUDA sources with NVIDIA's own runtime compiler; needs no GPU.

usage: nvrtc_compile.py INCLUDE-DIR FILE.cu...

Runs under the virtual environment that has the wheel nvidia-cuda-nvrtc-cu12. Prints the log of
each file that does not compile; the exit status is 1 then, and 77 where there is no compiler.
"""

import ctypes
import glob
import importlib.util
import os
import sys

ARCHITECTURE = "--gpu-architecture=compute_75"


def load():
    """The compiler library of the wheel, or None."""
    try:
        spec = importlib.util.find_spec("nvidia.cuda_nvrtc")
    except ModuleNotFoundError:
        return None
    for folder in spec.submodule_search_locations if spec else []:
        for path in glob.glob(os.path.join(folder, "lib", "libnvrtc.so.*")):
            if "builtins" not in path:
                return ctypes.CDLL(path)
    return None


def log_of(nvrtc, program):
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, text)
    return text.value.decode(errors="replace")


def compile_text(nvrtc, include, name, text):
    """Returns None where the text compiles, else the log."""
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name.encode(), 0, None, None)
    options = [ARCHITECTURE, "--std=c++17", f"--include-path={include}", "-default-device", "-w"]
    array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = nvrtc.nvrtcCompileProgram(program, len(options), array)
    log = log_of(nvrtc, program) if status else None
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log


def main():
    nvrtc = load()
    if nvrtc is None:
        print("no NVRTC here")
        return 77
    include, failed = sys.argv[1], 0
    for path in sys.argv[2:]:
        with open(path, "rb") as stream:
            log = compile_text(nvrtc, include, os.path.basename(path), stream.read())
        if log is not None:
            failed += 1
            print(f"{path}:\n{log[:2000]}")
    print(f"NVRTC: {len(sys.argv) - 2 - failed} compile, {failed} do not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
