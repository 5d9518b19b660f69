#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft.pairs and weft.sources with the real engines give the rows of `weft generate --shard I/N`.

usage: sources_check.py WEFT LIBRARY [NAME...]

Each of datasets, datatrove, Ray Data and Spark reads a run of two parts with two workers; every row is
compared with the line that the program writes. Spark is skipped, and counted, where there is no Java.
The examples in docs/streams.md run as well, each with its engine, and print what stands there.
NAME...: only these of arrow, refusals, datasets, datatrove, ray, spark.
"""

import collections
import concurrent.futures
import contextlib
import io
import json
import logging
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import data_env

sys.argv[1:3] = map(os.path.abspath, sys.argv[1:3])  # workers read this file in other folders
data_env.enter(data_env.STREAMS, "datatrove, Ray, Spark and datasets")
data_env.use_package(sys.argv[2])
os.environ.update(
    HF_HUB_OFFLINE="1",
    HF_DATASETS_OFFLINE="1",
    RAY_USAGE_STATS_ENABLED="0",
    RAY_DATA_DISABLE_PROGRESS_BARS="1",
    RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0",
    PYSPARK_PYTHON=sys.executable,
    SPARK_LOCAL_IP="127.0.0.1",
)

import weft  # noqa: E402 (only in the environment)
from weft._columns import lines_of  # noqa: E402

WEFT = sys.argv[1]
COUNT, SEED, BATCH = 120, 11, 25
failures, skipped = [], []


def expect(name, found, wanted):
    good = found == wanted
    print(f"{'ok  ' if good else 'FAIL'} {name}", flush=True)
    if not good:
        failures.append(name)
        print(f"    found  {str(found)[:300]}\n    wanted {str(wanted)[:300]}")


def program_lines(shard, of, *words, count=COUNT):
    """The lines of a part, as the program writes them."""
    part = ["--shard", f"{shard}/{of}", "--count", str(count), "--seed", str(SEED)]
    done = subprocess.run([WEFT, "generate", "--quiet", "--output", "-", *part, *words], stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines(True)


def program_rows(of=2):
    """{id: record} of all parts."""
    rows = [json.loads(line) for shard in range(1, of + 1) for line in program_lines(shard, of)]
    return {row["id"]: row for row in rows}


def compare(name, found):
    """Row by row, whatever their order; none twice."""
    wanted = program_rows()
    expect(f"{name}: every row once", collections.Counter(row["id"] for row in found), collections.Counter(list(wanted)))
    different = [row["id"] for row in found if row != wanted.get(row["id"])]
    expect(f"{name}: the rows of the program", different, [])


# --- weft.pairs -------------------------------------------------------------------------------

FORMS = {
    "pairs": ([], {}),
    "both devices": (["--device", "both"], {"device": "both"}),
    "forward": (["--no-backward", "--no-verify"], {"backward": False, "verify": False}),
    "conversations": (["--style", "messages"], {"style": "messages"}),
    "repair": (["--task", "repair"], {"task": "repair"}),
    "purpose": (["--kind", "purpose"], {"kind": "purpose"}),
}


BLOCK = re.compile(r"^<!-- needs: (\w+) -->\n```python\n(.*?)^```$\n```text\n(.*?)^```$", re.M | re.S)


def check_examples(engine):
    """Those of docs/streams.md that need this engine."""
    with open(os.path.join(data_env.REPO, "docs", "streams.md"), encoding="utf-8") as stream:
        examples = [(code, wanted) for needs, code, wanted in BLOCK.findall(stream.read()) if needs == engine]
    expect(f"{engine}: examples in docs/streams.md", len(examples), 1)
    for code, wanted in examples:
        out, here = io.StringIO(), os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
            os.chdir(folder)
            try:
                exec(compile(code, f"<{engine} in docs/streams.md>", "exec"), {"__name__": "example"})
            finally:
                os.chdir(here)
        expect(f"{engine}: the example in docs/streams.md", out.getvalue(), wanted)


def check_arrow():
    """Batches turned back into lines are the program's bytes."""
    for name, (words, options) in FORMS.items():
        for shard in (1, 2):
            reader = weft.pairs(COUNT, SEED, shard=shard, of=2, batch=BATCH, **options)
            batches = list(reader)
            expect(f"pairs: {name}, part {shard}: bytes", b"".join(map(lines_of, batches)), b"".join(program_lines(shard, 2, *words)))
            expect(f"pairs: {name}, part {shard}: schema", [batch.schema for batch in batches], [reader.schema] * len(batches))
    expect("pairs: batches", [batch.num_rows for batch in weft.pairs(60, batch=25)], [25, 25, 10])
    empty = weft.pairs(2, SEED, shard=1, of=3)
    expect("pairs: a part without rows", (empty.read_all().num_rows, empty.schema), (0, weft.pairs(2).schema))
    half = weft.pairs(COUNT, SEED, batch=10)
    next(iter(half))
    half.close()
    check_examples("arrow")


