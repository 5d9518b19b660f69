# SPDX-License-Identifier: Apache-2.0
"""Sample calls of warp-lang's builtins and what its Adjoint.add_call makes of them.

usage: builtin_calls.py rows         the registry's declarations, one per line, and "kernel_only NAME"
       builtin_calls.py calls SEED   "request<TAB>answer" lines in the notation of dump_builtins.c

Runs under a Python that has warp-lang. Answers come from the live add_call; nothing here says what
is right. Linear algebra on tiles (tile_matmul, tile_fft and so on) is that without MathDx.
"""

import random
import sys
import warnings

import warp as wp
import warp._src.codegen as codegen
import warp._src.context as context
import warp._src.types as types
from warp._src.codegen import Adjoint, Block, Var, constant_str

ANY = types.Any
PATTERNS = {ANY: "Any", types.Scalar: "Scalar", types.Float: "Float", types.Int: "Int"}
SLICED = ("extract", "view", "assign_inplace", "assign_copy")
STRINGS = {"precision": ["default", "default", "tf32"], "fill_mode": ["lower", "upper"]}
# Functions on matrices, most of whose operands are 4 x 4, and the others.
SYSTEMS = {
    "tile_matmul": {}, "tile_cholesky": {}, "tile_cholesky_inplace": {}, "tile_diag_add": {"d": (4,)},
    "tile_fft": {"inout": (2, 512)}, "tile_ifft": {"inout": (3, 2, 256)},
    "tile_lower_solve": {"y": (4,)}, "tile_lower_solve_inplace": {"y": (4, 2)},
    "tile_upper_solve": {"z": (4, 3)}, "tile_upper_solve_inplace": {"z": (4,)},
    "tile_cholesky_solve": {"y": (4,)}, "tile_cholesky_solve_inplace": {"y": (4, 2)},
}  # fmt: skip
SCALARS = [*types.scalar_types, types.bool]


def type_text(t):
    """A type in the notation of src/builtin/rows_*.def; None for what it cannot say."""
    t = types.type_to_warp(t)
    if t in PATTERNS:
        return PATTERNS[t]
    if t is str or t is tuple:
        return t.__name__
    if types.is_array(t):
        return f"array[{type_text(t.dtype)}]"
    if codegen.get_origin(t) is tuple:
        args = ", ".join("..." if a is ... else type_text(a) for a in codegen.get_args(t))
        return f"tuple[{args}]"
    hint = getattr(t, "_wp_generic_type_str_", None)
    if hint:
        name = {"vec_t": "vec", "mat_t": "mat", "quat_t": "quat", "transform_t": "transform"}[hint]
        parts = [type_text(p) if not isinstance(p, int) else str(p) for p in t._wp_type_params_]
        return f"{name}[{', '.join(parts)}]"
    if types.is_tile(t):
        return f"tile[{type_text(t.dtype)}]"
    if types.is_tile_stack(t):
        return "stack"
    return getattr(t, "__name__", None)


def value_text(t):
    """A type of a sample argument."""
    if types.is_array(t):
        return f"{types.concrete_array_type(t).__name__}{t.ndim}[{value_text(t.dtype)}]"
    if types.is_tile(t):
        shape = "x".join(map(str, t.shape))
        return f"{t.storage}tile[{shape}]{value_text(t.dtype)}"
    if types.is_tile_stack(t):
        return f"stack[{t.capacity}]{value_text(t.dtype)}"
    if types.is_slice(t):
        return f"slice[{t.start},{t.stop},{t.step}]"
    if types.is_reference(t):
        return f"ref[{value_text(t.value_type)}]"
    if types.is_tuple(t):
        return f"tuple[{', '.join(value_text(x) for x in t.types)}]"
    return type_text(t)


# ---- declarations -------------------------------------------------------------------------------


def is_specialization(row, overloads):
    """Was this row made by add_builtin from a generic one that follows it?"""
    if any(types.is_tile(t) for t in row.input_types.values()):
        return False
    for other in overloads[overloads.index(row) + 1 :]:
        if other.generic and list(other.input_types) == list(row.input_types):
            pairs = zip(other.input_types.values(), row.input_types.values(), strict=True)
            if all(types.types_equal_generic(a, b) for a, b in pairs):
                return True
    return False


