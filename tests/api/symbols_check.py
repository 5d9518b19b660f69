#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Both libraries show what the headers of include/ declare, and nothing else.

usage: symbols_check.py LIBWEFT.so LIBWEFT.a INTERNAL.a CC LIBRARY...

A program that defines every name that the parts of weft use among each other (those of INTERNAL.a: room, fill,
walk, ...) is linked with LIBWEFT.a and the libraries that it needs, and compiles a kernel by it.
"""

import os
import re
import subprocess
import sys
import tempfile

INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
MAIN = r"""
#include <stdio.h>
#include <string.h>
#include "weft.h"
int main(void)
{
    static const char text[] = "import warp as wp\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[0] = 1.0\n";
    weft_context *c;
    if (weft_context_new(NULL, &c) != WEFT_OK ||
        weft_compile_text(c, "k.py", text, strlen(text)) != WEFT_OK)
        return 1;
    const int wrong = weft_kernel_count(c) != 1;
    weft_context_free(c);
    return wrong;
}
"""


def shown(*words):
    told = subprocess.run(["nm", "--defined-only", *words], stdout=subprocess.PIPE, text=True, check=True)
    lines = (line.split() for line in told.stdout.splitlines())
    return {words[2].split("@")[0] for words in lines if len(words) == 3}


def links(archive, names, compiler, libraries):
    """Whether a program with these names of its own can use the archive."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "main.c"), os.path.join(folder, "main")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(MAIN + "".join(f"int {name}(void);\nint {name}(void) {{ return 1; }}\n" for name in sorted(names)))
        command = [compiler, "-fno-builtin", "-I", INCLUDE, "-o", program, source, archive, *libraries, "-lpthread", "-ldl", "-lm"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(done.stdout[-2000:])
            return False
        return subprocess.run([program], timeout=60).returncode == 0


def main():
    shared, static, internal, compiler, *libraries = sys.argv[1:]
    declared = set()
    for name in sorted(os.listdir(INCLUDE)):
        with open(os.path.join(INCLUDE, name), encoding="utf-8") as stream:
            declared |= set(re.findall(r"^WEFT_API [^;(]*?(\w+)\(", stream.read(), re.M))
    good = bool(declared)
    for library, names in ((shared, shown("-D", shared)), (static, shown("-g", static))):
        for name in sorted(declared ^ names):
            print(f"{os.path.basename(library)}: {name}: {'declared, not there' if name in declared else 'there, not declared'}")
        print(f"{os.path.basename(library)}: {len(declared)} functions declared, {len(names)} symbols shown")
        good = good and declared == names
    own = shown("-g", internal) - declared
    linked = len(own) > 500 and links(static, own, compiler, libraries)
    print(f"a program with {len(own)} functions of the same names as weft's: {'works' if linked else 'FAILS'}")
    return 0 if good and linked else 1


if __name__ == "__main__":
    sys.exit(main())
