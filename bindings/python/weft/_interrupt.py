# SPDX-License-Identifier: Apache-2.0
"""Calls of the library that signals interrupt.

Python runs a signal's handler in the main thread between two steps of Python, so a call into C would
hold it back. The main thread therefore makes a call that may be long in a thread of its own and waits
for it, where handlers run at once. A handler that raises, as that of Ctrl-C does, ends the call:

    main thread      run() ... waits ... KeyboardInterrupt: stop(), waits for the end, raises it
    its thread             work() ................................ ends

A handler that returns changes nothing. Other threads never run handlers: they make the call themselves.
"""

from __future__ import annotations

import _thread
import queue
import threading
import time
from typing import Any, Callable, Optional

WAKE_SECONDS = 0.1
BEGIN_SECONDS = 0.1  # a thread that has not begun by then finds that it is not wanted


class Call:
    """One call: `work` is made, `stop` ends it early, if it can be ended from outside.

    patience: seconds that an interrupted caller waits for the end; None: as long as it takes. A call
        that goes on after that keeps alive what `work` refers to, and nothing else may use it.
    """

    def __init__(
        self, work: Callable[[], int], stop: Optional[Callable[[], object]] = None, patience: Optional[float] = None
    ):
        self.work, self.stop, self.patience = work, stop, patience
        self.is_left = False  # the caller was interrupted
        self._begun = self._ended = self._apart = False
        self._result: Optional[int] = None
        self._error: Optional[BaseException] = None
        self._asks: "queue.SimpleQueue[Optional[Callable[[], object]]]" = queue.SimpleQueue()  # None: the end
        self._answers: "queue.SimpleQueue[None]" = queue.SimpleQueue()

    def run(self) -> int:
        """The result of `work`; raises what it, or a handler, raises."""
        if threading.current_thread() is not threading.main_thread():
            return self.work()
        try:
            if not self._start():
                return self.work()
            while self._serve():
                pass
        except BaseException:
            self.is_left = True
            if self._apart:
                self._leave()
            raise
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def _start(self) -> bool:
        self._apart = True
        try:
            _thread.start_new_thread(self._make, ())
        except RuntimeError:  # there are no more threads: signals wait for the end
            self._apart = False
        return self._apart

    def _serve(self) -> bool:
        """Waits for a callback's wish and grants it; False: the call has ended. The wait has an end, since
        a signal that comes just before it, or in another thread, does not wake this one."""
        try:
            ask = self._asks.get(timeout=WAKE_SECONDS)
        except queue.Empty:
            return True
        if ask is None:
            return False
        ask()
        self._answers.put(None)
        return True

    def _make(self) -> None:
        """The thread."""
        self._begun = True
        if not self.is_left:
            try:
                self._result = self.work()
            except BaseException as error:
                self._error = error
        self._ended = True
        self._asks.put(None)

    def _leave(self) -> None:
        """Ends the call, and waits for that."""
        self._answers.put(None)  # for a callback that waits for one
        if self.stop:
            self.stop()
        since = time.monotonic()
        while not self._ended:
            patience = self.patience if self._begun else BEGIN_SECONDS
            if patience is not None and time.monotonic() - since > patience:
                return
            try:
                self._asks.get(timeout=WAKE_SECONDS)
            except queue.Empty:
                pass

    def ask(self, function: Callable[..., object], *args: Any) -> None:
        """For callbacks within `work`: calls a function of the caller's in the caller's thread. What it
        raises ends the call; `is_left` says so to the callback."""
        if not self._apart:
            function(*args)
        elif not self.is_left:
            self._asks.put(lambda: function(*args))
            self._answers.get()
