# SPDX-License-Identifier: Apache-2.0
"""Paths and texts as callers give them: a str, a path object, or several of them."""

from __future__ import annotations

import os
from typing import List, Mapping, Optional, Sequence, Tuple, Union

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Texts = Union[str, Sequence[str]]
Define = Optional[Mapping[str, str]]
ENDINGS = (".py", ".cu", ".cuh", ".ptx")  # one line that ends so is a file's name, no program


def several(texts: Texts) -> List[bytes]:
    """One text or several, as C takes them."""
    return [one.encode() for one in ([texts] if isinstance(texts, str) else texts)]


def listed(paths: Paths) -> List[Path]:
    """One path or several, as a list."""
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def text_and_name(source: Path, name: str, parameter: str = "text") -> Tuple[bytes, bytes]:
    """What the library takes of a text, and its name in messages; a path object stands for a file."""
    if isinstance(source, os.PathLike):
        with open(source, "rb") as stream:
            return stream.read(), os.fsencode(source)
    if not isinstance(source, str):
        raise TypeError(f"{parameter} is a str, or a path object for a file, not {type(source).__name__}")
    if "\n" not in source and source.endswith(ENDINGS):
        also = f" or path={source!r}" if parameter == "source" else ""
        raise ValueError(f"{source!r} looks like a file: write pathlib.Path({source!r}){also}")
    return source.encode("utf-8", "surrogatepass"), os.fsencode(name)
