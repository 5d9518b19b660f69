# SPDX-License-Identifier: Apache-2.0
"""One Python file for kernels of a running program, for a compiler that reads files.

    def make(n):                            N = 3
        @wp.kernel                          @wp.kernel
        def k(a: wp.array(dtype=Any)): ...  def make__locals__k_1a2b3c4d(a: wp.array(dtype=wp.float32, ndim=1)): ...
                                            (n in the body became N)

A kernel's tree is warp-lang's own (Adjoint.tree), so what transformers made of it counts. Each name that is
not local is resolved as warp-lang resolves it, by the closure and the globals of the function, and becomes the
name of a definition in this file: constants, types, structs, and functions with all their overloads. Two
objects of one name get two names. Kernels carry the names of their symbols, hash included.
Raises Inexpressible for what no Python text in a file stands for.
"""

import ast
import builtins
import enum
import inspect
import keyword
import math
import re
import types
import typing

import numpy as np
import warp as wp
from warp._src import codegen, context
from warp._src import types as warp_types

HEAD = "import enum\nimport math\nimport typing\nfrom typing import Any, Callable\nimport warp as wp\n\n"
TAKEN = {"wp", "typing", "Any", "Callable", "enum", "math", *keyword.kwlist, *dir(builtins)}
MISSING = object()
NOT_DETERMINISTIC = wp.DeterministicMode.NOT_GUARANTEED
# Options of a module on which text depends, and their defaults.
OPTIONS = {"enable_backward": True, "max_unroll": 16, "default_grid_stride": False, "mode": "release", "lineinfo": False,
           "deterministic": NOT_DETERMINISTIC}
PREAMBLES = ("extra_cpu_preamble", "extra_cuda_preamble")
# Of a kernel. Others come from dicts of options for a module, and have no effect on one kernel's text.
KERNEL_OPTIONS = {*inspect.signature(wp.kernel).parameters, "deterministic", "entry_point_abi"}


def options_text(options, form):
    """The options that a call or a dict has, by the form of an item."""
    return ", ".join(form.format(name, f"wp.{type(v).__name__}.{v.name}" if isinstance(v, enum.Enum) else repr(v)) for name, v in options.items())


class Inexpressible(Exception):
    """No text stands for an object of the program."""


def public_types():
    """{id: name} of the types and typing forms in the public namespace."""
    found = {}
    for name, value in vars(wp).items():
        if isinstance(value, type) and not name.startswith("_"):
            found.setdefault(id(value), f"wp.{name}")
    for value, name in ((int, "int"), (float, "float"), (bool, "bool"), (str, "str")):
        found[id(value)] = name
    return found


PUBLIC = public_types()
FORMS = {id(value): f"wp.types.{name}" for name, value in vars(warp_types).items() if name in ("Scalar", "Float", "Int")}


def is_terminal(value, name):
    """Whether a dotted path ends with it: `name` is then an attribute within the kernel's language."""
    if isinstance(value, context.Function) and name in vars(value):
        return False
    if isinstance(value, (context.Function, codegen.Struct, *warp_types.scalar_types, int, float, str)):
        return True
    if isinstance(value, type):
        return not issubclass(value, enum.Enum) and (id(value) in PUBLIC or hasattr(value, "_wp_scalar_type_"))
    return warp_types.is_value(value) or warp_types.is_struct(value) or warp_types.is_array(value)


def attribute(value, name):
    """An attribute of a module, class or object; warp's builtins are attributes of its module to a kernel alone."""
    if value is wp and name in context.builtin_functions:
        return context.builtin_functions[name]
    return getattr(value, name, MISSING)


def is_of_warp(value):
    """Whether a public name of warp-lang's stands for it, wherever it was found."""
    if isinstance(value, context.Function):
        return value.is_builtin()
    return value is wp or id(value) in PUBLIC or id(value) in FORMS or isinstance(value, types.FunctionType)


def is_read(node):
    """A name or attribute that is no target. Those that warp.fem's transformers make have no context."""
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(getattr(node, "ctx", None), (ast.Load, type(None)))


