#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the inputs of standalone programs tell a wrong kernel from a right one? Programs are made of the
kernels of warp-lang's examples and library. Single tokens of their CUDA kernels are changed, forward
and backward, and each changed program is executed: one that still prints PASS has inputs that prove
too little.

usage: changed_check.py WEFT [--kernels N] [--changes N] [--seed S] [--jobs J] [--compiler CXX]
                             [--only WORD] [--least SHARE] [--passing SHARE] [--json FILE] [--show N]

--kernels takes a seeded sample of the kernels; 0: all. --changes: so many changes of each program. The
status is 1 if a program does not build or prints FAIL unchanged, if fewer than --least of the changed
programs that say PASS fail then, or if fewer than --passing of the programs say PASS.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import oracle_env
from standalone_check import HEADERS, USING
from warp_corpus_check import emit, has_kernels, package_files

SECONDS = 20
SWAPS = {"+": "-", "-": "+", "*": "+", "/": "*", "<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "+=", "&": "|", "|": "&", "min": "max", "max": "min",
         "fminf": "fmaxf", "fmaxf": "fminf", "sinf": "cosf", "cosf": "sinf", "<<": ">>", ">>": "<<"}
TOKEN = re.compile(r"//[^\n]*|\w*\.?\d[\w.]*|[A-Za-z_]\w*|<<=|>>=|<<|>>|->|\+\+|--|[-+*/%&|^<>=!]=|&&|\|\||\S")
STORE = re.compile(r"\n +(?:\w[\w.\->]*\[[^\n]*\][\w.]* [-+*/]?= [^\n]*|atomic\w+\([^\n]*);")


def bodies(text):
    """(start, end, pass) of the body of each kernel, behind the line that ends threads beyond the launch."""
    for place in re.finditer(r"__global__[^{]*\{\n", text):
        end = text.index("\n}", place.end() - 1)
        guard = re.compile(r"[^\n]*\breturn;\n").search(text, place.end(), end)
        yield guard.end() if guard else place.end(), end, "backward" if "backward" in place.group() else "forward"


def other_number(word):
    whole = re.fullmatch(r"(\d+)(u?)", word)
    if whole:
        return str(int(whole.group(1)) + 1) + whole.group(2)
    return str(float(word[:-1]) * 1.5 + 1) + "f" if re.fullmatch(r"[\d.]+(e-?\d+)?f", word) else None


def changes_of(text, start, end):
    """(start, end, new text) of each change: operators, comparisons, numbers, stores left out."""
    before = ""
    for place in TOKEN.finditer(text, start, end):
        word = place.group()
        binary = re.fullmatch(r"[\w.]+|[)\]]", before) and before not in ("return", "const", "float", "int")
        spaced = text[place.start() - 1] == " " and text[place.end()] == " "
        if word in SWAPS and (word[0].isalpha() or binary and spaced):
            yield place.start(), place.end(), SWAPS[word]
        elif word[0].isdigit() and other_number(word) and before not in ("[",):
            yield place.start(), place.end(), other_number(word)
        before = word
    for place in STORE.finditer(text, start, end):
        yield place.start(), place.end(), "\n"


