# Exceptions that the body of a `with` raises, and context managers that catch them.
import contextlib

import warp as wp


class Catching:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.caught = kind is not None
        return True


@contextlib.contextmanager
def catching():
    try:
        yield 5
    except KeyError:
        pass


@contextlib.contextmanager
def restoring():
    global N
    try:
        yield
    finally:
        N = 7


catcher = Catching()
with catcher:
    raise ValueError("no value")
X = 3 if catcher.caught else 4
with Catching() as quiet:
    pass
Y = 3 if quiet.caught else 4

Z = 0
with catching() as given:
    Z = given
    raise KeyError("a")
    Z = 9

N = 1
try:
    with restoring():
        raise KeyError("a")
except KeyError:
    pass

with contextlib.suppress(KeyError, IndexError):
    V = 1
    raise KeyError("a")
    V = 2

# An exception that a manager does not take goes on to the next.
P = 0
with contextlib.suppress(ValueError):
    with contextlib.suppress(KeyError, OSError):
        raise ValueError("a")
    P = 9

with contextlib.suppress(LookupError):
    Q = 2
    raise KeyError("a")
    Q = 3


@contextlib.contextmanager
def assigning():
    try:
        got = yield 3
    finally:
        pass
    return got


R = 1
with contextlib.suppress(Exception):
    with assigning():
        raise ValueError
    R = 2


class Mine(Exception):
    pass


class Narrower(Mine):
    pass


S = 1
with contextlib.suppress(KeyError, Mine):
    raise Narrower("a")
    S = 2


class Refusing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is None or error is None


T = 1
with contextlib.suppress(ValueError):
    with Refusing():
        raise ValueError
    T = 2


# Nothing around this one could catch the exception: it has to be caught here.
class Asking:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is ValueError and isinstance(error, ValueError)


with Asking():
    raise ValueError
U = 6


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


def caught_or_not():
    with other():
        raise ValueError
    return 7


V1 = V2 = V3 = 1
try:
    with other():
        raise ValueError
    V1 = 2
except ValueError:
    V1 = 3
try:
    with raising():
        raise ValueError
    V2 = 2
except ValueError:
    V2 = 3
try:
    with contextlib.suppress(KeyError):
        raise ValueError
    V3 = 2
except ValueError:
    V3 = 3
try:
    V4 = caught_or_not()
except ValueError:
    V4 = 9


@wp.kernel
def after(a: wp.array(dtype=int)):
    a[0] = X
    a[1] = Y
    a[2] = Z
    a[3] = N
    a[4] = V
    a[5] = P
    a[6] = Q
    a[7] = R
    a[8] = S
    a[9] = T
    a[10] = U
    a[11] = V1
    a[12] = V2
    a[13] = V3
    a[14] = V4
