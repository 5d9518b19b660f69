# SPDX-License-Identifier: Apache-2.0
"""A small data set in memory: its records, its manifest and its statistics, which can be changed and
written back so that all that depends on the change agrees with it, or not."""

import hashlib
import json
import os
import subprocess

TEXTS = ("python_source", "cuda_ir_forward", "cuda_ir_backward", "cpp_forward", "cpp_backward")
SHARD = "data/train-00000-of-00001.jsonl"


def digest(text):
    return hashlib.sha256(text.encode("utf-8") if isinstance(text, str) else text).hexdigest()


def dumped(record):
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")


def put_hashes(record):
    """Makes the hashes of the record's texts right."""
    sums = record.get("metadata", {}).get("sha256", {}) if isinstance(record.get("metadata"), dict) else {}
    for key in TEXTS:
        if isinstance(sums, dict) and key in sums and isinstance(record.get(key), str):
            sums[key] = digest(record[key])


class DataSet:
    """`lines` are bytes without their newlines; `records` what they held when the set was made."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, SHARD), "rb") as stream:
            self.lines = stream.read().splitlines()
        self.records = [json.loads(line) for line in self.lines]
        self.manifest = self.load("manifest.json")
        self.stats = self.load("stats.json")
        self.end = b"\n"

    def load(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as stream:
            return json.load(stream)

    def put(self, number, hashes=True):
        """Writes the record back into its line, with its texts' hashes made right."""
        record = self.records[number]
        if hashes:
            put_hashes(record)
        self.lines[number] = dumped(record)

    def bring_up_to_date(self):
        """Manifest and statistics for what the lines are now; the rows stay what they were."""
        data = b"\n".join(self.lines) + self.end
        shard = self.manifest["shards"][0]
        shard.update(bytes=len(data), sha256=digest(data))
        self.bring_split_up_to_date(len(data))
        by_category, sizes = {}, []
        for line in self.lines:
            try:
                name = json.loads(line)["metadata"]["category"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
            of = by_category.setdefault(name, [0, 0])
            of[0] += 1
            of[1] += len(line) + 1
            sizes.append(len(line) + 1)
        self.stats.update(records=len(sizes), bytes=sum(sizes), smallest_bytes=min(sizes), largest_bytes=max(sizes))
        self.stats["categories"] = {
            name: {"records": n, "bytes": size, "mean_bytes": size // n} for name, (n, size) in by_category.items()
        }

    def bring_split_up_to_date(self, size):
        """What was collected or deduplicated is one split, whose rows follow as well."""
        if "splits" in self.manifest:
            rows = self.manifest["rows"] = self.manifest["shards"][0]["rows"] = len(self.lines)
            for owner in (self.manifest, self.stats):
                owner["splits"] = {"train": {"rows": rows, "bytes": size}}

    def write(self, folder):
        os.makedirs(os.path.join(folder, "data"), exist_ok=True)
        for name, value in (("manifest.json", self.manifest), ("stats.json", self.stats)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                json.dump(value, stream)
        with open(os.path.join(folder, SHARD), "wb") as stream:
            stream.write(b"\n".join(self.lines) + self.end)


def validate(weft, *args, **more):
    return subprocess.run(
        [weft, "validate", *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False, **more
    )


def generate(weft, folder, *args):
    subprocess.run([weft, "generate", "--kind", "exercise", "--quiet", "--output", folder, *args], check=True)
