#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzers: small records, their texts, .npy files, and native snippets.

usage: make_seeds.py WEFT FOLDER

FOLDER/validate, FOLDER/text, FOLDER/cuda, FOLDER/npy and FOLDER/native are made anew. What fuzzing found lies in corpus_*.
"""

import json
import os
import struct
import subprocess
import sys

# Kinds of records beside the pairs of each device.
KINDS = {
    "cuda": ["--device", "cuda"],
    "cpu": ["--device", "cpu"],
    "messages": ["--style", "messages", "--device", "both"],
    "repair": ["--task", "repair"],
    "repair_messages": ["--task", "repair", "--style", "messages"],
}
DESCRS = ("<f4", ">f4", "<f8", "<f2", "<i4", ">i8", "|u1", "|b1", "<u2")


def smallest_records(weft):
    """One record of each kind and category, the smallest of many."""
    found = {}
    for kind, options in KINDS.items():
        command = [weft, "generate", "--kind", "exercise", "--count", "600", *options, "--output", "-", "--quiet", "--no-verify"]
        for line in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines():
            key = kind, json.loads(line)["metadata"]["category"]
            if len(line) < len(found.get(key, line + b" ")):
                found[key] = line
    counts = [sum(key[0] == kind for key in found) for kind in KINDS]
    if min(counts) < 8:  # of twelve categories
        sys.exit(f"too few categories of each kind: {dict(zip(KINDS, counts))}")
    return found


def npy(descr, shape, order=False, version=1, items=None):
    count = 1
    for size in shape:
        count *= size
    head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple(shape)}, }}".encode()
    start = 10 if version == 1 else 12
    head += b" " * (63 - (start + len(head)) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(head))
    items = bytes(i % 251 for i in range(count * int(descr[2:]))) if items is None else items
    return b"\x93NUMPY" + bytes([version, 0]) + length + head + items


def npy_files():
    for number, descr in enumerate(DESCRS):
        yield npy(descr, [[3], [2, 3], [], [0], [4, 1, 2]][number % 5], number % 2 == 1, 1 + number % 3)
    yield npy("<f4", [1 << 40], items=b"")
    yield npy("<f4", [1 << 62, 4, 4], items=b"")
    yield npy("<f4", [2], items=b"")
    yield npy("<c8", [1])
    yield b"\x93NUMPY"


def snippets():
    """Those of the tests, without the lines that say what they give."""
    path = os.path.join(os.path.dirname(__file__), "..", "native", "snippets.txt")
    with open(path, encoding="utf-8") as stream:
        parts = stream.read().split("\n//=")[1:]
    return [part.split("\n", 1)[1] for part in parts]


def native_texts(weft):
    """Emitted texts with native code in them."""
    source = os.path.join(os.path.dirname(__file__), "..", "kernels", "native_code.py")
    command = [weft, "compile", source, "--emit", "json", "--device", "both"]
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines():
        record = json.loads(line)
        for device in ("cpu", "cuda"):
            yield f"{record['kernel']}_{device}", record[device]


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as stream:
        stream.write(data)


def main():
    weft, folder = sys.argv[1:3]
    for (kind, category), line in sorted(smallest_records(weft).items()):
        write(os.path.join(folder, "validate"), f"{kind}_{category}.json", line)
        record = json.loads(line)
        for key in ("cuda_ir_forward", "cuda_ir_backward", "cpp_forward", "cpp_backward"):
            if key in record:
                write(os.path.join(folder, "text"), f"{category}_{key}.txt", record[key].encode())
                if key.startswith("cuda_ir"):
                    write(os.path.join(folder, "cuda"), f"{category}_{key}.cu", record[key].encode())
    for name, text in native_texts(weft):
        write(os.path.join(folder, "text"), f"native_{name}.txt", text.encode())
    for number, data in enumerate(npy_files()):
        write(os.path.join(folder, "npy"), f"{number:02}.npy", data)
    for number, text in enumerate(snippets()):
        write(os.path.join(folder, "native"), f"{number:03}.txt", text.encode())


if __name__ == "__main__":
    main()
