# SPDX-License-Identifier: Apache-2.0
"""Kernels that execute one builtin each, elementwise over arrays, for every scalar type it supports.

They are made from warp-lang's registry; what the registry does not say (indices, types given as
values, random states) stands in EXTRA. A kernel copies its arguments from arrays to variables,
calls, and stores the results, and the variables too where the builtin changes them.
"""

import typing

import numpy as np

import builtin_sources
from run_inputs import EDGES, Draw, is_float

GROUPS = (
    "Operators", "Scalar Math", "Vector Math", "Quaternion Math", "Transformations", "Spatial Math",
    "Random", "Utility",
)
INTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "float32", "float64")
# Not a function of values: output, launches, tiles, whole arrays; and what EXTRA calls by hand.
SKIPPED = {
    "printf", "print", "breakpoint", "expect_eq", "expect_neq", "expect_near", "tid", "block_dim", "range",
    "reversed", "slice", "iter_next", "len", "view", "address", "array", "zeros", "load", "store", "copy",
    "array_store", "indexref", "assign", "tuple", "cast", "where", "select", "identity", "sample_cdf",
    "index", "bool", "int", "float", *INTS, *FLOATS, "bfloat16",
    "assign_copy", "transform_set_rotation_copy", "transform_set_translation_copy",
}
# name -> the statement that a program writes for it; {0}, {1}, ... are the arguments
SPELLING = {
    "index": "r = {0}[{1}]", "extract": "r = {0}[{1}]", "assign_inplace": "{0}[{1}] = {2}",
    "add_inplace": "{0}[{1}] += {2}", "sub_inplace": "{0}[{1}] -= {2}", "bit_and_inplace": "{0}[{1}] &= {2}",
    "bit_or_inplace": "{0}[{1}] |= {2}", "bit_xor_inplace": "{0}[{1}] ^= {2}", "unot": "r = not {0}",
    "transform_add_inplace": "{0} += {1}", "transform_sub_inplace": "{0} -= {1}",
}
STATEFUL = {"randi", "randu", "randf", "randn", "poisson"}
ATOMICS = ("add", "sub", "min", "max", "exch", "and", "or", "xor")

KERNEL = """
@wp.kernel
def {name}({parameters}):
    i = wp.tid()
{body}
"""


class Spec:
    """One kernel: the builtin it is for, its scalar type, its name and source."""

    def __init__(self, builtin, scalar, source):
        self.builtin, self.scalar, self.source = builtin, scalar, source
        self.name = self.form = None


def note_of(wp, kind):
    """The annotation of a concrete type; None: not one of a value."""
    if kind in (int, float, bool):
        return kind.__name__
    if kind in wp._src.types.scalar_types or kind is wp.bool:
        return f"wp.{kind.__name__}"
    word = getattr(kind, "_wp_generic_type_str_", None)
    if not word or not hasattr(kind, "_wp_scalar_type_"):
        return None
    dtype = f"wp.{kind._wp_scalar_type_.__name__}"
    shape = tuple(kind._shape_)
    if word == "vec_t":
        return f"wp.types.vector(length={shape[0]}, dtype={dtype})"
    if word == "mat_t":
        return f"wp.types.matrix(shape={shape}, dtype={dtype})"
    return f"wp.types.{'quaternion' if word == 'quat_t' else 'transformation'}(dtype={dtype})"


def is_generic_type(wp, kind):
    return kind is typing.Any or isinstance(kind, typing.TypeVar) or wp._src.types.type_is_generic(kind)


def scalars_for(wp, overload):
    """The scalar types that the generic part of an overload stands for; [None] if there is none."""
    types = wp._src.types
    hints = set()
    for kind in overload.input_types.values():
        hint = kind if isinstance(kind, typing.TypeVar) else getattr(kind, "_wp_scalar_type_", None)
        if isinstance(hint, typing.TypeVar):
            hints.add(hint)
    if not hints:
        return [None]
    if types.Int in hints or overload.key.startswith("bit_"):
        return INTS
    return FLOATS if types.Float in hints else INTS + FLOATS


def any_note(overload, label, scalar):
    """What `Any` is among the arguments of an assignment to an element: an index or the element."""
    if label in ("i", "j"):
        return "int"
    whole = overload.input_types.get("a")
    if getattr(whole, "_wp_generic_type_str_", "") == "mat_t" and "j" not in overload.input_types:
        return f"wp.types.vector(length=3, dtype=wp.{scalar})"
    return scalar and f"wp.{scalar}"