def declarations():
    for name, function in context.builtin_functions.items():
        if not function.is_builtin():
            continue  # a @wp.func of warp's own Python code
        overloads = all_overloads(function)
        for row in overloads:
            if not is_specialization(row, overloads):
                yield name, row


def all_overloads(function):
    return getattr(function, "overloads", None) or [function]


def row_line(name, row):
    params = []
    for key, t in row.input_types.items():
        text = type_text(t)
        if text is None:
            return None
        default = row.defaults.get(key)
        default = default.__name__ if isinstance(default, type) else repr(default)
        default = f" = {default}" if key in row.defaults else ""
        params.append(f"{key}: {text}{default}")
    flags = {
        "nodiff": not row.is_differentiable,
        "skip_replay": row.skip_replay,
        "needs_output": row.require_original_output_arg,
        "global": row.namespace == "",
        # Warp 1.19 Adjoint.add_call; the first is new in 1.19.
        "adj_templates": getattr(row, "adjoint_uses_template_args", False) or row.lto_dispatch_func is not None,
    }
    said = " ".join(flag for flag, there in flags.items() if there)
    return f"{name}({', '.join(params)})\t{row.namespace}{row.native_func}\t{said}"


# ---- answers ------------------------------------------------------------------------------------


def empty_adjoint():
    def nothing():
        pass

    module = context.Module("weft_check")
    adj = context.Kernel(nothing, key="nothing", module=module, source="def nothing():\n    pass\n").adj
    adj.build(None, {**module.options, "lineinfo": False, "block_dim": 256, "output_arch": None})
    return adj


def reset(adj):
    adj.variables, adj.blocks = [], [Block()]
    adj.lineno = 0


def answer(adj, function, args, kwargs, type_args, min_outputs):
    """The statements of one call, like dump_builtins writes them."""
    made = len(adj.variables)
    try:
        out = adj.add_call(function, args, kwargs, type_args, min_outputs=min_outputs or None)
    except Exception as error:  # any refusal, whatever its class
        return f"refused {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    block = adj.blocks[-1]
    forward = "|".join(s.strip() for s in block.body_forward)
    replay = block.body_replay[-1].strip()[:2] if block.body_replay else ""
    reverse = "|".join(s.strip() for s in block.body_reverse)
    variables = ""
    for var in adj.variables[made:]:
        variables += " " + var.ctype()
        if var.constant is not None:
            variables += "=" + constant_str(var.constant)
    for var in adj.variables[:made]:  # what has become of tiles
        variables += f" @{var.ctype()}" if types.is_tile(var.type) else ""
    if not forward:
        return f"constant ;{variables}" if isinstance(out, Var) else f"nothing {out}"
    return f"{forward} ; {replay if replay == '//' else ''} ; {reverse} ;{variables}"


class Call:
    """One sample call, in both notations."""

    def __init__(self, adj):
        self.adj, self.args, self.kwargs, self.texts = adj, [], {}, []

    def add(self, sample, name=None):
        text, value = sample(self.adj)
        if name:
            self.kwargs[name] = value
            text = f"{name}={text}"
        else:
            self.args.append(value)
        self.texts.append(text)


# ---- samples: functions that make an argument ---------------------------------------------------


def variable(t):
    return lambda adj: ("v:" + value_text(t), adj.add_var(t))


def constant(v):
    kind = {int: "i", float: "f", bool: "b"}[type(v)]
    return lambda adj: (f"{kind}:{int(v) if kind == 'b' else repr(v)}", adj.add_constant(v))


def wrapped(t, v):
    return lambda adj: (f"w:{t.__name__}:{v!r}", adj.add_constant(t(v)))


def raw_int(v):
    return lambda adj: (f"x:{v}", v)


def a_type(t):
    text = f"p:{t.__name__}" if t in (int, float, bool) else f"t:{type_text(t)}"
    return lambda adj: (text, t)


def group(samples):
    def make(adj):
        parts = [s(adj) for s in samples]
        return "(" + "&".join(t for t, _ in parts) + ")", tuple(v for _, v in parts)

    return make


def a_function(name):
    return lambda adj: (f"u:{name}", context.builtin_functions[name])


def text_constant(s):
    return lambda adj: ("s:" + s, adj.add_constant(s))


