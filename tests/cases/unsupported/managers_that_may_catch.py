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
def other():
    try:
        yield
    except KeyError:
        pass


@contextlib.contextmanager
def raising():
    try:
        yield
    except Exception:
        raise


@contextlib.contextmanager
def choosing():
    try:
        yield
    except Exception as e:
        if "a" in str(e):
            raise


A = B = C = D = E = F = 1
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
    with other():
        raise ValueError
    C = 2
except ValueError:
    C = 3
try:
    with raising():
        raise ValueError
    D = 2
except ValueError:
    D = 3
try:
    with choosing():
        raise ValueError("a")
    E = 2
except ValueError:
    E = 3
try:
    with contextlib.suppress(KeyError):
        raise ValueError
    F = 2
except ValueError:
    F = 3


def caught_or_not():
    with other():
        raise ValueError
    return 7


try:
    G = caught_or_not()
except ValueError:
    G = 9


@wp.kernel
def k(a: wp.array(dtype=int)):
    a[0] = A  # expect error: unknown-value


@wp.kernel
def k2(a: wp.array(dtype=int)):
    a[0] = B  # expect error: unknown-value


@wp.kernel
def k3(a: wp.array(dtype=int)):
    a[0] = C  # expect error: unknown-value


@wp.kernel
def k4(a: wp.array(dtype=int)):
    a[0] = D  # expect error: unknown-value


@wp.kernel
def k5(a: wp.array(dtype=int)):
    a[0] = E  # expect error: unknown-value


@wp.kernel
def k6(a: wp.array(dtype=int)):
    a[0] = F  # expect error: unknown-value


@wp.kernel
def k7(a: wp.array(dtype=int)):
    a[0] = G  # expect error: unknown-value
