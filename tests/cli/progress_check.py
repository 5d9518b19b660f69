#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long work shows how far it is: on a terminal of any width, and nowhere else.

usage: progress_check.py WEFT [--one-in N [--seed S]]
"""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
LICENSE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "collect", "project", "LICENSE")
BUSY = """import warp as wp


@wp.kernel
def busy(a: wp.array(dtype=float), rounds: int):
    i = wp.tid()
    s = float(0.0)
    for j in range(rounds):
        s += wp.sin(float(i + j))
    a[i] = s
"""
ROUNDS = 1000
RUN = ("run", "busy.py", "--dim", "3k", "--arg", "a=zeros:3000", "--fuel", "0")
GRAD = ("--grad", "--adjoint", "a=zeros:3000")
BAR = re.compile(r"(?:\[(#*-*)\] )?(\d+) / (\d+) (.*)\x1b\[K")


class Progress(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        with open(os.path.join(self.folder, "busy.py"), "w", encoding="utf-8") as stream:
            stream.write(BUSY)

    def on_terminal(self, columns, *words):
        """What a command shows on a terminal of so many columns, between carriage returns."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen([WEFT, *words], cwd=self.folder, stderr=its, stdout=subprocess.DEVNULL) as process:
            os.close(its)
            text = b""
            while piece := self.read(ours):
                text += piece
        os.close(ours)
        self.assertEqual(process.returncode, 0, text)
        return text.decode().split("\r")

    def read(self, terminal):
        try:
            return os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            return b""

    def bars(self, columns, unit, work):
        """What it shows, checked. work(TIMES) returns (total, words) of a command that takes TIMES as long: a
        fast machine ends before it shows two bars."""
        for times in (1, 4, 16, 64):
            total, words = work(times)
            shown = self.on_terminal(columns, *words)
            bars = [BAR.fullmatch(part) for part in shown if " / " in part]
            self.assertTrue(all(bars), shown)
            if len(bars) >= 2:
                break
        self.assertGreaterEqual(len(bars), 2, shown)
        done = [int(bar[2]) for bar in bars]
        self.assertEqual(done, sorted(done))
        self.assertLess(done[0], done[-1])
        for bar in bars:
            self.assertEqual(int(bar[3]), total)
            self.assertRegex(bar[4], rf"^{unit}(, [\d.]+ {unit}/s(, (\d+ min )?\d+ s left(, .*)?)?)?$")
            self.assertLess(len(bar[0]) - len("\x1b[K"), columns)
            self.assertEqual(bar[1] is None, columns < 24 + len(f"{total} / {total} {unit}"))
            if bar[1]:
                self.assertEqual((len(bar[1]), bar[1].count("#")), (20, 20 * int(bar[2]) // total))
        return shown

    def test_run(self):
        for columns, total, words in (
            (100, 3000, ()), (24, 3000, ()), (40, 6000, GRAD), (80, 3000, ("--executor", "text")),
            (50, 3000, ("--executor", "text-cuda")),
        ):
            def work(times):
                return total, (*RUN, "--arg", f"rounds={ROUNDS * times}", *words)

            shown = self.bars(columns, "threads", work)
            self.assertIn("\x1b[Kbusy ran on 3000 threads", "\n".join(shown[-4:]))

    def test_generate(self):
        for columns in (100, 38):
            self.bars(columns, "pairs", lambda times: (4000 * times, (
                "generate", "--kind", "exercise", "--count", f"{4 * times}k", "--jobs", "1", "--output", f"set-{columns}-{times}")))

    def test_collect(self):
        self.bars(80, "files", lambda times: (600 * times, self.collecting(600 * times)))

    def test_compile(self):
        def work(times):
            return 100, ("compile", "--emit", "json", self.many_files(100, 500 * times))

        self.bars(80, "files", work)

    def test_check(self):
        """How many files there will be is not known."""
        for times in (1, 4, 16):
            shown = self.on_terminal(60, "check", self.many_files(100, 500 * times))
            found = [re.fullmatch(r"(\d+) files? checked, (\d+) folders? searched\x1b\[K", part) for part in shown]
            counts = [int(match[1]) for match in found if match]
            if len(counts) >= 2:
                break
        self.assertGreaterEqual(len(counts), 2, shown)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertEqual(shown[-2:], ["\x1b[K100 kernels in 100 files: no errors", "\n"])

    def test_records(self):
        """A count that is cut where the terminal ends: one line alone."""
        for count in (1200, 6000, 30000):
            subprocess.run([WEFT, "generate", "--kind", "exercise", "--count", str(count), "--no-verify", "--quiet", "--output", f"set-{count}"],
                           cwd=self.folder, check=True)
            words = ("validate", "--checks", "schema,hash,source", "--jobs", "1", f"set-{count}")
            shown = [part.removesuffix("\x1b[K") for part in self.on_terminal(12, *words)]
            counts = [int(part.split()[0]) for part in shown if part.strip()]
            if len(counts) >= 2:
                break
        self.assertGreaterEqual(len(counts), 2, shown)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertLessEqual(max(map(len, shown)), 11, shown)

    def collecting(self, files):
        """A file for each kernel, so that there are many."""
        return "collect", self.many_files(files), "--output", f"collected-{files}", "--jobs", "1"

    def many_files(self, files, lines=0):
        """A folder of files whose kernels have so many lines more."""
        source = os.path.join(self.folder, f"src-{files}-{lines}")
        os.mkdir(source)
        shutil.copy(LICENSE, source)
        for i in range(files):
            with open(os.path.join(source, f"k{i:03}.py"), "w", encoding="utf-8") as stream:
                stream.write(BUSY.replace("wp.sin", "wp.sin" if i % 2 else "wp.cos")
                             .replace("s = float(0.0)", f"s = float({i}.0)" + f"\n    s += {i}.5" * (lines + i % 17)))
        return source

    def test_quiet_and_pipes(self):
        self.assertEqual(self.on_terminal(80, *RUN, "--arg", f"rounds={ROUNDS}", "--quiet"), [""])
        self.assertEqual(self.on_terminal(80, "check", "--quiet", self.many_files(100, 2000)), [""])
        done = subprocess.run([WEFT, *RUN, "--arg", f"rounds={ROUNDS}"], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(len(done.stderr.splitlines()), 2)
        self.assertNotIn("\r", done.stderr)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