class Locals(ast.NodeVisitor):
    """Names that a function's body binds."""

    def __init__(self, tree):
        self.names = {arg.arg for arg in ast.walk(tree) if isinstance(arg, ast.arg)}
        self.visit(tree)

    def visit_Name(self, node):
        if not is_read(node):
            self.names.add(node.id)


class Body:
    """Copies the tree of one function with its free names replaced."""

    def __init__(self, file, adj, own):
        self.file, self.adj, self.own = file, adj, own
        self.closure = codegen.get_closure_vars(adj.func)
        self.locals = Locals(adj.tree.body[0]).names

    def look_up(self, name):
        if name in self.closure:
            return self.closure[name]
        return self.adj.func.__globals__.get(name, MISSING)

    def copy(self, node):
        if isinstance(node, list):
            return [self.copy(one) for one in node]
        if not isinstance(node, ast.AST):
            return node
        if is_read(node):
            return self.path(node)
        if isinstance(node, ast.Constant):
            return self.constant(node)
        self.operator(node)
        return type(node)(**{field: self.copy(getattr(node, field)) for field in node._fields if hasattr(node, field)})

    def operator(self, node):
        """A function of the program that an operator stands for keeps its name, by which it is found."""
        if isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)):
            name = codegen.builtin_operators.get(type(node.op))
            found = self.look_up(name) if name else MISSING
            if isinstance(found, context.Function) and not found.is_builtin() and self.file.function(found, name) != name:
                raise Inexpressible(f"two functions of the name {name}")

    def constant(self, node):
        """What wp.static made of an expression may be any value."""
        value = node.value
        if value is None or value is Ellipsis or type(value) in (bool, int, str, bytes):
            return node
        if type(value) is float and math.isfinite(value):
            return node
        return ast.parse(f"wp.static({self.file.value(value, 'static')})", mode="eval").body

    def path(self, node):
        """A name or a dotted path: resolved as far as it leads through modules, classes and objects."""
        attributes, root = [], node
        while isinstance(root, ast.Attribute):
            attributes.insert(0, root.attr)
            root = root.value
        if not isinstance(root, ast.Name):
            return self.chain(self.copy(root), attributes)
        if hasattr(root, "warp_func"):
            return self.chain(self.expression(f"wp.static({self.file.function(root.warp_func)})"), attributes)
        if root.id in self.locals:
            return self.chain(ast.Name(root.id, ast.Load()), attributes)
        value, owner, name = self.look_up(root.id), None, root.id
        if value is MISSING:
            return self.chain(ast.Name(root.id, ast.Load()), attributes)
        while attributes and not is_terminal(value, attributes[0]):
            if value is wp and attribute(wp, attributes[0]) is MISSING:  # wp.adjoint is a word of the language
                return self.chain(ast.Name("wp", ast.Load()), attributes)
            owner, owner_name, name = value, name, attributes.pop(0)
            value = attribute(owner, name)
            if value is MISSING:
                raise Inexpressible(f"no attribute {name}")
        if owner is wp and not isinstance(value, context.Function):
            return self.chain(ast.Attribute(ast.Name("wp", ast.Load()), name, ast.Load()), attributes)
        if owner is None or owner is wp or is_of_warp(value):
            return self.chain(self.expression(self.file.value(value, name)), attributes)
        return self.chain(self.file.member(owner, owner_name, name, value), attributes)

    @staticmethod
    def expression(text):
        return ast.parse(text, mode="eval").body

    @staticmethod
    def chain(node, attributes):
        for name in attributes:
            node = ast.Attribute(node, name, ast.Load())
        return node


