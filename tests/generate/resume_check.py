#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft generate as a production run: what stops it, what is told, and how it goes on.

usage: resume_check.py WEFT [--one-in N [--seed S]]

Interrupts, a second run in the same folder, a folder that holds something else, damaged shards, full
disks, and progress on a terminal. What kills do is in kill_check.py.
"""

import collections
import contextlib
import fcntl
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

from kill_check import contents

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
PLACE = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 1 << 28 else None
BASE = ["--count", "400", "--shard-rows", "50", "--no-verify", "--seed", "5", "--jobs", "1"]
SLOW = ["--count", "2000", "--shard-rows", "50", "--jobs", "1"]  # takes long enough to be stopped
LONG = ["--count", "5000000", "--shard-rows", "50", "--jobs", "1"]  # resuming looks for each shard


def run(*command, **more):
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False, **more
    )


def generate(*args, **more):
    return run(WEFT, "generate", "--kind", "exercise", *args, **more)


def start(*args, stdout=subprocess.DEVNULL):
    return subprocess.Popen([WEFT, "generate", "--kind", "exercise", *args], stdout=stdout, stderr=subprocess.PIPE, text=True)


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")


class Runs(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp(dir=PLACE)
        self.addCleanup(shutil.rmtree, self.top)
        self.set = os.path.join(self.top, "set")

    def whole(self, *args):
        """The files of an undisturbed run."""
        folder = os.path.join(self.top, "whole")
        done = generate(*args, "--output", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return contents(folder)

    @contextlib.contextmanager
    def long_run(self, *args):
        """A run that is in the midst of its work."""
        process = start(*LONG, "--output", self.set, *args)
        data = os.path.join(self.set, "data")
        try:
            wait_for(lambda: os.path.isdir(data) and os.listdir(data))
            yield process
        finally:
            process.kill()
            process.communicate()

    def shards(self):
        """How many there are, as the notes of an unfinished run have it."""
        with contextlib.suppress(FileNotFoundError):
            return sum(name.startswith("shard-") for name in os.listdir(os.path.join(self.set, ".weft")))
        return 0

    def stop_after(self, shards, number, *args):
        """Sends a signal to a run that has so many shards; its exit status and messages."""
        for _ in range(20):  # on a busy machine a run may end before the signal comes
            process = start(*args, "--output", self.set)
            wait_for(lambda: process.poll() is not None or self.shards() >= shards)
            process.send_signal(number)
            errors = process.communicate()[1]
            if process.returncode != 0:
                return process.returncode, errors
            shutil.rmtree(self.set)
        raise AssertionError("runs end before they can be stopped")

    def stop(self, number=signal.SIGINT):
        """An unfinished run of SLOW, stopped by a signal; its messages."""
        status, errors = self.stop_after(1, number, *SLOW)
        self.assertEqual(status, 130, errors)
        return errors


class Interrupts(Runs):
    def test_the_command_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.set = os.path.join(self.top, f"a set of {number}'s")
            errors = self.stop(number)
            self.assertIn("interrupted", errors)
            words = shlex.split(errors.strip().splitlines()[-1])
            self.assertEqual((words[0], words[-1]), ("weft", "--resume"))
            done = run(WEFT, *words[1:], "--quiet")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            files = contents(self.set)
            self.assertEqual(files, self.whole(*SLOW))
            self.assertFalse([name for name in files if name.startswith(".")])
            shutil.rmtree(os.path.join(self.top, "whole"))

    def test_stream(self):
        process = start(*LONG, "--output", "-", stdout=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        errors = process.communicate()[1]
        self.assertEqual(process.returncode, 130)
        self.assertNotIn("--resume", errors)


class Folders(Runs):
    def test_unfinished_is_not_overwritten(self):
        self.stop()
        before = contents(self.set)
        done = generate(*SLOW, "--output", self.set)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--resume", done.stderr)
        done = generate(*SLOW, "--count", "2001", "--output", self.set, "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another command made, with --count 2000: choose", done.stderr)
        self.assertEqual(contents(self.set), before)
        checked = run(WEFT, "validate", self.set)
        self.assertEqual(checked.returncode, 1)
        self.assertIn("not finished", checked.stdout + checked.stderr)

    def test_finished_is_not_made_twice(self):
        for more in ([], ["--resume"], ["--resume", "--jobs", "2"]):
            done = generate(*BASE, "--output", self.set, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            before = {name: os.stat(os.path.join(self.set, name)).st_mtime_ns for name in contents(self.set)}
        self.assertIn("already holds", done.stderr)
        self.assertNotIn(".weft", os.listdir(self.set))
        time.sleep(0.01)
        self.assertEqual(generate(*BASE, "--output", self.set).returncode, 0)
        after = {name: os.stat(os.path.join(self.set, name)).st_mtime_ns for name in contents(self.set)}
        self.assertEqual(before, after)

    def test_damaged_is_told_and_made_anew(self):
        for form in ([], ["--format", "files"]):
            good = self.whole(*BASE, *form)
            self.assertEqual(generate(*BASE, *form, "--output", self.set).returncode, 0)
            name = sorted(name for name in good if "0-0000" in name or "5-0000" in name or name.startswith("data/"))[3]
            with open(os.path.join(self.set, name), "r+b") as stream:
                stream.truncate(100)
            done = generate(*BASE, *form, "--output", self.set)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--resume", done.stderr)
            done = generate(*BASE, *form, "--output", self.set, "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(contents(self.set), good)
            shutil.rmtree(self.set)
            shutil.rmtree(os.path.join(self.top, "whole"))

    def test_files_of_others_stay(self):
        for name, text in (("README.md", "# mine\n"), ("data/train.jsonl", "{}\n"), ("manifest.json", "{}\n"),
                           ("manifest.json", "no JSON")):
            path = os.path.join(self.set, name)
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            for more in ([], ["--resume"]):
                done = generate(*BASE, "--output", self.set, *more)
                self.assertEqual(done.returncode, 2, name)
                self.assertIn(self.set, done.stderr)
            self.assertEqual(contents(self.set), {name: text.encode()})
            self.assertNotIn(".weft", os.listdir(self.set))
            shutil.rmtree(self.set)

    def test_left_over_files_go(self):
        good = self.whole(*BASE)
        os.makedirs(os.path.join(self.set, "data"))
        for name in (".manifest.json.part", "data/.train-00007-of-00008.jsonl.part"):
            with open(os.path.join(self.set, name), "wb") as stream:
                stream.write(b"half")
        self.assertEqual(generate(*BASE, "--output", self.set).returncode, 0)
        self.assertEqual(contents(self.set), good)

    def test_resume_may_begin(self):
        done = generate(*BASE, "--output", self.set, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(contents(self.set), self.whole(*BASE))


class Locks(Runs):
    def test_two_runs(self):
        with self.long_run() as process:
            for more in ([], ["--resume"]):
                done = generate(*LONG, "--output", self.set, *more)
                self.assertEqual(done.returncode, 2)
                self.assertIn("another weft is at work", done.stderr)
            self.assertIsNone(process.poll())
            process.kill()
            process.wait()
        before = self.shards()
        again = start(*LONG, "--output", self.set, "--resume")
        wait_for(lambda: self.shards() > before)
        again.send_signal(signal.SIGINT)
        errors = again.communicate()[1]
        self.assertEqual(again.returncode, 130, errors)


class FullDisks(Runs):
    def check_going_on(self, done, good, *base):
        """A run that could not write tells the file; --resume ends in the right bytes."""
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, re.escape(self.set) + r".*: (No space left on device|File too large)")
        self.assertFalse([name for name in contents(self.set) if name.endswith(".part")])
        done = generate(*base, "--output", self.set, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(contents(self.set), good)

    def test_files_may_not_grow(self):
        for form in ([], ["--compress", "zstd"]):
            base = ["--count", "300", "--shard-rows", "120", "--no-verify", *form]
            good = self.whole(*base)
            sizes = [len(data) for name, data in good.items() if name.startswith("data/")]
            limit = (sizes[0] + min(sizes)) // 2  # the last shard is the smallest
            limit = max(sizes) - 1 if limit >= max(sizes) else limit

            def narrow(size=limit):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            done = generate(*base, "--output", self.set, preexec_fn=narrow)
            self.check_going_on(done, good, *base)
            shutil.rmtree(self.set)
            shutil.rmtree(os.path.join(self.top, "whole"))

    def test_small_file_system(self):
        """In a mount namespace of its own, where the machine lets us make one."""
        small = os.path.join(self.top, "small")
        os.mkdir(small)
        good = self.whole(*BASE)
        self.set = os.path.join(small, "set")
        script = (f"mount -t tmpfs -o size=2m none {small} && cd {self.top} && "
                  f"{{ {WEFT} generate --kind exercise {' '.join(BASE)} --output {self.set}; echo $? > status; "
                  f"mount -o remount,size=64m {small}; cp -r {self.set} stopped; "
                  f"{WEFT} generate --kind exercise {' '.join(BASE)} --output {self.set} --resume --quiet; cp -r {self.set} ended; }}")
        done = run("unshare", "--mount", "--map-root-user", "sh", "-c", script)
        if not os.path.exists(os.path.join(self.top, "status")):
            self.skipTest(f"no file system can be mounted here: {done.stderr.strip()[-200:]}")
        with open(os.path.join(self.top, "status"), encoding="utf-8") as stream:
            self.assertEqual(stream.read().strip(), "3")
        self.assertRegex(done.stderr, r"cannot write '.*small/set/.*': No space left on device")
        stopped = contents(os.path.join(self.top, "stopped"))
        self.assertFalse([name for name in stopped if name.endswith(".part")])
        for name in stopped:
            if name.startswith("data/"):
                self.assertEqual(stopped[name], good[name])
        self.assertEqual(contents(os.path.join(self.top, "ended")), good)


class Progress(Runs):
    def on_terminal(self, *args, columns=200):
        """What a run writes to its terminal, and its exit status."""
        parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([WEFT, "generate", "--kind", "exercise", *args], stdin=child, stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        shown = b""
        while select.select([parent], [], [], 60)[0]:
            try:
                shown += os.read(parent, 65536)
            except OSError:  # the other end is gone
                break
        os.close(parent)
        return shown.decode(), process.wait(60)

    def test_bar(self):
        shown, status = self.on_terminal("--count", "3000", "--seed", "1", "--jobs", "1", "--output", self.set)
        self.assertEqual(status, 0)
        bars = [bar for bar in shown.split("\r") if bar.startswith("[")]
        self.assertTrue(bars, shown)
        figures = r"\d+ / 3000 pairs, \d+ pairs/s, \d+ s left, \d+\.\d % of tries pass, made anew: \w+ \d+"
        self.assertRegex(bars[-1], r"^\[#*-*\] " + figures)
        self.assertTrue(re.search(r"\r\x1b\[K[^\[]*category", shown), "the bar is taken away")
        shown, status = self.on_terminal("--count", "1000", "--jobs", "1", "--output", self.set + "2", columns=40)
        for bar in shown.split("\r"):
            if bar.startswith("["):
                self.assertLess(len(bar.replace("\x1b[K", "")), 40)
                self.assertRegex(bar, r"pairs\x1b", "the line is cut behind a figure")

    def test_quiet(self):
        shown, status = self.on_terminal("--count", "500", "--quiet", "--output", self.set)
        self.assertEqual((shown, status), ("", 0))

    def test_time_left_after_resume(self):
        """What was there counts as done, and not for the rate."""
        base = ["--count", "4000", "--shard-rows", "25", "--jobs", "1"]
        self.stop_after(41, signal.SIGKILL, *base)
        shown, status = self.on_terminal(*base, "--output", self.set, "--resume")
        self.assertEqual(status, 0)
        rates = [(int(done), int(rate)) for done, rate in re.findall(r"(\d+) / 4000 pairs, (\d+) pairs/s", shown)]
        self.assertTrue(rates)
        self.assertGreaterEqual(rates[0][0], 1000)
        last = re.search(r": (\d+) pairs/s; (\d+) pairs were there", shown)
        self.assertGreaterEqual(int(last[2]), 1000)
        self.assertLess(rates[0][1], 20 * int(last[1]))


class SlowLines(unittest.TestCase):
    """Not on a terminal there is a line every ten seconds; its run starts before the other tests, and
    waits meanwhile, as nobody reads what it writes."""

    process = None

    def test_lines(self):
        with self.process:
            reader = threading.Thread(target=collections.deque, args=(self.process.stdout, 0))
            reader.start()
            line = self.process.stderr.readline() if select.select([self.process.stderr], [], [], 60)[0] else ""
            self.assertRegex(line, r"^weft: \d+ / 100000000 pairs, \d+ pairs/s, \d+ h \d+ min left")
            self.process.send_signal(signal.SIGINT)
            self.assertEqual(self.process.wait(60), 130)
            reader.join()


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    SlowLines.process = start("--count", "100000000", "--jobs", "1", "--output", "-", stdout=subprocess.PIPE)
    try:
        part.main(part.take(sys.argv))
    finally:
        SlowLines.process.kill()