VALUES = [
    *SCALARS, wp.vec2, wp.vec3, wp.vec3d, wp.vec3i, wp.vec4h, types.vector(5, wp.float32), types.vector(3, wp.bool),
    wp.mat22, wp.mat33, wp.mat44d, types.matrix((2, 3), wp.float32), types.matrix((3, 2), wp.int32),
    types.matrix((5, 5), wp.float64), types.matrix((2, 2), wp.bool), wp.quat, wp.quatd, wp.transform, wp.transformd,
    wp.spatial_vector, wp.spatial_matrix,
]  # fmt: skip


def fill(rng, t, dims):
    """A concrete type for a pattern; one call's samples share scalar and dims mostly."""
    t = types.type_to_warp(t)
    pools = {types.Scalar: types.scalar_types, types.Float: types.float_types, types.Int: types.int_types}
    if t is ANY:
        return rng.choice(VALUES)
    if t in pools:
        pool = pools[t]
        return dims["scalar"] if dims["scalar"] in pool else rng.choice(pool)
    hint = getattr(t, "_wp_generic_type_str_", None)
    if not hint:
        return t
    params = [fill(rng, p, dims) if not isinstance(p, int) and p is not ANY else p for p in t._wp_type_params_]
    params = [rng.choice(dims["sizes"]) if p is ANY else p for p in params]
    if hint == "vec_t":
        named = {(2, types.float32): wp.vec2f, (2, types.float64): wp.vec2d}  # the complex numbers of FFTs
        return named.get(tuple(params)) or types.vector(*params)
    if hint == "mat_t":
        return types.matrix(tuple(params[:2]), params[2])
    return (types.quaternion if hint == "quat_t" else types.transformation)(dtype=params[0])


def elem_of(rng, pattern, dims):
    """Element type of a tile or of the array it comes from."""
    return dims["elem"] if pattern is ANY else fill(rng, pattern, dims)


def tile_index(rng, name, extent):
    if name == "tile_slice_indexed":
        index = types.tile(wp.int32, (3,), "register")
        whole = types.slice_t(types.SLICE_BEGIN, types.SLICE_END, 1)
        whole.start_omitted = whole.stop_omitted = True
        return variable(rng.choice([index, whole]))
    if name == "tile_view" and rng.random() < 0.5:
        return variable(types.slice_t(rng.choice([0, 1, -2]), rng.choice([1, 2, extent, -1]), rng.choice([1, 1, 2, -1])))
    return rng.choice([constant(0), constant(1), variable(wp.int32), constant(5)])


def extents(name, key):
    if key == "axis":
        return [0, 1, -1]
    return [-1, 2, 4, 8, 12, 1] if name == "tile_reshape" else [2, 3, 4, 1]


def array_of(rng, param, dims, in_tiles=False):
    cls = types.concrete_array_type(param)
    dtype = elem_of(rng, param.dtype, dims) if in_tiles else fill(rng, param.dtype, dims)
    ndim = len(dims["shape"]) if in_tiles and rng.random() < 0.9 else rng.choice([1, 1, 2, 3])
    if cls is types.fixedarray:
        return types.fixedarray(dtype=dtype, shape=(12,) + (1,) * (ndim - 1))
    return cls(dtype=dtype, ndim=ndim)


def slice_sample(rng):
    start = rng.choice([types.SLICE_BEGIN, 0, 1, -2])
    stop = rng.choice([types.SLICE_END, 1, 2, 3, -1])
    return variable(types.slice_t(start, stop, rng.choice([1, 1, 2, -1])))


