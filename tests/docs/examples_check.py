#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples in docs are what weft prints.

usage: examples_check.py WEFT [--accept] [--without c.md] [--one-in N [--seed S]]

- Blocks marked `console` in README.md and docs/*.md are commands and their output (document.py). Those of
  docs/c.md need weft as `cmake --install` puts it down, and pkg-config.
- A block below a comment `<!-- example: FILE.py KERNEL cpu|cuda -->` is a part of that kernel's text
  by `weft compile --emit json FILE.py` (FILE.py in docs): its lines stand there in this order, and
  next to each other but where the block has a line `...`.
- docs/cuda_differences.md says that bodies are the same on both devices: that is counted here on
  generated kernels.
- docs/samples/NAME.cu is what `weft compile --emit standalone --elements 40 docs/samples/NAME.py` prints;
  --accept writes it there.

Each marked example is also damaged, line by line; damage that is not noticed fails the test. --one-in takes a part of
the pages.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import document  # noqa: E402
import part  # noqa: E402

EXAMPLE = re.compile(r"^<!-- example: (\S+) (\S+) (cpu|cuda) -->\n```cpp\n(.*?)^```$", re.M | re.S)
# kernel -> options
SAMPLES = {"saxpy": ["--no-backward"], "momentum": ["--no-backward"], "smooth": []}
ELEMENTS = "40"  # so that each has a few KB
# Checklists, and pages whose examples another test runs (docs.diagnostics, python.docs, python.sources).
WITHOUT = ("how_to_add.md", "porting.md", "diagnostics.md", "python.md", "streams.md")
problems = []


def expect(right, sentence):
    if not right:
        problems.append(sentence)


def weft_text(weft, *words):
    """What a command prints."""
    done = subprocess.run([weft, *words], capture_output=True, text=True, cwd=REPO, timeout=300)
    expect(done.returncode == 0, f"weft {' '.join(words)}: exit status {done.returncode}: {done.stderr[:300]}")
    return done.stdout


def weft_json(weft, *words):
    """The JSON objects that a command prints, one a line."""
    return [json.loads(line) for line in weft_text(weft, *words).splitlines()]


def stands_in(example, text):
    """Whether the pieces of an example, parted by lines `...`, stand in the text in their order."""
    lines = [line.rstrip() for line in text.splitlines()]
    at = 0
    for piece in re.split(r"^ *\.\.\.$\n?", example, flags=re.M):
        wanted = [line.rstrip() for line in piece.splitlines()]
        if not wanted:
            continue
        places = range(at, len(lines) - len(wanted) + 1)
        found = next((i for i in places if lines[i : i + len(wanted)] == wanted), None)
        if found is None:
            return False
        at = found + len(wanted)
    return True


def check_damage(where, example, text):
    """A changed line of an example has to be noticed."""
    lines = example.splitlines()
    for i, line in enumerate(lines):
        if line.strip() not in ("", "..."):
            damaged = [*lines[:i], line.rstrip() + "_", *lines[i + 1 :]]
            expect(not stands_in("\n".join(damaged), text), f"{where}: a changed line is not noticed: {line}")


def check_examples(weft, path):
    """Compares the marked examples of a document; returns their number."""
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    examples = EXAMPLE.findall(text)
    expect(len(examples) == text.count("<!-- example:"), f"{name}: a comment 'example:' without its block")
    for program, kernel, device, example in examples:
        told = {k["kernel"]: k for k in weft_json(weft, "compile", "--emit", "json", f"docs/{program}")}
        where = f"{name}: {program} {kernel} {device}"
        if kernel not in told:
            problems.append(f"{where}: no such kernel")
        elif not stands_in(example, told[kernel][device]):
            problems.append(f"{where}: the example is not in weft's text:\n{example}")
        else:
            check_damage(where, example, told[kernel][device])
    return len(examples)


def body(text, way):
    """A kernel's lines from its variables on, without indentation and without its closing brace."""
    start = text.index("// primal vars", text.index(f"_kernel_{way}("))
    return [line.strip() for line in text[start:].splitlines() if line.strip()]


def check_bodies(weft, count):
    """Bodies of generated kernels are the same on both devices; some have no backward pass."""
    records = weft_json(weft, "generate", "--count", str(count), "--device", "both", "--jobs", "1", "-q", "-o", "-")
    expect(len(records) == count, f"{len(records)} records of {count}")
    pairs = [(record, way) for record in records for way in ("forward", "backward")
             if record[f"cpp_{way}"] or record[f"cuda_ir_{way}"]]
    expect(len(pairs) >= 1.8 * count, f"{len(pairs)} texts of {count} records")
    for record, way in pairs:
        same = body(record[f"cpp_{way}"], way) == body(record[f"cuda_ir_{way}"], way)
        expect(same, f"{record['id']}: the {way} bodies differ")
    return len(pairs)


def check_samples(weft, accept):
    """The programs in docs/samples, as weft makes them now."""
    folder = os.path.join(REPO, "docs", "samples")
    names = {os.path.splitext(name)[0] for name in os.listdir(folder)}
    expect(names == set(SAMPLES), f"docs/samples has {sorted(names)}, the test {sorted(SAMPLES)}")
    for name, options in SAMPLES.items():
        path = os.path.join(folder, f"{name}.cu")
        text = weft_text(weft, "compile", "--emit", "standalone", "--elements", ELEMENTS, *options, f"docs/samples/{name}.py")
        if accept:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        with open(path, encoding="utf-8") as stream:
            expect(stream.read() == text, f"samples/{name}.cu differs (--accept rewrites it)")


def pages_without():
    """The pages whose commands are not run here; docs/c.md takes pkg-config."""
    without = {*WITHOUT, *sys.argv[2:]}
    if not shutil.which("pkg-config"):
        print("SKIPPED: the commands of c.md, since there is no pkg-config")
        expect(not os.environ.get("CI"), "CI is set: a skipped test is a failure there")
        without.add("c.md")
    return without


def run_commands(weft, path):
    """(number of commands, problems) of a document; docs/c.md finds weft as users install it."""
    if os.path.basename(path) != "c.md":
        return document.run_document(weft, path)
    with tempfile.TemporaryDirectory() as prefix:
        return document.run_document(weft, path, document.installed(weft, prefix))


def check_readme():
    """README is one page: 150 lines of 100 columns at most. Its figure is that of oracle.corpus."""
    with open(os.path.join(REPO, "README.md"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    expect(len(lines) <= 150, f"README.md has {len(lines)} lines")
    for number, line in enumerate(lines, 1):
        expect(len(line) <= 100, f"README.md:{number} has {len(line)} columns")
    with open(os.path.join(REPO, "tests/oracle/floors.txt"), encoding="utf-8") as stream:
        equal = int(re.search(r"^corpus (\d+)$", stream.read(), re.M)[1])
    expect(f" {equal:,} are equal" in "\n".join(lines), f"README.md does not say that {equal:,} kernels of warp-lang are equal")


def main():
    chosen = part.take(sys.argv)
    weft = os.path.abspath(sys.argv[1])
    documents = [os.path.join(REPO, "README.md"), *sorted(glob.glob(os.path.join(REPO, "docs", "*.md")))]
    examples = commands = 0
    without = pages_without()
    for path in chosen.of(documents):
        name = os.path.basename(path)
        count, found = (0, []) if name in without else run_commands(weft, path)
        marked = check_examples(weft, path)
        expect(count or marked or name in without, f"{name} shows no command and no example that a test runs")
        commands += count
        examples += marked
        problems.extend(f"{name}: {problem}" for problem in found)
    expect(examples >= 8 or chosen.count > 1, f"{examples} marked examples: where are the others?")
    bodies = check_bodies(weft, 60)
    check_samples(weft, "--accept" in sys.argv[2:])
    check_readme()
    for problem in problems[:40]:
        print(problem)
    print(f"{len(documents)} documents, {commands} commands, {examples} marked examples, {bodies} bodies: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
