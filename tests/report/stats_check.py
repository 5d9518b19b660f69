#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft stats` against the same figures computed in Python, on a clean set and on damaged ones.

usage: stats_check.py WEFT
"""

import collections
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile

WEFT = sys.argv[1]
FACTS = {
    "category": lambda m: m["category"],
    "difficulty": lambda m: str(m["difficulty"]),
    "device": lambda m: m["device"],
    "launch": lambda m: m["launch"],
    "source_lines": lambda m: str(m["counts"]["source_lines"]),
    "loop_depth": lambda m: str(m["counts"]["loop_depth"]),
    "arguments": lambda m: str(len(m["arguments"])),
    "status": lambda m: m["verification"]["status"],
}
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def stats(*args):
    done = subprocess.run([WEFT, "stats", *args], capture_output=True, timeout=60, check=False)
    check(done.returncode in (0, 1, 2, 3), f"{args}: status {done.returncode}")
    return done


def stats_json(*args):
    done = stats("--json", *args)
    return done.returncode, json.loads(done.stdout)


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)


def equals(hexes):
    """As weft counts them: different ones, those that came before, the most frequent one's count."""
    count = collections.Counter(hexes)
    return {
        "different": len(count),
        "repeated": sum(count.values()) - len(count),
        "largest": max(count.values(), default=0),
    }


def check_facts(found, records):
    metadata = [r["metadata"] for r in records]
    for key, of in FACTS.items():
        have = [m for m in metadata if key != "difficulty" or "difficulty" in m]
        is_found = found[key]
        if key == "category":
            is_found = {name: row["records"] for name, row in is_found.items()}
        check(is_found == collections.Counter(map(of, have)), f"{key}: {is_found}")
    builtins = collections.Counter(b for m in metadata for b in m["builtins"])
    check(found["builtins"] == builtins, "builtins")
    check(list(found["builtins"].values()) == sorted(builtins.values(), reverse=True), "order of builtins")
    types = collections.Counter(t for m in metadata for t in {a["type"] for a in m["arguments"]})
    check(found["argument_types"] == types, "argument_types")
    for key, plural in (("structure", "structures"), ("family", "families")):
        want = equals(m[key] for m in metadata if key in m)
        want["missing"] = sum(key not in m for m in metadata)
        check(found[plural] == want, f"{plural}: {found[plural]}, not {want}")


def check_clean(folder):
    data = b"".join(read(os.path.join(folder, "data", n)) for n in sorted(os.listdir(os.path.join(folder, "data"))))
    lines = data.splitlines(keepends=True)
    status, found = stats_json(folder)
    sizes = sorted(map(len, lines))
    check(status == 0 and found["damaged"] == [], "a clean set is clean")
    check(found["records"] == len(lines) and found["bytes"] == len(data), "records and bytes")
    want = {"min": sizes[0], "median": statistics.median_low(sizes), "mean": round(sum(sizes) / len(sizes)), "max": sizes[-1]}
    check(found["sizes"] == want, f"sizes {found['sizes']}, not {want}")
    check(sum(f["rows"] for f in found["files"]) == len(lines), "rows by file")
    check_facts(found, [json.loads(line) for line in lines])
    table = stats(folder).stdout.decode()
    check(f"{len(lines)} records" in table and "loop" in table, "the table")
    return lines


def check_packed(folder, lines):
    """The same figures from a packed shard, from files on their own and from standard input."""
    status, plain = stats_json(folder)
    path = os.path.join(folder, "..", "packed", "data", "train-00000-of-00001.jsonl.gz")
    write(path, gzip.compress(b"".join(lines)))
    for where in (path, os.path.dirname(os.path.dirname(path))):
        status, found = stats_json(where)
        check(status == 0, f"{where}: status {status}")
        for key in set(plain) - {"files"}:
            check(found[key] == plain[key], f"{where}: {key}")


