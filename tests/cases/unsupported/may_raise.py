# Where it is not known whether something in a `try` raises, what follows it and what the handlers
# assign has no value.
import contextlib
from time import perf_counter as measure

import warp as wp


def read():
    try:
        open("/nonexistent").close()
        return 32
    except FileNotFoundError:
        return 64


def device():
    wp.get_device("cuda:0")
    return 1


try:
    open("/nonexistent")
    A = 1
except OSError:
    A = 2
B = read()
try:
    C = device()
except Exception:
    C = 2
D = 1
with contextlib.suppress(ImportError):
    import a_module_of_nobody

    D = 2
E = 1
with contextlib.suppress(Exception):
    wp.get_device("cuda:0")
    E = 2
try:
    if measure() > 1.0:
        raise ValueError
    F = 1
except ValueError:
    F = 2
FAST = False
try:
    import another_module_of_nobody

    FAST = True
except ImportError:
    pass
G = 1


def change():
    global G
    measure()
    G = 2


try:
    change()
except Exception:
    pass
H = 0
try:
    try:
        measure()
    except KeyError:
        pass
    H = 1
except OSError:
    pass
for i in range(3):
    try:
        measure()
        I = i
        break
    except OSError:
        pass


def stop():
    try:
        measure()
        return 1
    except OSError:
        pass
    return 2


J = stop()
K = 1
try:
    measure()
except OSError:
    pass
else:
    K = 2
while True:
    try:
        measure()
        L = 1
        break
    except OSError:
        L = 2


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is not None


M = 1
with Manager():
    measure()
    M = 2
if measure() > 1.0:
    O = 1
try:
    O
except NameError:
    O = 2
# Nothing takes these.
N = 1
try:
    measure()
    N = 2
finally:
    N += 1
with wp.ScopedTimer("x"):
    measure()
    N += 1


@wp.kernel
def k_a(x: wp.array(dtype=int)):
    x[0] = A  # expect error: unknown-value


@wp.kernel
def k_b(x: wp.array(dtype=int)):
    x[0] = B  # expect error: unknown-value


@wp.kernel
def k_c(x: wp.array(dtype=int)):
    x[0] = C  # expect error: unknown-value


@wp.kernel
def k_d(x: wp.array(dtype=int)):
    x[0] = D  # expect error: unknown-value


@wp.kernel
def k_e(x: wp.array(dtype=int)):
    x[0] = E  # expect error: unknown-value


@wp.kernel
def k_f(x: wp.array(dtype=int)):
    x[0] = F  # expect error: unknown-value


@wp.kernel
def k_fast(x: wp.array(dtype=int)):
    if wp.static(FAST):  # expect error: static-unknown
        x[0] = 1


@wp.kernel
def k_g(x: wp.array(dtype=int)):
    x[0] = G  # expect error: unknown-value


@wp.kernel
def k_h(x: wp.array(dtype=int)):
    x[0] = H  # expect error: unknown-value


@wp.kernel
def k_i(x: wp.array(dtype=int)):
    x[0] = I  # expect error: unknown-value


@wp.kernel
def k_j(x: wp.array(dtype=int)):
    x[0] = J  # expect error: unknown-value


@wp.kernel
def k_k(x: wp.array(dtype=int)):
    x[0] = K  # expect error: unknown-value


@wp.kernel
def k_l(x: wp.array(dtype=int)):
    x[0] = L  # expect error: unknown-value


@wp.kernel
def k_m(x: wp.array(dtype=int)):
    x[0] = M  # expect error: unknown-value


@wp.kernel
def k_n(x: wp.array(dtype=int)):
    x[0] = N


@wp.kernel
def k_o(x: wp.array(dtype=int)):
    x[0] = O  # expect error: unknown-value
