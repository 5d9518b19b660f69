#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft validate` finds every damage of a collected set that the set itself can show.

usage: damage_check.py WEFT [--paths PATH ...] [--include DIR] [--records N] [--changes N] [--seed S]

Each field of N records (0: all) is changed in several ways, one at a time, with the hashes of texts made right,
and single tokens of their texts; then lines, shards and the files beside them. A change in a field of UNSEEN cannot be
found, for the reason that stands there; it must not be found, so that no row outlives its truth.
tests/collect/project is collected unless paths are given.
"""

import argparse
import collections
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "generate"))

import planted  # noqa: E402
from data_set import SHARD, TEXTS, DataSet, digest, dumped, put_hashes, validate  # noqa: E402

CHECKS = "schema,hash,source,text,execution"
# FIELD: (why, ways) of changes that nothing else in the record, or in the set, contradicts.
UNSEEN = {
    "metadata.sha256.cpp_backward": ("without a backward text, it is missing with --no-backward too", ("missing",)),
    "metadata.sha256.cuda_ir_backward": ("the same", ("missing",)),
    "python_source": ("comments, and statements of the module that leave the text as it is", ("letter",)),
    "manifest.inputs": ("the files that were read are not in the set", ("letter", "longer", "cut", "emptied", "missing")),
    "manifest.files": ("sets without skipped.jsonl have none", ("left out", "repeated", "emptied", "missing")),
}
# Later versions may write more beside the data.
OPEN = ("manifest", "stats")


def is_unseen(field, what):
    return what in UNSEEN.get(field, ("", ()))[1] or (what == "a key more" and field.startswith(OPEN))


def leaves(value, path=()):
    """(path, value) of each member below, lists and objects included."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key), member
        yield from leaves(member, (*path, key))


def field_of(path):
    """metadata.arguments.name: the name of the field in src/record/record_field.def."""
    return ".".join(key for key in path if isinstance(key, str))


def member(record, path):
    for key in path:
        if isinstance(record, dict) and key not in record or isinstance(record, list) and key >= len(record):
            return None
        record = record[key]
    return record


def of_texts(value, choice):
    at = choice.randrange(len(value)) if value else 0
    letter = "b" if value[at:at + 1] == "a" else "a"
    yield "letter", value[:at] + letter + value[at + 1:]
    yield "longer", value + "a"
    if value:
        yield "emptied", ""
        yield "cut", value[:-1]


def of_numbers(value, _):
    yield "more", value + 1 if isinstance(value, int) else value * 1.5 + 1e-3
    yield "null", None
    if value:
        yield "zero", 0 * value
        yield "less", value - 1 if isinstance(value, int) else value / 2


def of_lists(value, choice):
    if value:
        at = choice.randrange(len(value))
        yield "left out", value[:at] + value[at + 1:]
        yield "repeated", value[:at] + value[at:at + 1] + value[at:]
        yield "emptied", []
    if len(value) > 1:
        yield "reversed", value[::-1]


def values_for(value, other, choice):
    """(what was done, value): the value changed in every way of its type, or another record's."""
    if isinstance(value, str):
        yield from of_texts(value, choice)
    elif isinstance(value, (int, float)):
        yield from of_numbers(value, choice)
    elif isinstance(value, list):
        yield from of_lists(value, choice)
    elif value is None:
        yield "number", 0.0
    if other is not None:
        yield "another record's", other


def put(record, path, value):
    *above, last = path
    member(record, above)[last] = copy.deepcopy(value)


def changed_fields(record, other, choice):
    """(field, what was done, the damaged record) for every field of a record."""
    for path, value in leaves(record):
        for what, new in values_for(value, member(other, path), choice):
            if new == value and type(new) is type(value):
                continue
            damaged = copy.deepcopy(record)
            put(damaged, path, new)
            if path[:2] != ("metadata", "sha256"):
                put_hashes(damaged)
            yield field_of(path), what, damaged
        if isinstance(path[-1], str):
            damaged = copy.deepcopy(record)
            del member(damaged, path[:-1])[path[-1]]
            yield field_of(path), "missing", damaged
    for path, value in [((), record), *leaves(record)]:
        if isinstance(value, dict):
            damaged = copy.deepcopy(record)
            member(damaged, path)["more"] = 1
            yield field_of(path), "a key more", damaged