def sample(rng, name, key, t, dims):
    """An argument for a parameter; None: this check has none."""
    if types.is_array(t):
        return variable(array_of(rng, t, dims, "tile" in name))
    if types.is_tile(t):
        shape = dims["shape"] if rng.random() < 0.9 else (2, 3)
        if name in SYSTEMS and rng.random() < 0.8:
            shape = SYSTEMS[name].get(key, (4, 4))
        return variable(types.tile(elem_of(rng, t.dtype, dims), shape, rng.choice(["register", "shared"])))
    if key in ("offset", "indices") and "tile" in name:
        return group([tile_index(rng, name, extent) for extent in dims["shape"]])
    if name.startswith("tile_stack") and key == "s":
        return variable(types.tile_stack(dims["elem"], 8))
    if type_text(t) == "Callable":
        return a_function(rng.choice(["add", "mul", "min", "max", "sin", "neg", "clamp", "dot", "length"]))
    if key == "storage":
        return text_constant(rng.choice(["register", "shared", "shared", "other"]))
    if t is types.bool and "tile" in name:
        return constant(rng.choice([True, False]))
    if key in ("axis", "capacity") and not codegen.get_origin(t):
        return constant(rng.choice([0, 0, 1, 2]))
    if t is ANY and "tile" in name and key not in ("dtype", *"ijkl"):
        return variable(dims["elem"])
    if key == "*args" and name == "tile_arange":
        return constant(rng.choice([0, 1, 2, 7, 0.5, 10.0]))
    if codegen.get_origin(t) is tuple:
        n = len(codegen.get_args(t)) if ... not in codegen.get_args(t) else rng.choice([1, 2, 3])
        n = len(dims["shape"]) if "tile" in name and rng.random() < 0.8 else n
        return group([constant(rng.choice(extents(name, key))) for _ in range(n)])
    if key in ("shape", "n", "length"):
        return constant(rng.choice([2, 3, 4]))
    if t is tuple:
        return variable(types.tuple_t((types.float32, wp.vec3), (None, None)))
    if t is str:
        return text_constant(rng.choice(["text", *STRINGS.get(key, [])]))
    if key == "dtype":
        named = [float] if name.startswith(("quat", "transform")) else [float, int]
        return a_type(rng.choice([*named, *SCALARS[:12], wp.vec3, wp.vec4d]))
    if t is ANY and key in "ij" and name in SLICED and rng.random() < 0.4:
        return slice_sample(rng)
    if t is ANY and key in "ijkl":
        return variable(rng.choice([wp.int32, wp.int32, wp.uint64, wp.int16]))
    if t is ANY and key in dims:
        return variable(dims[key])
    if key == "i" and t is types.int32 and rng.random() < 0.8:
        return constant(rng.choice([0, 1, 2, -1]))
    filled = fill(rng, t, dims)
    if filled is types.float32 and rng.random() < 0.25:
        return constant(rng.choice([0.5, -1.0, 1e-9]))
    if filled is types.int32 and rng.random() < 0.25:
        return constant(rng.choice([0, 1, 7]))
    if filled in SCALARS[:12] and rng.random() < 0.1:
        return wrapped(filled, rng.choice([1, 2]))
    return variable(filled)


def references(name, key, value):
    """load, store and the like work on references."""
    if (name in ("load", "store") and key == "address") or (name == "indexref" and key == "a"):
        t = value(Probe())[1].type
        return lambda adj: (f"v:ref[{value_text(t)}]", adj.add_var(types.Reference(t)))
    return value


def spoil(rng, samples, keys):
    """Now and then another type in one place: what Warp refuses has to be refused."""
    i = rng.randrange(len(samples)) if samples else 0
    if samples and rng.random() < 0.3 and keys[i][0] != "dtype":
        samples[i] = variable(rng.choice(VALUES))
    return samples


def shared_types(rng, row):
    """Types that several parameters of one call share."""
    scalar = rng.choice([wp.float32, wp.float32, wp.float64, wp.int32, wp.uint8, rng.choice(types.scalar_types)])
    dims = {"scalar": scalar, "sizes": rng.choice([[2], [3], [3], [4], [5], [2, 3]])}
    dims["shape"] = rng.choice([(4,), (8,), (2, 4), (4, 4), (1, 3), (2, 1, 4), (256,), (3, 256)])
    dims["elem"] = rng.choice([scalar, scalar, wp.float32, wp.int32, wp.uint64, wp.vec3, wp.mat22, wp.mat33d, wp.quat])
    both = rng.choice(VALUES)
    dims["value_if_true"] = dims["value_if_false"] = dims["address"] = both
    return dims


def call_of_row(rng, adj, name, row):
    reset(adj)
    dims, call, samples, keys = shared_types(rng, row), Call(adj), [], []
    for key, t in row.input_types.items():
        optional = key in row.defaults
        if optional and rng.random() < 0.5:
            break
        for _ in range(rng.choice([0, 1, 2, 3, 5]) if key.startswith("*") else 1):
            made = sample(rng, name, key, t, dims)
            if made is None:
                return None
            keys.append((key, optional))
            samples.append(references(name, key, made))
    if name in ("array_store", "store") or name.startswith("atomic_"):
        fit_value(rng, row, samples, keys)
    keyword = False
    for made, (key, optional) in zip(spoil(rng, samples, keys), keys, strict=True):
        named_only = optional and any(k.startswith("*") for k, _ in keys)
        keyword = keyword or key == "dtype" or named_only or (optional and rng.random() < 0.3)
        call.add(made, key if keyword and not key.startswith("*") else None)
    min_outputs = outputs_of(row) if rng.random() < 0.7 else 0
    return call, None, min_outputs


