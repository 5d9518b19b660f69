# SPDX-License-Identifier: Apache-2.0
"""Runs what a document shows, as its reader would: in an empty folder, with weft in the PATH.

- A block below `<!-- file: NAME -->` is that file, written before the commands below it run. The
  folder `docs` of the repository is there as well.
- A `console` block holds commands, which begin with `$ `, and what a terminal shows then. `...` stands
  for anything: within a line, or as a line of its own for any number of lines. Empty lines do not
  count, nor do lines of progress. A command goes on after a `\\` at the end of its line.
- A command must end with status 0, or with another one if a shown line reports an error (FAILURE).

docs/c.md compiles against an installed weft: installed() installs the build that the program is of.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))

import run  # noqa: E402

PIECE = re.compile(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$|^```console\n(.*?)^```$", re.M | re.S)

# A line of progress, which a run that takes longer than some seconds writes.
PROGRESS = re.compile(r"weft: \d+ / \d+ pairs, ")
FAILURE = re.compile(r"\berror: |\b[1-9]\d* (errors?|bad)\b")


def commands(text):
    """[(command, lines that a terminal shows)] of a console block."""
    found, open_line = [], False
    for line in text.splitlines():
        if open_line:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
        open_line = line.endswith("\\") and (open_line or line.startswith("$ "))
    return found


def install_lines(page):
    """The commands by which README.md installs weft: those of its block, then those in its sentences."""
    block = re.search(r"^```sh\n(.*?)^```", page, re.M | re.S)[1].splitlines()
    return block, re.findall(r"`((?:apt-get|cpack|python3) [^`]*)`", page)


def installed(weft, prefix):
    """Installs the build of a program; gives the variables that lead to what is not in the system's folders."""
    subprocess.run(["cmake", "--install", os.path.dirname(weft), "--prefix", prefix], stdout=subprocess.DEVNULL, check=True)
    [pkgconfig] = glob.glob(os.path.join(prefix, "lib*", "**", "pkgconfig"), recursive=True)
    return {"CMAKE_PREFIX_PATH": prefix, "PKG_CONFIG_PATH": pkgconfig, "LD_LIBRARY_PATH": os.path.dirname(pkgconfig)}


def run_command(command, lines, folder, path, variables):
    """The problems of one command."""
    environment = {**os.environ, "PATH": path + os.pathsep + os.environ["PATH"], "LC_ALL": "C.UTF-8", **variables}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True, timeout=600,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shown = [line.rstrip() for line in done.stdout.splitlines()
             if line.strip() and not PROGRESS.match(line)]
    wanted = [line.rstrip() for line in lines if line.strip()]
    fails = any(FAILURE.search(line) for line in wanted)
    if bool(done.returncode) != fails:
        yield f"$ {command}\n  exit status {done.returncode}: {shown[-5:]}"
    elif not run.lines_match(wanted, shown):
        odd = next((line for line in wanted if line != "..." and not any(run.matches(line, s) for s in shown)), "its order")
        yield f"$ {command}\n  is not shown: {odd}\n  but: " + "\n       ".join(shown[:30])


def run_document(weft, path, variables=None):
    """(number of commands, problems) of a document; with more variables in the environment of its commands."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as top:
        folder, programs = os.path.join(top, "work"), os.path.join(top, "bin")
        os.mkdir(folder)
        os.mkdir(programs)
        os.symlink(weft, os.path.join(programs, "weft"))
        os.symlink(os.path.join(REPO, "docs"), os.path.join(folder, "docs"))
        for name, contents, block in PIECE.findall(text):
            if name:
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                    out.write(contents)
            for command, lines in commands(block):
                count += 1
                problems += run_command(command, lines, folder, programs, variables or {})
    return count, problems