class File:
    """Definitions, each before what uses it."""

    def __init__(self):
        self.parts, self.names, self.taken, self.kept = [], {}, set(TAKEN), []

    def text(self, options):
        differing = {name: options[name] for name, usual in OPTIONS.items() if options.get(name, usual) not in (usual, None)}
        given = options_text(differing, "{0!r}: {1}")
        preambles = ", ".join(f"{name}={options[name]!r}" for name in PREAMBLES if options.get(name))
        if preambles:
            given += f"{', ' if given else ''}'extra_build_options': wp.ModuleBuildOptions({preambles})"
        head = HEAD + (f"wp.set_module_options({{{given}}})\n" if given else "")
        if wp.config.enable_vector_component_overwrites:
            head += "wp.config.enable_vector_component_overwrites = True\n"
        return head + "\n" + "\n\n".join(self.parts) + "\n"

    def fresh(self, hint):
        """A name that nothing else has."""
        base = re.sub(r"\W", "_", hint.split(".")[-1]) or "x"
        base = f"_{base}" if base[0].isdigit() else base
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    def define(self, value, hint, make, key=None):
        """The name of a definition for this object, which is written when it is first asked for."""
        key = key or id(value)
        if key not in self.names:
            name = self.names[key] = self.fresh(hint)
            self.kept.append(value)  # so that no other object gets its id
            make(name)
        return self.names[key]

    def constant(self, value, hint, make):
        """warp-lang makes one variable for each name of a constant: two names of one object stay two."""
        return self.define(value, hint, make, (id(value), hint))

    def member(self, owner, owner_name, name, value):
        """OWNER.NAME, for a module, class or object of the program: a class of this file has its members."""
        if isinstance(owner, type) and issubclass(owner, enum.Enum):
            found = self.define(owner, owner.__name__, lambda holder: self.enumeration(owner, holder))
            return ast.Attribute(ast.Name(found, ast.Load()), name, ast.Load())
        key = "holder", id(owner)  # a function with attributes may be called, too
        holder = self.define(owner, owner_name, lambda holder: self.parts.append(f"class {holder}:\n    pass"), key)
        if (holder, name) not in self.names:
            self.names[holder, name] = name
            self.parts.append(f"{holder}.{name} = {self.value(value, name)}")
        return ast.Attribute(ast.Name(holder, ast.Load()), name, ast.Load())

    def enumeration(self, owner, name):
        base = "IntFlag" if issubclass(owner, enum.IntFlag) else "IntEnum" if issubclass(owner, int) else "Enum"
        lines = [f"    {member} = {one.value!r}" for member, one in owner.__members__.items()]
        self.parts.append("\n".join([f"class {name}(enum.{base}):", *lines]))

    # types

    def type(self, t):
        if id(t) in PUBLIC:
            return PUBLIC[id(t)]
        if t is Ellipsis:
            return "..."
        if id(t) in FORMS:
            return FORMS[id(t)]
        if t is typing.Any or t is typing.Callable:
            return "Any" if t is typing.Any else "Callable"
        if isinstance(t, codegen.Struct):
            return self.struct(t)
        if warp_types.is_reference(t):
            return f"wp.ref[{self.type(t.value_type)}]"
        if warp_types.is_array(t):
            return self.array(t)
        if warp_types.is_tile(t):
            if t.shape is typing.Any:
                return f"wp.tile[{self.type(t.dtype)}]"
            return f"wp.tile(dtype={self.type(t.dtype)}, shape={tuple(t.shape)!r})"
        if isinstance(t, type) and hasattr(t, "_wp_generic_type_str_"):
            return self.composite(t)
        raise Inexpressible(f"type {type(t).__name__} {getattr(t, '__name__', t)}")

    def array(self, t):
        if isinstance(t, wp.fixedarray):
            return f"wp.fixedarray(dtype={self.type(t.dtype)}, shape={tuple(t.shape)!r})"
        for family in ("indexedfabricarray", "fabricarray", "indexedarray", "array"):
            if warp_types.matches_array_class(t, getattr(wp, family)):
                return f"wp.{family}(dtype={self.type(t.dtype)}, ndim={t.ndim})"
        raise Inexpressible(f"type {type(t).__name__}")

    def composite(self, t):
        kind, scalar = t._wp_generic_type_str_, self.type(t._wp_scalar_type_)
        if kind == "vec_t":
            text = f"wp.types.vector(length={t._shape_[0]}, dtype={scalar})"
        elif kind == "mat_t":
            text = f"wp.types.matrix(shape={tuple(t._shape_)!r}, dtype={scalar})"
        elif kind == "quat_t":
            text = f"wp.types.quaternion(dtype={scalar})"
        elif kind == "transform_t":
            text = f"wp.types.transformation(dtype={scalar})"
        else:
            raise Inexpressible(f"type {kind}")
        return self.define(t, t.__name__, lambda name: self.parts.append(f"{name} = {text}"))

    def struct(self, struct):
        def make(name):
            fields = [f"    {field}: {self.type(var.type)}" for field, var in struct.vars.items()]
            self.parts.append("\n".join(["@wp.struct", f"class {name}:", *(fields or ["    pass"])]))

        key = struct.cls.__name__, struct.hash  # one text stands for equal structs
        if key not in self.names:
            self.names[key] = self.define(struct, struct.cls.__name__, make)
        return self.names[key]

    # values

    def value(self, v, hint):
        """An expression for any object that a kernel may name."""
        if v is wp:
            return "wp"
        if v is None or type(v) in (bool, int, str):
            return self.plain(v, hint)
        if isinstance(v, enum.Enum) and isinstance(v, int):
            return self.plain(int(v), hint)
        if isinstance(v, (float, np.floating)) and not isinstance(v, (np.float16, np.float32)):
            return self.plain(float(v), hint)
        if isinstance(v, context.Function):
            return self.function(v)
        if isinstance(v, codegen.Struct) or (isinstance(v, type) and not issubclass(v, enum.Enum)) or warp_types.is_array(v):
            return self.type_value(v)
        if id(v) in FORMS or getattr(v, "__module__", "") == "typing":
            return self.type(v)
        if isinstance(v, (tuple, list)):
            items = [self.value(one, hint) for one in v]
            text = f"({', '.join(items)}{',' if len(items) == 1 else ''})" if isinstance(v, tuple) else f"[{', '.join(items)}]"
            return self.constant(v, hint, lambda name: self.parts.append(f"{name} = {text}"))
        if warp_types.is_struct(v):
            return self.constant(v, hint, lambda name: self.instance(v, name))
        if warp_types.is_value(v):
            return self.constant(v, hint, lambda name: self.parts.append(f"{name} = {self.literal(v)}"))
        return self.python_function(v)

    def type_value(self, t):
        return self.type(t)

    def plain(self, v, hint):
        """Numbers and strings have a name too: it is then the same kind of constant as in the program."""
        key = hint, type(v), str(v)
        if key not in self.names:
            self.names[key] = self.fresh(hint)
            self.parts.append(f"{self.names[key]} = {self.literal(v)}")
        return self.names[key]

    def literal(self, v):
        if type(v) is float and not math.isfinite(v):
            return "wp.nan" if v != v else "wp.inf" if v > 0 else "-wp.inf"
        if v is None or type(v) in (bool, int, float, str):
            return repr(v)
        if isinstance(v, enum.Enum) and isinstance(v, int):
            return repr(int(v))
        if isinstance(v, warp_types.scalar_types) or type(v) in warp_types.scalar_types:
            return f"{self.type(type(v))}({self.literal(v.value)})"
        if hasattr(type(v), "_wp_generic_type_str_"):
            return f"{self.type(type(v))}({', '.join(self.literal(one) for one in self.components(v))})"
        raise Inexpressible(f"value of type {type(v).__name__}")

    @staticmethod
    def components(v):
        rows = [list(row) for row in v] if type(v)._wp_generic_type_str_ == "mat_t" else [list(v)]
        return [getattr(one, "value", one) for row in rows for one in row]

    def instance(self, v, name):
        lines = [f"{name} = {self.struct(v._cls)}()"]
        for field in v._cls.vars:
            value = getattr(v, field)
            if warp_types.is_array(value):
                continue
            lines.append(f"{name}.{field} = {self.value(value, field)}")
        self.parts.append("\n".join(lines))

    def python_function(self, v):
        """Functions of warp-lang's own that kernels call, such as wp.static and wp.grad."""
        name = getattr(v, "__name__", None)
        if name and getattr(wp, name, None) is v:
            return f"wp.{name}"
        if name and getattr(warp_types, name, None) is v:
            return f"wp.types.{name}"
        if isinstance(v, types.BuiltinFunctionType) and getattr(builtins, name, None) is v:
            return name
        raise Inexpressible(f"object of type {type(v).__name__}")

    # functions

    def function(self, f, hint=None):
        if f.is_builtin():
            if f.key not in context.builtin_functions:
                raise Inexpressible(f"builtin {f.key}")
            return f"wp.{f.key}"
        return self.define(f, hint or f.key, lambda name: self.overloads(f, name))

    def overloads(self, f, name):
        found = [*f.user_templates.values(), *(o for o in f.user_overloads.values() if o.generic_parent is None)]
        if f not in found and not found:
            found = [f]
        for one in found:
            self.parts.append(self.definition(one.adj, name, self.decorator(one), one.defaults, name))
        for one in found:
            if one.custom_replay_func:
                adj = one.custom_replay_func.adj
                self.parts.append(self.definition(adj, self.fresh(f"replay_{name}"), f"wp.func_replay({name})", {}, name))
            if one.custom_grad_func:
                adj = one.custom_grad_func.adj
                self.parts.append(self.definition(adj, self.fresh(f"adj_{name}"), f"wp.func_grad({name})", {}, name))

    @staticmethod
    def decorator(f):
        if f.native_snippet is None:
            hint = {"forceinline": "(inline=True)", "noinline": "(inline=False)"}.get(f.inline_hint, "")
            return f"wp.func{hint}"
        given = [("", f.native_snippet), ("adj_snippet=", f.adj_native_snippet), ("replay_snippet=", f.replay_snippet)]
        return f"wp.func_native({', '.join(f'{key}{text!r}' for key, text in given if text is not None)})"

    def definition(self, adj, name, decorator, defaults, own):
        """The text of a function definition. Types are the actual ones, where they are concrete."""
        body = Body(self, adj, own)
        tree = adj.tree.body[0]
        arguments = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
        for argument in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]:
            annotation = self.annotation(body, adj.arg_types.get(argument.arg), argument.annotation)
            arguments.args.append(ast.arg(arg=argument.arg, annotation=annotation))
            if argument.arg in defaults:
                arguments.defaults.append(body.expression(self.value(defaults[argument.arg], f"default_{argument.arg}")))
        made = ast.FunctionDef(name=name, args=arguments, body=body.copy(tree.body),
                               decorator_list=[body.expression(decorator)],
                               returns=self.returned(body, adj, tree), type_params=[], lineno=1)
        return ast.unparse(ast.fix_missing_locations(made))

    def returned(self, body, adj, tree):
        if tree.returns is None or "return" not in adj.arg_types:
            return None
        return self.annotation(body, adj.arg_types["return"], tree.returns)

    def annotation(self, body, found, written):
        try:
            if found is not None and not (written and warp_types.type_is_generic(found)):
                return body.expression(self.type(found))
        except Inexpressible:
            if written is None:
                raise
        return body.copy(written)

    def kernel(self, kernel):
        counting = {key: v for key, v in kernel.options.items() if key in KERNEL_OPTIONS and v is not NOT_DETERMINISTIC}
        options = options_text(counting, "{0}={1}")
        name = kernel.get_mangled_name()
        self.taken.add(name)
        self.parts.append(self.definition(kernel.adj, name, f"wp.kernel({options})" if options else "wp.kernel", {}, name))


def source_of(builder):
    """The text of a file that defines the kernels of a ModuleBuilder."""
    if builder.ltoirs or builder.fatbins or builder.ltoirs_decl:
        raise Inexpressible("objects of libraries to be linked")
    file = File()
    for kernel in builder.kernels:
        file.taken.add(kernel.get_mangled_name())
    for kernel in builder.kernels:
        file.kernel(kernel)
    return file.text(builder.options)


def block_dim_of(builder):
    """The block size that decides the form of the kernels: their own, which is not that of the header."""
    found = {kernel.options.get("block_dim", builder.options["block_dim"]) for kernel in builder.kernels}
    if len(found) > 1:
        raise Inexpressible("kernels with several block sizes")
    return found.pop()
