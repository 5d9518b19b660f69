#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every test of a program fails with a stub in its place.

usage: stub_check.py CTEST BUILD [--stub NAME]... [--only REGEX] [--limit SECONDS] [--slowest N]

Takes the commands of all tests from `ctest --show-only` and runs each with a stub in the place of a program
of the build that it names (weft, call_arith, ...). Other paths in the build are replaced by an empty folder.

silent   prints nothing and ends with 0: every test has to fail
broken   ends with 3 and one sentence: the same of the tests that may be skipped, which is no reason to skip
warning  runs the program and adds a line to stderr  } for --stub: which tests pass is for a reader to judge,
digit    runs the program and changes a digit that it prints } no test has to look at everything

A test that is skipped with the stub has to be skipped without it too, and not for what the stub says; then
nothing can be told here. Tests by unittest end at their first failure here. --slowest prints the processor
seconds of the runs that took most.
"""

import argparse
import collections
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

BROKEN = "this program is broken"
BODIES = {
    "silent": "exit 0",
    "broken": f'echo "weft: error: {BROKEN}" >&2; exit 3',
    "warning": '"$REAL" "$@"; status=$?; echo "weft: warning: made up" >&2; exit $status',
    # The last digit of the last line that has one; the program's status is kept.
    "digit": 'out=$(mktemp); "$REAL" "$@" >"$out"; status=$?; perl -0777 -pe '
    "'s/([0-9])([^0-9]*)\\z/(9-$1).$2/e'"
    ' "$out"; rm "$out"; exit $status',
}
MUST_FAIL = ("silent", "broken")
# Read by each Python that a test starts.
FAIL_FAST = """import unittest.runner

begin = unittest.runner.TextTestRunner.__init__


def begin_fast(self, *args, **options):
    begin(self, *args, **options)
    self.failfast = True


unittest.runner.TextTestRunner.__init__ = begin_fast
"""


class Test:
    """A test of the build: its command, and how it tells that it is skipped."""

    def __init__(self, found):
        properties = {entry["name"]: entry["value"] for entry in found["properties"]}
        self.name, self.command = found["name"], found.get("command", [])
        self.environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        self.skip_status = properties.get("SKIP_RETURN_CODE")
        self.skip_words = properties.get("SKIP_REGULAR_EXPRESSION", [])

    def may_be_skipped(self):
        return self.skip_status is not None or bool(self.skip_words)

    def run(self, command, limit):
        """How the test ends: "passes", "fails", "is skipped", ... The limit is in seconds."""
        environment = {key: value for key, value in os.environ.items() if key != "CI"}  # which forbids to skip
        with subprocess.Popen(command, env={**environment, **self.environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as done:
            try:
                said = done.communicate(timeout=limit)[0].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, signal.SIGKILL)  # what it has started, too
                return "does not end"
        if done.returncode == self.skip_status or any(re.search(words, said) for words in self.skip_words):
            return "is skipped by the stub" if BROKEN in said else "is skipped"
        return "fails" if done.returncode else "passes"


def is_program(path):
    return os.path.isfile(path) and os.access(path, os.X_OK) and not re.search(r"\.so(\.|$)", path)


def stubbed(test, build, folder, kind):
    """(program, command) of the test with each of its programs replaced in turn."""
    in_build = [i for i, word in enumerate(test.command) if i and word.startswith(build + os.sep)]
    for at in filter(lambda i: is_program(test.command[i]), in_build):
        command = list(test.command)
        for i in in_build:
            if not os.path.isfile(command[i]):
                command[i] = tempfile.mkdtemp(dir=folder)
        program, command[at] = command[at], os.path.join(tempfile.mkdtemp(dir=folder), os.path.basename(command[at]))
        with open(command[at], "w", encoding="utf-8") as stream:
            stream.write(f"#!/bin/sh\nREAL='{program}'\n{BODIES[kind]}\n")
        os.chmod(command[at], 0o755)
        yield os.path.basename(program), command


def verdict(test, command, kind, limit):
    """How the test ends with the stub; a skip for the stub's sake is "is skipped by the stub"."""
    end = test.run(command, limit)
    if end == "is skipped" and kind in MUST_FAIL and test.run(test.command, limit) != "is skipped":
        return "is skipped by the stub"
    return end


def write_fail_fast(folder):
    """For this process's children: unittest ends at the first failure."""
    path = os.path.join(folder, "python")
    os.mkdir(path)
    with open(os.path.join(path, "sitecustomize.py"), "w", encoding="utf-8") as stream:
        stream.write(FAIL_FAST)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (path, os.environ.get("PYTHONPATH"))))


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ctest")
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--stub", action="append", choices=sorted(BODIES))
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--slowest", type=int, default=0)
    args = parser.parse_args()
    told = subprocess.run([args.ctest, "--test-dir", args.build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    tests = [Test(found) for found in json.loads(told.stdout)["tests"]]
    ends, wrong, costs = collections.Counter(), 0, []
    with tempfile.TemporaryDirectory() as folder:
        write_fail_fast(folder)
        for test in (test for test in tests if re.search(args.only, test.name) and __file__ not in test.command):
            for kind in args.stub or MUST_FAIL:
                if kind == "broken" and not test.may_be_skipped() and not args.stub:
                    continue
                for program, command in stubbed(test, args.build, folder, kind):
                    before, begun = seconds(), time.time()
                    end = verdict(test, command, kind, args.limit)
                    costs.append((seconds() - before, time.time() - begun, f"{test.name} {kind} {program}"))
                    ends[end] += 1
                    wrong += kind in MUST_FAIL and end not in ("fails", "is skipped")
                    if end != "fails":
                        print(f"{test.name} {end} with a {kind} {program}", flush=True)
    for used, waited, what in sorted(costs, reverse=True)[: args.slowest]:
        print(f"{used:.1f} s of processor time, {waited:.1f} s: {what}")
    print("; ".join(f"{count} {end.replace('is skipped', 'skipped here')}" for end, count in sorted(ends.items())))
    sys.exit(1 if wrong or not ends["fails"] else 0)


if __name__ == "__main__":
    main()
