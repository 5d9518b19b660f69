#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people load data sets with reads ours: datasets (in memory and streaming), pandas, pyarrow.

usage: loaders_check.py WEFT LIBRARY

Folders of several shards, plain, gzip and zstd, and one that weft split made: each reader finds the
same number of rows and the same texts (one SHA-256 over all of them), and one schema in all shards.
The same through Parquet, and by to_dataset of a copy of the Python package.
"""

import glob
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import data_env

data_env.enter()
ROWS, SHARD_ROWS = 90, 40
TEXTS = ("id", "python_source", "cuda_ir_forward", "cuda_ir_backward")
WEFT, LIBRARY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
failures = []


def expect(name, found, wanted):
    good = found == wanted
    print(f"{'ok  ' if good else 'FAIL'} {name}", flush=True)
    if not good:
        failures.append(name)
        print(f"    found  {str(found)[:300]}\n    wanted {str(wanted)[:300]}")


def summary(rows):
    """(how many rows, SHA-256 of all their texts and hashes)"""
    digest, count = hashlib.sha256(), 0
    for row in rows:
        count += 1
        for key in TEXTS:
            digest.update(row[key].encode() + b"\0")
        digest.update(row["metadata"]["sha256"]["python_source"].encode())
    return count, digest.hexdigest()


def weft(*words):
    subprocess.run([WEFT, *words, "--quiet"], check=True)


def install(folder):
    """The package with the library that is built (packages.wheel installs it as users do)."""
    package = os.path.join(folder, "weft")
    shutil.copytree(os.path.join(data_env.REPO, "bindings", "python", "weft"), package)
    shutil.copy(LIBRARY, os.path.join(package, "libweft.so"))
    sys.path.insert(0, folder)


def shards_of(folder, split="train"):
    return sorted(glob.glob(os.path.join(folder, "data", f"{split}-*")))


def rows_of(paths):
    """The records by Python's json alone (of files that it can open)."""
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def check_datasets(name, folder, wanted):
    """wanted: {split: summary}"""
    import datasets

    loaded = datasets.load_dataset(folder, cache_dir=os.path.join(folder, ".cache"))
    expect(f"{name}: load_dataset", {split: summary(loaded[split]) for split in loaded}, wanted)
    streamed = datasets.load_dataset(folder, streaming=True)
    expect(f"{name}: load_dataset, streaming", {split: summary(streamed[split]) for split in streamed}, wanted)
    return loaded


def check_frames(name, paths, wanted):
    """pandas and pyarrow on each shard: rows, texts, and one schema for all."""
    import pandas
    import pyarrow
    import pyarrow.json

    frames = [pandas.read_json(path, lines=True) for path in paths]
    rows = (row for frame in frames for row in frame.to_dict("records"))
    expect(f"{name}: pandas", summary(rows), wanted)
    tables = []
    for path in paths:
        packed = {".gz": "gzip", ".zst": "zstd"}.get(os.path.splitext(path)[1])
        with pyarrow.input_stream(path, compression=packed) as stream:
            tables.append(pyarrow.json.read_json(stream))
    expect(f"{name}: pyarrow", summary(row for table in tables for row in table.to_pylist()), wanted)
    expect(f"{name}: one schema", [table.schema == tables[0].schema for table in tables], [True] * len(tables))


