"""Python that kernels do not have."""

import warp as wp


@wp.kernel
def comprehension(a: wp.array(dtype=float)):
    x = [k for k in range(3)]  # expect error: unsupported-syntax


@wp.kernel
def try_statement(a: wp.array(dtype=float)):
    try:  # expect error: unsupported-syntax
        a[0] = 1.0
    except ValueError:
        a[0] = 2.0


@wp.kernel
def lambda_expression(a: wp.array(dtype=float)):
    f = lambda x: x  # expect error: unsupported-syntax


@wp.kernel
def with_statement(a: wp.array(dtype=float)):
    with a:  # expect error: unsupported-syntax
        a[0] = 1.0


@wp.kernel
def raise_statement(a: wp.array(dtype=float)):
    raise ValueError  # expect error: unsupported-syntax


@wp.kernel
def annotated_assignment(a: wp.array(dtype=float)):
    x: float = 1.0  # expect error: unsupported-syntax
    a[0] = 1.0


@wp.kernel
def is_comparison(a: wp.array(dtype=float)):
    if a is a:  # expect error: unsupported-operator
        a[0] = 1.0


@wp.kernel
def returns_a_value(a: wp.array(dtype=float)):
    return a[0]  # expect error: kernel-returns


@wp.kernel
def chained_assignment(a: wp.array(dtype=float)):
    x = y = 1.0  # expect error: chained-assignment


@wp.kernel
def loop_over_array(a: wp.array(dtype=float)):
    for x, y in range(3):  # expect error: loop-target
        a[0] = 1.0


@wp.kernel
def changed_constant(a: wp.array(dtype=float), n: int):
    s = 0.0
    for k in range(n):
        s += a[k]  # expect error: mutated-constant
    a[0] = s


@wp.kernel
def rebound(a: wp.array(dtype=float)):
    x = 1.0
    x = 2  # expect error: rebound-type
    a[0] = 1.0


@wp.kernel
def break_outside(a: wp.array(dtype=float), n: int):
    for k in range(n):
        a[k] = 1.0
    s, t = a[0]  # expect error: not-unpackable


@wp.func
def calls_itself(x: float):
    return calls_itself(x)  # expect error: recursion


@wp.kernel
def recursive(a: wp.array(dtype=float)):
    a[0] = calls_itself(a[0])


@wp.func
def asks_for_thread(x: float):
    return x + float(wp.tid())  # expect error: tid-in-function


@wp.kernel
def thread_in_function(a: wp.array(dtype=float)):
    a[0] = asks_for_thread(a[0])


@wp.func
def different_returns(x: float):
    if x > 0.0:
        return 1.0
    return 1  # expect error: return-types


@wp.kernel
def unequal_returns(a: wp.array(dtype=float)):
    a[0] = different_returns(a[0])


BOUNDS = (1.0, 2.0, 3.0)


@wp.kernel
def leaves_an_unrolled_loop(a: wp.array(dtype=float)):
    for i in range(3):
        if a[i] > wp.static(BOUNDS[i]):
            break  # expect error: unrolled-jump
        a[i] = 0.0
