#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The data set's card: YAML that a real parser reads, front matter that the Hub's own library accepts,
features that fit the records, and every field explained.

usage: card_check.py WEFT LIBRARY
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

import data_env

data_env.enter()
import datasets  # noqa: E402 (only in the environment)
import huggingface_hub  # noqa: E402
import pyarrow.parquet  # noqa: E402
import yaml  # noqa: E402
import zstandard  # noqa: E402

WEFT = os.path.abspath(sys.argv[1])
data_env.use_package(sys.argv[2])
SETS = {
    "pairs": [],
    "both devices, forward only": ["--device", "both", "--no-backward", "--license", "mit"],
    "not verified": ["--no-verify", "--no-dedup", "--compress", "zstd"],
    "files": ["--format", "files", "--device", "cpu"],
    "programs": ["--format", "standalone"],
    "conversations": ["--style", "messages"],
    "scripts": ["--kind", "purpose", "--style", "script"],
    "parquet": ["--format", "parquet"],
    "both kinds": ["--mix", "purpose=1,exercise=1"],
    "repair": ["--task", "repair"],
    "repair as conversations": ["--task", "repair", "--style", "messages"],
}
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def records(folder):
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name in ("manifest.json", "stats.json", "README.md") or name.endswith((".cu", ".py", "Makefile")):
                continue
            path = os.path.join(where, name)
            if path.endswith(".parquet"):
                yield from pyarrow.parquet.read_table(path).to_pylist()
                continue
            if path.endswith(".zst"):
                with open(path, "rb") as stream:
                    lines = zstandard.ZstdDecompressor().stream_reader(stream).read().splitlines()
            else:
                with open(path, "rb") as stream:
                    lines = stream.read().splitlines()
            yield from map(json.loads, lines)


def paths(value, above=""):
    """Every field of a record: "metadata.counts.branches", with those of a list's objects."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from paths(item, above)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield above + key
            yield from paths(item, above + key + ".")


def check_card(name, folder):
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as stream:
        text = stream.read()
    head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.S).groups()
    front = yaml.safe_load(head)
    card = huggingface_hub.DatasetCard(text)
    check(card.data.license == ("mit" if "mit" in SETS[name] else "apache-2.0"), f"{name}: the licence")
    check(front["configs"][0]["config_name"] == "default", f"{name}: configs")
    check(front["size_categories"] == ["n<1K"], f"{name}: size_categories")
    explained = set(re.findall(r"^\| `([a-z0-9_.]+)` \| (?:text|whole|number|list|object|true)", body, re.M))
    found = {path for record in records(folder) for path in paths(record)}
    check(explained == found, f"{name}: fields not explained {found - explained}, not there {explained - found}")
    for words in ("## Fields", "## Figures", "## Verification", "## Duplicates", "## Reproduce", "## Known limits"):
        check(words in body, f"{name}: no {words!r}")
    check(re.search(r"^## Reproduce\n\n```\nweft generate .* --output DIR\n```$", body, re.M), f"{name}: the command")
    return front["dataset_info"]["features"]


def check_figures(name, folder):
    """The card's figures are those of the records."""
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as stream:
        body = stream.read()
    found = dict(re.findall(r"^\| ([a-z0-9_ ,`%]+) \| ([0-9.]+) \|$", body, re.M))
    about = [record["metadata"] for record in records(folder)]
    proofs = [one["verification"] for one in about]
    lines = sorted(one["counts"]["source_lines"] for one in about)
    wanted = {"records": len(about), "lines of the source, median": lines[(len(lines) - 1) // 2]}
    wanted.update({level: 0 for level in "12345"}, **Counter(str(one["difficulty"]) for one in about))
    kinds = Counter("purpose" if one.get("origin") == "composed" else "exercise" for one in about)
    if "programs" != name:
        wanted.update({f"records of kind `{kind}`": count for kind, count in kinds.items()})
    for category, count in Counter(one["category"] for one in about).items():
        check(f"| {category} | {count} | " in body, f"{name}: the card's category {category}")
    if "not verified" not in name:
        tried, killed = (sum(proof[key] for proof in proofs) for key in ("mutants", "killed"))
        wanted["mutants that were tried"], wanted["mutants that were killed"] = tried, killed
        wanted["mutants that were killed, %"] = f"{1000 * killed // tried / 10:.1f}"
    if "verified" not in name and "forward" not in name:
        exact = sum(proof["status"] == "exact" for proof in proofs)
        wanted["records with status `exact`, %"] = f"{1000 * exact // len(proofs) / 10:.1f}"
    for what, value in wanted.items():
        check(found.get(what) == str(value), f"{name}: {what}: the card has {found.get(what)}, the records {value}")
    for what in ("mutants that were tried", "records with status `exact`, %"):
        check((what in found) == (what in wanted), f"{name}: {what}")


def check_features(name, folder, wanted):
    """They are taken from the card, and fit."""
    with tempfile.TemporaryDirectory() as cache:
        loaded = datasets.load_dataset(folder, split="train", cache_dir=cache)
        stated = datasets.Features._from_yaml_list(wanted)
        check(loaded.features == stated, f"{name}: features {loaded.features}")
        plain = sorted((r["id"], json.dumps(r, sort_keys=True)) for r in records(folder))
        read = sorted((r["id"], json.dumps(r, sort_keys=True)) for r in loaded)
        check(read == plain, f"{name}: rows are not what they were")


def main():
    os.environ["HF_HUB_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory() as place:
        for i, (name, words) in enumerate(SETS.items()):
            folder = os.path.join(place, str(i))
            subprocess.run(
                [WEFT, "generate", "--quiet", "--count", "24", "--seed", "4", "--output", folder, *words], check=True
            )
            check_features(name, folder, check_card(name, folder))
            check_figures(name, folder)
    for what in failures:
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
