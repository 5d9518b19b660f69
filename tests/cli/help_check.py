#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `weft help` names, the manual page, the completions of three shells and `weft list formats` name, too.

usage: help_check.py WEFT
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WEFT = ""


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def overview():
    """The names of all commands."""
    return re.findall(r"^  ([\w-]+) +\S", output(WEFT, "help").split("commands:\n")[1], re.M)


def options(command):
    """{name: (letter or "", choices)} of a help page."""
    text = output(WEFT, "help", command).split("options:\n")[1].split("\nexamples:")[0]
    found = {}
    for entry in re.split(r"\n(?=  (?:-\w, |    )--)", text):
        letter, name = re.match(r"  (?:-(\w), |    )--([\w-]+)", entry).groups()
        choices = re.search(r"\s([\w.+-]+(?:\|[\w.+-]+)+): ", entry)
        found[name] = letter or "", choices[1].split("|") if choices else []
    return found


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.commands = {command: options(command) for command in overview()}
        cls.shells = {shell: output(WEFT, "help", "--completion", shell) for shell in ("bash", "zsh", "fish")}

    def each(self):
        for command, of in self.commands.items():
            for name, (letter, choices) in of.items():
                with self.subTest(f"weft {command} --{name}"):
                    yield command, name, letter, choices

    def test_overview(self):
        self.assertGreaterEqual(len(self.commands), 15)
        self.assertGreaterEqual(sum(len(of) for of in self.commands.values()), 120)
        self.assertEqual(self.commands["compile"]["diagnostics"], ("", ["text", "json", "sarif"]))
        for command in self.commands:
            self.assertEqual(output(WEFT, command, "--help"), output(WEFT, "help", command))
            self.assertIn("\nexamples:\n  weft " + command, output(WEFT, "help", command))

    def test_manual(self):
        pages = re.split(r"^\.SS weft ", output(WEFT, "help", "--man"), flags=re.M)
        self.assertIn("\\-\\-version", pages[0])
        pages = {page.split("\n")[0]: page.replace("\\-", "-") for page in pages[1:]}
        self.assertEqual(list(pages), list(self.commands))
        for command, name, letter, choices in self.each():
            shown = rf"^\.B {f'-{letter}, ' if letter else ''}--{name}(?: .*)?\n(.*)$"
            text = re.search(shown, pages[command], re.M)
            self.assertTrue(text)
            self.assertTrue(text[1].startswith("|".join(choices)))

    def completed(self, *words):
        """What bash offers for the last word."""
        script = self.shells["bash"] + 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft; printf "%s\\n" "${COMPREPLY[@]}"'
        return output("bash", "-c", script, "bash", *words).split()

    def test_bash(self):
        self.assertEqual(self.completed("weft", ""), [*self.commands, "--help", "--version"])
        self.assertEqual(self.completed("weft", "list", ""), ["categories", "builtins", "diagnostics", "formats"])
        self.assertEqual(self.completed("weft", "help", "comp"), ["compile"])
        for command, of in self.commands.items():
            self.assertEqual(self.completed("weft", command, "--"), [f"--{name}" for name in of])
        for command, name, _, choices in self.each():
            if choices:
                self.assertEqual(self.completed("weft", command, f"--{name}", ""), choices)

    def test_zsh(self):
        text = self.shells["zsh"]
        self.assertEqual(re.findall(r"^    ([\w-]+)\) _arguments", text, re.M), list(self.commands))
        self.assertEqual(re.findall(r"^        '(\w[\w-]*):", text, re.M), list(self.commands))
        pages = dict(re.findall(r"^    ([\w-]+)\) _arguments(.*?);;$", text, re.M | re.S))
        for command, name, letter, choices in self.each():
            form = re.escape(f"(-{letter} --{name})'{{-{letter},--{name}}}'[" if letter else f"*--{name}[")
            line = re.search(rf"^        '{form}.*$", pages[command], re.M)
            self.assertTrue(line)
            self.assertTrue(not choices or f":({' '.join(choices)})'" in line[0])
        if shutil.which("zsh"):
            output("zsh", "-n", "/dev/stdin", input=text)

    def test_fish(self):
        text = self.shells["fish"]
        for command in self.commands:
            self.assertIn(f"complete -c weft -n __fish_use_subcommand -f -a {command} -d ", text)
        for command, name, letter, choices in self.each():
            line = f"complete -c weft -n '__fish_seen_subcommand_from {command}' -l {name}"
            line += f" -s {letter}" * bool(letter) + f" -x -a '{' '.join(choices)}'" * bool(choices)
            self.assertIn(f"\n{line} -", text)
        if shutil.which("fish"):
            with tempfile.TemporaryDirectory() as home:
                shown = output("fish", "-c", f"{text}\ncomplete -C 'weft compile --emit st'", env={**os.environ, "HOME": home})
            self.assertEqual(shown.split("\t")[0].strip(), "standalone")

    def test_formats(self):
        """Each option that chooses a form is listed with all its choices."""
        listed = {}
        for command, option, choice in re.findall(r"^(\w+) --(\w+) (\S+)  +\S", output(WEFT, "list", "formats"), re.M):
            listed.setdefault((command, option), []).append(choice)
        self.assertEqual({option for _, option in listed}, {"emit", "format", "compress", "style", "diagnostics"})
        for (command, option), choices in listed.items():
            self.assertEqual(sorted(choices), sorted(self.commands[command][option][1]))


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
