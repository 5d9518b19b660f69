# SPDX-License-Identifier: Apache-2.0
"""NVRTC in a process of its own, which is stopped where the caller is interrupted.

NVRTC takes SIGINT while it reads a program: its handler ends the process, whichever thread the signal
comes to. And before CUDA 12.9 nothing ends its work. So it works in a child process, beyond the reach of
Ctrl-C, and is killed:

    ptx() ── arguments, pickled ──▶ serve(): calls the library ── result or exception, pickled ──▶ ptx()

A child waits for the next call, since it takes longer to start one than to compile a short text. It
serves one call at a time and ends with this process.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._errors import PACKAGE, WeftError
from ._interrupt import Call

CODE = "import sys; sys.path.insert(0, sys.argv[1]); from weft._ptx_process import serve; serve()"
Key = Tuple[int, Optional[str], Dict[str, str]]


def _key() -> Key:
    """What a child has from the process that started it: this process, its folder, its environment."""
    try:
        folder = os.getcwd()
    except FileNotFoundError:
        folder = None
    return os.getpid(), folder, dict(os.environ)


class Child:
    def __init__(self, key: Key):
        self.key = key
        flags = ["-I", "-S", "-B"] if sys.dont_write_bytecode else ["-I", "-S"]
        self.process = subprocess.Popen(
            [sys.executable, *flags, "-c", CODE, os.path.dirname(PACKAGE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in a terminal goes to all processes of a session's group
        )

    def ask(self, call: Tuple[Callable[..., Any], Tuple[Any, ...]]) -> Tuple[bool, Any]:
        """Whether the function returns there, and what it returns or raises."""
        answers: List[Tuple[bool, Any]] = []

        def work() -> int:
            assert self.process.stdin and self.process.stdout
            try:
                pickle.dump(call, self.process.stdin)
                self.process.stdin.flush()
                answers.append(pickle.load(self.process.stdout))
            except (EOFError, OSError, pickle.UnpicklingError):
                pass  # it has ended
            return 0

        Call(work, self.process.kill).run()
        if not answers:
            raise WeftError(f"the process that compiled CUDA text ended with status {self.process.wait()}")
        return answers[0]

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()  # closes the pipes, and waits


_idle: List[Child] = []  # that wait for a call


@atexit.register
def _end_all() -> None:
    """In a forked process the list is a copy: its children are the first process's."""
    while _idle:
        child = _idle.pop()
        if child.key[0] == os.getpid():
            child.end()


def _take() -> Child:
    """One that waits in the same environment; others are of no use any more."""
    key = _key()
    while _idle:
        child = _idle.pop()
        if child.key == key and child.process.poll() is None:
            return child
        if child.key[0] == key[0]:
            child.end()
    return Child(key)


def apart(function: Callable[..., Any], *args: Any) -> Any:
    """function(*args), a function of this package, in a child process. A signal's handler that raises ends
    it. Where no Python can be started, in a program that embeds it, say, the function is called here."""
    if not sys.executable or getattr(sys, "frozen", False):
        return function(*args)
    child = _take()
    try:
        is_good, what = child.ask((function, args))
    except BaseException:
        child.end()
        raise
    _idle.append(child)
    if is_good:
        return what
    raise what


def serve() -> None:
    """The child: answers calls until nobody is there to make one."""
    calls, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            function, args = pickle.load(calls)
        except EOFError:
            return
        try:
            answer = True, function(*args)
        except Exception as error:
            answer = False, error
        try:
            pickle.dump(answer, answers)
            answers.flush()
        except BrokenPipeError:
            os._exit(1)
