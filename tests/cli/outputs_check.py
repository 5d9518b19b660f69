#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Outputs eat neither inputs nor devices: what may be replaced, what is written into, what is refused.

usage: outputs_check.py WEFT
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

WEFT = ""

LIB = "import warp as wp\n\n\n@wp.func\ndef twice(x: float):\n    return 2.0 * x\n"
MAIN = ("import warp as wp\nfrom lib import twice\n\n\n@wp.kernel\n"
        "def k(a: wp.array(dtype=float), b: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    b[i] = twice(a[i])\n")
RUN = ["run", "m.py", "--dim", "2", "--arg", "a=zeros:2", "--arg", "b=zeros:2"]
READ, TAKEN = "this command reads that file", "another output of this command goes there"


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (("lib.py", LIB), ("m.py", MAIN)):
            self.write(name, text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as out:
            out.write(text)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        """{name: content} of what lies in the folder; of what is no file its kind."""
        found = {}
        for where, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(where, name)
                plain = os.path.isfile(path) and not os.path.islink(path)
                found[os.path.relpath(path, self.folder)] = self.read(path) if plain else stat.S_IFMT(os.lstat(path).st_mode)
        return found

    def weft(self, *args, status=0, **more):
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
        done = subprocess.run([WEFT, *args], cwd=self.folder, stderr=subprocess.PIPE, timeout=60, **more)
        self.assertEqual(done.returncode, status, f"{args}: {done.stderr.decode()}")
        return done

    def refused(self, *args, why=READ, status=2, **more):
        """The command changes nothing."""
        before = self.files()
        done = self.weft(*args, status=status, **more)
        self.assertIn(why, done.stderr.decode(), args)
        self.assertEqual(self.files(), before, args)

    def data_set(self, name, *args):
        self.weft("generate", "--kind", "exercise", "--count", "4", "--seed", "2", "--no-verify", "--quiet", "--output", name, *args)


class Inputs(Outputs):
    """Files that the command reads stay as they are."""

    def test_descriptors(self):
        for name, arguments in (("m.py", ("compile", "--emit", "cu", "m.py")), ("lib.py", ("compile", "--emit", "cu", "m.py")),
                                ("m.py", ("compile", "--emit", "json", "m.py"))):
            with open(self.path(name), "r+b") as file:
                fd = file.fileno()
                for output in (f"/dev/fd/{fd}", f"/proc/self/fd/{fd}"):
                    self.refused(*arguments, "-o", output, pass_fds=[fd])
                for output in ("-", "/dev/stdout"):
                    self.refused(*arguments, "-o", output, stdout=file)
                self.refused(*arguments, stdout=file)
        with open(self.path("m.py"), "r+b") as file:
            self.refused(*RUN, "--save", f"b=@/dev/fd/{file.fileno()}", pass_fds=[file.fileno()])
        with open(self.path("new.cu"), "w+b") as file:
            self.weft("compile", "--emit", "cu", "m.py", stdout=file)
        self.assertIn(b"k_cuda_kernel_forward", self.read("new.cu"))

    def test_compile(self):
        os.symlink("lib.py", self.path("link"))
        os.link(self.path("lib.py"), self.path("hard"))
        os.symlink(self.path("link"), self.path("link_to_link"))
        for name in ("m.py", "./m.py", "lib.py", "link", "hard", "link_to_link"):
            for form in ("cpp", "json"):
                self.refused("compile", "m.py", "--emit", form, "-o", name)
        self.refused("compile", "--emit", "ast", "m.py", "-o", "m.py")
        with open(self.path("m.py")) as text:
            self.weft("compile", "-", "-o", "m.py", status=2, stdin=text)
        self.assertEqual(self.read("m.py").decode(), MAIN)

    def test_compile_after_errors(self):
        self.write("bad.py", "import lib\ndef f(:\n")
        self.refused("compile", "m.py", "bad.py", "-o", "lib.py")

    def test_compile_package(self):
        self.write("pack/__init__.py", "SIZE = 2.0\n")
        self.write("pack/m.py", MAIN.replace("from lib import twice", "from . import SIZE").replace("twice(", "SIZE * ("))
        self.refused("compile", "pack/m.py", "-o", "pack/__init__.py")

    def test_compile_standalone(self):
        self.write("k/k.py", MAIN)
        self.write("k/lib.py", LIB)
        self.refused("compile", "k/k.py", "--emit", "standalone", "-o", ".")
        self.weft("compile", "m.py", "--emit", "standalone", "-o", "programs")
        self.assertIn("programs/k/k.cu", self.files())

    def test_run(self):
        self.weft(*RUN, "--save", "b=@b.npy")
        os.symlink("b.npy", self.path("link.npy"))
        for name in ("m.py", "lib.py"):
            self.refused(*RUN, "--save", f"a=@{name}")
        for name in ("b.npy", "./b.npy", "link.npy"):
            self.refused(*RUN[:-3], "a=@b.npy", *RUN[-2:], "--save", f"b=@{name}")
            self.refused(*RUN, "--grad", "--adjoint", "b=@b.npy", "--save-grad", f"a=@{name}")

    def test_report(self):
        self.data_set("set")
        self.data_set("programs", "--format", "standalone")
        shard = os.path.join("set", "data", os.listdir(self.path("set/data"))[0])
        program = next(name for name in self.files() if name.startswith("programs") and name.endswith(".cu"))
        self.refused("report", shard, "-o", shard)
        for name in (shard, "set/manifest.json", "set/stats.json"):
            self.refused("report", "set", "-o", name)
        self.refused("report", "programs", "-o", program)

    def test_sets(self):
        self.data_set("set")
        for command in (["split", "--ratios", "50,50"], ["dedup"], ["merge"]):
            for name in ("set", "set/data", "set/manifest.json"):
                before = self.files()
                done = subprocess.run([WEFT, *command, "set", "--output", name], cwd=self.folder, capture_output=True)
                self.assertIn(done.returncode, (1, 2, 3), (command, name))
                self.assertEqual(self.files(), before, (command, name))


class Collisions(Outputs):
    """Two outputs of a command do not go to one place."""

    def test_compile_into_folder(self):
        self.write("one/m.py", MAIN)
        self.write("one/lib.py", LIB)
        os.mkdir(self.path("out"))
        self.assertIn(TAKEN, self.weft("compile", "m.py", "one/m.py", "--emit", "cu", "-o", "out", status=2).stderr.decode())
        self.assertIn(b"k_cuda_kernel_forward", self.read("out/m.cu"))

    def test_run(self):
        os.symlink("x.npy", self.path("link.npy"))
        os.mkdir(self.path("deep"))
        for name in ("./x.npy", "deep/../x.npy", "link.npy", self.path("x.npy")):
            self.refused(*RUN, "--save", "a=@x.npy", "--save", f"b=@{name}", why=TAKEN)

    def test_run_saves_all_or_nothing(self):
        self.refused(*RUN, "--save", "a=@x.npy", "--save", "b=@lib.py")
        self.refused(*RUN, "--save", "a=@x.npy", "--save", "b=@m.py/y.npy", why="Not a directory", status=3)


class Places(Outputs):
    """What is no regular file is written into; links stay."""

    def device(self, name, minor):
        """A device that the test may lose: one of its own, since root could replace the machine's."""
        if os.geteuid():
            return f"/dev/{name}"
        try:
            os.mknod(self.path(name), 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            with open(self.path(name), "rb"):
                return self.path(name)
        except OSError as error:
            return self.skipTest(f"no device of one's own: {error}")

    def test_devices(self):
        null, full = self.device("null", 3), self.device("full", 7)
        before = os.stat(null)
        self.weft(*RUN, "--save", f"b=@{null}")
        self.weft("compile", "m.py", "-o", null)
        self.weft(*RUN, "--save", f"b=@{full}", status=3)
        self.weft("compile", "m.py", "-o", full, status=3)
        for path in (null, full):
            self.assertTrue(stat.S_ISCHR(os.lstat(path).st_mode), path)
        self.assertEqual(before.st_ino, os.stat(null).st_ino)

    def through_pipe(self, *args):
        """What a command writes into a pipe with a name."""
        if not os.path.exists(self.path("pipe")):
            os.mkfifo(self.path("pipe"))
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read("pipe")), daemon=True)
        reader.start()
        self.weft(*args)
        reader.join(10)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))
        self.assertEqual(len(got), 1, "nothing was written into the pipe")
        return got[0]

    def test_pipes(self):
        self.data_set("set")
        self.weft(*RUN, "--save", "b=@b.npy")
        self.assertEqual(self.through_pipe(*RUN, "--save", "b=@pipe"), self.read("b.npy"))
        text = self.weft("compile", "m.py", "--emit", "cu").stdout
        self.assertEqual(self.through_pipe("compile", "m.py", "--emit", "cu", "-o", "pipe"), text)
        self.assertIn(b"<html", self.through_pipe("report", "set", "-o", "pipe", "-q"))
        self.write("empty.py", "")
        self.assertIn(b"Module(", self.through_pipe("compile", "empty.py", "--emit", "ast", "-o", "pipe"))

    def test_pipes_after_errors(self):
        """Who waits for the output sees its end."""
        self.write("bad.py", "def f(:\n")
        os.mkfifo(self.path("pipe"))
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read("pipe")), daemon=True)
        reader.start()
        for _ in range(50):  # until it has the pipe open
            self.weft("compile", "bad.py", "-o", "pipe", status=1)
            if got:
                break
        reader.join(10)
        self.assertEqual(got, [b""])

    def test_links(self):
        for name in ("there", "new", "deep/new"):
            os.makedirs(os.path.dirname(self.path("to/" + name)), exist_ok=True)
            link = name.replace("/", "_")
            os.symlink(f"to/{name}", self.path(link))
            os.symlink(link, self.path(link + "_again"))
        self.write("to/there", "old")
        text = self.weft("compile", "m.py", "--emit", "cu").stdout
        for name in ("there", "new", "deep/new"):
            link = name.replace("/", "_") + "_again"
            self.weft("compile", "m.py", "--emit", "cu", "-o", link)
            self.assertTrue(os.path.islink(self.path(link)))
            self.assertEqual(self.read("to/" + name), text)
        os.symlink("circle", self.path("circle"))
        self.weft("compile", "m.py", "-o", "circle", status=3)
        self.weft(*RUN, "--save", "b=@there")
        self.assertTrue(os.path.islink(self.path("there")))
        self.assertEqual(self.read("to/there")[:6], b"\x93NUMPY")

    def test_descriptors(self):
        """What /dev/stdout leads to is standard output, wherever that goes."""
        text = self.weft("compile", "m.py", "--emit", "cu").stdout
        os.symlink("/proc/self/fd/1", self.path("stdout"))
        for name in ("-", "stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.assertEqual(self.weft("compile", "m.py", "--emit", "cu", "-o", name).stdout, text)
            with open(self.path("log"), "wb") as out:
                out.write(b"before\n")
                out.flush()
                self.weft("compile", "m.py", "--emit", "cu", "-o", name, stdout=out)
                out.write(b"after\n")
            self.assertEqual(self.read("log"), b"before\n" + text + b"after\n", name)

    def test_protected(self):
        self.write("mine", "old")
        os.chmod(self.path("mine"), 0o444)
        if os.access(self.path("mine"), os.W_OK):
            self.skipTest("root may write everything")
        self.refused("compile", "m.py", "-o", "mine", why="Permission denied", status=3)

    def test_nothing_is_left(self):
        before = set(self.files())
        self.write(".out.cu.part", "mine")
        self.weft("compile", "m.py", "--emit", "cu", "-o", "out.cu")
        self.weft("compile", "m.py", "lib.py", "--kernel", "none", "-o", "other.cu", status=1)
        self.assertEqual(set(self.files()) - before, {"out.cu", ".out.cu.part"})
        self.assertEqual(self.read(".out.cu.part"), b"mine")


class Report(Outputs):
    """Where the page goes."""

    def test_default(self):
        self.data_set("set")
        self.write("report.html", "mine")
        self.write("elsewhere/report.html", "mine")
        shard = os.path.join("set", "data", os.listdir(self.path("set/data"))[0])
        self.assertIn("set/report.html", self.weft("report", "set/").stderr.decode())
        self.assertIn(b"<html", self.read("set/report.html"))
        os.remove(self.path("set/report.html"))
        self.weft("report", shard)  # goes where its set's page goes
        self.assertIn(b"<html", self.read("set/report.html"))
        self.assertEqual(self.read("report.html"), b"mine")
        for command in ("validate", "stats", "report"):  # the page does not count
            self.weft(command, "set")
        self.weft("generate", "--kind", "exercise", "--count", "4", "--seed", "2", "--no-verify", "--quiet", "--output", "set", "--resume")

    def test_standard_input(self):
        self.weft("report", "-", status=2, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
