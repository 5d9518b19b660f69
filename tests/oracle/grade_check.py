#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The column `tests` of composed records, run by warp-lang on the CPU: it is what a grader does. The
record's own kernel passes, within the stated tolerance, and arrays that are not expected to change
do not; with an expected number that is moved, it fails.

usage: grade_check.py WEFT [--count N]
"""

import argparse
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import oracle_env


def load(folder, name, source):
    path = pathlib.Path(folder, name + ".py")
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(value):
    """Strings are what JSON has no number for: nan, inf and -inf."""
    if isinstance(value, list):
        return [numbers(each) for each in value]
    return float(value) if isinstance(value, str) else value


def warp_type(wp, name):
    """"vec3f", "vector(length=6, dtype=float32)"; None: a struct."""
    made = re.fullmatch(r"(vector|matrix)\((?:length|shape)=(.+), dtype=(\w+)\)", name)
    if made:
        return getattr(wp.types, made[1])(json.loads(made[2].replace("(", "[").replace(")", "]")), getattr(wp, made[3]))
    return getattr(wp, name, None)


def item_type(wp, name):
    """(Warp's type, NumPy's type of its scalars)"""
    kind = warp_type(wp, name)
    return kind, wp.dtype_to_numpy(getattr(kind, "_wp_scalar_type_", kind))


class Grader:
    """One record's kernel, and the launches that test it."""

    def __init__(self, wp, np, module, info):
        self.wp, self.np, self.module, self.info = wp, np, module, info
        self.kernel = getattr(module, info["kernel_name"])

    def struct(self, name, fields):
        made = getattr(self.module, name)()
        for key, value in fields.items():
            setattr(made, key, numbers(value))
        return made

    def structs(self, name, value, ndim):
        """An array of structs. Warp makes one of a flat list only, so the dimensions come afterwards."""
        shape = self.np.array(value, dtype=object).shape[:ndim]
        for _ in range(ndim - 1):
            value = [each for row in value for each in row]
        made = [self.struct(name, each) for each in value]
        return self.wp.array(made, dtype=getattr(self.module, name), device="cpu").reshape(shape)

    def argument(self, kind, value):
        array = re.fullmatch(r"array\(dtype=(.+), ndim=(\d)\)", kind)
        if value is None:
            return None
        if not array:
            if isinstance(value, dict):
                return self.struct(kind, value)
            made = warp_type(self.wp, kind)
            return made(*numbers(self.np.ravel(value).tolist())) if isinstance(value, list) else made(numbers(value))
        if not warp_type(self.wp, array[1]):
            return self.structs(array[1], value, int(array[2]))
        item, scalar = item_type(self.wp, array[1])
        return self.wp.array(self.np.array(numbers(value), dtype=scalar), dtype=item, ndim=int(array[2]), device="cpu")

    def fails(self, name, should, was, now, tolerance):
        np = self.np
        if was.dtype.names:  # an array of structs, field by field
            for field in was.dtype.names:
                inner = None if should is None else [each[field] for each in np.ravel(np.array(should, dtype=object))]
                if said := self.fails(f"{name}.{field}", inner, was[field], now[field], tolerance):
                    return said
            return None
        if should is None:
            return None if np.array_equal(was, now, equal_nan=was.dtype.kind == "f") else f"{name} changed"
        should = np.array(numbers(should), dtype=was.dtype).reshape(was.shape)
        if was.dtype.kind != "f":
            return None if np.array_equal(should, now) else f"{name} is {now}, not {should}"
        largest = np.max(np.abs(should[np.isfinite(should)]), initial=0.0)
        floor = largest if 0 < largest < 1 else 1.0
        with np.errstate(invalid="ignore"):
            error = np.abs(should.astype(float) - now) / np.maximum(np.abs(should), floor)
        good = (should == now) | (np.isnan(should) & np.isnan(now)) | (error <= tolerance)
        return None if np.all(good) else f"{name} is {now}, not {should}"

    def run(self, test):
        """What is wrong; None: it passes."""
        made = {p["name"]: self.argument(p["type"], test["inputs"][p["name"]]) for p in self.info["arguments"]}
        arrays = {name: value for name, value in made.items() if isinstance(value, self.wp.array)}
        before = {name: value.numpy().copy() for name, value in arrays.items()}
        self.wp.launch(self.kernel, dim=test["launch"], inputs=list(made.values()), device="cpu")
        for name, was in before.items():
            said = self.fails(name, test["expected"].get(name), was, arrays[name].numpy(), test["tolerance"])
            if said:
                return said
        return None


def moved(test):
    """The test with its first expected number moved by half of the largest, and by more than 1."""
    expected = json.loads(json.dumps(test["expected"]))
    name, value = next(iter(expected.items()))
    if isinstance(value, dict):
        return None
    flat = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", json.dumps(value))
    at, most = flat[0], max(abs(float(x)) for x in flat)
    other = str(int(at) + 3) if "." not in at and "e" not in at else str(float(at) + 1 + most / 2)
    expected[name] = json.loads(json.dumps(value).replace(at, other, 1))
    return {**test, "expected": expected}


def work(weft, count, seed):
    """In the Python that has warp-lang, with the C library's own functions, as a grader has them."""
    import numpy as np
    import warp as wp

    wp.config.quiet = True
    wp.config.kernel_cache_dir = str(pathlib.Path(oracle_env.CACHE, "grade"))
    command = [weft, "generate", "--quiet", "--kind", "purpose", "--seed", str(seed), "--count", str(count), "--output", "-"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    failed, tests, ran, found = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for record in map(json.loads, lines):
            info = json.loads(record["verification_info"])
            assert info["tests"] == json.loads(record["tests"])
            assert bool(info["tests"]) == (not info["no_tests_because"])
            if not info["tests"]:
                continue
            module = load(folder, "m_" + record["id"].replace("-", "_"), record["python_source"])
            grader = Grader(wp, np, module, info)
            failed += [f"{record['id']}: {said}" for said in map(grader.run, info["tests"]) if said]
            wrong = moved(info["tests"][0])
            if wrong:
                found += 1
                failed += [] if grader.run(wrong) else [f"{record['id']}: passes with {wrong['expected']}"]
            tests, ran = tests + len(info["tests"]), ran + 1
    print("\n".join(failed))
    print(f"{tests} tests of {ran} kernels run by warp-lang {wp.__version__}, {len(failed)} fail; {found} moved ones")
    return bool(failed) or ran < count // 2 or found < ran // 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--worker", action="store_true")
    args = parser.parse_args()
    if args.worker:
        sys.exit(work(args.weft, args.count, args.seed))
    sys.exit(subprocess.run([oracle_env.oracle_python(), __file__, "--worker", *sys.argv[1:]]).returncode)


if __name__ == "__main__":
    main()