def changed_tokens(record, choice):
    """The same for a token of each kind in each text, and in the source."""
    for key in TEXTS:
        for kind in planted.KINDS:
            change = planted.planted(record.get(key, ""), kind, choice)
            if change:
                damaged = copy.deepcopy(record)
                damaged[key] = change[3]
                put_hashes(damaged)
                yield key, kind, damaged


def field_damages(records, numbers, choice):
    for number in numbers:
        record = records[number]
        other = choice.choice([r for r in records if r is not record])
        for source in (changed_fields(record, other, choice), changed_tokens(record, choice)):
            for field, what, damaged in source:
                yield number, field, what, damaged


# --- the set ---------------------------------------------------------------------------------

SET_ROWS = []


def of_set(function):
    """A damage of the whole set: function(s, choice) changes a DataSet, whose manifest and statistics then follow."""
    SET_ROWS.append((function.__name__.replace("_", " "), function))
    return function


@of_set
def texts_of_two_records_exchanged(s, choice):
    one, other = choice.sample(s.records, 2)
    for key in TEXTS:
        one[key], other[key] = other[key], one[key]
    put_hashes(one)
    put_hashes(other)
    s.lines = [dumped(r) for r in s.records]


@of_set
def record_twice(s, choice):
    s.lines.append(choice.choice(s.lines))


@of_set
def record_left_out(s, choice):
    del s.lines[choice.randrange(len(s.lines))]


def put_provenance_hash(record):
    metadata = record["metadata"]
    values = "".join(f"{value}\n" for value in metadata["provenance"].values())
    metadata["sha256"]["provenance"] = digest(values)


@of_set
def record_of_another_version(s, choice):
    record = choice.choice(s.records)
    record["metadata"]["provenance"]["version"] += "1"
    put_provenance_hash(record)
    s.lines = [dumped(r) for r in s.records]


@of_set
def record_under_another_licence(s, choice):
    record = choice.choice(s.records)
    record["metadata"]["provenance"]["license"] = "MIT"
    put_provenance_hash(record)
    s.lines = [dumped(r) for r in s.records]


@of_set
def proof_withdrawn(s, choice):
    record = choice.choice([r for r in s.records if r["metadata"]["verification"]["inputs"]])
    record["metadata"]["verification"].update(
        {"status": "not_run", "class": "", "inputs": 0, "forward_error": None, "adjoint_error": None,
         "tolerance": None, "mutants": 0, "killed": 0, "why": "--no-verify"})
    s.lines = [dumped(r) for r in s.records]


@of_set
def device_of_the_command(s, _):
    s.manifest["command"] = s.stats["command"] = s.manifest["command"].replace("--device both", "--device cpu")


@of_set
def no_backward_in_the_command(s, _):
    s.manifest["command"] += " --no-backward"
    s.stats["command"] = s.manifest["command"]


def set_damages(where, choice):
    for name, damage in SET_ROWS:
        s = DataSet(where)
        damage(s, choice)
        s.bring_up_to_date()
        yield name, s
    for name in ("manifest", "stats"):
        s = DataSet(where)
        for field, what, damaged in changed_fields(getattr(s, name), {}, choice):
            damaged_set = DataSet(where)
            setattr(damaged_set, name, damaged)
            yield f"{name}.{field}: {what}", damaged_set


def cut(data, choice):
    return data[:choice.randrange(len(data))]


def flipped(data, choice):
    at = choice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << choice.randrange(8)]) + data[at + 1:]


def row_changed(mark, old, new):
    def change(data, _):
        at = data.index(mark)
        assert old in data[at:], old
        return data[:at] + data[at:].replace(old, new, 1)

    return change


FILES = {
    SHARD: (cut, flipped),
    "skipped.jsonl": (cut, flipped),
    "README.md": (row_changed(b"\n## Sources\n", b" Apache-2.0 ", b" MIT "), row_changed(b"\n## Splits\n", b"| train | 1", b"| train | 2"),
                  row_changed(b"\n## Sources\n", b"---:|\n", b"---:|\n| ours |  | MIT | 1 |\n"),
                  row_changed(b"\n## Sources\n", b"\n## Sources\n", b"\n## Authors\n")),
}


