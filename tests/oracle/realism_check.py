#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/realism.py measures what it says: equal sets are at no distance, and real kernels are
predicted better by real ones than by generated ones.

usage: realism_check.py WEFT
"""

import json
import os
import subprocess
import sys
import tempfile

import oracle_env

TOOL = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "realism.py")


def realism(python, folder, *arguments):
    path = os.path.join(folder, "report.json")
    done = subprocess.run([python, TOOL, "--json", path, *arguments], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"realism.py failed:\n{done.stderr}")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_sources(data_set, folder):
    """The generated kernels as Python files, to stand for real ones."""
    os.mkdir(folder)
    with open(os.path.join(data_set, "data", "train-00000-of-00001.jsonl"), encoding="utf-8") as file:
        for number, line in enumerate(file):
            with open(os.path.join(folder, f"k{number}.py"), "w", encoding="utf-8") as target:
                target.write(json.loads(line)["python_source"])


def main():
    python = oracle_env.oracle_python()
    with tempfile.TemporaryDirectory() as folder:
        data_set, sources = os.path.join(folder, "set"), os.path.join(folder, "sources")
        subprocess.run([sys.argv[1], "generate", "--count", "120", "--no-verify", "--quiet", "--jobs",
                        "1", "--output", data_set], check=True)
        write_sources(data_set, sources)
        report = realism(python, folder, "--set", f"own={data_set}", "--real", sources)
        distances = report["divergence"]["own"]
        assert not any(distances.values()), distances
        for result in report["models"].values():
            rows = result["bits per byte"]
            own, real = rows["own"]["predicts itself"], rows["real"]["predicts real"]
            assert abs(own / real - 1) < 0.1, rows  # other parts, the same texts

        examples = os.path.join(oracle_env.package_folder(python), "examples")
        report = realism(python, folder, "--set", f"own={data_set}", "--real", examples)
        assert 0 < report["divergence"]["own"]["lines"] < 1, report["divergence"]
        for view, result in report["models"].items():
            rows = result["bits per byte"]
            real, own = rows["real"]["predicts real"], rows["own"]["predicts real"]
            print(f"{view}: real kernels take {real:.3f} bits per byte by real ones, {own:.3f} by ours")
            assert real < own, rows


if __name__ == "__main__":
    main()
