#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft built for another machine gives the same bytes: records with their proofs, and programs.

usage: machines_check.py WEFT native|aarch64|day [--records N] [--programs N] [--seed S]

native: built with -march=native, in build/native. aarch64: built by Debian's cross compiler, in
build/aarch64, and run by qemu-user; its unit tests have to pass, too. Both devices' texts are proved. Both
are built with -O2, WEFT with -O3. day: one of the two in turn, as the day's seed says.
WEFT is the ordinary build. Where the cross compiler, qemu or the arm64 libraries are missing, the test
is skipped; where CI is set it fails.

The arm64 libraries come from Debian by `apt-get download` with a state of its own under build/aarch64:
the machine's own packages and architectures stay as they are, and no root is needed.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77  # ctest's SKIP_RETURN_CODE
PACKAGES = ("libxxhash-dev libxxhash0 libzstd-dev libzstd1 zlib1g-dev zlib1g libcmocka-dev libcmocka0").split()
SEED = 77
OPTIMISE = "-O2"  # compiles in three fifths of the time of -O3, and is another optimisation than WEFT's
MACHINES = ("native", "aarch64")
ONE_IN = "16"  # of the proofs of unit.test_compose: under qemu one takes half a second


def skip(reason):
    print(f"SKIPPED: {reason}")
    if os.environ.get("CI"):
        print("CI is set: a skipped test is a failure there")
        sys.exit(1)
    sys.exit(SKIPPED)


def fail(what, done):
    sys.exit(f"{what}: status {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")


def run(command, what, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        fail(what, done)
    return done.stdout


def unpack_libraries(folder):
    """The root with arm64's libraries, made once."""
    root, apt = os.path.join(folder, "root"), os.path.join(folder, "apt")
    stamp = os.path.join(root, ".complete")
    if os.path.exists(stamp):
        with open(stamp) as stream:
            if stream.read().split() == PACKAGES:
                return root
    shutil.rmtree(root, ignore_errors=True)
    for part in ("lists/partial", "cache/archives/partial", "debs"):
        os.makedirs(os.path.join(apt, part), exist_ok=True)
    open(os.path.join(apt, "status"), "w").close()
    options = {"APT::Architecture": "arm64", "APT::Architectures": "arm64", "Dir::State": apt,
               "Dir::State::lists": f"{apt}/lists", "Dir::State::status": f"{apt}/status", "Dir::Cache": f"{apt}/cache",
               "APT::Sandbox::User": ""}
    settings = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    for command in (["update"], ["download", *PACKAGES]):
        done = subprocess.run(["apt-get", *settings, "-q", *command], cwd=f"{apt}/debs", capture_output=True, text=True)
        if done.returncode:
            skip(f"apt-get {command[0]} cannot get arm64's libraries: {done.stderr.strip()[-300:]}")
    for package in sorted(glob.glob(f"{apt}/debs/*.deb")):
        run(["dpkg", "-x", package, root], f"dpkg -x {package}")
    with open(stamp, "w") as stream:
        stream.write(" ".join(PACKAGES))
    return root


def build(machine):
    """(folder, what a program of it is run by)"""
    folder = os.path.join(REPO, "build", machine)
    command = ["cmake", "-S", REPO, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS_RELEASE={OPTIMISE}"]
    runner, targets = [], ["weft"]
    if machine == "native":
        command += ["-DCMAKE_C_FLAGS=-march=native", "-DWEFT_TESTS=OFF"]
    else:
        for program in ("aarch64-linux-gnu-gcc", "qemu-aarch64", "apt-get"):
            if not shutil.which(program):
                skip(f"{program} is missing (Debian: gcc-aarch64-linux-gnu, qemu-user)")
        root = unpack_libraries(folder)
        command += [f"-DCMAKE_TOOLCHAIN_FILE={REPO}/cmake/aarch64.cmake", f"-DWEFT_AARCH64_ROOT={root}", "-DWEFT_TESTS=ON"]
        libraries = f"{root}/usr/lib/aarch64-linux-gnu:{root}/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib"
        runner = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={libraries}"]
        targets.append("unit_tests")
    run(command, "cmake")
    run(["cmake", "--build", folder, "-j", "2", "--target", *targets], "the build")
    return folder, runner


def run_unit_tests(folder, runner, seed):
    tests = sorted(path for path in glob.glob(f"{folder}/tests/test_*") if os.access(path, os.X_OK) and os.path.isfile(path))
    for path in tests:
        run([*runner, path], os.path.basename(path), cwd=folder, timeout=900, env={**os.environ, "WEFT_ONE_IN": ONE_IN, "WEFT_SEED": str(seed // len(MACHINES))})
    print(f"{len(tests)} unit tests pass")
    return len(tests)


def generate(command, folder, count, *options):
    out = os.path.join(folder, "set")
    shutil.rmtree(out, ignore_errors=True)
    run([*command, "generate", "--kind", "exercise", "--count", str(count), "--seed", str(SEED), "--quiet", "--output", out, *options], "generate")
    files = {}
    for path in glob.glob(f"{out}/**", recursive=True, include_hidden=True):
        if os.path.isfile(path):
            with open(path, "rb") as stream:
                files[os.path.relpath(path, out)] = stream.read()
    return files


def compare(what, ours, others):
    """The number of files that differ; they are told."""
    different = sorted(name for name in ours.keys() | others.keys() if ours.get(name) != others.get(name))
    for name in different[:20]:
        print(f"{what}: {name} differs")
    print(f"{what}: {len(ours)} files, {len(different)} differ")
    return len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("machine", choices=(*MACHINES, "day"))
    parser.add_argument("--records", type=int, default=120)
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=part.today())
    args = parser.parse_args()
    if args.machine == "day":
        args.machine = MACHINES[args.seed % len(MACHINES)]
        print(f"{args.machine}: --seed {args.seed} takes the same", flush=True)
    runs = ((args.records, "records", "--device", "both"), (args.programs, "programs", "--format", "standalone"))
    with tempfile.TemporaryDirectory() as temporary:
        # First: a program that writes nothing need not wait for the build.
        ours = [generate([args.weft], temporary, count, *options) for count, _, *options in runs]
        if not all(ours):
            sys.exit(f"{args.weft} writes nothing")
        folder, runner = build(args.machine)
        problems = 0
        if args.machine == "aarch64":
            problems += not run_unit_tests(folder, runner, args.seed)
        other = [*runner, os.path.join(folder, "weft")]
        for files, (count, what, *options) in zip(ours, runs):
            problems += compare(f"{count} {what}", files, generate(other, temporary, count, *options))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