def changed_texts(text, random_, most):
    """[(what was changed, changed text)], half of them in the backward kernel, if there is one"""
    out = []
    kernels = list(bodies(text))
    for start, end, pass_ in kernels:
        all_ = list(changes_of(text, start, end))
        for a, b, new in sorted(random_.sample(all_, min(len(all_), max(1, most // len(kernels))))):
            line = text.count("\n", 0, a) + 1
            out.append((f"{pass_} {line}: {text[a:b].strip()!r} to {new.strip()!r}", text[:a] + new + text[b:]))
    return out


def whole_text(texts):
    lines, cases = [HEADERS], []
    for number, text in enumerate(texts):
        lines += ["#define main sample_main", f"namespace sample_{number} {{", f"using {USING};", text, "}", "#undef main", "#undef CHECK"]
        call = "sample_main()" if "int main()" in text else "sample_main(1, words)"
        cases.append(f"    case {number}: return sample_{number}::{call};")
    return "\n".join([*lines, "int main(int, char **words)", "{", "    switch (atoi(words[1])) {", *cases, "    default: return 9;", "    }", "}", ""])


def folder_of_shim(stem):
    """Where weft wrote cuda_on_cpu.h: beside the first program of a run."""
    here = os.path.dirname(stem)
    names = [here, *(os.path.join(here, name) for name in sorted(os.listdir(here)))]
    return next(name for name in names if os.path.exists(os.path.join(name, "cuda_on_cpu.h")))


def build(options, texts, stem):
    """The program of all texts, or None."""
    with open(stem + ".cpp", "w") as out:
        out.write(whole_text(texts))
    command = [options.compiler, "-std=c++17", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
               f"-I{folder_of_shim(stem)}", "-o", stem, stem + ".cpp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def verdict(stem, number):
    """The word before the last line's colon, or how the program ended."""
    try:
        done = subprocess.run([stem, str(number)], capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace")
    except subprocess.TimeoutExpired:
        return "does not end"
    last = done.stdout.strip().split("\n")[-1].split(":")[0]
    return last if last in ("PASS", "PASS (forward)", "RAN", "NOT RUN", "FAIL") else f"status {done.returncode}"


def one_program(options, folder, name, key):
    """(verdict, [(change, verdict)], fault)"""
    with open(os.path.join(folder, name, name + ".cu"), encoding="utf-8") as stream:
        text = stream.read()
    stem = os.path.join(folder, name + "_changed")
    changes = changed_texts(text, random.Random(f"{options.seed} {key}"), options.changes)
    said = build(options, [text, *(t for _, t in changes)], stem)
    if said:  # one at a time
        alone = build(options, [text], stem)
        if alone:
            return "not built", [], alone[-400:]
        kept = []
        for change in changes:
            if not build(options, [text, change[1]], stem):
                kept.append(change)
        changes = kept
        build(options, [text, *(t for _, t in changes)], stem)
    first = verdict(stem, 0)
    ends = []
    if first in ("PASS", "PASS (forward)"):
        ends = [(what, verdict(stem, i + 1)) for i, (what, _) in enumerate(changes)]
    os.remove(stem)
    os.remove(stem + ".cpp")
    why = re.search(r"// There are no expected (.*)", text)
    return first, ends, why and why.group(1)


def report(options, rows):
    firsts = collections.Counter(first for _, (first, _, _) in rows)
    print(f"{len(rows)} programs: " + ", ".join(f"{n} {end}" for end, n in firsts.most_common()))
    whys = collections.Counter(re.sub(r"'[^']*'|\S+\.py:\d+:?\d*|\d+", "_", why) for _, (_, _, why) in rows if why)
    for why, n in whys.most_common(options.show):
        print(f"{n:5d} {why}")
    for key, (first, _, why) in rows:
        if first not in ("PASS", "PASS (forward)", "RAN", "NOT RUN"):
            print(f"{first}: {key} {why or ''}")
    survivors = collections.defaultdict(list)
    tried = missed = 0
    for key, (first, ends, _) in rows:
        for what, end in ends:
            counts = first == "PASS" or what.startswith("forward")
            tried += counts
            if counts and end == first:
                missed += 1
                survivors[key].append(what)
    for key, what in sorted(survivors.items(), key=lambda s: -len(s[1]))[: options.show]:
        print(f"  {len(what)} unnoticed: {key}: " + "; ".join(what[:4]))
    share = (tried - missed) / tried if tried else 0
    passing = firsts["PASS"] / len(rows) if rows else 0
    print(f"{tried} changed programs, {tried - missed} fail: {share:.3f}; programs that say PASS: {passing:.3f}, "
          f"PASS or PASS (forward): {(firsts['PASS'] + firsts['PASS (forward)']) / max(1, len(rows)):.3f}")
    wrong = [first for first in firsts if first not in ("PASS", "PASS (forward)", "RAN", "NOT RUN")]
    return not wrong and share >= options.least and passing >= options.passing and tried > 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    for name, default in (("kernels", 0), ("changes", 8), ("seed", 1), ("jobs", 2), ("show", 40)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--only", default="")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--passing", type=float, default=0)
    parser.add_argument("--json")
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = oracle_env.package_folder(oracle_env.oracle_python())
    options.include, options.few = os.path.dirname(folder), ()
    files = [path for path in package_files(folder)
             if "/tests/" not in path and options.only in path and has_kernels(path)]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = options.keep or work

        def made_of(path):
            out = os.path.join(work, os.path.relpath(path, folder).replace("/", "."))
            return [(out, name) for name in sorted(emit(options, path, {}, out, [])[0]) if os.path.isdir(os.path.join(out, name))]

        if options.kernels:  # whole files until there are enough: emitting takes time too
            files = random.Random(options.seed).sample(files, min(len(files), max(1, options.kernels // 3)))
        programs = [p for made in pool.map(made_of, files) for p in made]
        if options.kernels:
            programs = random.Random(options.seed).sample(programs, min(options.kernels, len(programs)))
        keys = [f"{os.path.basename(out)} {name}" for out, name in programs]
        rows = list(zip(keys, pool.map(lambda p: one_program(options, *p[0], p[1]), zip(programs, keys))))
    if options.json:
        with open(options.json, "w") as out:
            json.dump(rows, out)
    sys.exit(0 if report(options, rows) else 1)


if __name__ == "__main__":
    main()
