# SPDX-License-Identifier: Apache-2.0
"""Ways to damage a data set, each with what `weft validate` must say of it.

A row is (name, ids that must be named, checks one of which must name them, function of the set).
The function changes the lines or records of a DataSet; unless it returns False, manifest and
statistics are made to agree with the change, so that only what is wrong in itself can be found.
"""

import json
import re

from data_set import dumped

VICTIM, OTHER = 5, 9  # numbers of records: seed 0, so their ids are these
ID, OTHER_ID = "0-000000005", "0-000000009"
ROWS = []


def damages(*checks, ids=(ID,), name=None):
    def add(function):
        ROWS.append((name or function.__name__.replace("_", " "), ids, checks, function))
        return function

    return add


def line(name, change, check="schema"):
    """A change of the victim's bytes."""

    def apply(s):
        before = s.lines[VICTIM]
        s.lines[VICTIM] = change(before)
        assert s.lines[VICTIM] != before, name

    damages(check, name=name)(apply)


def record(name, change, *checks, hashes=True):
    """A change of the victim's values; `change` gets the record, its metadata and another record."""

    def apply(s):
        before = s.lines[VICTIM]
        r = s.records[VICTIM]
        change(r, r["metadata"], s.records[OTHER])
        s.put(VICTIM, hashes)
        assert s.lines[VICTIM] != before, name

    damages(*checks, name=name)(apply)


def setting(name, target, key, value, *checks):
    """metadata.TARGET.KEY, metadata.KEY or KEY gets a value."""

    def change(r, m, _):
        (r if target is None else m if target == "" else m[target])[key] = value

    record(name, change, *checks, hashes=False)


def removing(name, target, key):
    def change(r, m, _):
        del (r if target is None else m if target == "" else m[target])[key]

    record(name, change, "schema", hashes=False)


def replaced(key, old, new, count=1):
    def change(r, *_):
        assert old in r[key], (key, old)
        r[key] = r[key].replace(old, new, count)

    return change


def exchanged(text, words):
    """The text with the first word that it has of some replaced by the next one's."""
    for old, new in zip(words, words[1:] + words[:1]):
        if old in text:
            return text.replace(old, new, 1)
    raise AssertionError(words)


def operator(key, form):
    words = [form.format(name) for name in ("sub", "add", "mul", "div", "neg", "min", "max", "dot")]

    def change(r, *_):
        r[key] = exchanged(r[key], words)

    return change


def flip(at, bit):
    return lambda data: data[:at] + bytes([data[at] ^ bit]) + data[at + 1:]


def decimal_of_digest(data):
    """Where a digit of a digest stands that is one still with another last bit; f would become g."""
    return re.compile(rb"\d").search(data, data.index(b'"sha256": {') + 40).start()


# --- bytes of a line -------------------------------------------------------------------------

