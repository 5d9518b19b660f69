#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How weft ends in the situations a shell brings about: closed pipes, full disks, interrupts.

usage: behaviour_check.py WEFT
"""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = ""
HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, "..", "cases", "programs", "small.py")
STREAM = ["generate", "--kind", "exercise", "--no-verify", "--output", "-", "--count"]


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
            command = [WEFT, "generate", "--kind", "exercise", "--count", "100000000", "--no-verify", "--output", folder + "/out"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)

    def test_interrupt_while_input_is_awaited(self):
        """Standard input is kept in the output folder: nothing of it stays, nor of the folder."""
        commands = (["dedup", "-"], ["split", "-", "--ratios", "50,50"])
        with tempfile.TemporaryDirectory() as folder:
            for there, command in itertools.product((False, True), commands):
                out = os.path.join(folder, command[0])
                if there:
                    os.mkdir(out)
                process = subprocess.Popen([WEFT, *command, "--output", out], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
                deadline = time.monotonic() + 30
                while not (os.path.isdir(out) and os.listdir(out)) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertTrue(os.listdir(out), command)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(60), 130)
                process.stdin.close()
                self.assertEqual(os.path.exists(out) and os.listdir(out), [] if there else False, command)

    def test_every_stage_ends_at_sigterm(self):
        """Programs that keep one stage busy for long: SIGTERM ends each within two seconds."""
        chain = "".join(f"@wp.func\ndef f{i}(x: float):\n    return f{i - 1}(x) + f{i - 1}(x)\n\n" for i in range(1, 40))
        sums = "    x = a[0]\n" + "    x = x * a[1] + 1.0\n" * 60000 + "    a[0] = x\n"
        loops = "".join("    " * (n + 1) + f"for i{n} in range(16):\n" for n in range(5)) + "    " * 6 + "a[0] += 1.0\n"
        kernel = "@wp.kernel\ndef k(a: wp.array(dtype=float)):\n"
        mats = ("M = wp.types.matrix(shape=(60, 60), dtype=float)\n@wp.kernel\ndef k(a: wp.array(dtype=M)):\n"
                "    i = wp.tid()\n    a[i] = a[i] * a[i]\n")
        leaf = "@wp.func\ndef f0(x: float):\n    return x * x\n\n"
        programs = {
            "evaluate": "while True:\n    pass\n" * 1000 + kernel + "    a[0] = 1.0\n",
            "parse": "x = 1\n" * 3000000,
            "lower": kernel + loops * 40,
            "passes": kernel + sums,
            "run": leaf + chain + kernel + "    a[0] = f39(a[0])\n",
            "matrices": mats,
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, text in programs.items():
                path = os.path.join(folder, name + ".py")
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write("import warp as wp\n\n" + text)
                for emit in ("standalone", "json"):
                    out = os.path.join(folder, "out.cu")
                    command = [WEFT, "compile", "--emit", emit, path, "-o", out]
                    for delay in (0.1, 0.5):
                        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                        time.sleep(delay)
                        process.send_signal(signal.SIGTERM)
                        begin = time.monotonic()
                        status = process.wait(60)
                        spent = time.monotonic() - begin
                        self.assertLess(spent, 2.0 if "asan" not in WEFT else 10.0, (name, emit, delay))
                        self.assertIn(status, (130, 0, 1, 3), (name, emit))
                        if status == 130:
                            self.assertFalse(os.path.exists(out), (name, emit))
                        self.assertFalse(os.path.exists(os.path.join(folder, ".out.cu.part")), (name, emit))
                        if os.path.exists(out):
                            os.unlink(out)

    def test_folder_as_file(self):
        small = os.path.join(HERE, "..", "cases", "programs", "small.py")
        done = run("run", small, "--dim", "1", "--arg", f"a=@{HERE}", stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"error", done.stderr)

    def test_walks_end(self):
        """Links to folders above, pipes and deep folders: a walk ends, and finds each file once."""
        kernel = "import warp as wp\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    a[wp.tid()] = 2.0\n"
        with tempfile.TemporaryDirectory() as top:
            inner = os.path.join(top, "src", *"0123456789abcdef")
            os.makedirs(inner)
            with open(os.path.join(inner, "k.py"), "w", encoding="utf-8") as stream:
                stream.write(kernel)
            shutil.copy(os.path.join(HERE, "..", "collect", "project", "LICENSE"), os.path.join(top, "src"))
            for i in range(3):
                os.symlink("..", os.path.join(inner, f"up{i}"))
                os.symlink(top, os.path.join(top, "src", f"top{i}"))
            os.mkfifo(os.path.join(top, "src", "pipe.py"))
            os.mkdir(os.path.join(top, "src", "folder.py"))
            os.symlink("src", os.path.join(top, "link"))  # an operand may be one
            for operand in ("src", "link"):
                for words in (("check",), ("compile", "--emit", "json"), ("collect", "-o", f"{operand}.out")):
                    done = run(*words, operand, cwd=top, stdout=subprocess.PIPE)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    if words[0] == "check":
                        self.assertEqual(done.stderr, b"1 kernel in 1 file: no errors\n")
                    elif words[0] == "compile":
                        self.assertEqual(done.stdout.count(b"\n"), 1)
                    else:
                        self.assertRegex(done.stdout, rb"records +1\n")

    def test_unwritable_output(self):
        done = run("generate", "--kind", "exercise", "--count", "5", "--no-verify", "--output", "/proc/nothing", stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)

    def test_help(self):
        for args in (["--help"], ["help"], ["help", "compile"], ["compile", "--help"], ["generate", "--kind", "exercise", "--help"]):
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

    def waiting(self, command, folder):
        """A process that waits: "| ..." for its input, "> ..." for whoever reads its output, else for a pipe."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        if command[0] in "|>":
            streams["stdin" if command[0] == "|" else "stdout"] = subprocess.PIPE
        return subprocess.Popen([WEFT, *command.lstrip("|> ").split()], cwd=folder, **streams)

    def ended_by(self, number, folder):
        """{command: status} of the commands in WAITING after a signal; nothing new lies in the folder."""
        before = sorted(os.listdir(folder))
        running = {command: self.waiting(command, folder) for command in WAITING}
        time.sleep(2.0)
        early = [command for command, process in running.items() if process.poll() is not None]
        self.assertEqual(early, [])
        for process in running.values():
            process.send_signal(number)
        ends = {}
        for command, process in running.items():
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            ends[command] = process.returncode
        self.assertEqual(sorted(os.listdir(folder)), before)
        return ends

    def test_signals_end_waiting(self):
        """A command that waits for a pipe, its input or its reader ends on the first signal."""
        with tempfile.TemporaryDirectory() as folder:
            made = run("generate", "--kind", "exercise", "--count", "3", "--no-verify", "--quiet", "--output", folder + "/set", stdout=subprocess.PIPE)
            self.assertEqual(made.returncode, 0)
            with open(folder + "/m.py", "w") as out:
                out.write("import warp as wp\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    a[wp.tid()] = 1.0\n")
            os.mkdir(folder + "/part")
            for name in ("pipe", "pipe.cu", "pipe.jsonl", "pipe.jsonl.zst", "part/manifest.json", "pipe.out"):
                os.mkfifo(os.path.join(folder, name))
            for number in (signal.SIGTERM, signal.SIGINT):
                self.assertEqual(self.ended_by(number, folder), dict.fromkeys(WAITING, 130))


