#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `weft compile --emit ast` with CPython's own compiler on Python 3.11's standard library.

usage: ast_check.py WEFT [--jobs N] [--verbose] [PATH...]

Runs under Python 3.11. A PATH is a file or a folder; without one, the whole standard library,
tests included. The output has to equal ast.dump(ast.parse(text), include_attributes=True); what
CPython refuses to compile, weft has to refuse on the same line. CPython's dumps are kept as hashes under
build/oracle, keyed by the source.
"""

import argparse
import ast
import collections
import functools
import hashlib
import multiprocessing
import os
import re
import sys
import sysconfig
import tokenize
import warnings

import oracle_env

CACHE = os.path.join(oracle_env.CACHE, "ast")


def is_utf8(data):
    """Whether a file is UTF-8 by its cookie and by its bytes."""
    lines = iter(data.splitlines(keepends=True))
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
        data.decode("utf-8")
    except (SyntaxError, UnicodeDecodeError):
        return False
    return encoding in ("utf-8", "utf-8-sig")


def python_answer(data):
    """What CPython makes of a source: "ok HASH" of the dump or "refused LINE"."""
    try:
        text = ast.dump(ast.parse(data), include_attributes=True)
        compile(data, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return f"refused {getattr(error, 'lineno', None) or 0}"
    except (MemoryError, RecursionError):
        return "refused 0"
    return "ok " + hashlib.sha256(text.encode()).hexdigest()


def cached_answer(data):
    key = hashlib.sha256(data).hexdigest()[:32]
    path = os.path.join(CACHE, f"{key}.compile{sys.version_info.major}{sys.version_info.minor}")
    try:
        with open(path) as stream:
            return stream.read()
    except FileNotFoundError:
        answer = python_answer(data)
    with open(f"{path}.{os.getpid()}", "w") as stream:
        stream.write(answer)
    os.rename(f"{path}.{os.getpid()}", path)
    return answer


def weft_answer(weft, path):
    """The same of weft, or "fault ..."."""
    run = oracle_env.Run([weft, "compile", "--emit", "ast", path], timeout=60)
    if run.fault:
        return f"fault {run.fault} {run.errors[-200:]!r}"
    found = re.match(re.escape(path) + r":(\d+):\d+: error: ", run.errors.decode(errors="replace"))
    if found:
        return f"refused {found[1]}"
    if not run.output.endswith(b"\n"):
        return "fault no output"
    return "ok " + hashlib.sha256(run.output[:-1]).hexdigest()


def first_difference(weft, path):
    """A line that shows where the two dumps part."""
    with open(path, "rb") as source:
        ours = oracle_env.Run([weft, "compile", "--emit", "ast", path], 60).output.decode()
        theirs = ast.dump(ast.parse(source.read()), include_attributes=True)
    at = len(os.path.commonprefix([ours, theirs]))
    return f"python ...{theirs[max(at - 60, 0):at + 60]}...\n    weft   ...{ours[max(at - 60, 0):at + 60]}..."


def check(weft, path):
    """(path, verdict, explanation); verdict is equal, refused, differs, fault or passed over."""
    with open(path, "rb") as source:
        data = source.read()
    if not is_utf8(data):
        return path, "passed over", ""
    theirs, ours = cached_answer(data), weft_answer(weft, path)
    if theirs == ours or (theirs == "refused 0" and ours.startswith("refused")):
        return path, theirs.split()[0].replace("ok", "equal"), ""
    if theirs.startswith("ok") and ours.startswith("ok"):
        return path, "differs", first_difference(weft, path)
    verdict = "fault" if ours.startswith("fault") else "differs"
    return path, verdict, f"python: {theirs[:20]}  weft: {ours[:300]}"


def sources(paths):
    """All .py files of files and folders, in order."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(set(folders) - {"site-packages", "dist-packages", "__pycache__"})
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="show every difference, not 10")
    args = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        oracle_env.skip(f"this is Python {sys.version.split()[0]}; the comparison needs 3.11")
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    os.makedirs(CACHE, exist_ok=True)
    files = list(sources(args.paths or [sysconfig.get_paths()["stdlib"]]))
    counts, shown = collections.Counter(), 0
    with multiprocessing.Pool(args.jobs) as pool:
        work = functools.partial(check, args.weft)
        for path, verdict, why in pool.imap_unordered(work, files, chunksize=8):
            counts[verdict] += 1
            if why and (shown < 10 or args.verbose):
                print(f"{verdict}: {path}\n    {why}")
                shown += 1
    print(f"{len(files)} files: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    sys.exit(1 if counts["differs"] + counts["fault"] or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