line("bit flip in a text", lambda b: flip(b.index(b"blockIdx"), 1)(b), "hash")
line("bit flip that makes a byte no UTF-8", lambda b: flip(b.index(b"blockIdx"), 128)(b))
line("bit flip in a digest", lambda b: flip(decimal_of_digest(b), 1)(b), "hash")
line("truncated line", lambda b: b[: len(b) // 2])
line("truncated before the last brace", lambda b: b[:-1])
line("CRLF", lambda b: b + b"\r")
line("NUL byte", lambda b: b.replace(b"blockIdx", b"block\0dx", 1))
line("NUL escape", lambda b: b.replace(b"blockIdx", b"block\\u0000dx", 1))
line("overlong UTF-8", lambda b: b.replace(b"blockIdx", b"block\xc0\xafIdx", 1))
line("UTF-8 of a surrogate", lambda b: b.replace(b"blockIdx", b"block\xed\xa0\x80Idx", 1))
line("lone surrogate escape", lambda b: b.replace(b"blockIdx", b"block\\ud800Idx", 1))
line("raw tab in a string", lambda b: b.replace(b"blockIdx", b"block\tIdx", 1))
line("unknown escape", lambda b: b.replace(b"blockIdx", b"block\\xIdx", 1))
line("text after the record", lambda b: b + b" 0")
line("two records on a line", lambda b: b + b)
line("trailing comma", lambda b: b[:-1] + b",}")
line("NaN token", lambda b: b.replace(b'"forward_error": ', b'"forward_error": NaN, "x": ', 1))
line("Infinity token", lambda b: b.replace(b'"mutants": ', b'"mutants": Infinity, "x": ', 1))
line("number beyond a double", lambda b: b.replace(b'"index": 5', b'"index": 5e999', 1))
line("leading zeros", lambda b: b.replace(b'"index": 5', b'"index": 05', 1))
line("number without digits", lambda b: b.replace(b'"index": 5', b'"index": 5.', 1))
line("key twice", lambda b: b.replace(b'"metadata"', b'"id": "0-000000005", "metadata"', 1))
line("key twice in metadata", lambda b: b.replace(b'"index": 5', b'"index": 5, "index": 5', 1))
line("extra key", lambda b: b.replace(b'"metadata"', b'"more": 1, "metadata"', 1))
line("deep nesting", lambda b: b[:-1] + b', "x": ' + b"[" * 5000 + b"]" * 5000 + b"}")
line("huge number of digits", lambda b: b.replace(b'"index": 5', b'"index": 5' + b"0" * 400, 1))


@damages("schema", ids=(), name="a list for a record")
def _list(s):
    s.lines[VICTIM] = b"[" + s.lines[VICTIM] + b"]"


@damages("schema", ids=(), name="single quotes")
def _quotes(s):
    s.lines[VICTIM] = s.lines[VICTIM].replace(b'"', b"'")


@damages("schema", ids=(), name="id as a number")
def _number(s):
    s.records[VICTIM]["id"] = 5
    s.put(VICTIM)


@damages("schema", ids=("0-5",), name="id of another form")
def _short_id(s):
    s.records[VICTIM]["id"] = "0-5"
    s.put(VICTIM)


@damages("schema", ids=(), name="empty line")
def _empty_line(s):
    s.lines.insert(VICTIM, b"")


@damages("schema", ids=(), name="line of 17 MiB")
def _long(s):
    s.lines[VICTIM] = b'{"x": "' + b"a" * (17 << 20) + b'"}'


@damages("schema", ids=("0-000000000",), name="byte order mark")
def _mark(s):
    s.lines[0] = b"\xef\xbb\xbf" + s.lines[0]


@damages("schema", ids=("0-000000023",), name="no newline at the end")
def _cut(s):
    s.end = b""


@damages("schema", ids=("0-000000023",), name="file cut in its last line")
def _cut_line(s):
    s.lines[-1] = s.lines[-1][:-300]
    s.end = b""


# --- keys and types --------------------------------------------------------------------------

removing("missing source", None, "python_source")
removing("missing backward text", None, "cpp_backward")
removing("missing metadata", None, "metadata")
removing("missing seed", "", "seed")
removing("missing digest", "sha256", "cuda_ir_backward")
removing("missing count", "counts", "branches")
removing("missing verification", "", "verification")
setting("source as a list", None, "python_source", ["a"], "schema")
setting("text null", None, "cuda_ir_forward", None, "schema")
setting("seed as a string", "", "seed", "0", "schema")
setting("negative index", "", "index", -5, "schema")
setting("half an index", "", "index", 5.5, "schema")
setting("boolean count", "counts", "branches", True, "schema")
setting("arguments as an object", "", "arguments", {}, "schema")
setting("unknown schema", "", "schema", "weft-pair-9", "schema")
setting("unknown version of weft", "", "weft_version", "99.0.0", "schema")
setting("unknown version of Warp", "", "warp_version", "1.16.0", "schema")
setting("another release of Warp", "", "warp_version", "1.18.0", "schema", "text")
setting("unknown category", "", "category", "arithmetics", "schema")
setting("alias for a category", "", "category", "nested", "schema")
setting("unknown device", "", "device", "gpu", "schema")
setting("another artifact", "", "artifact", ".cpp", "schema")
setting("device without its texts", "", "device", "cuda", "schema")
setting("wrong seed", "", "seed", 1, "schema")
setting("wrong index", "", "index", 6, "schema")
setting("wrong category", "", "category", "loop", "schema", "source")
setting("wrong launch", "", "launch", "n,m,p", "source")
setting("wrong target", "", "target", "builtins/sin:float16", "source")
setting("nonsense launch", "", "launch", "x", "schema")
setting("kernel name with a slash", "", "kernel_name", "../../x", "schema")
setting("wrong kernel name", "", "kernel_name", "another_kernel", "source")
setting("digest in capitals", "sha256", "python_source", "A" * 64, "schema")
setting("digest too short", "sha256", "python_source", "ab", "schema")
setting("wrong digest", "sha256", "cuda_ir_forward", "0" * 64, "hash")
setting("wrong number of lines", "counts", "source_lines", 3, "schema")
setting("wrong number of variables", "counts", "variables", 99, "source")
setting("wrong number of statements", "counts", "statements", 99, "source")
setting("wrong number of branches", "counts", "branches", 99, "source")
setting("wrong loop depth", "counts", "loop_depth", 9, "source")
setting("a block for tiles that are not there", "", "block_dim", 256, "source")
setting("another attempt", "", "attempt", 63, "source")
setting("attempt below zero", "", "attempt", -1, "schema")
setting("another structure", "", "structure", "0" * 32, "source")
setting("another family", "", "family", "0" * 32, "source")
setting("a structure that is no fingerprint", "", "structure", "A" * 32, "schema")
setting("unknown builtin", "", "builtins", ["sinus"], "schema")
setting("builtins left out", "", "builtins", [], "source")
setting("unknown status of verification", "verification", "status", "perfect", "schema")
setting("no mutants in the evidence", "verification", "mutants", 0, "schema")
setting("more inputs than any proof has", "verification", "inputs", 4000000, "schema")
setting("wide tolerance in the evidence", "verification", "tolerance", 1e300, "schema")
setting("adjoint error below zero", "verification", "adjoint_error", -1e300, "schema")
setting("verification of another type", "verification", "inputs", "3", "schema")
record("argument left out", lambda r, m, o: m["arguments"].pop(), "source")
record("argument renamed in metadata", lambda r, m, o: m["arguments"][0].update(name="other"), "source")
record("argument of another type", lambda r, m, o: m["arguments"][0].update(type="uint8"), "source")
record("argument of another shape", lambda r, m, o: m["arguments"][0].update(shape="n,n,7"), "source")
record("argument of another magnitude", lambda r, m, o: m["arguments"][0].update(magnitude=19), "source")
record("arguments exchanged", lambda r, m, o: m["arguments"].reverse(), "source")
record("argument with more keys", lambda r, m, o: m["arguments"][0].update(unit="m"), "schema")

# --- texts, with their hashes made right -----------------------------------------------------


def exchange(r, first, second):
    r[first], r[second] = r[second], r[first]


def drop_line(key, mark):
    def change(r, *_):
        lines = r[key].split("\n")
        at = next(i for i, text in enumerate(lines) if mark in text and "//" not in text)
        del lines[at]
        r[key] = "\n".join(lines)

    return change


record("forward and backward exchanged", lambda r, m, o: exchange(r, "cuda_ir_forward", "cuda_ir_backward"), "text")
record("devices exchanged", lambda r, m, o: exchange(r, "cuda_ir_forward", "cpp_forward"), "text")
record("text of another device", lambda r, m, o: r.update(cuda_ir_backward=r["cpp_backward"]), "text")
record("another kernel's backward", lambda r, m, o: r.update(cuda_ir_backward=o["cuda_ir_backward"]), "text")
record("another kernel's forward", lambda r, m, o: r.update(cpp_forward=o["cpp_forward"]), "text")
record("another kernel's source", lambda r, m, o: r.update(python_source=o["python_source"]), "schema", "source")
record("changed operator in CUDA", operator("cuda_ir_forward", "wp::{}("), "text")
record("changed operator in C++", operator("cpp_forward", "wp::{}("), "text")
record("changed operator in an adjoint", operator("cuda_ir_backward", "wp::adj_{}("), "text")
record("dropped line in CUDA", drop_line("cuda_ir_forward", "array_store"), "text")
record("a parameter more in CUDA", replaced("cuda_ir_forward", "> dim,", "> dim,\n    int more,"), "text")
record("kernel of another name in CUDA", replaced("cuda_ir_backward", "_cuda_kernel_backward(", "_kernel_backward("), "text")
record("dropped line in an adjoint", drop_line("cpp_backward", "adj_array_store"), "text")
record("space added in a text", lambda r, m, o: r.update(cpp_forward=r["cpp_forward"] + " "), "text")
record("comment changed in a text", replaced("cuda_ir_forward", "// primal vars", "// Primal vars"), "text")
record("emptied forward text", lambda r, m, o: r.update(cuda_ir_forward=""), "schema")
record("emptied backward text", lambda r, m, o: r.update(cuda_ir_backward=""), "schema")
record("text repeated", lambda r, m, o: r.update(cpp_backward=r["cpp_backward"] * 2), "text")
record("text of nonsense", lambda r, m, o: r.update(cpp_backward="nonsense"), "text")


def change_source(change, lines=0):
    def apply(r, m, _):
        r["python_source"] = change(r["python_source"])
        m["counts"]["source_lines"] = r["python_source"].count("\n")

    return apply


def rename_argument(r, m, _):
    argument = m["arguments"][0]
    for key in ("python_source", "cuda_ir_forward", "cuda_ir_backward", "cpp_forward", "cpp_backward"):
        r[key] = r[key].replace(argument["name"], "renamed_" + argument["name"])
    argument["name"] = "renamed_" + argument["name"]


record("operator changed in the source", change_source(lambda s: exchanged(s, [" - ", " + ", " * ", " / "])), "source", "text")
record("argument renamed everywhere", rename_argument, "source")
record("comment added to the source", change_source(lambda s: s + "# the end\n"), "source")
record("source that does not parse", change_source(lambda s: s + "def (:\n"), "source")
record("source that does not compile", change_source(lambda s: s + "    missing(1)\n"), "source")
record("source without a kernel", change_source(lambda s: s.replace("@wp.kernel", "", 1)), "source")
record("source of two kernels", change_source(lambda s: s + s.replace("def ", "def second_")), "source")
record("empty source", change_source(lambda s: ""), "source")
record("source of a megabyte", change_source(lambda s: s + "#" * (1 << 20) + "\n"), "source")
record("source that nests deeply", change_source(lambda s: s + "x = " + "(" * 500 + "\n"), "source")

# --- across records --------------------------------------------------------------------------


@damages("duplicates", ids=(OTHER_ID,), name="record twice")
def _twice(s):
    s.lines.insert(VICTIM + 1, s.lines[OTHER])


@damages("duplicates", "schema", ids=(OTHER_ID,), name="another's id")
def _other_id(s):
    s.records[VICTIM]["id"] = OTHER_ID
    s.records[VICTIM]["metadata"]["index"] = OTHER
    s.put(VICTIM)


def copy_other(s, change):
    copy = json.loads(dumped(s.records[OTHER]))
    mine = s.records[VICTIM]["metadata"]
    copy["id"] = ID
    copy["metadata"].update(index=VICTIM, category=mine["category"])
    change(copy)
    s.records[VICTIM] = copy
    s.put(VICTIM)


@damages("duplicates", ids=(OTHER_ID,), name="another's source and texts")
def _copy(s):
    copy_other(s, lambda r: None)


@damages("duplicates", ids=(OTHER_ID,), name="another's source with a comment more")
def _copy_comment(s):
    def change(r):
        r["python_source"] = "# own work\n" + r["python_source"]
        r["metadata"]["counts"]["source_lines"] += 1

    copy_other(s, change)


@damages("schema", name="record left out")
def _left_out(s):
    del s.lines[VICTIM]


@damages("schema", ids=(ID, "0-000000023"), name="record left out, manifest adapted")
def _left_out_adapted(s):
    del s.lines[VICTIM]
    s.manifest["rows"] = s.manifest["shards"][0]["rows"] = len(s.lines)


@damages("schema", ids=("0-000000023",), name="last record left out")
def _last_left_out(s):
    del s.lines[-1]


@damages("schema", ids=("0-000000006",), name="records out of order")
def _reordered(s):
    s.lines[VICTIM], s.lines[VICTIM + 1] = s.lines[VICTIM + 1], s.lines[VICTIM]


@damages("source", name="another seed in everything")
def _seed(s):
    for number, r in enumerate(s.records):
        r["id"] = "7" + r["id"][1:]
        r["metadata"]["seed"] = 7
        s.put(number)
    s.manifest["seed"] = 7
    s.manifest["command"] = s.stats["command"] = s.manifest["command"].replace("--seed 0", "--seed 7")


ROWS[-1] = (ROWS[-1][0], tuple(f"7-{i:09}" for i in range(24)), *ROWS[-1][2:])


@damages("schema", name="no backward texts in one record")
def _no_backward(s):
    r = s.records[VICTIM]
    for key in ("cuda_ir_backward", "cpp_backward"):
        r[key] = ""
        del r["metadata"]["sha256"][key]
    s.put(VICTIM)


@damages("schema", name="one device in one record")
def _one_device(s):
    r = s.records[VICTIM]
    r["metadata"].update(device="cuda", artifact=".cu")
    for key in ("cpp_forward", "cpp_backward"):
        del r[key], r["metadata"]["sha256"][key]
    s.put(VICTIM)


@damages("balance", ids=(), name="categories out of balance")
def _balance(s):
    for number in (0, 12):
        s.records[number]["metadata"]["category"] = "loop"
        s.put(number)


# --- manifest and statistics -----------------------------------------------------------------


def companion(name, change, check="schema"):
    def apply(s):
        change(s.manifest, s.stats)
        return False

    damages(check, ids=(), name=name)(apply)


companion("digest of a shard", lambda m, s: m["shards"][0].update(sha256="0" * 64), "hash")
companion("bytes of a shard", lambda m, s: m["shards"][0].update(bytes=7), "hash")
companion("rows of a shard", lambda m, s: m["shards"][0].update(rows=23))
companion("rows of all", lambda m, s: m.update(rows=25))
companion("rows of both", lambda m, s: (m.update(rows=25), m["shards"][0].update(rows=25)))
companion("first index", lambda m, s: m.update(first_index=1))
companion("seed of the manifest", lambda m, s: m.update(seed=3))
companion("command of another seed", lambda m, s: m.update(command=m["command"].replace("--seed 0", "--seed 1")))
companion("command of other categories", lambda m, s: m.update(command=m["command"].replace("math,", "", 1)))
companion("command without a device", lambda m, s: m.update(command=m["command"].replace("--device both", "")))
companion("manifest of another schema", lambda m, s: m.update(schema="x"))
companion("manifest of another version", lambda m, s: m.update(weft_version="9"))
companion("manifest without shards", lambda m, s: m.pop("shards"))
companion("manifest with no shard", lambda m, s: (m.update(shards=[]), m.update(rows=0)))
companion("shard outside of the folder", lambda m, s: m["shards"][0].update(file="../../etc/passwd"))
companion("shard that is not there", lambda m, s: m["shards"][0].update(file="data/train.jsonl"))
companion("records of the statistics", lambda m, s: s.update(records=5))
companion("bytes of the statistics", lambda m, s: s.update(bytes=5))
companion("category of the statistics", lambda m, s: s["categories"]["loop"].update(records=5))
companion("category left out of the statistics", lambda m, s: s["categories"].pop("loop"))
companion("command of the statistics", lambda m, s: s.update(command="weft generate"))
