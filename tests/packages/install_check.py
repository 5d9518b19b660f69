#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` and `cpack` make: programs outside the source tree compile and link against
it, by the lines of docs/c.md and by find_package, with the shared library and with the static one,
after the folder was moved; the shells load the completions; the .deb holds the same files.

usage: install_check.py BUILD
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = ""
REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPO, "tests", "docs"))

import document  # noqa: E402

SOURCE = r"""
#include <stdio.h>
#include <weft.h>

int main(void)
{
    weft_context *context = NULL;
    printf("%s %d\n", weft_version(), weft_context_new(NULL, &context) == WEFT_OK);
    weft_context_free(context);
    return 0;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.21)
project(mine C)
find_package(weft 0.1 REQUIRED)
add_executable(shared mine.c)
target_link_libraries(shared PRIVATE weft::weft)
add_executable(static mine.c)
target_link_libraries(static PRIVATE weft::static)
"""
KERNEL = """import warp as wp


@wp.kernel
def k(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = 2.0 * a[i]
"""


def needs(*programs):
    """Skips a test that lacks a program; in CI nothing is skipped, so the test fails there."""
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing and not os.environ.get("CI"), f"no {', '.join(missing)}")


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}")
    return done.stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def files_of(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        first = os.path.join(cls.folder, "first")
        run("cmake", "--install", BUILD, "--prefix", first)
        cls.prefix = os.path.join(cls.folder, "moved", "here")
        os.makedirs(os.path.dirname(cls.prefix))
        os.rename(first, cls.prefix)
        cls.files = files_of(cls.prefix)
        cls.source = write(os.path.join(cls.folder, "mine.c"), SOURCE)
        [pc] = [f for f in cls.files if f.endswith("weft.pc")]
        cls.pc = os.path.join(cls.prefix, os.path.dirname(pc))
        cls.lib = os.path.dirname(cls.pc)

    def prints(self, program, **environment):
        env = dict(os.environ, **environment)
        self.assertRegex(run(program, env=env), r"^\d+\.\d+\.\d+ 1\n$")

    def test_program(self):
        kernel = write(os.path.join(self.folder, "k.py"), KERNEL)
        text = run(os.path.join(self.prefix, "bin", "weft"), "compile", "--emit", "standalone", kernel)
        self.assertIn("__global__ void k(", text)

    def test_licence(self):
        with open(self.path("share/doc/weft/LICENSE"), encoding="utf-8") as installed:
            self.assertIn("Apache License, version 2.0", installed.read())

    def test_manual_page(self):
        with open(os.path.join(self.prefix, "share", "man", "man1", "weft.1"), encoding="utf-8") as page:
            self.assertIn(".TH WEFT 1", page.read())

    @needs("pkg-config")
    def test_pkg_config(self):
        """The lines of docs/c.md compile its program, which runs; with the static library by itself."""
        with open(os.path.join(REPO, "docs", "c.md"), encoding="utf-8") as stream:
            page = stream.read()
        folder = os.path.join(self.folder, "by_pkg_config")
        os.makedirs(folder)
        write(os.path.join(folder, "emit.c"), re.search(r"<!-- file: emit\.c -->\n```c\n(.*?)```", page, re.S)[1])
        shared, static = re.findall(r"^\$ (cc emit\.c .*)$", page, re.M)
        for line, environment in ((shared, {"LD_LIBRARY_PATH": self.lib}), (static, {})):
            # some linkers leave out a shared library that is named and not needed; others keep it
            line = line.replace("cc ", "cc -Wl,--no-as-needed ", 1)
            run("sh", "-c", line, cwd=folder, env=dict(os.environ, PKG_CONFIG_PATH=self.pc))
            said = run(os.path.join(folder, "emit"), env=dict(os.environ, **environment))
            self.assertRegex(said, r"^twice has \d{3,} bytes of CUDA\n$")

    def test_find_package(self):
        project = os.path.join(self.folder, "project")
        os.makedirs(project)
        shutil.copy(self.source, project)
        write(os.path.join(project, "CMakeLists.txt"), PROJECT)
        built = os.path.join(project, "build")
        run("cmake", "-S", project, "-B", built, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", built)
        self.prints(os.path.join(built, "shared"))
        self.prints(os.path.join(built, "static"))

    def test_readme(self):
        """The commands of README's "Install": those that need no minutes run, beside this build. What they build
        is packages.wheel's and packages.chroot's."""
        with open(os.path.join(REPO, "README.md"), encoding="utf-8") as stream:
            build, packages = document.install_lines(stream.read())
        with open(os.path.join(REPO, "scripts", "setup.sh"), encoding="utf-8") as stream:
            known = set(" ".join(re.findall(r'^\w+_packages="(.*?)"', stream.read(), re.M | re.S)).split())
        checkout = os.path.join(self.folder, "checkout")
        os.makedirs(checkout)
        os.symlink(BUILD, os.path.join(checkout, "build"))
        home = {**os.environ, "HOME": self.folder}
        presets = run("cmake", "--list-presets", cwd=REPO) + run("cmake", "--build", "--list-presets", cwd=REPO)
        self.assertEqual(presets.count('"release"'), 2, presets)
        ran = []
        for line in build + packages:
            words = line.split()
            if words[:2] == ["apt-get", "install"]:
                self.assertLessEqual(set(words[2:]), known, "scripts/setup.sh installs other packages")
            elif line.startswith("cmake --preset release && cmake --build --preset release "):
                ran.append("build")
            elif line == "python3 -m venv env && env/bin/pip install .":
                ran.append("pip")
            else:
                self.assertRegex(line, "^(cmake --install build|cpack --config build)")
                run("sh", "-ec", f"{line}\nweft --version", cwd=checkout, env={**home, "PATH": f"{self.prefix}/bin:{os.environ['PATH']}"})
                ran.append(words[0])
        self.assertEqual(ran, ["build", "cmake", "cpack", "pip"])
        self.assertIn("weft ", run(os.path.join(self.folder, ".local", "bin", "weft"), "--version"))
        self.assertTrue(any(name.endswith(".deb") for name in os.listdir(checkout)))

    def path(self, end):
        [found] = [f for f in self.files if f.endswith(end)]
        return os.path.join(self.prefix, found)

    def test_bash(self):
        script = self.path("bash-completion/completions/weft")
        for words, wanted in ((("com",), "compile"), (("compile", "--emi"), "--emit"),
                              (("compile", "--emit", "stand"), "standalone"), (("help", "--completion", "f"), "fish"),
                              (("check", "--diagnostics", "s"), "sarif"), (("compile", "--device", "b"), "both"), (("run", "--device", "b"), "")):
            ask = 'source "$0"; COMP_WORDS=(weft "$@"); COMP_CWORD=$#; _weft; echo "${COMPREPLY[@]}"'
            self.assertEqual(run("bash", "-c", ask, script, *words).strip(), wanted)

    @needs("fish")
    def test_fish(self):
        script = self.path("weft.fish")
        for line, wanted in (("weft com", "compile"), ("weft compile --emi", "--emit"), ("weft compile --emit stand", "standalone")):
            said = run("fish", "--no-config", "-c", f'source "{script}"; complete -C "{line}"')
            self.assertEqual([row.split("\t")[0] for row in said.splitlines()], [wanted])

    @needs("zsh")
    def test_zsh(self):
        run("zsh", "-n", self.path("_weft"))
        # _describe and _arguments are given what they take: one word for each option
        words = run("zsh", "-c", "_describe() { print -l -- ${(P)2} }; _arguments() { print -l -- $@ }; "
                    f'words=(weft compile x); CURRENT=3; source "{self.path("_weft")}"').splitlines()
        self.assertTrue(any("--emit[" in w and w.endswith("(cpp cu json ast ir ptx none standalone)") for w in words), words)

    @needs("dpkg-deb", "dpkg-shlibdeps")
    def test_deb(self):
        run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", self.folder)
        [package] = [f for f in os.listdir(self.folder) if f.endswith(".deb")]
        package = os.path.join(self.folder, package)
        root = os.path.join(self.folder, "root")
        run("dpkg-deb", "-x", package, root)
        packed = files_of(os.path.join(root, "usr"))
        moved = {"share/doc/weft/copyright", "share/doc/weft/changelog.gz", "share/doc/weft/changelog.Debian.gz", "share/man/man1/weft.1.gz",
                 "share/zsh/vendor-completions/_weft"}
        self.assertLessEqual(moved, packed)
        here = {"LICENSE", "CHANGELOG.md", "weft.1", "_weft"}
        self.assertEqual({os.path.basename(f) for f in packed - moved}, {os.path.basename(f) for f in self.files} - here)
        self.assertIn("libzstd1", run("dpkg-deb", "-f", package, "Depends"))
        self.assertIn("weft ", run(os.path.join(root, "usr", "bin", "weft"), "--version"))
        if shutil.which("lintian"):  # not a part of what setup.sh installs: it brings 60 packages
            said = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", package], capture_output=True, text=True).stdout
            self.assertEqual([line for line in said.splitlines() if line.startswith("E:")], [])


if __name__ == "__main__":
    BUILD = os.path.abspath(sys.argv.pop(1))
    unittest.main()