def check_damage(folder, lines):
    """Damaged lines are told with their places, and the rest is counted."""
    path = os.path.join(folder, "..", "damaged", "x.jsonl")
    bad = {3: b'{"id": "1\n', 5: b"[1, 2]\n", 7: b"\n", 8: b'{"id": NaN}\n', 9: b"\xff\xfe\n", 11: b'{"a": 1} x\n',
           15: b"{}\n", 17: b'{"a": 1, "b": {"id": 1}}\n'}
    odd = {
        13: b'{"metadata": 7, "id": null}\n',
        14: b'{"metadata": {"category": 3, "counts": [], "builtins": {"a": 1}, "arguments": [1, {"type": 2}], "new": 1}}\n',
        16: b'{"metadata": {"difficulty": -1, "structure": "xyz", "verification": {"inputs": 1e300}}}\n',
    }
    damaged = [bad.get(i, odd.get(i, line)) for i, line in enumerate(lines[:40], 1)]
    write(path, b"".join(damaged))
    status, found = stats_json(path)
    places = [(p["file"], p["line"]) for p in found["damaged"]]
    check(status == 1, f"damage ends with 1, not {status}")
    check(places == [(path, i) for i in sorted(bad)], f"places of damage: {found['damaged']}")
    check(found["records"] == 40 - len(bad), "the rest is counted")
    missing = found["missing"]
    check(missing["category"] == len(odd) and missing["builtins"] == len(odd), f"missing: {missing}")
    check(missing["arguments"] == len(odd) - 1 and found["structures"]["missing"] >= len(odd), f"missing: {missing}")
    check(found["unknown"].get("new") == 1, f"unknown: {found['unknown']}")
    text = stats(path)
    check(text.returncode == 1 and f"{path}:3: error: ".encode() in text.stderr, "damage in text form")
    check(f"{path}:17: error: no record: it has none of".encode() in text.stderr, "an object of another kind")
    check(text.stdout.startswith(b"32 records"), "the table comes nevertheless")


def check_repeats(folder):
    """Of one kind of problem, a file's first five lines are shown, then the number of the others."""
    place = os.path.join(folder, "..", "repeats")
    paths = [os.path.join(place, name) for name in ("a.jsonl", "b.jsonl")]
    write(paths[0], b"".join(b'"%d"\n' % i if i == 9 else b"no record %d\n" % i for i in range(30)))
    write(paths[1], b"no record\n" * 5)
    for command, status in (("stats", 1), ("validate", 1), ("report", 1)):
        extra = ["-o", os.path.join(place, "page")] if command == "report" else []
        done = subprocess.run([WEFT, command, place, *extra], capture_output=True, text=True, check=False)
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.startswith(place)]
        more = [line for line in lines if "more lines like this: " in line]
        check(done.returncode == status, f"{command} of lines that are no records ends with {done.returncode}")
        check(len(more) == 1 and more[0].startswith(f"{paths[0]}: 24 more lines"), f"{command}: {more}")
        check(len(lines) == 5 + 1 + 1 + 5, f"{command}: {len(lines)} lines")
    done = subprocess.run([WEFT, "validate", "--json", place], capture_output=True, check=False)
    check(len(json.loads(done.stdout)["bad"]) == 35, "validate --json gives every problem")
    check(len(stats_json(place)[1]["damaged"]) == 35, "stats --json gives every problem")
    for i in range(30):
        write(os.path.join(place, "many", f"{i}.jsonl"), b"no record\n")
    done = subprocess.run([WEFT, "stats", os.path.join(place, "many")], capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "not JSON" in line]
    check(len(lines) == 20 + 1, f"30 files of one bad line each: {len(lines)} lines")
    check(lines[-1].startswith("10 more problems like this in other files: "), f"the last: {lines[-1]}")


def check_odd_paths(folder):
    os.makedirs(os.path.join(folder, "..", "empty"), exist_ok=True)
    check(stats(os.path.join(folder, "..", "empty")).returncode == 1, "a folder without records")
    write(os.path.join(folder, "..", "empty.jsonl"), b"")
    check(stats(os.path.join(folder, "..", "empty.jsonl")).returncode == 1, "an empty file")
    check(stats(os.path.join(folder, "..", "nothing")).returncode == 3, "a path that is not there")
    check(stats().returncode == 2, "no path")
    deep = os.path.join(folder, "..", "deep.jsonl")
    write(deep, b'{"a": ' + b"[" * 100000 + b"\n" + b'{"id": "' + b"x" * (17 << 20) + b'"}\n' + b'{"id": "1"}')
    done = stats(deep)
    check(done.returncode == 1 and b":2: error: the line is too long" in done.stderr, "hostile lines")
    with open(deep, "wb") as stream:
        stream.writelines(b'{"metadata": {"category": "c%d", "k%d": 1}}\n' % (i, i) for i in range(70000))
    status, found = stats_json(deep)
    check(status == 0 and found["records"] == 70000 and len(found["category"]) == 1 << 16, "many categories")


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "set")
        subprocess.run(
            [WEFT, "generate", "--kind", "exercise", "--quiet", "--count", "300", "--seed", "3", "--shard-rows", "100", "--output", folder],
            check=True,
        )
        lines = check_clean(folder)
        check_packed(folder, lines)
        check_damage(folder, lines)
        check_repeats(folder)
        check_odd_paths(folder)
        write(os.path.join(folder, "manifest.json"), b"{")
        status, found = stats_json(folder)
        check(status == 1 and found["records"] == 300, "a damaged manifest")
    for what in failures:
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
