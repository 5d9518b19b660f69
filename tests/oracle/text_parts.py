# SPDX-License-Identifier: Apache-2.0
"""Splits the text of a module with one kernel into the forward and the backward text of a record.

Forward: structs and functions the kernel needs, then the forward kernel. Backward: the same with
the functions' adjoints, then the backward kernel.
"""

import re

# a definition begins at column 0 after a blank line, with these lines before its head
KERNEL = re.compile(r"^(?:extern \"C\"|template <bool|static void \w+_cpu_kernel)", re.MULTILINE)


def definitions(text):
    """The top-level definitions in order; joined they are the text again."""
    starts = [0] + [found.end() for found in re.finditer(r"^\};?\n", text, re.MULTILINE)]
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)]) if text[a:b]]


def kind(definition):
    """struct, function, adjoint, forward or backward."""
    if re.search(r"^(static void )?\S*.*\b\w+_(cpu|cuda)_kernel_backward\(", definition, re.MULTILINE):
        return "backward"
    if re.search(r"\b\w+_(cpu|cuda)_kernel_forward\(", definition):
        return "forward"
    if re.search(r"^static .*\bvoid adj_\w+\($", definition, re.MULTILINE):
        return "adjoint"
    return "struct" if re.search(r"^struct ", definition, re.MULTILINE) else "function"


def split(text, path, name):
    """(forward, backward) of warp-lang's text of a kernel; comments call its file `name`, not `path`."""
    text = text.replace(path, name)
    parts = [(kind(definition), definition) for definition in definitions(text)]
    forward = "".join(part for what, part in parts if what not in ("adjoint", "backward"))
    backward = "".join(part for what, part in parts if what != "forward")
    return forward, backward
