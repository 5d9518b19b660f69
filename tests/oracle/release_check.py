#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `weft compile --warp RELEASE` with that release of warp-lang, on both devices.

usage: release_check.py WEFT RELEASE [--seed N] [--files N|all] [--tests] [--causes N]

RELEASE is "1.18", say; its warp-lang is in build/venv-RELEASE (scripts/setup.sh). The programs of
tests/kernels take part, all but REFUSED, and files of the package's own examples and library, chosen by the seed.
--tests takes the package's own tests instead of its examples and library.
No kernel that the release has a text for may have another one; one in a hundred may
be refused.
"""

import argparse
import concurrent.futures
import glob
import os
import random
import sys

import corpus_check
import oracle_env
import verdicts


# Deterministic mode has another text in these releases, which weft refuses.
REFUSED = ("deterministic.py",)


def package_programs(folder, seed, count, tests):
    """Files of the package with kernels: its tests, or all that are none."""
    home = os.path.join(folder, "tests") + os.sep
    files = [path for path in corpus_check.package_files(folder) if path.startswith(home) == tests]
    files = [path for path in files if corpus_check.has_kernels(path)]
    return files if count == "all" else random.Random(seed).sample(files, min(int(count), len(files)))


def text_differs_from_default(weft, release, path):
    """Whether --warp changes the text of a program at all."""
    kernels = [oracle_env.weft_kernels(weft, path, release=name)[0] for name in (release, None)]
    return kernels[0] != kernels[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("release")
    parser.add_argument("--seed", default=os.environ.get("WEFT_ORACLE_SEED", "1"))
    parser.add_argument("--files", default="12", help="how many files of the package; all")
    parser.add_argument("--tests", action="store_true", help="the package's tests")
    parser.add_argument("--causes", type=int, default=20)
    args = parser.parse_args()
    python, version = oracle_env.release_python(args.release)
    folder = oracle_env.package_folder(python)
    ours = sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py")))
    ours = [path for path in ours if os.path.basename(path) not in REFUSED]
    files = ours + package_programs(folder, args.seed, args.files, args.tests)
    records = oracle_env.dump(python, files)
    tally = verdicts.Tally()

    def one(path):
        verdicts.compare_file(records[path], lambda kernel: tally, args.weft, os.path.dirname(folder),
                              release=args.release)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, files))
    print(f"warp-lang {version}, seed {args.seed}")
    tally.report(args.causes)
    if not text_differs_from_default(args.weft, args.release, ours[0]):
        tally.faults.append("--warp changes nothing")
        print("FAULT --warp changes nothing")
    least = 0.99 * sum(tally.counts.values())
    wrong = tally.counts["differs"] + len(tally.faults)
    sys.exit(1 if wrong or tally.counts["equal"] < least or not tally.counts else 0)


if __name__ == "__main__":
    main()