def argument_notes(wp, overload, scalar):
    """{label: annotation}; None: not all of them are values."""
    notes = {}
    for label, kind in overload.input_types.items():
        if label in overload.defaults:
            continue
        if "*" in label:
            return None
        if kind is typing.Any:
            note = any_note(overload, label, scalar)
        elif is_generic_type(wp, kind):
            note = scalar and builtin_sources.annotation(kind, scalar)
        else:
            note = note_of(wp, kind)
        if note is None:
            return None
        notes[label] = note
    return notes


def result_notes(wp, overload, notes):
    """Annotations of the results; None: they are not values."""
    kinds = {label: eval(note, {"wp": wp}) for label, note in notes.items()}
    found = overload.value_type
    if found is None or is_generic_type(wp, found):
        found = overload.value_func(kinds, {})
    if found is None:
        return []
    several = found if isinstance(found, (tuple, list)) else getattr(found, "types", None) or [found]
    results = [note_of(wp, kind) for kind in several]
    return None if None in results else results


def statement(overload, labels, results):
    args = [f"v{k}" for k in range(len(labels))]
    name = overload.key
    if "j" in labels:  # an element of a matrix
        args[1:3] = [", ".join(args[1:3])]
    if name in SPELLING and not (name == "unot" and len(labels) != 1):
        return SPELLING[name].format(*args)
    targets = ", ".join(f"r{k}" if len(results) > 1 else "r" for k in range(len(results)))
    return (f"{targets} = " if results else "") + builtin_sources.call_text(name, overload.group, args)


def changes_arguments(overload, results):
    return not results or overload.key in STATEFUL or overload.key.startswith("sample_")


def elementwise(builtin, scalar, notes, call, results, changed):
    """The kernel around one call."""
    labels = list(notes)
    parameters = [f"a{k}_{label}: wp.array(dtype={notes[label]})" for k, label in enumerate(labels)]
    body = [f"v{k} = a{k}_{label}[i]" for k, label in enumerate(labels)] + [call]
    names = [f"r{k}" for k in range(len(results))] if len(results) > 1 else ["r"] * len(results)
    for k, note in enumerate(results):
        parameters.append(f"out{k}: wp.array(dtype={note})")
        body.append(f"out{k}[i] = {names[k]}")
    if changed:
        for k, label in enumerate(labels):
            parameters.append(f"after{k}: wp.array(dtype={notes[label]})")
            body.append(f"after{k}[i] = v{k}")
    source = KERNEL.format(name="{name}", parameters=", ".join(parameters), body="    " + "\n    ".join(body))
    return Spec(builtin, scalar or "", source)


def from_registry(wp, function):
    overloads = [o for o in getattr(function, "overloads", []) if o.group in GROUPS]
    generic = {(o.group, len(o.input_types)) for o in overloads if scalars_for(wp, o) != [None]}
    for overload in overloads:
        scalars = scalars_for(wp, overload)
        if scalars == [None] and (overload.group, len(overload.input_types)) in generic:
            continue  # an instance of the generic one
        for scalar in scalars:
            try:
                notes = argument_notes(wp, overload, scalar)
                results = None if notes is None else result_notes(wp, overload, notes)
            except Exception:  # a rule of warp-lang refuses these types
                continue
            if results is None or any("bfloat16" in note for note in (*notes.values(), *results)):
                continue
            call = statement(overload, notes, results)
            yield elementwise(
                overload.key, scalar, notes, call, results, changes_arguments(overload, results)
            )


def by_hand(builtin, scalar, notes, call, results, changed=False):
    return elementwise(builtin, scalar, notes, call, results, changed)


