#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The library gives the same bytes in a program that has set another locale.

usage: locale_check.py WEFT IN_LOCALE

IN_LOCALE (tests/unit/in_locale.c) uses the library: it compiles, writes programs of their own, runs a
kernel, generates and validates. It does so as it starts, in de_DE.UTF-8 (a comma is the decimal
point) and in tr_TR.ISO-8859-9 (and letters are beyond ASCII). localedef makes these locales below
build/; where it or its sources are missing (Debian's package locales), installed ones are taken.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOCALES = ("de_DE.UTF-8", "tr_TR.ISO-8859-9")
SKIPPED = 77


def make_locale(folder, name):
    """Makes a locale below `folder` unless it is there; whether it is there then."""
    path = os.path.join(folder, name)
    localedef = shutil.which("localedef") or "/usr/bin/localedef"
    if os.path.isdir(path):
        return True
    if not os.path.exists(localedef):
        return False
    os.makedirs(folder, exist_ok=True)
    language, charmap = name.split(".")
    with tempfile.TemporaryDirectory(dir=folder) as made:
        subprocess.run([localedef, "--no-archive", "-i", language, "-f", charmap, os.path.join(made, name)],
                       capture_output=True)
        if os.path.isdir(os.path.join(made, name)) and not os.path.isdir(path):
            os.rename(os.path.join(made, name), path)
    return os.path.isdir(path)


def environment():
    """The environment in which a program finds the locales made here."""
    return {**os.environ, "LOCPATH": os.path.join(ROOT, "build", "locale")}


def locales():
    """Names of the locales that there are."""
    folder = environment()["LOCPATH"]
    made = [name for name in LOCALES if make_locale(folder, name)]
    if made:
        return made
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    return [name for name in listed if name.startswith(("de_DE", "tr_TR", "fr_FR", "es_ES"))][:2]


def output(program, locale, *words):
    """What the program prints in the locale; ends the test where it fails."""
    env = environment()
    if not os.path.isdir(os.path.join(env["LOCPATH"], locale)):
        del env["LOCPATH"]
    done = subprocess.run([program, locale, *words], capture_output=True, env=env)
    if done.returncode:
        sys.exit(f"{' '.join((program, locale, *words[:1]))}: exit status {done.returncode}\n"
                 f"{done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def none_there():
    print("SKIPPED: there is no localedef with sources (Debian's package locales) and no locale")
    return 1 if os.environ.get("CI") else SKIPPED


def make_data_set(weft, folder):
    """Records to validate, one of them with another number in its text."""
    path = os.path.join(folder, "data.jsonl")
    command = [weft, "generate", "--count", "12", "--seed", "3", "--device", "both", "--output", "-", "--quiet"]
    with open(path, "wb") as out:
        subprocess.run(command, stdout=out, check=True)
    with open(path) as lines:
        records = [json.loads(line) for line in lines]
    at, record = next((i, r) for i, r in enumerate(records) if "0.5" in r["cuda_ir_forward"])
    record["cuda_ir_forward"] = record["cuda_ir_forward"].replace("0.5", "0.75")
    with open(path, "w") as out:
        out.writelines(json.dumps(r) + "\n" for r in records)
    return path, at


def main():
    weft, program = map(os.path.abspath, sys.argv[1:])
    names = locales()
    if not names:
        return none_there()
    sources = sorted(glob.glob(os.path.join(ROOT, "tests", "kernels", "*.py")))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        data, damaged = make_data_set(weft, folder)
        commands = {
            "compile": [*sources, os.path.join(folder, "missing.py")],
            "standalone": [os.path.join(ROOT, "tests", "kernels", "scalar_math.py")],
            "run": [],
            "generate": ["48", "5"],
            "validate": [data],
        }
        for command, words in commands.items():
            reference = output(program, "-", command, *words)
            expected = {"run": b"status 0", "validate": f":{damaged + 1}: ".encode()}.get(command, b"0.5")
            if expected not in reference:
                sys.exit(f"{command} prints no {expected}: {reference[-500:]}")
            for name in names:
                same = output(program, name, command, *words) == reference
                wrong += not same
                print(f"{'same bytes' if same else 'OTHER BYTES'}: {command} in {name} ({len(reference)} bytes)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