def fit_value(rng, row, samples, keys):
    """Mostly store what the array holds."""
    if rng.random() < 0.2:
        return
    probe = Probe()
    first = samples[0](probe)[1].type
    elem = first.value_type if types.is_reference(first) else first.dtype
    if types.is_array(first):
        ndim = sum(key in "ijkl" for key, _ in keys)
        cls = types.concrete_array_type(first)
        shape = {"shape": (12,) + (1,) * (ndim - 1)} if cls is types.fixedarray else {"ndim": ndim}
        samples[0] = variable(cls(dtype=elem, **shape))
    for i, (key, _) in enumerate(keys):
        if key in ("value", "compare"):
            samples[i] = variable(elem)


class Probe:
    """Makes samples without an Adjoint, for their types."""

    def add_var(self, t):
        return Var("0", t)

    def add_constant(self, v):
        return Var("0", type(v), constant=v)


def outputs_of(row):
    try:
        result = row.value_func(None, None)
    except Exception:
        return 0
    return len(result) if isinstance(result, (list, tuple)) else 0


CONSTRUCTED = [
    wp.vec2, wp.vec3, wp.vec3d, wp.vec4i, types.vector(5, wp.float64), types.vector(3, wp.bool), types.vector(6, wp.float16),
    wp.mat22, wp.mat33d, types.matrix((2, 3), wp.float32), types.matrix((5, 5), wp.int32), wp.quat, wp.quatd,
    wp.transform, wp.transformd,
]  # fmt: skip


def constructor_call(rng, adj):
    reset(adj)
    t = rng.choice(CONSTRUCTED)
    size = t._length_ if t._wp_constructor_ != "matrix" else t._shape_[0] * t._shape_[1]
    call = Call(adj)
    n = rng.choice([0, 1, size, size, size, 2, 3])
    elem = t._wp_scalar_type_
    for _ in range(n):
        if n <= 2 and rng.random() < 0.6:
            call.add(variable(rng.choice(VALUES)))
        elif rng.random() < 0.4:
            call.add(constant(rng.choice([1, 0.5, True, -3])))
        elif rng.random() < 0.1:
            call.add(wrapped(rng.choice(types.scalar_types), 2))
        else:
            call.add(variable(elem if rng.random() < 0.9 else rng.choice(SCALARS)))
    if rng.random() < 0.1:
        call.add(a_type(rng.choice([elem, float])), "dtype")
    if rng.random() < 0.05 and t._wp_constructor_ == "vector":
        call.add(constant(rng.choice([size, 2])), "length")
    if rng.random() < 0.05 and t._wp_constructor_ == "matrix":
        call.add(group([constant(s) for s in t._shape_]), "shape")
    return t._wp_constructor_, call, t


def request_line(name, call, constructed, min_outputs):
    made = type_text(constructed) if constructed else ""
    return f"{name}\t{made}\t{min_outputs}\t{';'.join(call.texts)}"


def calls(seed):
    rng, adj = random.Random(seed), empty_adjoint()
    seen = set()

    def emit(name, call, constructed, min_outputs):
        line = request_line(name, call, constructed, min_outputs)
        if line in seen:
            return
        seen.add(line)
        type_args = constructed._wp_type_args_ if constructed else {}
        function = context.builtin_functions[name]
        said = answer(adj, function, call.args, call.kwargs, type_args, min_outputs)
        print(line.replace("\t", "\x1f"), said, sep="\t")

    for name, row in declarations():
        if name == "static":
            continue
        for _ in range(12):
            made = call_of_row(rng, adj, name, row)
            if made:
                emit(name, *made)
    for _ in range(2000):
        name, call, constructed = constructor_call(rng, adj)
        emit(name, call, constructed, 0)


def main():
    warnings.simplefilter("ignore")
    wp.config.quiet = True
    wp.init()
    if sys.argv[1] == "rows":
        for name, row in declarations():
            line = row_line(name, row)
            print(line if line else f"?{name}")
        for name, function in context.builtin_functions.items():
            if function.is_builtin() and not function.export:
                print(f"kernel_only {name}")
    else:
        calls(int(sys.argv[2]))


if __name__ == "__main__":
    main()
