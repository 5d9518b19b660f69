# Where it is not known whether a manager takes the exception, what depends on that has no value.
import contextlib

import warp as wp


class Error(Exception):
    pass


class Typed:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return isinstance(error, ImportError)


class Own:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is Error or kind == Error or kind in (Error, Typed) or isinstance(error, Error)


@contextlib.contextmanager
def choosing():
    try:
        yield
    except Exception as e:
        if "a" in str(e):
            raise


A = B = E = 1
try:
    with Typed():
        raise ImportError
    A = 2
except ImportError:
    A = 3
try:
    with Own():
        raise Error
    B = 2
except Error:
    B = 3
try:
    with choosing():
        raise ValueError("a")
    E = 2
except ValueError:
    E = 3


@wp.kernel
def k(a: wp.array(dtype=int)):
    a[0] = A  # expect error: unknown-value


@wp.kernel
def k2(a: wp.array(dtype=int)):
    a[0] = B  # expect error: unknown-value


@wp.kernel
def k5(a: wp.array(dtype=int)):
    a[0] = E  # expect error: unknown-value
