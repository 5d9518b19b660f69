# What a thread keeps for itself, locks, and context managers of the program: their code runs.
import contextlib
import threading

import warp as wp

_settings = threading.local()
_lock = threading.Lock()
_made = {}


def steps():
    return getattr(_settings, "steps", None) or 3


@contextlib.contextmanager
def with_steps(n):
    before = steps()
    _settings.steps = n
    try:
        yield n + 1
    finally:
        _settings.steps = before


class Scaled:
    scale = 1.0

    def __init__(self, scale):
        self.wanted = scale

    def __enter__(self):
        self.before = Scaled.scale
        Scaled.scale = self.wanted
        return self

    def __exit__(self, kind, error, trace):
        Scaled.scale = self.before


class Local(threading.local):
    def __init__(self):
        self.offset = 7


_local = Local()


def make(more=0):
    with _lock:
        n = steps() + more
        s = Scaled.scale
        if (n, s) not in _made:

            @wp.kernel(module="unique")
            def count(x: wp.array(dtype=float)):
                i = wp.tid()
                for _ in range(n):
                    x[i] += s + float(wp.static(_local.offset))

            _made[n, s] = count
        return _made[n, s]


plain = make()
with with_steps(5) as more:
    five = make()
    eleven = make(more)
    with Scaled(0.5) as scaled, threading.RLock():
        half = make(int(2 * scaled.wanted))
again = make()


def inside():
    with with_steps(2):
        return make()


two = inside()


@wp.kernel
def last(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = float(wp.static(len(_made))) + wp.static(Scaled.scale) + float(wp.static(steps()))
