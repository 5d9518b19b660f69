#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/realism.py measures what it says: equal sets are at no distance, and real kernels are
predicted better by real ones than by generated ones. The classifier tells nothing apart where there is
nothing to tell, sees names in the view of names alone and structure in that of structure, and finds
copies; features are those of weft stats --profile.

usage: realism_check.py WEFT
"""

import ast
import builtins
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


def renamed(source):
    """The same kernels with other names: structure stays, names do not."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("id", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and name not in ("wp", "warp") and not hasattr(builtins, name):
                setattr(node, field, "zz_" + name)
    return ast.unparse(tree) + "\n"


def restructured(source):
    """Kernels with the same names, whose assignments are told by `+ 0` behind them."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            node.value = ast.BinOp(node.value, ast.Add(), node.value)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def write_set(sources, change, path):
    with open(path, "w", encoding="utf-8") as file:
        for source in sources:
            file.write(json.dumps({"python_source": change(source)}) + "\n")
    return path


def check_classifier(python, weft, folder):
    """Two runs stand for real kernels and generated ones."""
    runs = []
    for seed in ("1", "2"):
        done = subprocess.run([weft, "generate", "--count", "180", "--kind", "exercise", "--no-verify", "--seed", seed, "--quiet", "--jobs", "1",
                               "--output", "-"], check=True, stdout=subprocess.PIPE, text=True)
        runs.append([json.loads(line)["python_source"] for line in done.stdout.splitlines()])
    sources = os.path.join(folder, "real")
    os.mkdir(sources)
    for number, source in enumerate(runs[0]):
        with open(os.path.join(sources, f"k{number}.py"), "w", encoding="utf-8") as file:
            file.write(ast.unparse(ast.parse(source)) + "\n")
    plain = lambda source: ast.unparse(ast.parse(source)) + "\n"
    sets = {"same": (runs[1], plain), "renamed": (runs[1], renamed), "restructured": (runs[1], restructured), "copies": (runs[0], plain)}
    options = [f"--set={name}={write_set(made, change, os.path.join(folder, name + '.jsonl'))}" for name, (made, change) in sets.items()]
    report = realism(python, folder, "--no-models", "--classify", "--most", "150", "--weft", weft, "--real", sources, *options)
    found = report["classifier"]
    auc = {name: found["AUC"][f"real, {name}"] for name in sets}
    for name, row in auc.items():
        print(name, row)
    assert all(abs(auc["same"][view] - 0.5) < 0.15 for view in ("structure", "names", "text")), auc["same"]
    assert abs(auc["renamed"]["structure"] - 0.5) < 0.15 and auc["renamed"]["names"] > 0.95, auc["renamed"]
    assert abs(auc["restructured"]["names"] - 0.5) < 0.15 and auc["restructured"]["structure"] > 0.65, auc["restructured"]
    copies = found["copies"]
    assert copies["copies"]["identical"] == copies["copies"]["kernels"] > 0 and copies["copies"]["likeness at 50 %"] == 1, copies
    assert copies["same"]["identical"] < 5 and copies["same"]["likeness at 50 %"] < 0.9, copies
    for feature, shares in report["features"].items():
        assert shares["copies"] == shares["real"], (feature, shares)


def main():
    python = oracle_env.oracle_python()
    with tempfile.TemporaryDirectory() as folder:
        data_set, sources = os.path.join(folder, "set"), os.path.join(folder, "sources")
        subprocess.run([sys.argv[1], "generate", "--count", "120", "--kind", "exercise", "--no-verify", "--quiet", "--jobs",
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
        check_classifier(python, sys.argv[1], folder)


if __name__ == "__main__":
    main()
