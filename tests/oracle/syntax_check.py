#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what weft's parser refuses with what CPython 3.11 does not compile.

usage: syntax_check.py WEFT [--count N] [--keep DIR]

The texts are those of compile_texts.py, each once; the string literals of the standard library,
which hold many small programs and wrong ones; and mutants of those that compile: tokens deleted,
doubled, exchanged, put in from a list or from another program. weft has to accept what CPython
accepts, with the same tree, and to refuse what it refuses, on the same line. N counts literals and
mutants, half of each. WEFT_ORACLE_SEED chooses them; --keep leaves those that fail in a folder.
"""

import argparse
import ast
import collections
import itertools
import os
import random
import re
import sys
import sysconfig
import tempfile
import warnings

import compile_texts
import oracle_env

BATCH = 500
ENOUGH = 500  # differences after which the rest is not compared
TOKEN = re.compile(
    rb"\w+|\n[ \t]*|[ \t]+|\*\*=?|//=?|>>=?|<<=?|[-+*/%@&|^=<>!:]=|->|\.\.\.|'''|\"\"\"|.", re.DOTALL
)
INSERTS = """( ) [ ] { } : , = == := * ** lambda if else for in not and async await yield def class
return f"{a}" 's' b"x" 0 1_ 0x1 0777 1e 1j 1if -1 @ . ... ; \\ -> as from import match case _ print
x with try: except finally: True None ! $ ? " ''' f"{ ~ del global raise assert while elif is / % é #
{x!r:>{y}} \\N{DIGIT_ONE} \\x4 a.b *a **k a=1 break continue nonlocal __debug__ *_ | __future__""".split()
INSERTS = [text.encode().replace(b"_ONE", b" ONE") for text in INSERTS]
INSERTS += [b"\n", b"\n  ", b"\n\t", b"\n\n", b"    ", b"\f", b"\r\n", b"\\\n"]


def literals(folder):
    """The string literals of all modules in a folder, in order."""
    found = set()
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - {"site-packages", "dist-packages", "__pycache__"})
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(where, name), "rb") as stream:
                    found.update(literals_of(stream.read()))
    return sorted(found)


def literals_of(data):
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and 0 < len(value) < 20000:
            yield value.encode("utf-8", "replace")


def mutant(texts, choose):
    tokens = TOKEN.findall(choose.choice(texts))
    for _ in range(choose.choice((1, 1, 2, 3))):
        at, end = choose.randrange(len(tokens)), choose.randrange(len(tokens))
        match choose.randrange(6):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                tokens[at] = choose.choice(INSERTS)
            case 3:
                tokens.insert(at, choose.choice(INSERTS))
            case 4:
                tokens[at], tokens[end] = tokens[end], tokens[at]
            case 5:
                other = TOKEN.findall(choose.choice(texts))
                start = choose.randrange(len(other))
                tokens[at:at] = other[start : start + choose.randrange(1, 8)]
        if not tokens:
            break
    return b"".join(tokens)


def is_comparable(text):
    """Other encodings and NUL have no line in CPython's answer."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in text and not re.search(rb"coding[:=]", text[:500])


def python_answer(text):
    try:
        compile(text, "text", "exec", dont_inherit=True)
        return ast.dump(ast.parse(text), include_attributes=True)
    except SyntaxError as error:
        return error.lineno if error.lineno > 0 else None
    except (MemoryError, RecursionError, ValueError):
        return None


def weft_answers(weft, folder, texts):
    """For each text the dump, or the line of the error; a fault ends the test."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(os.path.join(folder, f"t{number}.py"))
        with open(paths[-1], "wb") as stream:
            stream.write(text)
    run = oracle_env.Run([weft, "compile", "--emit", "ast", *paths], 120)
    lines = dict(re.findall(rb"^\S*/(t\d+)\.py:(\d+):\d+: error: ", run.errors, re.MULTILINE))
    dumps = iter(run.output.decode("utf-8", "surrogatepass").split("\n"))
    for number in range(len(texts)):
        line = lines.get(b"t%d" % number)
        yield int(line) if line else next(dumps, "fault: " + str(run.fault))


def all_texts(count, seed):
    texts = [text for text in literals(sysconfig.get_paths()["stdlib"]) if is_comparable(text)]
    choose = random.Random(seed)
    valid = [text for text in texts if len(text) < 1500 and re.search(rb"[=(:\[{]", text)]
    valid = [text for text in valid if isinstance(python_answer(text), str)]
    yield from (text.encode() for text in compile_texts.all_texts())
    yield from choose.sample(texts, min(count // 2, len(texts)))
    made = 0
    while made < count // 2:
        text = mutant(valid, choose)
        if is_comparable(text):
            made += 1
            yield text


def verdict(theirs, ours):
    if theirs == ours:
        return "equal" if isinstance(ours, str) else "refused"
    if theirs is None:
        return "refused" if isinstance(ours, int) else "beyond CPython's limits"
    if isinstance(theirs, str) and isinstance(ours, str):
        return "DIFFERENT TREE"
    if isinstance(theirs, int) and isinstance(ours, int):
        return "OTHER LINE"
    return "ACCEPTED" if isinstance(ours, str) else "REFUSED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--keep", help="folder for the texts that fail")
    args = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        oracle_env.skip(f"this is Python {sys.version.split()[0]}; the comparison needs 3.11")
    warnings.simplefilter("ignore")
    seed = int(os.environ.get("WEFT_ORACLE_SEED", "1"))
    texts, counts = all_texts(args.count, seed), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        while batch := list(itertools.islice(texts, BATCH)):
            for text, ours in zip(batch, weft_answers(args.weft, folder, batch)):
                theirs = python_answer(text)
                found = verdict(theirs, ours)
                counts[found] += 1
                if found.isupper() and args.keep:
                    with open(os.path.join(args.keep, f"{counts.total()}.py"), "wb") as stream:
                        stream.write(text)
                if found.isupper() and sum(counts[k] for k in counts if k.isupper()) <= 10:
                    print(f"{found}: python {str(theirs)[:60]}, weft {str(ours)[:60]}\n    {text[:200]!r}")
            if sum(counts[what] for what in counts if what.isupper()) > ENOUGH:
                print("so many differ that the test ends here")
                break
    print(f"seed {seed}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(1 if any(what.isupper() for what in counts) or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
