#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages real Python sources at random and compares weft's parser with CPython's on them.

usage: ast_mutation_check.py WEFT [--count N] [--seed S] [--keep FOLDER] [--raise-floor]

Each source is a piece of the standard library with one token or character removed, doubled,
swapped or replaced. What CPython takes weft has to take, with the same tree; what CPython refuses
weft has to refuse, but for what later releases of Python take. How often the line of the refusal agrees has a floor (floors.txt). The seed is
printed; WEFT_ORACLE_SEED sets it.
"""

import argparse
import ast
import collections
import functools
import multiprocessing
import os
import random
import re
import sys
import sysconfig
import tempfile
import warnings

import ast_check
import floors
import oracle_env

# What Python 3.12 and later give a meaning: type aliases, type parameters, f-strings with quotes, `except A, B:`.
LATER = re.compile(r"^\s*type\s+\w|\b(def|class)\s+\w+\s*\[|\bexcept\b[^:]*,|\b[rR]?[fF][rR]?['\"]", re.M)
ENOUGH = 300  # differences after which the rest is not compared
TOKENS = (
    "( ) [ ] { } , : ; . = == := -> + - * ** / @ ~ < << != ... if else elif for while in not is and or lambda "
    "def class return yield await async try except finally with as import from global nonlocal del pass "
    "break continue raise assert None True match case 0 1.5 0x1f 1_0 1__0 0777 1e 2j x _ 'a' b'a' f'{a}' f'{' "
    "r'\\' '''a''' u'a' $ ? ! \\ \n \t #"
).split(" ")


def pieces(folder, chance):
    """Short stretches of top-level statements of 300 files of the standard library."""
    found = []
    for path in chance.sample(list(ast_check.sources([folder])), 300):
        with open(path, "rb") as stream:
            data = stream.read()
        if not ast_check.is_utf8(data) or len(data) > 60_000:
            continue
        try:
            body = ast.parse(data).body
        except (SyntaxError, ValueError, RecursionError):
            continue
        lines = data.decode().splitlines(keepends=True)
        for node in body:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            if 1 <= node.end_lineno - first <= 40:
                found.append("".join(lines[first - 1:node.end_lineno]))
    return found


def spots(text):
    """Starts of words, numbers and signs: where a token may be changed."""
    return [at for at in range(len(text)) if at == 0 or not (text[at].isalnum() and text[at - 1].isalnum())]


def token_end(text, at):
    end = at + 1
    while end < len(text) and text[at].isalnum() and text[end].isalnum():
        end += 1
    return end


def damage(chance, text):
    """The text with one change."""
    at = chance.choice(spots(text))
    end = token_end(text, at)
    other = chance.choice(spots(text))
    return chance.choice((
        lambda: text[:at] + text[end:],
        lambda: text[:at] + chance.choice(TOKENS) + text[end:],
        lambda: text[:at] + chance.choice(TOKENS) + " " + text[at:],
        lambda: text[:at] + text[at:end] + text[at:],
        lambda: text[:at] + text[other:token_end(text, other)] + text[end:],
        lambda: text[:at],
    ))()


def verdict(weft, folder, job):
    """(verdict, source, explanation) of one damaged source."""
    number, text = job
    data = text.encode("utf-8")
    path = os.path.join(folder, f"m{number:06}.py")
    with open(path, "wb") as stream:
        stream.write(data)
    theirs, ours = ast_check.python_answer(data), ast_check.weft_answer(weft, path)
    if theirs == ours:
        return "equal", path, ""
    if theirs.startswith("refused") and ours.startswith("refused"):
        return "another line", path, f"python {theirs}, weft {ours}"
    if theirs.startswith("refused") and LATER.search(text):
        return "of a later Python", path, f"python {theirs}, weft takes it"
    return "differs", path, f"python {theirs[:20]}, weft {ours[:200]}"


def check(weft, jobs, folder):
    """Counts of verdicts; the sources that agree are removed."""
    counts, shown = collections.Counter(), collections.Counter()
    with multiprocessing.Pool() as pool:
        work = functools.partial(verdict, weft, folder)
        for what, path, why in pool.imap(work, jobs, chunksize=20):
            counts[what] += 1
            if what == "equal":
                os.unlink(path)
            elif shown[what] < 10:
                shown[what] += 1
                print(f"{what}: {path}: {why}")
            if counts["differs"] > ENOUGH:
                print("so many differ that the test ends here")
                break
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "311")))
    parser.add_argument("--keep", help="leave the sources that do not agree in this folder")
    parser.add_argument("--raise-floor", action="store_true")
    args = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        oracle_env.skip(f"this is Python {sys.version.split()[0]}; the comparison needs 3.11")
    warnings.simplefilter("ignore")
    print(f"seed {args.seed} (WEFT_ORACLE_SEED sets it)")
    chance = random.Random(args.seed)
    texts = pieces(sysconfig.get_paths()["stdlib"], chance)
    jobs = [(number, damage(chance, chance.choice(texts))) for number in range(args.count)]
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        counts = check(args.weft, jobs, args.keep or folder)
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()))
    per_mille = 1000 * counts["equal"] // args.count
    good = floors.reaches("mutations", per_mille, args.raise_floor)
    sys.exit(0 if good and not counts["differs"] else 1)


if __name__ == "__main__":
    main()
