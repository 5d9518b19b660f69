# SPDX-License-Identifier: Apache-2.0
"""Runs whole scripts on warp-lang's CPU device, several in a process, and prints a line of JSON for
each: {"path": ..., "error": null, or the exception's name and text}.

usage: run_scripts.py CACHE SCRIPT.py...
"""

import contextlib
import importlib.util
import io
import json
import os
import sys

import warp as wp


def run(path):
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # warp-lang looks for a kernel's module there
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        spec.loader.exec_module(module)
        module.main()


def main():
    wp.config.quiet = True
    wp.config.kernel_cache_dir = sys.argv[1]
    wp.init()
    wp.set_device("cpu")
    for path in sys.argv[2:]:
        error = None
        try:
            run(path)
        except Exception as caught:
            error = f"{type(caught).__name__}: {caught}"[:1000]
        print(json.dumps({"path": path, "error": error}), flush=True)


main()