def check_parquet(name, source, wanted, folder, **options):
    """Written twice: the same bytes, the same rows; datasets reads it as well."""
    import datasets
    import pyarrow.parquet
    import weft as package

    path, again = os.path.join(folder, "a.parquet"), os.path.join(folder, "b.parquet")
    rows, groups = package.to_parquet(source, path, row_group_size=32, **options)
    package.to_parquet(source, again, row_group_size=32, **options)
    with open(path, "rb") as one, open(again, "rb") as two:
        expect(f"{name}: parquet is deterministic", one.read() == two.read(), True)
    expect(f"{name}: parquet's row groups", (rows, groups), (wanted[0], -(-wanted[0] // 32)))
    table = pyarrow.parquet.read_table(path)
    expect(f"{name}: parquet", summary(table.to_pylist()), wanted)
    metadata = table.schema.field("metadata").type
    types = {field: str(metadata.field(field).type) for field in ("seed", "builtins")}
    expect(f"{name}: parquet's types", types, {"seed": "int64", "builtins": "list<element: string>"})
    loaded = datasets.load_dataset("parquet", data_files=path, cache_dir=os.path.join(folder, "cache"))
    expect(f"{name}: load_dataset of parquet", summary(loaded["train"]), wanted)
    return table.schema


def check_iterators(records, plain, wanted, schema):
    """to_dataset: the same rows and types as by way of a file, of what is left of an iterator."""
    import datasets
    import weft as package

    features = datasets.Features.from_arrow_schema(schema)
    for name, made in (("generate", package.generate(ROWS, 3)), ("read_records", package.read_records(plain))):
        found = made.to_dataset()
        expect(f"{name}: to_dataset", (summary(found), found.features == features), (wanted, True))
    made = package.generate(ROWS, 3, raw=True)
    next(made)
    expect("to_dataset of the rest", summary(made.to_dataset()), summary(records[1:]))
    expect("to_dataset of nothing", len(made.to_dataset()), 0)
    loss = package.generate(4, verify=False, backward=False).to_dataset().features["metadata"]["verification"]
    expect("to_dataset: types without values", loss["adjoint_error"].dtype, "float64")


def check_sets(folder):
    import weft as package

    wanted = None
    for name, more in (("plain", []), ("gzip", ["--compress", "gzip"]), ("zstd", ["--compress", "zstd"])):
        made = os.path.join(folder, name)
        weft("generate", "--count", str(ROWS), "--seed", "3", "--shard-rows", str(SHARD_ROWS), "--output", made, *more)
        paths = shards_of(made)
        expect(f"{name}: shards", len(paths), -(-ROWS // SHARD_ROWS))
        wanted = wanted or summary(rows_of(paths))
        check_datasets(name, made, {"train": wanted})
        check_frames(name, paths, wanted)
        expect(f"{name}: the package's reader", summary(package.read_records(made)), wanted)
    plain = os.path.join(folder, "plain")
    schema = check_parquet("folder", plain, wanted, folder)
    records = list(package.generate(ROWS, 3))
    expect("generate", summary(records), wanted)
    check_iterators(records, plain, wanted, schema)
    for number, path in enumerate(shards_of(plain)):
        file = os.path.join(folder, f"{number}.parquet")
        package.to_parquet(path, file)
        import pyarrow.parquet

        expect(f"schema of shard {number}", pyarrow.parquet.read_schema(file) == schema, True)
    check_parquet("records", records, wanted, folder)
    return plain


def check_split(folder, plain):
    import weft as package

    made = os.path.join(folder, "split")
    weft("split", plain, "--ratios", "70,15,15", "--output", made)
    wanted = {split: summary(rows_of(shards_of(made, split))) for split in ("train", "validation", "test")}
    expect("split: rows", sum(rows for rows, _ in wanted.values()), ROWS)
    loaded = check_datasets("split", made, wanted)
    expect("split: one schema", len({str(loaded[split].features) for split in loaded}), 1)
    check_parquet("split", made, wanted["train"], folder, split="train")
    try:
        package.to_parquet(made, os.path.join(folder, "c.parquet"))
        expect("split: a split has to be chosen", "no error", "ValueError")
    except ValueError as error:
        expect("split: a split has to be chosen", "test, train, validation" in str(error), True)


def check_refusals(folder):
    import weft as package

    path = os.path.join(folder, "refused.parquet")
    for name, source in (("no records", []), ("other fields", [{"id": "1", "x": 1}, {"id": "2"}])):
        try:
            package.to_parquet(source, path)
            expect(f"parquet of {name}", "no error", "ValueError")
        except ValueError:
            expect(f"parquet of {name}", glob.glob(path + "*"), [])
    command = [sys.executable, "-m", "weft.parquet", os.path.join(folder, "plain"), os.path.join(folder, "d.parquet")]
    environment = {**os.environ, "PYTHONPATH": os.path.join(folder, "site")}
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    expect("python -m weft.parquet", (done.returncode, done.stderr.split(",")[0]), (0, f"{ROWS} rows in 1 row groups"))
    done = subprocess.run([*command[:3], "/no/such/folder", path], env=environment, stderr=subprocess.PIPE, check=False)
    expect("python -m weft.parquet without a folder", done.returncode, 3)


def check_numpy():
    """The bindings' tests of running kernels, which take NumPy's arrays where there is NumPy."""
    test = os.path.join(data_env.REPO, "tests", "python", "bindings_check.py")
    done = subprocess.run([sys.executable, "-B", test, WEFT, LIBRARY, "-v", "Run"], stderr=subprocess.PIPE, text=True, check=False)
    expect("kernels run on NumPy's arrays", (done.returncode, "test_numpy_arrays" in done.stderr, "skipped" in done.stderr), (0, True, False))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HF_HOME=folder, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_DATASETS_DISABLE_PROGRESS_BARS="1")
        install(os.path.join(folder, "site"))
        plain = check_sets(folder)
        check_split(folder, plain)
        check_refusals(folder)
        check_numpy()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
