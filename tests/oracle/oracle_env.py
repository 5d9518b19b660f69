# SPDX-License-Identifier: Apache-2.0
"""What the oracle tests share: where weft and warp-lang are, and how a missing oracle is told.

A missing oracle (no virtual environment, because there was no network) skips a test, loudly. With
CI set it is a failure: there the comparison has to happen.
"""

import ctypes
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
CACHE = os.path.join(REPO, "build", "oracle")
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def warp_version():
    """The release that tests compare with: requirements.txt names it. WEFT_ORACLE_VERSION and
    WEFT_ORACLE_PYTHON name another one, to see what a port has to change (docs/porting.md)."""
    with open(os.path.join(HERE, "requirements.txt")) as stream:
        pinned = [line.strip().partition("==")[2] for line in stream if line.startswith("warp-lang==")]
    return os.environ.get("WEFT_ORACLE_VERSION", pinned[0])


WARP_VERSION = warp_version()


def skip(reason):
    """Ends the test: skipped, or failed where CI is set."""
    print(f"SKIPPED: {reason}", flush=True)
    if os.environ.get("CI"):
        print("CI is set: a skipped oracle test is a failure there")
        sys.exit(1)
    sys.exit(SKIPPED)


def oracle_python():
    """The Python that has warp-lang; skips the test if there is none."""
    python = os.environ.get("WEFT_ORACLE_PYTHON", os.path.join(REPO, "build/venv/bin/python"))
    return checked_python(python, WARP_VERSION)


def checked_python(python, version):
    """That Python; skips the test if it has not this version of warp-lang."""
    if not os.path.exists(python):
        skip(f"no warp-lang here ({python} is missing; scripts/test.sh makes it)")
    code = "import warp.config as c; print(c.version)"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True)
    if found.stdout.strip() != version:
        skip(f"{python} has no warp-lang {version}: {found.stdout}{found.stderr[-200:]}")
    return python


def with_fmath():
    """The environment for a process in which warp-lang's kernels call weft's elementary functions.

    The C library's depend on the machine: by a unit in the last place, which would hide other
    differences. fmath_check.py compares the functions themselves.
    """
    library = os.environ.get("WEFT_FMATH_PRELOAD", os.path.join(REPO, "build/tests/libfmath_preload.so"))
    if not os.path.exists(library):
        sys.exit(f"{library} is missing: cmake --build makes it with the target unit_tests")
    return {**os.environ, "WEFT_FMATH_PRELOAD": library, "LD_PRELOAD": library}


def start_with_fmath():
    """Called in such a process: gives the folder for kernels that warp-lang compiles, into which it may
    have computed function values."""
    if not hasattr(ctypes.CDLL(None), "fmath_is_preloaded"):
        sys.exit("libfmath_preload.so is not loaded")
    library = os.environ["WEFT_FMATH_PRELOAD"]
    os.environ.pop("LD_PRELOAD")  # programs with sanitizers do not start with it
    with open(library, "rb") as stream:
        return os.path.join(CACHE, "run-" + hashlib.sha256(stream.read()).hexdigest()[:12])


def start_warp():
    """warp-lang and NumPy in a process of run_with_warp."""
    wp, np = __import__("warp"), __import__("numpy")
    wp.config.quiet = True
    wp.config.kernel_cache_dir = start_with_fmath()
    wp.init()
    return wp, np


def run_with_warp(work, script):
    """A test's main: calls work(WEFT, *options) under the Python that has warp-lang, which calls weft's elementary
    functions."""
    if sys.argv[2:3] == ["--worker"]:
        sys.exit(work(sys.argv[1], *sys.argv[3:]))
    command = [oracle_python(), os.path.abspath(script), os.path.abspath(sys.argv[1]), "--worker", *sys.argv[2:]]
    sys.exit(subprocess.run(command, env=with_fmath()).returncode)


def release_python(release):
    """The Python that has another release, "1.18", and its version; skips the test if there is none."""
    requirements = os.path.join(HERE, f"requirements-{release}.txt")
    python = os.path.join(REPO, f"build/venv-{release}/bin/python")
    with open(requirements) as stream:
        version = next(line.strip().partition("==")[2] for line in stream if line.startswith("warp-lang=="))
    return checked_python(python, version), version


def package_folder(python, package="warp"):
    """The folder that an installed package lies in."""
    code = f"import importlib.util as u; print(u.find_spec({package!r}).submodule_search_locations[0])"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def dump(python, files, cache=CACHE):
    """{source: record} of warp-lang's text; see warp_text.file_record."""
    command = [python, "-B", os.path.join(HERE, "warp_dump.py"), "--cache", cache, "-"]
    done = subprocess.run(
        command, input="\n".join(files), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    if done.returncode != 0:
        sys.exit(f"warp_dump.py failed with status {done.returncode}")
    records = {}
    for line in done.stdout.splitlines():
        source, path = line.split("\t")
        with open(path) as stream:
            records[source] = json.load(stream)
    return records


class Run:
    """How one run of weft ended: its status, output, and what is wrong with it if anything is."""

    def __init__(self, command, timeout):
        self.fault = self.status = None
        self.output = self.errors = b""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=timeout
                )
                self.status = done.returncode
                if self.status not in (0, 1):
                    self.fault = f"exit status {self.status}"
            except subprocess.TimeoutExpired:
                self.fault = f"no end after {timeout} s"
            self.output, self.errors = contents(out), contents(err)


def contents(stream):
    stream.seek(0)
    return stream.read()


def options_of(path):
    """weft's options for a test's file: what comments `# weft: OPTIONS` at the start of a line say."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        return [word for line in stream if line.startswith("# weft: ") for word in shlex.split(line[8:])]


def weft_kernels(weft, path, include=(), timeout=60, quiet=False, release=None):
    """(kernel records by `compile --emit json`, fault or None); quiet: a message of weft's is a fault.

    `include` are folders for -I.

    A warning of a factory's replaced kernels is none: warp-lang keeps the last of a key as well.
    """
    command = [weft, "compile", "--emit", "json", path, *options_of(path)]
    for folder in include:
        command += ["-I", folder]
    if release:
        command += ["--warp", release]
    run = Run(command, timeout)
    records = []
    for line in run.output.splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            return records, run.fault or "a line of output is no JSON"
    said = [line for line in run.errors.splitlines() if not line.startswith(b"    ") and not re.search(rb"\[((replaced|unseen)-kernel|nested-function|array-size)\]", line)]
    if len(said) == 1 and said[0].startswith(b"weft: error: nothing is written: ") and not records:
        return records, run.fault  # a module without kernels
    if quiet and (said or run.status):
        return records, run.fault or f"exit status {run.status}: {run.errors.decode('utf-8', 'replace')[:300]}"
    return records, run.fault
