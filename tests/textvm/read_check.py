#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The text machine reads what weft writes: all texts of N generated pairs, and those of the kernels
in tests/kernels but those of UNREAD, which it has to refuse for the reason given there.

usage: read_check.py WEFT READ_TEXTS [N]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import tokenize

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
import oracle_env  # noqa: E402

KERNELS = os.path.join(ROOT, "tests", "kernels")
PAIR = ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")
KERNEL = ("cpu", "cuda")

# (file, kernel) -> why its texts cannot be executed.
UNREAD = {
    ("local_arrays.py", "copied"): "cannot execute adjoints of whole local arrays",
    ("local_arrays.py", "address_of_local"): "cannot execute a pointer made of a number in the native code of value_at_0",
    ("releases.py", "gradient_of_a_field"): "unexpected '('",
    ("releases.py", "tiles"): "cannot execute an array's address",
    ("struct_constants.py", "k"): "'S_0dbe8504' is no type",
    ("structs.py", "sum_with_handles"): "cannot execute operators of structs in tiles",
}
UNREAD |= {key: "cannot execute functions with tiles as parameters" for key in (
    ("tile_functions.py", "in_function"), ("tile_snippets.py", "tiles_in_snippets"),
)}
UNREAD |= {("deterministic.py", key): "cannot execute det_ctx" for key in (
    "counted_in_functions", "effects_in_functions", "gradients", "local_arrays", "replayed", "through_functions",
)}
UNREAD |= {
    ("deterministic.py", key): "'_wp_det_phase' stands where the argument value of 'det_phase' is expected" for key in (
        "bounds", "counted", "counted_in_rows", "dimensions", "fields", "forward_only", "integers_beside_a_counter",
        "names", "slices", "sums", "tiles",
    )
}
UNREAD |= {("native_types.py", key): "cannot execute functions with tiles as parameters" for key in (
    "arrays", "structs", "values", "writes",
)}
UNREAD[("native_types.py", "unused")] = "expected 'static', not 'static_assert'"
problems = []


def expect(right, sentence):
    if not right:
        problems.append(sentence)
    return right


def records_of(weft, where, *words):
    """The records that a command of weft prints; it has to succeed without a word on stderr."""
    done = subprocess.run([weft, *words], capture_output=True, text=True, timeout=300)
    # What these warn of is read like all else.
    said = [line for line in done.stderr.splitlines() if not line.startswith("    ") and not re.search(r"\[((replaced|unseen)-kernel|nested-function|array-size)\]", line)]
    expect(done.returncode == 0 and not said, f"{where}: status {done.returncode}: {done.stderr[:300]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(program, where, records, fields):
    """Gives the texts of records to the text machine: {kernel: reason} of those it refuses, and the number of texts."""
    for record in records:
        lacking = [field for field in fields if not record.get(field)]
        expect(not lacking, f"{where}: {record.get('kernel') or record.get('id')} has no {', '.join(lacking)}")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as out:
        out.writelines(json.dumps(record) + "\n" for record in records)
        out.flush()
        done = subprocess.run([program, out.name], stdout=subprocess.PIPE, text=True, check=True)
    *found, last = done.stdout.splitlines() or [""]
    texts = len(records) * len(fields)
    expect(last == f"texts {texts} read {texts - len(found)}", f"{where}: {texts} texts, told {last!r}")
    refused = {}
    for line in found:
        name, reason = re.fullmatch(r"(\S+) \w+: (?:missing|unreadable) line \d+: (.*)", line).groups()
        refused[name] = reason
    return refused, texts


def read_kernels(weft, program):
    """Reads the texts of tests/kernels; returns their number."""
    refused, total = {}, 0
    for name in sorted(name for name in os.listdir(KERNELS) if name.endswith(".py")):
        path = os.path.join(KERNELS, name)
        with tokenize.open(path) as stream:
            source = stream.read()
        if "wp.kernel" not in source:  # others import it
            continue
        records = records_of(weft, name, "compile", path, "--emit", "json", *oracle_env.options_of(path))
        heads = len(re.findall(r"^@wp\.kernel", source, re.MULTILINE))
        expect(len(records) >= heads, f"{name}: {len(records)} kernels, {heads} in the source")
        found, texts = read(program, name, records, KERNEL)
        refused.update({(name, kernel): reason for kernel, reason in found.items()})
        total += texts
    for key in sorted({*refused, *UNREAD}):
        found, known = refused.get(key, "read"), UNREAD.get(key, "read")
        expect(found == known, f"{' '.join(key)}: {found}, expected: {known}")
    return total


def main():
    weft, program = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 480
    words = ["--count", str(count), "--seed", "11", "--device", "both", "--no-verify", "-q", "--output", "-"]
    pairs = records_of(weft, "generate", "generate", "--kind", "exercise", *words)
    expect(len(pairs) == count, f"{len(pairs)} pairs, not {count}")
    refused, texts = read(program, "generate", pairs, PAIR)
    problems.extend(f"{name}: {reason}" for name, reason in refused.items())
    total = texts + read_kernels(weft, program)
    print(*problems[:60], sep="\n")
    print(f"{total} texts, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