def extra(wp):
    """What the registry's signatures do not tell how to call."""
    for scalar in INTS + FLOATS:
        note = f"wp.{scalar}"
        vec3 = f"wp.types.vector(length=3, dtype={note})"
        mat = f"wp.types.matrix(shape=(2, 3), dtype={note})"
        two = {"a": note, "b": note}
        yield by_hand("where", scalar, {"cond": "wp.bool", **two}, "r = wp.where(v0, v1, v2)", [note])
        yield by_hand("where", scalar, {"cond": note, "a": vec3, "b": vec3}, "r = wp.where(v0, v1, v2)", [vec3])
        yield by_hand("vector", scalar, {"a": note, "b": note, "c": note},
                      f"r = wp.vector(v0, v1, v2, dtype={note})", [vec3])
        yield by_hand("vector", scalar, {"a": note}, f"r = wp.vector(v0, length=3, dtype={note})", [vec3])
        yield by_hand("matrix", scalar, {k: note for k in "abcdef"},
                      f"r = wp.matrix(v0, v1, v2, v3, v4, v5, shape=(2, 3), dtype={note})", [mat])
        yield by_hand("matrix_from_rows", scalar, {"a": vec3, "b": vec3}, "r = wp.matrix_from_rows(v0, v1)", [mat])
        yield by_hand("matrix_from_cols", scalar, {"a": vec3, "b": vec3}, "r = wp.matrix_from_cols(v0, v1)",
                      [mat.replace("(2, 3)", "(3, 2)")])
        yield by_hand("mul", scalar, {"a": mat, "b": mat.replace("(2, 3)", "(3, 2)")}, "r = v0 * v1",
                      [mat.replace("(2, 3)", "(2, 2)")])
        yield by_hand("transpose", scalar, {"a": mat}, "r = wp.transpose(v0)", [mat.replace("(2, 3)", "(3, 2)")])
        yield by_hand("outer", scalar, {"a": vec3, "b": vec3.replace("=3", "=2")}, "r = wp.outer(v0, v1)",
                      [mat.replace("(2, 3)", "(3, 2)")])
        yield by_hand("identity", scalar, two, f"r = wp.identity(n=3, dtype={note}) * v0 + v1 * wp.identity(n=3, dtype={note})",
                      [mat.replace("(2, 3)", "(3, 3)")])
        for op in ("<", "<=", ">", ">=", "==", "!="):
            yield by_hand(f"compare {op}", scalar, two, f"r = v0 {op} v1", ["wp.bool"])
        yield from atomics(scalar, note)
    for scalar in FLOATS:
        note = f"wp.{scalar}"
        vec3 = f"wp.types.vector(length=3, dtype={note})"
        quat = f"wp.types.quaternion(dtype={note})"
        transform = f"wp.types.transformation(dtype={note})"
        yield by_hand("quaternion", scalar, {"v": vec3, "w": note}, f"r = wp.quaternion(v0, v1, dtype={note})", [quat])
        yield by_hand("transformation", scalar, {"p": vec3, "q": quat}, f"r = wp.transformation(v0, v1, dtype={note})",
                      [transform])
        yield by_hand("transform_identity", scalar, {"t": transform},
                      f"r = v0 * wp.transform_identity(dtype={note})", [transform])
        yield by_hand("quat_identity", scalar, {"q": quat}, f"r = v0 * wp.quat_identity(dtype={note})", [quat])
    cdf = Spec("sample_cdf", "float32", KERNEL.format(
        name="{name}", parameters="a0_state: wp.array(dtype=wp.uint32), cdf: wp.array(dtype=float), "
        "out0: wp.array(dtype=int)",
        body="    v0 = a0_state[i]\n    out0[i] = wp.sample_cdf(v0, cdf)"))
    yield cdf


def atomics(scalar, note):
    """All threads meet in few elements; what the operation returns is compared too."""
    for op in ATOMICS:
        if scalar not in ("int32", "uint32", "int64", "uint64", "float16", "float32", "float64"):
            continue
        if scalar in FLOATS and op in ("and", "or", "xor"):
            continue
        parameters = (f"a0_target: wp.array(dtype={note}), a1_value: wp.array(dtype={note}), "
                      f"out0: wp.array(dtype={note})")
        body = f"    out0[i] = wp.atomic_{op}(a0_target, i % 3, a1_value[i])"
        yield Spec(f"atomic_{op}", scalar, KERNEL.format(name="{name}", parameters=parameters, body=body))


def casts():
    """One kernel for each type that is cast, to all types; two for floats, since some integers hold few."""
    for scalar in ("bool", *INTS):
        yield cast_to("cast", scalar, ("bool", *INTS, *FLOATS))
    for scalar in FLOATS:
        yield cast_to("cast", scalar, ("bool", *FLOATS))
        yield cast_to("cast_to_integers", scalar, INTS)


