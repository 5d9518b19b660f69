#!/usr/bin/env python3
"""The text machine reads what weft writes: all texts of N generated pairs, and those of the kernels
in tests/kernels but those of UNREAD.

usage: read_check.py WEFT READ_TEXTS [N]
"""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Kernels whose texts cannot be executed: native snippets, indexed arrays, adjoints of copied fixed arrays.
UNREAD = {"funcs", "forward_only", "main", "fixed", "copied"}


def refused(program, lines):
    """The kernels with a text that cannot be read, with the reason, and the number of texts."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as out:
        out.write(lines)
        out.flush()
        done = subprocess.run([program, out.name], stdout=subprocess.PIPE, text=True, check=True)
    *found, last = done.stdout.splitlines()
    return {line.split()[0]: line for line in found}, int(last.split()[1])


def main():
    weft, program = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "480"
    command = [weft, "generate", "--count", count, "--seed", "11", "--device", "both"]
    pairs = subprocess.run(
        [*command, "--no-verify", "--output", "-"], capture_output=True, text=True, check=True
    )
    bad, texts = refused(program, pairs.stdout)
    folder = os.path.join(ROOT, "tests", "kernels")
    files = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
    kernels = "".join(
        subprocess.run(
            [weft, "compile", os.path.join(folder, name), "--emit", "json"],
            capture_output=True,
            text=True,
        ).stdout
        for name in files
    )
    worse, more = refused(program, kernels)
    bad.update({name: line for name, line in worse.items() if name not in UNREAD})
    print(*bad.values(), sep="\n")
    print(f"{texts + more} texts, {len(bad)} kernels refused that should be read")
    sys.exit(1 if bad or texts < 4 * int(count) else 0)


if __name__ == "__main__":
    main()
