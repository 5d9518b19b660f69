# SPDX-License-Identifier: Apache-2.0
"""Writes programs that call every overload of warp-lang's builtins, from its own registry.

usage: builtin_sources.py FOLDER

Runs under the virtual environment that has warp-lang. One kernel per overload and choice of
types: its parameters are the arguments, and the array DONE, which gets a 1 after the call. Generic overloads are tried with several scalar types and
shapes; what warp-lang then refuses is left out by the comparison. Prints the paths.
"""

import os
import sys
import typing

import warp as wp
from warp._src import context, types

GROUPS = (
    "Operators", "Scalar Math", "Vector Math", "Quaternion Math", "Transformations",
    "Spatial Math", "Random", "Utility", "Geometry", "Volumes",
)
CHUNK = 100
SCALARS = ("float32", "float64", "int32", "uint8")
SKIPPED = ("printf", "print", "breakpoint", "len")  # not an ordinary call with typed arguments
BINARY = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "bit_and": "&",
    "bit_or": "|", "bit_xor": "^", "lshift": "<<", "rshift": ">>",
}
UNARY = {"neg": "-", "pos": "+", "invert": "~", "unot": "not "}
DONE = "p_done"
PREAMBLE = '"""Calls of builtins: {group}."""\n\nimport warp as wp\n\n'


def scalar_choice(name, hint):
    """The annotation of a scalar parameter where T is `name`, or None where it does not fit."""
    if hint is types.Float and not name.startswith("float"):
        return None
    if hint is types.Int and name.startswith("float"):
        return None
    return f"wp.{name}"


def composite(kind, name):
    """The annotation of a generic vector, matrix, quaternion or transform."""
    hint = kind._wp_generic_type_hint_
    dtype = f"wp.{name}"
    if hint is types.Quaternion or hint is types.Transformation:
        word = "quaternion" if hint is types.Quaternion else "transformation"
        return f"wp.types.{word}(dtype={dtype})" if name.startswith("float") else None
    shape = [size if isinstance(size, int) and size > 0 else 3 for size in kind._shape_]
    if len(shape) == 2:
        return f"wp.types.matrix(shape=({shape[0]}, {shape[1]}), dtype={dtype})"
    return f"wp.types.vector(length={shape[0]}, dtype={dtype})"


def annotation(kind, name):
    """The annotation of a parameter of this type, generic parts being `name`; None: not callable."""
    if kind in (int, float, bool):
        return kind.__name__
    if kind is typing.Any or isinstance(kind, typing.TypeVar):
        return scalar_choice(name, kind)
    if types.is_array(kind):
        if type(kind) is not types.array:
            return None
        dtype = annotation(kind.dtype, name)
        return dtype and f"wp.array(dtype={dtype}, ndim={kind.ndim})"
    if not isinstance(kind, type):
        return None
    if getattr(wp, kind.__name__, None) is kind:
        return f"wp.{kind.__name__}"
    if types.type_is_composite(kind):
        return composite(kind, name)
    return None


def is_generic(overload):
    return any(
        kind is typing.Any or isinstance(kind, typing.TypeVar) or types.type_is_generic(kind)
        or (types.is_array(kind) and types.type_is_generic(kind.dtype))
        for kind in overload.input_types.values()
    )


def call_text(name, group, args):
    """The call as a program writes it: an operator where there is one."""
    if group == "Operators" and name in BINARY and len(args) == 2:
        return f"{args[0]} {BINARY[name]} {args[1]}"
    if group == "Operators" and name in UNARY:
        return f"{UNARY[name]}{args[0]}"
    return f"wp.{name}({', '.join(args)})"


def kernel_texts(name, overload):
    """(parameters, call) of each choice of types."""
    found = []
    for scalar in SCALARS if is_generic(overload) else SCALARS[:1]:
        notes = {
            label: annotation(kind, scalar)
            for label, kind in overload.input_types.items()
            if label not in overload.defaults
        }
        if None in notes.values() or any("*" in label for label in notes):
            continue
        parameters = ", ".join(f"p_{label}: {note}" for label, note in notes.items())
        call = call_text(name, overload.group, [f"p_{label}" for label in notes])
        if (parameters, call) not in found:
            found.append((parameters, call))
    return found


def group_kernels(group):
    """Kernel sources of one group; a call whose value is taken, unless there is none."""
    kernels = []
    for name, function in sorted(context.builtin_functions.items()):
        for overload in getattr(function, "overloads", []):
            if overload.group != group or name in SKIPPED or not name.isidentifier():
                continue
            target = "" if returns_nothing(overload) else "r = "
            for parameters, call in kernel_texts(name, overload):
                number = len(kernels)
                given = ", ".join(filter(None, [parameters, f"{DONE}: wp.array(dtype=wp.int32)"]))
                head = f"@wp.kernel\ndef b{number}_{name}({given}):\n"
                kernels.append(f"{head}    {target}{call}\n    {DONE}[0] = 1\n")
    return kernels


def returns_nothing(overload):
    if overload.value_type is not None:
        return False
    try:
        return overload.value_func(None, None) is None
    except Exception:  # the rule needs the arguments' types: it has a value
        return False


def write(folder):
    """Writes the programs; gives their paths."""
    paths = []
    for group in GROUPS:
        kernels = group_kernels(group)
        for start in range(0, len(kernels), CHUNK):
            path = os.path.join(folder, f"{group.lower().replace(' ', '_')}_{start:04}.py")
            mine = f"{path}.{os.getpid()}.tmp"  # tests that run side by side write the same files
            with open(mine, "w") as stream:
                stream.write(PREAMBLE.format(group=group) + "\n\n".join(kernels[start:start + CHUNK]))
            os.rename(mine, path)
            paths.append(path)
    return paths


def main():
    wp.config.quiet = True
    wp.init()
    print("\n".join(write(sys.argv[1])))


if __name__ == "__main__":
    main()