def file_damages(where, choice, times):
    """(what was done, path, bytes; None: no file)"""
    for name, changes in FILES.items():
        with open(os.path.join(where, name), "rb") as stream:
            data = stream.read()
        yield f"{name} missing", name, None
        for change in changes:
            for _ in range(times if change in (cut, flipped) else 1):
                new = change(data, choice)
                yield f"{name} {change.__name__}", name, new


# --- all -------------------------------------------------------------------------------------


def run(weft, *args):
    done = subprocess.run([weft, *args], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.returncode}\n{done.stdout}{done.stderr}")


def bad_of(done):
    if done.returncode not in (0, 1):
        sys.exit(f"{done.args}: status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
    return json.loads(done.stdout)["bad"]


def judge_fields(weft, include, folder, records, numbers, choice):
    """(changes, those that were not found and should have been, rows of UNSEEN that were met)"""
    path, told = os.path.join(folder, "bad.jsonl"), []
    with open(path, "wb") as stream:
        for number, field, what, damaged in field_damages(records, numbers, choice):
            stream.write(dumped(damaged) + b"\n")
            told.append((records[number]["id"], field, what))
    found = {bad["line"] for bad in bad_of(validate(weft, "--json", "--checks", CHECKS, *include, path))}
    missed, met = collections.Counter(), set()
    for line, (name, field, what) in enumerate(told, 1):
        if line in found:
            continue
        if is_unseen(field, what):
            met.add(field)
        else:
            missed[f"{field}: {what}, {name}"] += 1
    return len(told), missed, met


def judge_sets(weft, include, folder, where, choice, times):
    """(changes, those that were not found and should have been, rows of UNSEEN that were met)"""
    made, missed, met, changes = os.path.join(folder, "made"), collections.Counter(), set(), 0
    shutil.copytree(where, made)
    rows = list(set_damages(where, choice))
    for name, s in rows:
        s.write(made)
        changes += 1
        if not bad_of(validate(weft, "--json", "--checks", "schema,hash,duplicates", *include, made)):
            field, _, what = name.partition(": ")
            if is_unseen(field, what):
                met.add(field)
            else:
                missed[name] += 1
    shutil.rmtree(made)
    for name, path, data in file_damages(where, choice, times):
        shutil.copytree(where, made)
        changes += 1
        if data is None:
            os.unlink(os.path.join(made, path))
        else:
            with open(os.path.join(made, path), "wb") as stream:
                stream.write(data)
        if not bad_of(validate(weft, "--json", "--checks", "schema,hash", *include, made)):
            missed[name] += 1
        shutil.rmtree(made)
    return changes, missed, met


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--paths", nargs="+", default=[os.path.join(HERE, "project")])
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--records", type=int, default=0)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    weft, include = os.path.abspath(args.weft), [f"-I{name}" for name in args.include]
    choice = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        where = os.path.join(folder, "set")
        run(weft, "collect", "-q", "--device", "both", *include, "--output", where, *args.paths)
        for path in (where, os.path.join(where, SHARD)):  # the records alone, too
            if (clean := bad_of(validate(weft, "--json", *include, path))):
                sys.exit(f"the clean set is called bad: {clean[:3]}")
        records = DataSet(where).records
        numbers = sorted(choice.sample(range(len(records)), min(args.records or len(records), len(records))))
        fields, missed, met = judge_fields(weft, include, folder, records, numbers, choice)
        sets, missed_sets, met_sets = judge_sets(weft, include, folder, where, choice, args.times)
    missed += missed_sets
    stale = set() if args.records else set(UNSEEN) - met - met_sets - {"python_source"}  # a letter may hit anything
    for name, n in sorted(missed.items()):
        print(f"not found: {name} ({n})")
    for field in sorted(stale):
        print(f"UNSEEN says that a change of {field} is not found, but it is")
    print(f"{len(records)} records, {len(numbers)} changed: {fields} changes of fields and texts, {sets} of the set; "
          f"{sum(missed.values())} not found that should be; seed {args.seed}")
    sys.exit(bool(missed or stale))


if __name__ == "__main__":
    main()
