# SPDX-License-Identifier: Apache-2.0
"""Constants of Python modules as stubs that weft reads.

    python -m weft.constants MODULE... [--output DIR]

weft reads Python files and runs none, so it cannot know what a C extension holds, nor what a module
computes in ways that weft does not follow. This imports the modules, and writes for each a file with
the values that kernels can use: numbers, texts, None, tuples, lists, sets and dicts of these, enums,
and classes that hold such values, nested ones too. `weft compile -I DIR` reads them; they count more than the modules' own files.

    import mujoco        ->   mujoco/__init__.pyi:   mjMINVAL = 1e-15
                                                     class mjtJoint(enum.IntEnum):
                                                         mjJNT_FREE = 0

The modules' own code runs, with all that it does when it is imported. A stub names the licence of the
distribution it is made of, where its metadata has an SPDX identifier, for `weft collect`.
"""

from __future__ import annotations

import argparse
import ast
import enum
import importlib
import keyword
import math
import os
import re
import sys
from importlib import metadata
from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple

ENUMS = (enum.IntFlag, enum.IntEnum, enum.Flag, enum.Enum)  # the most special first
DEPTH = 20  # of containers in containers


def _plain(value: Any, depth: int = 0) -> Optional[str]:
    """The value as Python text, or None: it is none that stands in a file."""
    if depth > DEPTH:
        return None
    if type(value) in (bool, int, str, bytes, type(None)):
        return repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if type(value) in (tuple, list):
        items = [_plain(item, depth + 1) for item in value]
        if None in items:
            return None
        inside = ", ".join(items)  # type: ignore[arg-type]
        return f"[{inside}]" if type(value) is list else f"({inside}{',' if len(items) == 1 else ''})"
    if type(value) in (set, frozenset):
        members = _plain(sorted(value, key=repr), depth + 1) if value else ""
        return None if members is None else f"{type(value).__name__}({members})"
    if type(value) is dict:
        pairs = [(_plain(key, depth + 1), _plain(item, depth + 1)) for key, item in value.items()]
        return None if any(None in pair for pair in pairs) else "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () and hasattr(value, "item"):
        return _plain(value.item(), depth + 1)
    return None


def _is_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")


def _extension_members(cls: type) -> Dict[str, int]:
    """The members of an enum that pybind11 or nanobind has made, which is no enum.Enum."""
    members = getattr(cls, "__members__", None) or getattr(cls, "__entries", None)
    if not isinstance(members, dict):
        return {}
    found = {}
    for name, member in members.items():
        try:
            found[name] = int(member)
        except (TypeError, ValueError):
            return {}
    return found


def _members(cls: type) -> Tuple[str, Dict[str, Any]]:
    """The base that an enum has in a stub, and its members; "" for other classes."""
    for base in ENUMS:
        if issubclass(cls, base):
            return f"enum.{base.__name__}", {name: member.value for name, member in cls.__members__.items()}
    found = _extension_members(cls)
    return ("enum.IntEnum", found) if found else ("", {})


def _class_lines(name: str, cls: type, depth: int = 0) -> List[str]:
    """The stub of a class; [] if it holds no values."""
    base, members = _members(cls)
    values = members if base else dict(vars(cls))
    texts = {key: _plain(value) for key, value in values.items() if _is_name(key)}
    if base and (len(texts) < len(values) or None in texts.values()):
        return []
    lines = [f"    {key} = {text}" for key, text in texts.items() if text is not None]
    for key, value in vars(cls).items():
        if isinstance(value, type) and _is_name(key) and depth < DEPTH and value.__qualname__ == f"{cls.__qualname__}.{key}":
            lines += ["    " + line for line in _class_lines(key, value, depth + 1)]
    return [f"class {name}({base}):" if base else f"class {name}:", *lines] if lines else []


def _license(module: ModuleType) -> str:
    """The licence that the metadata of the module's distribution state, as an SPDX expression; "": none."""
    top = module.__name__.partition(".")[0]
    find = getattr(metadata, "packages_distributions", None)  # since Python 3.10
    names = (find().get(top) if find else None) or [top]
    try:
        fields = metadata.metadata(names[0])
    except metadata.PackageNotFoundError:
        return ""
    expression, name = (str(fields[key]) if key in fields else "" for key in ("License-Expression", "License"))
    return expression if re.fullmatch(r"[\w.+() -]+", expression) else name if re.fullmatch(r"[\w.+-]+", name) else ""


def stub(module: ModuleType) -> str:
    """The text of a module's stub."""
    lines: List[str] = []
    for name, value in sorted(vars(module).items()):
        if not _is_name(name):
            continue
        text = _plain(value)
        if isinstance(value, type):
            lines += _class_lines(name, value)
        elif text is not None:
            lines.append(f"{name} = {text}")
        elif _extension_members(type(value)):  # a member that the module exports under its own name
            lines.append(f"{name} = {int(value)}")
    version = _plain(getattr(module, "__version__", None))
    license = _license(module)
    head = f"# SPDX-License-Identifier: {license}\n" if license else ""
    head += f'"""Constants of {module.__name__}, by weft.constants."""\n\nimport enum\n\n'
    text = head + (f"__version__ = {version}\n" if version not in (None, "None") else "") + "\n".join(lines) + "\n"
    ast.parse(text)
    return text


def path_of(module: ModuleType, folder: str) -> str:
    """Where the stub of a module stands in a folder of stubs."""
    path = os.path.join(folder, *module.__name__.split("."))
    return os.path.join(path, "__init__.pyi") if hasattr(module, "__path__") else path + ".pyi"


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m weft.constants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="+", help="a module that can be imported here: mujoco, mujoco_warp._src.types")
    parser.add_argument("--output", "-o", metavar="DIR", help="the folder of stubs, for -I; without it one module's stub is printed")
    args = parser.parse_args(arguments)
    if not args.output and len(args.module) > 1:
        parser.error("several modules need a folder: --output DIR")
    status = 0
    for name in args.module:
        try:
            module = importlib.import_module(name)
        except Exception as error:  # whatever the module's own code raises
            print(f"weft.constants: {name} cannot be imported: {type(error).__name__}: {error}", file=sys.stderr)
            status = 1
            continue
        text = stub(module)
        if not args.output:
            sys.stdout.write(text)
            continue
        path = path_of(module, args.output)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
