#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft run` reads every .npy file that NumPy writes for Warp's types, and NumPy reads weft's.

usage: npy_check.py WEFT

For each scalar type: 0 to 4 dimensions, empty ones among them, both byte orders, C and Fortran
order, all versions of the format; vectors and matrices as trailing dimensions; scalars as arrays
of no dimension. A kernel copies them, and the result must be NumPy's array, bit for bit.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import oracle_env

TYPES = {
    "bool": "?", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4",
    "uint32": "u4", "int64": "i8", "uint64": "u8", "float16": "f2", "float32": "f4", "float64": "f8",
}
SHAPES = [(5,), (0,), (2, 3), (3, 0), (2, 3, 4), (2, 1, 2, 3)]
KERNEL = """

@wp.kernel
def {name}(a: wp.array(dtype={dtype}, ndim={ndim}), b: wp.array(dtype={dtype}, ndim={ndim})):
    {index} = wp.tid()
    b[{index}] = a[{index}]
"""
SCALAR = """

@wp.kernel
def {name}(a: {dtype}, b: wp.array(dtype={dtype})):
    b[wp.tid()] = a
"""


def dtype_of(name, trailing):
    if len(trailing) == 1:
        return f"wp.types.vector(length={trailing[0]}, dtype=wp.{name})"
    if trailing:
        return f"wp.types.matrix(shape={trailing}, dtype=wp.{name})"
    return f"wp.{name}"


class Check:
    def __init__(self, np, weft, folder):
        self.np, self.weft, self.folder = np, weft, folder
        self.random = np.random.default_rng(1)
        self.source = "import warp as wp\n"
        self.jobs, self.failures = [], []

    def items(self, code, shape):
        size = self.np.dtype(code).itemsize
        count = int(self.np.prod(shape, dtype=int))
        if code == "?":
            return self.random.integers(0, 2, shape).astype(bool)
        return self.np.frombuffer(self.random.bytes(count * size), dtype=code).reshape(shape)

    def add(self, name, code, shape, trailing):
        kernel = f"k{len(self.jobs)}"
        self.source += (KERNEL if shape else SCALAR).format(
            name=kernel, dtype=dtype_of(name, trailing), ndim=len(shape), index=", ".join("ijkl"[:len(shape)])
        )
        self.jobs.append((kernel, self.items(code, shape + trailing), shape))

    def files(self, data):
        """The same array as NumPy writes it in all ways."""
        np = self.np
        for version in ((1, 0), (2, 0), (3, 0)):
            for order in "<>":
                for fortran in (False, True):
                    stored = np.array(data, dtype=data.dtype.newbyteorder(order), order="F" if fortran else "C")
                    path = os.path.join(self.folder, "in.npy")
                    with open(path, "wb") as stream:
                        np.lib.format.write_array(stream, stored, version=version)
                    yield path, f"version {version[0]}, {order}, {'Fortran' if fortran else 'C'}"

    def run(self, source, job):
        kernel, data, shape = job
        out = os.path.join(self.folder, "out.npy")
        wanted = data if shape else data[None]
        sizes = "x".join(map(str, wanted.shape))
        dims = ",".join(map(str, shape or (1,)))
        for path, how in self.files(data):
            done = subprocess.run(
                [self.weft, "run", source, "--kernel", kernel, "--dim", dims, "--arg", f"a=@{path}",
                 "--arg", f"b=zeros:{sizes}", "--save", f"b=@{out}"],
                capture_output=True, text=True, timeout=60,
            )
            name = f"{data.dtype} {data.shape} {how}"
            if done.returncode:
                self.failures.append(f"{name}: {done.stderr}")
                continue
            result = self.np.load(out)
            if result.dtype != data.dtype or result.shape != wanted.shape or not self.same(result, wanted):
                self.failures.append(f"{name}:\n  numpy {wanted.flatten()[:9]}\n  weft  {result.flatten()[:9]}")

    def same(self, a, b):
        """Bit for bit; any NaN equals any other."""
        if a.dtype.kind == "f":
            a, b = (self.np.where(self.np.isnan(x), self.np.array(self.np.nan, x.dtype), x) for x in (a, b))
        return self.np.ascontiguousarray(a).tobytes() == self.np.ascontiguousarray(b).tobytes()


def work(args):
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        check = Check(np, args.weft, folder)
        for name, code in TYPES.items():
            for shape in SHAPES:
                check.add(name, code, shape, ())
            check.add(name, code, (), ())
            if name != "bool":
                check.add(name, code, (3,), (2,))
                check.add(name, code, (2, 2), (2, 3))
                check.add(name, code, (), (3,))
        source = os.path.join(folder, "copies.py")
        with open(source, "w") as stream:
            stream.write(check.source)
        for job in check.jobs:
            check.run(source, job)
    print(f"{len(check.jobs)} arrays, each as 12 files: {len(check.failures)} differ")
    for failure in check.failures[:20]:
        print("DIFFERS " + failure)
    return 1 if check.failures else 0


def main():
    """Starts itself again under the Python that has NumPy."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    args = parser.parse_args()
    if "numpy" in os.environ.get("WEFT_ORACLE_WORKER", ""):
        return work(args)
    command = [oracle_env.oracle_python(), os.path.abspath(__file__), args.weft]
    return subprocess.run(command, env={**os.environ, "WEFT_ORACLE_WORKER": "numpy"}).returncode


if __name__ == "__main__":
    sys.exit(main())
