#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a document that names the host of a package registry.

Documents name packages ("warp-lang 1.19.0", "Debian's libzstd-dev") and leave it to the reader's own
client where they come from: mirrors and closed networks are common. Documents are pages anywhere,
LICENSE, and the programs in docs.
"""

import os
import re
import sys

from project_files import ROOT, finish, read_text

HOSTS = """pypi.org pythonhosted.org pypi.nvidia.com anaconda.org conda.io prefix.dev npmjs.com npmjs.org unpkg.com jsdelivr.net
    yarnpkg.com crates.io rubygems.org nuget.org packagist.org maven.org golang.org pkg.go.dev hub.docker.com docker.io ghcr.io
    quay.io nvcr.io conan.io vcpkg.io brew.sh packages.debian.org deb.debian.org packages.ubuntu.com archive.ubuntu.com""".split()
HOST = re.compile(r"(?<![\w-])(?:[\w-]+\.)*(?:%s)(?![\w-])" % "|".join(map(re.escape, HOSTS)), re.I)
OUTSIDE = ("build", "out")
PAGES = (".md", ".rst", ".html", ".ipynb", ".svg")
IN_DOCS = (*PAGES, ".txt", ".sh", ".py", ".cu")


def documents(root):
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in OUTSIDE)
        endings = IN_DOCS if os.path.relpath(where, root).split(os.sep)[0] == "docs" else PAGES
        for name in sorted(names):
            if name == "LICENSE" or name.endswith(endings):
                yield os.path.relpath(os.path.join(where, name), root)


def host_problems(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        for host in HOST.findall(line):
            yield f"{path}:{number}: {host} is a registry's host: name the package instead"


def main():
    problems = [problem for path in documents(ROOT) for problem in host_problems(path, read_text(path))]
    return finish("check_links", problems)


if __name__ == "__main__":
    sys.exit(main())
