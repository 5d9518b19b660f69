#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The structs of the Python package have the fields of include/weft.h, each at its offset.

usage: layout_check.py CC LIBRARY
"""

import ctypes
import os
import subprocess
import sys
import tempfile

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ["WEFT_LIBRARY"] = os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(REPO, "bindings", "python"))

from weft import _library

STRUCTS = {
    "weft_options": _library.Options,
    "weft_diagnostic": _library.RawDiagnostic,
    "weft_kernel": _library.RawKernel,
    "weft_argument": _library.Argument,
    "weft_run_options": _library.RunOptions,
    "weft_generate_options": _library.GenerateOptions,
    "weft_problem": _library.RawProblem,
    "weft_emit_options": _library.EmitOptions,
    "weft_gradient": _library.RawGradient,
    "weft_check_options": _library.CheckOptions,
    "weft_validate_options": _library.ValidateOptions,
    "weft_validation": _library.RawValidation,
    "weft_count": _library.RawCount,
    "weft_progress": _library.RawProgress,
    "weft_callbacks": _library.Callbacks,
    "weft_generated": _library.RawGenerated,
    "weft_report_options": _library.ReportOptions,
    "weft_merge_options": _library.MergeOptions,
    "weft_subset_options": _library.SubsetOptions,
    "weft_subset": _library.RawSubset,
    "weft_collect_options": _library.CollectOptions,
    "weft_collected": _library.RawCollected,
}


def lines_of_python():
    for name, kind in STRUCTS.items():
        yield f"{name} {ctypes.sizeof(kind)}"
        for field, *_ in kind._fields_:
            found = getattr(kind, field)
            yield f"{name}.{field} {found.offset} {found.size}"


def lines_of_c(compiler, folder):
    source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
    with open(source, "w", encoding="utf-8") as stream:
        stream.write('#include <stdio.h>\n#include "weft_collect.h"\nint main(void) {\n')
        for name, kind in STRUCTS.items():
            stream.write(f'printf("{name} %zu\\n", sizeof({name}));\n')
            for field, *_ in kind._fields_:
                stream.write(f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), ')
                stream.write(f"sizeof((({name} *)0)->{field}));\n")
        stream.write("}\n")
    subprocess.run([compiler, "-I", os.path.join(REPO, "include"), "-o", program, source], check=True)
    return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def main():
    here = list(lines_of_python())
    with tempfile.TemporaryDirectory() as folder:
        there = lines_of_c(sys.argv[1], folder)
    for mine, other in zip(here, there):
        if mine != other:
            print(f"Python: {mine}   C: {other}")
    print(f"{len(here)} structs and fields compared")
    return 0 if here == there else 1


if __name__ == "__main__":
    sys.exit(main())
