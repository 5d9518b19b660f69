# SPDX-License-Identifier: Apache-2.0
"""A weft_context: what programs are compiled, checked and run with, and its failures as exceptions."""

from __future__ import annotations

import ctypes
import threading
from ctypes import c_int, c_void_p
from difflib import get_close_matches
from typing import Any, List, Optional, Sequence, Tuple

from . import _library as c
from ._arguments import device_bits, whole, word
from ._errors import CompileError, Diagnostic, RunError, in_python
from ._interrupt import Call
from ._library import text
from ._paths import Define, Paths, Texts, definitions, file_error, listed, texts

# devices, backward, folders of imports, release of Warp, threads of a block
Key = Tuple[int, bool, Tuple[bytes, ...], Optional[bytes], int]
SHORT = 20_000  # characters of a program that takes less time than anybody waits for, whatever it says
PATIENCE = 1.0  # seconds
BLOCK_DIM_MOST = 1024


class OwnedContext:
    """A weft_context that is given back when the last reference to it goes."""

    def __init__(self, key: Key):
        self.lib, self.handle, self.stop, self.key = c.library(), c_void_p(), c_void_p(), key
        devices, backward, include, warp, block_dim = key
        self.dirs = c.strings(include)  # the context refers to it, and to what each use sets:
        self.instances = self.definitions = c.strings(())
        self.found: Optional[ctypes.Array[c_int]] = None
        self._check(self.lib.weft_stop_new(self.stop))
        options = c.Options(
            include_dirs=self.dirs,
            include_dir_count=len(include),
            devices=devices,
            no_backward=not backward,
            stop=self.stop,
            warp=warp,
            block_dim=block_dim,
        )
        status = self.lib.weft_context_new(options, self.handle)
        if status == c.BAD_ARGUMENT and warp:
            raise ValueError(f"warp: weft does not write the text of release {text(warp)!r}")
        self._check(status)

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise MemoryError(f"weft: {text(self.lib.weft_status_text(status))}")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.lib.weft_context_free(self.handle)
        if getattr(self, "stop", None):
            self.lib.weft_stop_free(self.stop)


_kept = threading.local()  # the thread's last context, unless it is in use


class Context:
    """A weft_context, for the length of a `with`. Each thread keeps its last one for the next use."""

    def __init__(
        self,
        device: str = "cuda",
        backward: bool = True,
        *,
        include: Paths = (),
        instances: Texts = (),
        define: Define = None,
        warp: Optional[str] = None,
        block_dim: Optional[int] = None,
        many: bool = False,
    ):
        threads = 0 if block_dim is None else whole("block_dim", block_dim, 1, BLOCK_DIM_MOST)
        dirs = tuple(listed("include", include))
        self.key: Key = device_bits(device), bool(backward), dirs, word("warp", warp), threads
        self.instances = texts("instances", instances)
        self.definitions = definitions(define)
        self.many = many  # files, of which some may lack what the instances name
        self.owned: Optional[OwnedContext] = None
        self._is_good = True

    def __enter__(self) -> "Context":
        owned, _kept.owned = getattr(_kept, "owned", None), None
        if owned is None or owned.key != self.key:
            owned = OwnedContext(self.key)
        self.owned, self.lib, self.handle = owned, owned.lib, owned.handle
        owned.instances = c.strings(self.instances)  # the context refers to it
        owned.definitions = c.strings(self.definitions)
        self.lib.weft_set_environment(self.handle, owned.definitions, len(self.definitions))
        owned.found = (c_int * len(self.instances))() if self.many else None
        self.lib.weft_set_instances(self.handle, owned.instances, len(self.instances), owned.found)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """A context whose call was interrupted may be at work still."""
        if kind is not MemoryError and self._is_good:
            _kept.owned = self.owned

    def call(self, name: str, *args: Any, keep: Any = None, directly: bool = False) -> int:
        """The status of a function of the library that takes a context. A signal's handler that raises
        ends it, unless it is called directly. `keep`: what `args` have addresses of."""
        function, owned = getattr(self.lib, name), self.owned
        assert owned is not None
        if directly:
            return int(function(owned.handle, *args))

        def work(_kept: Any = keep) -> int:
            return int(function(owned.handle, *args))

        self._is_good = False
        status = Call(work, lambda: owned.lib.weft_stop_set(owned.stop), PATIENCE).run()
        self._is_good = True
        return status

    def call_on_text(self, name: str, called: bytes, source: bytes, *args: Any) -> int:
        """The same of a function that compiles or checks a text: a short one that cannot import files."""
        is_short = len(source) < SHORT and not self.key[2]
        return self.call(name, called, source, len(source), *args, directly=is_short)

    def diagnostics(self) -> List[Diagnostic]:
        count = self.lib.weft_diagnostic_count(self.handle)
        return [self.lib.weft_diagnostic_at(self.handle, i).contents.public() for i in range(count)]

    def message(self) -> str:
        """What weft_message says, in the words of this package."""
        return in_python(text(self.lib.weft_message(self.handle)))

    def check(self, status: int, paths: Sequence[bytes] = ()) -> None:
        """Raises what a status says; `paths` are those that were to be read."""
        if status == c.OK:
            return
        if status == c.NO_MEMORY:
            raise MemoryError("weft: out of memory")
        found = self.diagnostics()
        message = self.message() or text(self.lib.weft_status_text(status))
        if status == c.IO_ERROR:
            raise file_error(found[0].message if found else message, paths, "file")
        if found and status == c.INPUT_ERRORS:
            raise CompileError(found)
        raise (RunError if status == c.FAILED else ValueError)("\n".join([message, *map(str, found)]))

    def kernel_names(self) -> List[str]:
        """Of the program that was compiled last, in source order."""
        names: List[str] = []
        while name := self.lib.weft_kernel_name(self.handle, len(names)):
            names.append(text(name))
        return names

    def check_kernel(self, status: int, wanted: Optional[str], paths: Sequence[bytes] = ()) -> None:
        """check(), for a call that takes the name of a kernel: if it has none of it, those there are."""
        names = self.kernel_names() if status == c.BAD_ARGUMENT else []
        try:
            self.check(status, paths)
        except ValueError as error:
            if not names or (wanted in names):
                raise
            first, *more = str(error).split("\n")
            near = get_close_matches(wanted or "", names, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError("\n".join([f"{first}{meant}\nkernels: {', '.join(names)}", *more])) from None

    def check_instances(self) -> None:
        """After many files: raises ValueError for what is in none of them."""
        assert self.owned is not None
        for instance, is_found in zip(self.instances, self.owned.found or ()):
            if not is_found:
                raise ValueError(f"no file has what the instance {text(instance)!r} names")
