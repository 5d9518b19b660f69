#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The one runner of the tests that are data.

usage: run.py WEFT [--accept] [--oracle] [--one-in N [--seed S]] [PATH...]

tests/cases/**/NAME.py   a program. A comment `# expect error: ID` or `# expect warning: ID` stands on
                         the line concerned; without such comments it compiles without a word.
                         A sibling NAME.SUFFIX holds the output of one command, see GOLDEN.
tests/cases/**/NAME.texts  CUDA texts for `weft check`: see run_texts.
tests/cases/**/NAME.cli  commands and what they print: see run_cli.
tests/kernels/*.py       kernels whose text must be warp-lang's, character for character; only
                         with --oracle, which compares with the installed warp-lang.

--accept writes what weft prints now into the golden siblings and the .cli files.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

import part

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 60

# suffix of a sibling -> (arguments before the file, which stream)
GOLDEN = {
    ".ast": (["compile", "--emit", "ast"], "stdout"),
    ".ir": (["compile", "--emit", "ir"], "stdout"),
    ".json": (["compile", "--emit", "json"], "stdout"),
    ".err": (["compile", "--emit", "json"], "stderr"),
}


def run_weft(weft, args, folder, stdin=b""):
    """(status, stdout, stderr) of one run in a folder; a crash or a hang is a status of its own."""
    try:
        done = subprocess.run([weft, *args], cwd=folder, capture_output=True, timeout=TIMEOUT, input=stdin)
    except subprocess.TimeoutExpired:
        return "hang", "", ""
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def expected(text, comment):
    """[(line, severity, id)] of the comments `expect error: ID` and `expect warning: ID`, sorted."""
    pattern = rf"{comment} expect (error|warning): (\S+)"
    return sorted((n, *found) for n, line in enumerate(text.split("\n"), 1) for found in re.findall(pattern, line))


def diagnostics(name, stderr):
    """[(line, severity, id)] of the diagnostics of a file, sorted; None if stderr has other messages too."""
    pattern = rf"^{re.escape(name)}:(\d+):\d+: (\w+): .*\[([\w-]+)\]$"
    found = re.findall(pattern, stderr, re.MULTILINE)
    return sorted((int(n), *rest) for n, *rest in found) if len(found) == len(messages(stderr)) else None


def messages(stderr):
    """The lines that begin a message; what belongs to it (the source, a hint) is indented."""
    return [line for line in stderr.splitlines() if line and not line.startswith("    ")]


def without_summary(stderr):
    """What `weft check` prints, without its last line."""
    return re.sub(r"^\d+ kernels? in .*: .*\n\Z", "", stderr, flags=re.MULTILINE)


NOTHING = re.compile(r"^weft: error: nothing is written: .*\n\Z", re.MULTILINE)


def without_nothing(status, stdout, stderr):
    """(status, stderr) as they would be if a program without a kernel to write were no error."""
    if status == 1 and not stdout and NOTHING.search(stderr):
        return 0, NOTHING.sub("", stderr)
    return status, stderr


def run_errors(weft, folder, name):
    """Compares the diagnostics that weft tells with those that the comments expect; without errors there is output."""
    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    status, stdout, stderr = run_weft(weft, ["compile", "--emit", "json", name], folder)
    status, stderr = without_nothing(status, stdout, stderr)
    problems = compare_diagnostics(name, expected(text, "#"), status, stderr)
    if status == 0 and "@wp.kernel" in text and "unseen-kernel" not in text and not stdout:
        problems.append(f"{name}: has kernels, but nothing is printed")
    return problems


def compare_diagnostics(name, wanted, status, stderr):
    if diagnostics(name, stderr) != wanted:
        return [f"{name}: expected {wanted}, told:\n{stderr[:500]}"]
    if status != any(severity == "error" for _, severity, _ in wanted):
        return [f"{name}: exit status {status}\n{stderr[:500]}"]
    return []


def run_golden(weft, folder, name, suffix, accept):
    """Compares one output with the sibling file that holds it."""
    path = os.path.join(folder, os.path.splitext(name)[0] + suffix)
    if not os.path.exists(path):
        return []
    args, stream = GOLDEN[suffix]
    status, stdout, stderr = run_weft(weft, [*args, name], folder)
    if status not in (0, 1):
        return [f"{suffix}: exit status {status}"]
    return compare(path, stdout if stream == "stdout" else stderr, accept)


def compare(path, text, accept):
    with open(path, encoding="utf-8") as golden:
        if golden.read() == text:
            return []
    if accept:
        with open(path, "w", encoding="utf-8") as golden:
            golden.write(text)
        return []
    return [f"{os.path.basename(path)} differs (--accept rewrites it)"]


def run_program(weft, path, accept):
    folder, name = os.path.split(path)
    problems = run_errors(weft, folder, name)
    for suffix in GOLDEN:
        problems += run_golden(weft, folder, name, suffix, accept)
    return problems


def matches(pattern, line):
    """Whether a line fits an expected line, in which ... stands for anything."""
    parts = [re.escape(part) for part in pattern.split("...")]
    return re.fullmatch(".*".join(parts), line) is not None


def lines_match(wanted, told):
    """Whether the lines fit; a wanted line that is just ... stands for any number of lines."""
    if not wanted:
        return not told
    if wanted[0] == "...":
        return any(lines_match(wanted[1:], told[skipped:]) for skipped in range(len(told) + 1))
    return bool(told) and matches(wanted[0], told[0]) and lines_match(wanted[1:], told[1:])


def cli_blocks(text):
    """[(command, lines after it)] of a .cli file; what stands before the first command is a comment."""
    blocks = []
    for line in text.splitlines():
        if line.startswith("$ "):
            blocks.append((line[2:], []))
        elif blocks:
            blocks[-1][1].append(line)
    return blocks


def run_block(weft, command, lines, folder):
    """Runs one command. Returns (problems, lines as they would be right)."""
    args = shlex.split(command)
    if args[0] != "weft":
        return [f"not a weft command: {command}"], lines
    here = os.path.join(HERE, "cases")
    args = [arg.replace("$CASES", here) for arg in args[1:]]
    stdin = b""
    if "<" in args:
        with open(os.path.join(folder, args.pop()), "rb") as stream:
            stdin = stream.read()
        args.remove("<")
    status, stdout, stderr = run_weft(weft, args, folder, stdin)
    wanted = [line for line in lines if line and not line.startswith(("? ", "2> "))]
    wanted_status = next((int(line[2:]) for line in lines if line.startswith("? ")), 0)
    problems = []
    if status != wanted_status:
        problems.append(f"$ {command}\n  exit status {status}, expected {wanted_status}: {stderr[:300]}")
    patterns = [line[3:] for line in lines if line.startswith("2> ")]
    for pattern in patterns:
        if not any(matches(pattern, told) for told in stderr.splitlines()):
            problems.append(f"$ {command}\n  stderr lacks: {pattern}\n  it is: {stderr[:300]}")
    stray = [line for line in messages(stderr) if not any(matches(pattern, line) for pattern in patterns)]
    problems += [f"$ {command}\n  stderr has what no line expects: {line}" for line in stray]
    told = [line for line in stdout.splitlines() if line]
    if not lines_match(wanted, told):
        problems.append(f"$ {command}\n  stdout: {told[:10]}\n  expected: {wanted[:10]}")
    kept = [pattern for pattern in patterns if any(matches(pattern, line) for line in stderr.splitlines())]
    if any(pattern.startswith("    ") for pattern in set(patterns) - set(kept)):  # another hint
        stray += [line for line in stderr.splitlines() if line.startswith("    hint: ") and line not in kept]
    right = [
        *(wanted if lines_match(wanted, told) else keep_patterns(wanted, told)),
        *([f"? {status}"] if status else []),
        *(f"2> {line}" for line in kept + stray),
    ]
    return problems, right


def keep_patterns(wanted, told):
    """The lines told; where an expected line with ... fits one, in order, that stays."""
    patterns, right = [line for line in wanted if "..." in line and line != "..."], []
    for line in told:
        fitting = next((i for i, pattern in enumerate(patterns) if matches(pattern, line)), None)
        right.append(line if fitting is None else patterns[fitting])
        patterns = patterns if fitting is None else patterns[fitting + 1:]
    return right


def run_cli(weft, path, accept):
    """Runs the commands of a .cli file one after the other in one empty folder.

    A line `$ weft ...` is a command ($CASES is tests/cases); `< FILE` at its end is its standard input. Below it stand the lines of stdout
    (... stands for anything, empty lines do not count), `? N` for an exit status that is not 0,
    and `2> TEXT` for a line of stderr. Each message on stderr has to be expected so; what belongs to
    a message and is indented (the source, a hint) may be left out.
    """
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    problems, accepted = [], [text.split("\n$ ")[0].rstrip("\n") if not text.startswith("$ ") else ""]
    with tempfile.TemporaryDirectory() as folder:
        for command, lines in cli_blocks(text):
            found, right = run_block(weft, command, lines, folder)
            problems += found
            accepted += ["", f"$ {command}", *(right if found else [line for line in lines if line])]
    if problems and accept:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("\n".join(accepted).lstrip("\n") + "\n")
    return problems


def texts_of(text):
    """[(name, text)]: a line `//// NAME` begins each; what stands before the first one is a comment."""
    parts = re.split(r"^//// (\S+)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2]))


def run_texts(weft, path):
    """Checks each CUDA text. `// expect error: ID` or `// expect warning: ID` stands on the line concerned.

    A text called FOLDER/metadata.json is what stands beside the others of that FOLDER.
    """
    problems = []
    with open(path, encoding="utf-8") as stream, tempfile.TemporaryDirectory() as folder:
        texts = texts_of(stream.read())
        if not texts:
            problems.append(f"{path}: no texts")
        for name, text in texts:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        for name, text in (pair for pair in texts if not pair[0].endswith(".json")):
            status, _, stderr = run_weft(weft, ["check", name], folder)
            problems += compare_diagnostics(name, expected(text, "//"), status, without_summary(stderr))
    return problems


def test_files(paths):
    for path in paths:
        if os.path.isdir(path):
            for where, folders, names in os.walk(path):
                folders[:] = sorted(set(folders) - {"__pycache__"})
                yield from (os.path.join(where, name) for name in sorted(names))
        else:
            yield os.path.abspath(path)


def is_case(path):
    return path.endswith((".cli", ".texts")) or path.endswith(".py") and f"{os.sep}modules{os.sep}" not in path


def run_data(weft, paths, accept, chosen):
    """Runs all cases; returns the number of failures."""
    passed = failed = 0
    for path in chosen.of(path for path in test_files(paths or [os.path.join(HERE, "cases")]) if is_case(path)):
        if path.endswith(".cli"):
            problems = run_cli(weft, path, accept)
        elif path.endswith(".texts"):
            problems = run_texts(weft, path)
        else:
            problems = run_program(weft, path, accept)
        passed, failed = passed + (not problems), failed + bool(problems)
        for problem in problems:
            print(f"{os.path.relpath(path, HERE)}: {problem}")
    print(f"cases: {passed} passed, {failed} failed")
    return failed


def compare_refusals(tally, record, ours):
    """In the programs with errors, weft has to refuse the kernels that warp-lang refuses, no others."""
    refused = {kernel["kernel"]: bool(kernel["error"]) for kernel in ours}
    for kernel in record["kernels"]:
        right = refused.get(kernel["key"]) == bool(kernel["error"])
        cause = "" if right else f"weft {refused.get(kernel['key'])}, warp-lang: {kernel['error']}"
        tally.add("equal" if right else "differs", cause, f"{record['file']} {kernel['key']}")


def run_oracle(weft, paths):
    """Compares the kernels of the test programs with warp-lang's; returns the number of failures."""
    sys.path.insert(0, os.path.join(HERE, "oracle"))
    import oracle_env
    import verdicts

    def programs(paths):
        return [path for path in test_files(paths) if path.endswith(".py")]

    errors = programs([os.path.join(HERE, "cases", "errors")]) if not paths else []
    files = programs(paths or [os.path.join(HERE, "kernels")])
    tally = verdicts.Tally()
    for path, record in oracle_env.dump(oracle_env.oracle_python(), errors + files).items():
        if record["error"]:
            tally.faults.append(f"{path}: warp-lang: {record['error']}")
        if path in errors:
            compare_refusals(tally, record, oracle_env.weft_kernels(weft, path)[0])
            continue
        for kernel in record["kernels"]:
            if kernel["error"]:
                tally.faults.append(f"{path}: warp-lang refuses {kernel['key']}: {kernel['error']}")
        verdicts.compare_file(record, lambda kernel: tally, weft, quiet=True)
    tally.report()
    return sum(tally.counts.values()) - tally.counts["equal"] + len(tally.faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--accept", action="store_true", help="rewrite what differs")
    parser.add_argument("--oracle", action="store_true", help="compare tests/kernels with warp-lang")
    chosen = part.take(sys.argv)
    args = parser.parse_intermixed_args()  # paths may stand behind the options
    weft = os.path.abspath(args.weft)
    failed = run_oracle(weft, args.paths) if args.oracle else run_data(weft, args.paths, args.accept, chosen)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
