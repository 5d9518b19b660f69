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

import warp as wp  # noqa: E402
from warp._src import codegen, context  # noqa: E402

DEVICES = ("cpu", "cuda")
LAUNCHES = 1000  # that an imported file may make: a benchmark makes a million


def start(kernel_cache):
    """Initialises warp quietly; what an imported file launches is compiled into `kernel_cache`."""
    wp.config.quiet = True
    wp.config.log_level = 50
    wp.config.kernel_cache_dir = os.path.abspath(kernel_cache)
    wp.init()


def package_of(path):
    """(folder to import from, dotted module name) of a file, through its packages."""
    folder, name = os.path.split(os.path.splitext(path)[0])
    names = [name] if name != "__init__" else []
    while os.path.exists(os.path.join(folder, "__init__.py")):
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


def kernels_of(path):
    """The kernels that were defined in this file, in source order, each once."""
    found = {}
    for module in list(context.user_modules.values()):
        for kernel in list(module.kernels.values()):
            if source_file(kernel) == path:
                found[id(kernel)] = kernel
    return sorted(found.values(), key=lambda k: k.func.__code__.co_firstlineno)


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


def kernel_text(kernel):
    """{device: text} of a module that holds this kernel alone."""
    kernel.module.options["strip_hash"] = True
    options = dict(kernel.module.options)
    hasher = context.ModuleHasher([kernel], options)
    texts = {}
    for device in DEVICES:
        builder = context.ModuleBuilder(kernel.module, options, hasher=hasher)
        with no_entry_points():
            texts[device] = without_header(builder.codegen(device))
    return texts


def kernel_record(kernel):
    func = kernel.func
    record = {
        "key": kernel.key,
        "line": func.__code__.co_firstlineno,
        "static": "<locals>" not in func.__qualname__ and func.__closure__ is None,
        "generic": bool(kernel.is_generic),
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


def file_record(path):
    """{"file", "error", "kernels"} of one file."""
    path = os.path.abspath(path)
    record = {"file": path, "error": None, "kernels": []}
    try:
        with few_launches():
            import_file(path)
    except BaseException as error:  # a file may even call exit() while it is imported
        record["error"] = f"{type(error).__name__}: {error}"[:400]
    record["kernels"] = [kernel_record(kernel) for kernel in kernels_of(path)]
    return record
