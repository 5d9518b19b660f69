#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Slurm scripts of docs/slurm with a stand-in for sbatch that starts real processes: parts from the
array's variables, a task that is killed and started again, the job behind the array, and arrays that
nobody can make sense of.

usage: slurm_check.py WEFT
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

from slurm_files import digest, parts_of

WEFT = os.path.abspath(sys.argv[1])
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "slurm")
COUNT, SEED = "600", "11"
# Runs an array's tasks side by side, and a job with a dependency when the tasks are done.
SBATCH = """#!/bin/sh
set -eu
tasks=1-1
for word in "$@"; do
    case $word in
    --array=*) tasks=${word#--array=} ;;
    --*) ;;
    *) script=$word ;;
    esac
done
case $* in *--dependency=afterok:7*) exec sh "$script" >&2 ;; esac
export SLURM_ARRAY_TASK_MIN=${tasks%-*} SLURM_ARRAY_TASK_MAX=${tasks#*-} SLURM_ARRAY_TASK_STEP=1
export SLURM_ARRAY_TASK_COUNT=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1)) SLURM_CPUS_PER_TASK=1
i=$SLURM_ARRAY_TASK_MIN
while [ "$i" -le "$SLURM_ARRAY_TASK_MAX" ]; do
    SLURM_ARRAY_TASK_ID=$i sh "$script" >&2 &
    i=$((i + 1))
done
wait
echo 7
"""
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}
    return {**kept, "WEFT": WEFT, "COUNT": COUNT, "SEED": SEED, **more}


def array(first, last, task, step=1, **more):
    """The variables that Slurm sets for a task."""
    names = {"ID": task, "MIN": first, "MAX": last, "STEP": step, "COUNT": (last - first) // step + 1, **more}
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in names.items()}


def check_variables():
    """What is told of the part, and what is refused."""
    words = [WEFT, "generate", "--count", "12", "--no-verify", "--jobs", "1", "--output", "-"]

    def run(variables, *more):
        return subprocess.run([*words, *more], env=environment(**variables), capture_output=True, timeout=60, check=False)

    for variables, part in (
        (array(1, 3, 2), "2/3"), (array(0, 3, 3), "4/4"), (array(10, 30, 20, step=10), "2/3"), (array(5, 5, 5), "1/1"),
    ):  # fmt: skip
        done = run(variables)
        check(done.returncode == 0 and f"--shard {part}\n".encode() in done.stderr, f"{variables}: {done.stderr[:200]}")
    check(run(array(1, 3, 2), "--quiet").stderr == b"", "quiet")
    check(len(run(array(1, 3, 2), "--shard", "1/1").stdout.splitlines()) == 12, "--shard goes before Slurm")
    same = run(array(1, 3, 2)).stdout == run({}, "--shard", "2/3").stdout
    check(same, "the same as with --shard")
    for variables in (
        array(1, 7, 5, COUNT=3), array(1, 3, 4), array(1, 3, "x"), array(1, 3, 2, MAX="-1"), array(0, 10, 3, step=5),
        array(1, 2000001, 1),
    ):  # fmt: skip
        check(run(variables).returncode == 2, f"{variables} is refused")


def check_scripts(place):
    """The whole way by submit.sh, against one run."""
    tools = os.path.join(place, "bin")
    os.makedirs(tools)
    with open(os.path.join(tools, "sbatch"), "w", encoding="utf-8") as stream:
        stream.write(SBATCH)
    os.chmod(os.path.join(tools, "sbatch"), 0o755)
    whole, one = os.path.join(place, "whole"), os.path.join(place, "one")
    subprocess.run([WEFT, "generate", "-q", "--count", COUNT, "--seed", SEED, "--output", one], check=True)
    check_killed(place)
    variables = environment(SET=whole, TASKS="3", PATH=tools + os.pathsep + os.environ["PATH"])
    done = subprocess.run(
        ["sh", os.path.join(SCRIPTS, "submit.sh")], env=variables, capture_output=True, timeout=300, check=False
    )
    check(done.returncode == 0 and b"array 7" in done.stdout, f"submit.sh: {done.stderr[-300:]}")
    check(digest(whole) == digest(one), "the parts, merged, are the one run's bytes")
    check(parts_of(whole + ".parts") == [(0, 200), (200, 200), (400, 200)], "parts of the array")


def check_killed(place):
    """A task that is killed and started again on its own, with PARTS."""
    folder = os.path.join(place, "again")
    variables = environment(SET=folder, **array(2, 2, 2), PARTS="3")
    script = os.path.join(SCRIPTS, "generate.sh")
    task = subprocess.Popen(["sh", script], env=variables, stderr=subprocess.DEVNULL)
    time.sleep(0.1)
    task.send_signal(signal.SIGKILL)
    task.wait()
    done = subprocess.run(["sh", script], env=variables, capture_output=True, timeout=300, check=False)
    check(done.returncode == 0, f"started again: {done.stderr[-300:]}")
    check(parts_of(folder + ".parts") == [(200, 200)], "the part of a task that was started again")
    wrong = subprocess.run(["sh", script], env={**variables, "PARTS": "4"}, capture_output=True, check=False)
    check(wrong.returncode != 0, "another number of parts in the same folder")


def main():
    check_variables()
    with tempfile.TemporaryDirectory() as place:
        check_scripts(place)
    for what in failures:
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
