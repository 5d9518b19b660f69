#!/usr/bin/env python3
"""How weft ends in the situations a shell brings about: closed pipes, full disks, interrupts.

usage: behaviour_check.py WEFT
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = ""
HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, "..", "cases", "programs", "small.py")
STREAM = ["generate", "--no-verify", "--output", "-", "--count"]


def run(*args, **more):
    return subprocess.run([WEFT, *args], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, **more)


class Endings(unittest.TestCase):
    def test_closed_pipe(self):
        process = subprocess.Popen([WEFT, *STREAM, "200000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(60)
        process.stderr.close()
        self.assertEqual(errors, b"")
        self.assertIn(process.returncode, (0, -signal.SIGPIPE))

    def test_pipe_closed_at_once(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = run("compile", "--emit", "json", SMALL, stdout=writing)
        os.close(writing)
        self.assertEqual(done.stderr, b"")
        self.assertIn(done.returncode, (0, -signal.SIGPIPE))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(run(*STREAM, "1000", stdout=full).returncode, 3)
            self.assertEqual(run("compile", SMALL, stdout=full).returncode, 3)

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [WEFT, "generate", "--count", "100000000", "--no-verify", "--output", folder + "/out"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)

    def test_unreadable_folder_as_file(self):
        done = run("compile", HERE, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"error", done.stderr)

    def test_unwritable_output(self):
        done = run("generate", "--count", "5", "--no-verify", "--output", "/proc/nothing", stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)

    def test_help(self):
        for args in (["--help"], ["help"], ["help", "compile"], ["compile", "--help"], ["generate", "--help"]):
            done = run(*args, stdout=subprocess.PIPE)
            self.assertEqual(done.returncode, 0, args)
            self.assertIn(b"weft", done.stdout, args)
        self.assertIn(b"--emit", run("help", "compile", stdout=subprocess.PIPE).stdout)

    def test_results_go_to_stdout_alone(self):
        done = run("compile", SMALL, "--emit", "cu", stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"double_cuda_kernel_forward", done.stdout)

    def test_no_backward(self):
        text = run("compile", SMALL, "--emit", "cu", "--no-backward", stdout=subprocess.PIPE).stdout
        self.assertIn(b"double_cuda_kernel_forward", text)
        self.assertNotIn(b"double_cuda_kernel_backward", text)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