def cast_to(builtin, scalar, types):
    parameters = [f"a0_x: wp.array(dtype=wp.{scalar})"]
    body = ["v0 = a0_x[i]"]
    for k, to in enumerate(types):
        if {scalar, to} == {"float16", "bool"}:
            continue  # warp-lang's text does not compile: forward of one, backward of the other
        parameters.append(f"out{k}: wp.array(dtype=wp.{to})")
        body.append(f"out{k}[i] = wp.{to}(v0)")
    source = KERNEL.format(name="{name}", parameters=", ".join(parameters), body="    " + "\n    ".join(body))
    return Spec(builtin, scalar, source)


def specs(wp):
    """Every kernel, named b0_add_float32, ... """
    found, seen = [], set()
    for name, function in sorted(wp._src.context.builtin_functions.items()):
        if name not in SKIPPED and name.isidentifier() and not name.startswith(("atomic_", "dense_", "tile_")):
            found += from_registry(wp, function)
    result = []
    for spec in [*found, *extra(wp), *casts()]:
        if spec.source not in seen:
            seen.add(spec.source)
            word = "".join(c if c.isalnum() else "_" for c in spec.builtin)
            spec.form = spec.source.replace(spec.scalar, "T") if spec.scalar else spec.source
            spec.name = f"b{len(seen)}_{word}_{spec.scalar}"
            spec.source = spec.source.replace("{name}", spec.name)
            result.append(spec)
    return result


def chosen(specs, scalars):
    """At most so many scalar types of each form: float32 and int32, and others in turn."""
    forms = {}
    for spec in specs:
        forms.setdefault(spec.form, []).append(spec)
    result = []
    for turn, group in enumerate(forms.values()):
        first = [spec for spec in group if spec.scalar in ("float32", "int32", "")]
        rest = [spec for spec in group if spec not in first]
        turned = rest[turn % len(rest):] + rest[:turn % len(rest)] if rest else []
        result += group if group[0].builtin.startswith("cast") else (first + turned)[:max(scalars, len(first))]
    return result


class BuiltinDraw(Draw):
    """Numbers for the elementwise kernels: edges and ordinary ones mixed, in the builtin's domain."""

    def __init__(self, builtin, size, seed):
        super().__init__("edge", size, seed)
        self.builtin = builtin

    def numbers(self, path, dtype, shape):
        label = path.partition("_")[2]
        if dtype == np.bool_:
            return self.random.integers(0, 2, shape).astype(dtype)
        if path.startswith(("out", "after")):
            return np.zeros(shape, dtype)
        return self.floats(label, dtype, shape) if is_float(dtype) else self.ints(label, dtype, shape)

    def floats(self, label, dtype, shape):
        scale = self.random.choice([1e-3, 0.3, 1.0, 3.0, 40.0], shape)
        plain = self.random.normal(0.0, 1.0, shape) * scale
        if self.builtin == "sample_cdf":
            return np.sort(self.random.random(shape)).astype(dtype)
        if self.builtin in ("noise", "pnoise", "curlnoise", "poisson"):
            return (np.abs(plain) if label == "lam" else plain).astype(dtype)
        if self.builtin == "cast_to_integers":  # what all of them hold: the rest is unspecified
            return self.random.uniform(-0.99, 127.9, shape).astype(dtype)
        share = 0.5 if len(shape) == 1 else 0.1
        edges = self.random.choice(EDGES, shape)
        with np.errstate(over="ignore"):
            return np.where(self.random.random(shape) < share, edges, plain).astype(dtype)

    def ints(self, label, dtype, shape):
        info = np.iinfo(dtype)
        if label in ("i", "j"):
            return self.random.integers(0, 3, shape).astype(dtype)
        if self.builtin in ("lshift", "rshift") and label == "b":
            return self.random.integers(0, 64 if info.bits == 64 else 32, shape).astype(dtype)
        if self.builtin in ("randi", "pnoise", "curlnoise"):
            low, high = {"low": (-50, 1), "high": (1, 100), "octaves": (1, 4), "px": (1, 9), "py": (1, 9),
                         "pz": (1, 9), "pt": (1, 9)}.get(label, (0, 10**9))
            return self.random.integers(max(low, info.min), high, shape).astype(dtype)
        edges = self.random.choice(np.array([info.min, info.max, 0, 1, 2, info.max - 1], dtype=dtype), shape)
        small = self.random.integers(max(info.min, -100), 100, shape).astype(dtype)
        found = np.where(self.random.random(shape) < 0.3, edges, small)
        if self.builtin in ("div", "mod", "floordiv", "cw_div") and label == "b":
            found = np.where((found == 0) | (found == -1), 7, found)
        return found.astype(dtype)