def refusal(call, *args, **options):
    try:
        call(*args, **options)
    except (ImportError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def check_refusals():
    """Wrong options are found where they are given, and a package that is missing is named."""
    expect("pairs: no such option", refusal(weft.pairs, 10, colour=1).split(" ")[0], "TypeError:")
    expect("pairs: part 3 of 2", refusal(weft.pairs, 10, shard=3, of=2), "ValueError: part is (i, n) with i from 1 to n, not (3, 2)")
    expect("pairs: no batch", refusal(weft.pairs, 10, batch=0).split(" ")[:2], ["ValueError:", "batch"])
    expect("a wrong option of a source", "categor" in refusal(weft.sources.iterable_dataset, 10, categories="x"), True)
    needs = {
        "iterable_dataset": ("datasets", "datasets", 10),
        "datatrove_reader": ("datatrove", "datatrove", 10),
        "ray_datasource": ("ray.data", "'ray[data]'", 10),
        "spark_data_source": ("pyspark.sql.datasource", "'pyspark>=4'"),
        "pairs": ("pyarrow", "pyarrow", 10),
    }
    for name, (package, install, *args) in needs.items():
        kept = sys.modules.get(package)
        sys.modules[package] = None  # as if it were not installed
        call = getattr(weft if name == "pairs" else weft.sources, name)
        expect(f"{name} without {package}", refusal(call, *args), f"ImportError: {name} needs {package}: pip install {install}")
        sys.modules.pop(package)
        if kept:
            sys.modules[package] = kept


# --- engines ----------------------------------------------------------------------------------


def node_rows(rank):
    """What one of two nodes gets, in a process of its own."""
    from datasets.distributed import split_dataset_by_node

    whole = weft.sources.iterable_dataset(COUNT, seed=SEED, shards=2, batch=BATCH)
    return os.getpid(), [dict(row) for row in split_dataset_by_node(whole, rank=rank, world_size=2)]


def check_datasets():
    import datasets

    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        parts = list(pool.map(node_rows, (0, 1)))
    expect("datasets: two processes", len({process for process, _ in parts}), 2)
    expect("datasets: rows of each", [len(rows) for _, rows in parts], [COUNT // 2] * 2)
    compare("datasets", [row for _, rows in parts for row in rows])
    whole = weft.sources.iterable_dataset(COUNT, seed=SEED, shards=2)
    expect("datasets: features", whole.features, datasets.Features.from_arrow_schema(weft.pairs(1).schema))
    expect("datasets: rows in order", [row["id"] for row in whole], list(program_rows()))
    check_examples("datasets")


def check_datatrove(folder):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter

    reader = weft.sources.datatrove_reader(COUNT, seed=SEED, batch=BATCH)
    writer = JsonlWriter(os.path.join(folder, "out"), compression=None)
    LocalPipelineExecutor([reader, writer], tasks=2, workers=2, logging_dir=os.path.join(folder, "logs")).run()
    files = sorted(os.listdir(os.path.join(folder, "out")))
    expect("datatrove: a file of each task", files, ["00000.jsonl", "00001.jsonl"])
    rows = []
    for file in files:
        with open(os.path.join(folder, "out", file), encoding="utf-8") as stream:
            rows += [json.loads(line) for line in stream]
    # datatrove puts the columns beside those of `metadata`; `difficulty` is in both.
    model = next(iter(program_rows().values()))
    top = {*model} - {"id", "python_source", "metadata"}
    found = [
        {
            "id": row["id"],
            "python_source": row["text"],
            **{name: row["metadata"][name] for name in top},
            "metadata": {name: value for name, value in row["metadata"].items() if name in model["metadata"]},
        }
        for row in rows
    ]
    compare("datatrove", found)
    for limit, skip in ((5, 0), (5, 7)):
        reader = weft.sources.datatrove_reader(COUNT, seed=SEED, limit=limit, skip=skip)
        wanted = list(program_rows(of=1))[skip : skip + limit]
        expect(f"datatrove: limit {limit}, skip {skip}", [document.id for document in reader.run(None, 0, 1)], wanted)
    check_examples("datatrove")


def check_ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, object_store_memory=100 << 20)
    try:
        found = ray.data.read_datasource(weft.sources.ray_datasource(COUNT, seed=SEED, shards=2, batch=BATCH))
        expect("ray: schema", found.schema().base_schema, weft.pairs(1).schema)
        compare("ray", found.take_all())
        check_examples("ray")
    finally:
        ray.shutdown()


def check_spark(folder):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.warehouse.dir", folder)
        .config("spark.driver.memory", "1g")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    try:
        spark.dataSource.register(weft.sources.spark_data_source())
        source = spark.read.format("weft").options(count=COUNT, seed=SEED, shards=2, batch=BATCH, jobs=1)
        frame = source.load()
        expect("spark: partitions", frame.rdd.getNumPartitions(), 2)
        compare("spark", [row.asDict(recursive=True) for row in frame.collect()])
        check_examples("spark")
    finally:
        spark.stop()


def main():
    names = sys.argv[3:] or ["arrow", "refusals", "datasets", "datatrove", "ray", "spark"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HF_HOME"] = folder
        for name in names:
            begun = time.time()
            if name == "spark" and not shutil.which("java") and "JAVA_HOME" not in os.environ:
                skipped.append(name)
                continue
            check = globals()[f"check_{name}"]
            check(folder) if name in ("datatrove", "spark") else check()
            print(f"     {name}: {time.time() - begun:.1f} s", flush=True)
    print(f"{len(failures)} failures; skipped for want of Java: {', '.join(skipped) or 'nothing'}")
    if skipped and os.environ.get("CI"):
        print("CI is set: a skipped test is a failure there")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
