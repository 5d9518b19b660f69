# What raises for certain in a `try`, and in what it calls, goes on at the handler that takes it.
import contextlib
import os

import warp as wp


class Cls:
    there = 1


class Mine(ValueError):
    pass


class Narrower(Mine):
    pass


def parse(text):
    try:
        return int(text)
    except (TypeError, ValueError):
        return 7


def check(n):
    if n > 3:
        raise Mine("too large")
    return n


def checked(n):
    return check(n) + 10


def cleaned(log):
    try:
        log.append(1)
        raise KeyError("a")
    except KeyError as e:
        log.append(2)
        raise e
    finally:
        log.append(3)


try:
    v = int("x")
    A = 1
except ValueError:
    A = 2
try:
    Cls.missing
    B = 1
except AttributeError:
    B = 2
try:
    no_such_name
    C = 1
except NameError:
    C = 2
try:
    assert 2 + 2 == 5
    D = 1
except AssertionError:
    D = 2
try:
    v = 1 / 0
    E = 1
except ZeroDivisionError:
    E = 2
try:
    [1][3]
    F = 1
except IndexError:
    F = 2
try:
    v = {"a": 1}["b"]
    G = 1
except (ValueError, LookupError):
    G = 2
H = 0
with contextlib.suppress(KeyError):
    {"a": 1}["b"]
    H = 1
try:
    checked(5)
    I = 1
except KeyError:
    I = 2
except ValueError as e:
    I = 3
else:
    I = 4
try:
    I2 = checked(2)
except ValueError:
    I2 = 1
else:
    I2 += 1
J = 0
log = []
try:
    cleaned(log)
    J = 1
except LookupError:
    J = 100 * log[0] + 10 * log[1] + log[2]
K = 0
try:
    try:
        raise Narrower("a")
    except KeyError:
        K = 1
    finally:
        K += 10
    K += 100
except Mine:
    K += 2
try:
    first, second = (1, 2, 3)
    L = 1
except ValueError:
    L = 2
try:
    check()
    M = 1
except TypeError:
    M = 2
try:
    WIDTH = int(os.environ["NO_SUCH_WIDTH"])
except KeyError:
    WIDTH = 5
N = 0
for text in ["1", "x", "3"]:
    try:
        N += int(text)
    except ValueError:
        continue
    N += 10
try:
    v = "a" + 1
    O = 1
except TypeError:
    O = 2
P = []
try:
    P.append(1)
    P.append([k // (k - 2) for k in range(4)])
    P.append(2)
except ArithmeticError:
    P.append(3)
try:
    try:
        raise KeyError
    except KeyError:
        raise
    Q = 1
except BaseException:
    Q = 2


@contextlib.contextmanager
def taking():
    try:
        yield 1
    except KeyError:
        pass


try:
    with taking():
        raise ValueError
    R = 2
except ValueError:
    R = 3

S = 1
try:
    S = None.width
except AttributeError:
    S += 5


@wp.kernel
def numbers(x: wp.array(dtype=int)):
    x[0] = A
    x[1] = B
    x[2] = C
    x[3] = D
    x[4] = E
    x[5] = F
    x[6] = G
    x[7] = H
    x[8] = I
    x[9] = I2
    x[10] = J
    x[11] = K
    x[12] = L
    x[13] = M
    x[14] = WIDTH
    x[15] = N
    x[16] = O
    x[17] = wp.static(len(P) * 10 + P[1])
    x[18] = Q
    x[19] = R
    x[20] = S
    x[21] = wp.static(parse("q") + parse("12"))


try:

    @wp.kernel
    def before(x: wp.array(dtype=int)):
        x[0] = 1

    raise RuntimeError("no more kernels")

    @wp.kernel
    def after(x: wp.array(dtype=int)):
        x[0] = 2

except RuntimeError:

    @wp.kernel
    def instead(x: wp.array(dtype=int)):
        x[0] = 3