# Commands that wait for what does not come. Nobody opens the pipes; names of outputs are new.
WAITING = [
    "compile pipe",
    "compile pipe -o new.cpp",
    "compile --emit ast pipe",
    "check pipe",
    "check pipe.cu",
    "run pipe --dim 1",
    "run m.py --dim 1 --arg a=@pipe --save a=@new.npy",
    "ptx pipe.cu -o new.ptx",
    "ptx pipe.jsonl",
    "stats pipe.jsonl",
    "report pipe.jsonl -o new.html",
    "report part -o new.html",
    "validate pipe.jsonl.zst",
    "split --ratios 90,10 pipe.jsonl --output new",
    "dedup pipe.jsonl",
    "dedup part --output new",
    "merge part --output new",
    "generate --count 4 --exclude pipe --output -",
    "| compile -",
    "| check -",
    "| ptx -",
    "| stats -",
    "| report - -o new.html",
    "| validate -",
    "| dedup -",
    "compile m.py -o pipe.out",
    "run m.py --dim 1 --arg a=zeros:1 --save a=@pipe.out",
    "report set -o pipe.out",
    "> generate --count 100000 --no-verify --output -",
    "> generate --count 100000 --no-verify --jobs 1 --output -",
    "> compile" + 2000 * " m.py",
]


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
