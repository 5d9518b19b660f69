# SPDX-License-Identifier: Apache-2.0
"""The text that warp-lang itself generates, kernel by kernel.

Imports a Python file the way a program would and asks warp-lang's ModuleBuilder for the text of
each kernel of the file, for both devices, as a module with this kernel alone under strip_hash.
What is cut off is defined in ARCHITECTURE.md: the fixed header, and the CPU entry points.
Runs under a Python that has warp-lang; needs no GPU.
"""

import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
import warnings

warnings.filterwarnings("ignore")

import oracle_env  # noqa: E402
import warp_order  # noqa: E402
import warp as wp  # noqa: E402
from warp._src import codegen, context  # noqa: E402

DEVICES = ("cpu", "cuda")
LAUNCHES = 1000  # that an imported file may make: a benchmark makes a million
TWINS = 100  # kernels that a new one is compared with: calls of a factory may make equal ones


def forget_builds():
    """Makes each module's text independent of modules that were built before it.

    Warp 1.17 never takes back that a kernel with a backward pass uses a function; later releases do
    when a module is built. All releases remember the last line of a build, and write no comment of
    the first line in the next build if that is the same one: of a function whose body stands beside
    its def.
    """
    generate = context.ModuleBuilder.codegen

    def codegen_and_forget(builder, device):
        text = generate(builder, device)
        for function in builder.functions:
            function.adj.used_by_backward_kernel = False
        for built in [*builder.functions, *builder.kernels]:
            built.adj.lineno = None
        return text

    context.ModuleBuilder.codegen = codegen_and_forget


def start(kernel_cache):
    """Initialises warp quietly; what an imported file launches is compiled into `kernel_cache`."""
    wp.config.quiet = True
    wp.config.log_level = 50
    wp.config.kernel_cache_dir = os.path.abspath(kernel_cache)
    wp.init()
    forget_builds()
    warp_order.promote_in_source_order()


@contextlib.contextmanager
def own_config():
    """What a file sets in warp.config ends with it: the next one's kernels are built without it."""
    kept = dict(vars(wp.config))
    try:
        yield
    finally:
        vars(wp.config).update(kept)


def package_of(path):
    """(folder to import from, dotted module name) of a file, through its packages."""
    folder, name = os.path.split(os.path.splitext(path)[0])
    names = [name] if name != "__init__" else []
    # A folder of a package may have no __init__.py of its own.
    while any(os.path.exists(os.path.join(one, "__init__.py")) for one in (folder, os.path.dirname(folder))):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    return folder, ".".join(names)


def import_file(path):
    """Imports a file: by its dotted name inside a package, else as a module of its own."""
    root, name = package_of(path)
    if "." in name:
        if root not in sys.path:
            sys.path.insert(0, root)
        return importlib.import_module(name)
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def source_file(kernel):
    try:
        found = inspect.getsourcefile(kernel.func)
    except TypeError:
        return None
    return found and os.path.abspath(found)


@contextlib.contextmanager
def noting_kernels(made):
    """Within it, every kernel that is made is appended to the list, in order of definition."""
    init = context.Kernel.__init__

    def noting(kernel, *args, **named):
        init(kernel, *args, **named)
        made.append(kernel)

    context.Kernel.__init__ = noting
    try:
        yield
    finally:
        context.Kernel.__init__ = init


def is_replaced(kernel):
    """Whether another def statement at module level took its name, so that nothing holds it any more."""
    last = kernel.module.kernels.get(kernel.key, kernel)
    return is_static(kernel) and last.func.__code__ is not kernel.func.__code__


def kernels_of(path, made):
    """The kernels of this file in source order: instances stand for a generic kernel that has some."""
    found = []
    for kernel in made:
        if source_file(kernel) == path and not is_replaced(kernel):
            found += list(kernel.overloads.values()) or [kernel]
    return sorted(found, key=lambda k: k.func.__code__.co_firstlineno)


def without_header(text):
    """From after the last line of the fixed header on; the blank line that ends it stays."""
    head, found, rest = text.partition(codegen.codegen_cast_macros)
    return "\n" + rest if found else head


@contextlib.contextmanager
def no_entry_points():
    """Within it, warp leaves the CPU entry points out of what it generates."""
    saved = codegen.codegen_module
    codegen.codegen_module = lambda kernel, device, options: ""
    try:
        yield
    finally:
        codegen.codegen_module = saved


def build_options(module):
    """The options that a build of the module has: of warp.config, too, but for the grid-stride loop,
    which is as the module states it, and for MathDx, which needs a device."""
    stated = {name: value for name, value in module.options.items() if name == "default_grid_stride"}
    return module.resolve_options(wp.config) | stated | {"output_arch": None}


def kernel_text(kernel):
    """{device: text} of a module that holds this kernel alone."""
    kernel.module.options["strip_hash"] = True
    options = build_options(kernel.module)
    hasher = context.ModuleHasher([kernel], options)
    texts = {}
    for device in DEVICES:
        builder = context.ModuleBuilder(kernel.module, options, hasher=hasher)
        with no_entry_points():
            texts[device] = without_header(builder.codegen(device))
    return texts


def is_static(kernel):
    """Whether it stands outside of functions, where it is defined once."""
    return "<locals>" not in kernel.func.__qualname__ and kernel.func.__closure__ is None


def kernel_record(kernel):
    record = {
        "key": kernel.key,
        "line": kernel.func.__code__.co_firstlineno,
        "static": is_static(kernel),
        "generic": bool(kernel.is_generic),
        "instance": kernel.generic_parent is not None,
        "cpu": None,
        "cuda": None,
        "error": None,
    }
    if not record["generic"]:
        try:
            record.update(kernel_text(kernel))
        except BaseException as error:  # warp raises whatever the kernel's own code raises
            record["error"] = f"{type(error).__name__}: {error}"[:400]
    return record


@contextlib.contextmanager
def few_launches():
    """Within it, launches after the first LAUNCHES do nothing."""
    launch, left = wp.launch, iter(range(LAUNCHES))
    wp.launch = lambda *args, **named: None if next(left, None) is None else launch(*args, **named)
    try:
        yield
    finally:
        wp.launch = launch


def set_environment(path):
    """The environment variables that a test's file gives weft in comments `# weft: -D NAME=VALUE`."""
    words = oracle_env.options_of(path)
    for option, text in zip(words, words[1:]):
        if option == "-D":
            name, _, value = text.partition("=")
            os.environ[name] = value


def file_record(path):
    """{"file", "error", "kernels"} of one file."""
    path = os.path.abspath(path)
    set_environment(path)
    record = {"file": path, "error": None, "kernels": []}
    made = []
    try:
        with few_launches(), noting_kernels(made):
            program = getattr(import_file(path), "running_program", None)
            if program:  # of a test's file: what makes kernels after the import
                program()
    except BaseException as error:  # a file may even call exit() while it is imported
        record["error"] = f"{type(error).__name__}: {error}"[:400]
    for kernel in kernels_of(path, made):
        one = kernel_record(kernel)
        if one not in record["kernels"][-TWINS:]:
            record["kernels"].append(one)
    return record
