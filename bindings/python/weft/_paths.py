# SPDX-License-Identifier: Apache-2.0
"""Paths and texts as callers give them: a str, a path object, or several of them."""

from __future__ import annotations

import errno
import os
import stat
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._arguments import c_string, several, shown

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Iterable[Path]]
Texts = Union[str, Iterable[str]]
Define = Optional[Mapping[str, str]]
ENDINGS = (".py", ".cu", ".cuh", ".ptx")  # one line that ends so is a file's name, no program
PATH = (str, bytes, os.PathLike)


def path_bytes(parameter: str, path: Any) -> bytes:
    """A path as C takes it."""
    if not isinstance(path, PATH):
        raise TypeError(f"{parameter} is a str or a path object, not {shown(path)}")
    return c_string(parameter, os.fsencode(path))


def maybe_path(parameter: str, path: Any) -> Optional[bytes]:
    return None if path is None else path_bytes(parameter, path)


def listed(parameter: str, paths: Any, least: int = 0) -> List[bytes]:
    """One path or several, as C takes them."""
    if not isinstance(paths, PATH) and not isinstance(paths, Iterable):
        raise TypeError(f"{parameter} is a path or several, not {shown(paths)}")
    found = [path_bytes(parameter, path) for path in ([paths] if isinstance(paths, PATH) else paths)]
    if len(found) < least:
        raise ValueError(f"{parameter} is empty: no path is given")
    return found


def texts(parameter: str, values: Any) -> List[bytes]:
    """One text or several, as C takes them."""
    found = [values] if isinstance(values, str) else several(values)
    for one in [values] if found is None else found:
        if not isinstance(one, str):
            raise TypeError(f"{parameter} is a str or several, not {shown(one)}")
    return [c_string(parameter, one.encode()) for one in found or ()]


def definitions(define: Any) -> List[bytes]:
    """{"N": "3"}   ->   [b"N=3"]"""
    if define is not None and not isinstance(define, Mapping):
        raise TypeError(f"define is a dict of environment variables, not {shown(define)}")
    return [c_string("define", f"{name}={value}".encode()) for name, value in (define or {}).items()]


def sources(given: Any, parameter: str = "text") -> List[Any]:
    """One program or several: texts, and path objects for files."""
    if isinstance(given, (str, os.PathLike)):
        return [given]
    if isinstance(given, (bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"{parameter} is a str, or a path object for a file, or several, not {shown(given)}")
    return list(given)


def text_and_name(source: Any, name: Path, parameter: str = "text") -> Tuple[bytes, bytes]:
    """What the library takes of a text, and its name in messages; a path object stands for a file."""
    if isinstance(source, os.PathLike):
        with open(source, "rb") as stream:
            return stream.read(), path_bytes(parameter, source)
    if not isinstance(source, str):
        raise TypeError(f"{parameter} is a str, or a path object for a file, not {type(source).__name__}")
    if "\n" not in source and source.endswith(ENDINGS):
        also = f" or path={source!r}" if parameter == "source" else ""
        raise ValueError(f"{source!r} looks like a file: write pathlib.Path({source!r}){also}")
    return source.encode("utf-8", "surrogatepass"), path_bytes("name", name)


def python_files(path: bytes) -> List[bytes]:
    """The files that `weft compile PATH` reads: the path itself, or of a folder its Python files and
    those of the folders below, in the order of their names. Hidden names are left out, and folders
    behind links."""
    if not os.path.isdir(path):
        return [path]
    found: List[bytes] = []
    for name in sorted(os.listdir(path)):
        below = os.path.join(path, name)
        if name.startswith(b"."):
            continue
        if os.path.isdir(below):
            found += [] if os.path.islink(below) else python_files(below)
        elif name.endswith(b".py") and os.path.isfile(below):
            found.append(below)
    return found


def _fails_to_read(path: bytes, kind: str) -> int:
    """The errno of reading a "file", a "folder" or "any" of them; 0: it can be read."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode) and kind == "file":
            return errno.EISDIR
        if not stat.S_ISDIR(mode) and kind == "folder":
            return errno.ENOTDIR
        if stat.S_ISDIR(mode):
            os.listdir(path)
        elif stat.S_ISREG(mode):
            open(path, "rb").close()
    except OSError as error:
        return error.errno or 0
    return 0


def _fails_to_hold(folder: bytes) -> int:
    """The errno of making a file in a folder, which is made if it is not there; 0: nothing is known."""
    above = os.path.abspath(folder)
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        return errno.ENOTDIR
    return 0 if os.access(above, os.W_OK | os.X_OK) else errno.EACCES


def file_error(message: str, paths: Sequence[bytes] = (), kind: str = "any", output: Optional[bytes] = None) -> OSError:
    """What the library says of files, as Python's exception with errno and name if one of the paths cannot
    be read or the output folder cannot be written; else with the library's message alone."""
    failures = [(path, _fails_to_read(path, kind)) for path in paths]
    if output is not None:
        failures.append((output, _fails_to_hold(output)))
    for path, number in failures:
        if number:
            return OSError(number, os.strerror(number), os.fsdecode(path))
    return OSError(message)
