"""User functions: defaults, keywords, several results, overloads, nesting, custom gradients."""

from typing import Any, Tuple

import warp as wp


@wp.kernel
def calls_before_definition(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = square(a[i])


@wp.func
def square(x: float):
    return x * x


@wp.func
def scaled(x: float, factor: float = 2.0):
    return x * factor


@wp.kernel
def defaults_and_keywords(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = scaled(a[i]) + scaled(a[i], 3.0) + scaled(a[i], factor=4.0) + scaled(factor=5.0, x=a[i])


@wp.func
def divmod_of(a: int, b: int):
    return a // b, a % b


@wp.kernel
def several_results(a: wp.array(dtype=int)):
    i = wp.tid()
    q, r = divmod_of(a[i], 7)
    a[i] = q * 10 + r


@wp.func
def either(x: float):
    if x > 0.0:
        return x
    return -x


@wp.func
def clipped(x: float, low: float, high: float):
    if x < low:
        return low
    elif x > high:
        return high
    else:
        return x


@wp.kernel
def several_returns(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = either(a[i]) + clipped(a[i], 0.0, 1.0)


@wp.func
def overloaded(x: float):
    return x + 1.0


@wp.func
def overloaded(x: wp.vec3):
    return x[0] + x[1] + x[2]


@wp.func
def overloaded(x: int):
    return float(x) * 2.0


@wp.kernel
def picks_overload(a: wp.array(dtype=float), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    a[i] = overloaded(a[i]) + overloaded(v[i]) + overloaded(i)


@wp.func
def inner(x: float):
    return wp.sin(x)


@wp.func
def outer(x: float):
    return inner(x) * inner(x + 1.0)


@wp.kernel
def nested_calls(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = outer(square(a[i]))


@wp.func
def stores(a: wp.array(dtype=float), i: int, x: float):
    a[i] = x


@wp.kernel
def function_without_result(a: wp.array(dtype=float)):
    i = wp.tid()
    stores(a, i, 3.0)


@wp.func
def annotated_result(x: float, y: float) -> float:
    return x * y


@wp.kernel
def uses_annotated(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = annotated_result(a[i], 2.0)


@wp.func
def with_loop(a: wp.array(dtype=float), n: int) -> float:
    s = float(0.0)
    for k in range(n):
        s += a[k]
    return s


@wp.kernel
def function_with_loop(a: wp.array(dtype=float), n: int):
    i = wp.tid()
    a[i] = with_loop(a, n)


@wp.func
def safe_sqrt(x: float):
    return wp.sqrt(x)


@wp.func_grad(safe_sqrt)
def adj_safe_sqrt(x: float, adj_ret: float):
    if x > 0.0:
        wp.adjoint[x] += 1.0 / (2.0 * wp.sqrt(x)) * adj_ret


@wp.kernel
def custom_gradient(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = safe_sqrt(a[i])


@wp.func
def generic_twice(x: wp.Float):
    return x + x


@wp.kernel
def calls_generic(a: wp.array(dtype=float), b: wp.array(dtype=wp.float64)):
    i = wp.tid()
    a[i] = generic_twice(a[i])
    b[i] = generic_twice(b[i])


# The annotation of a generic function's result says nothing, whatever it is.
@wp.func
def two_for_any(p: Any) -> Any:
    return p[0], p


@wp.func
def two_for_float(p: Any) -> float:
    return p[1], p


@wp.func
def two_for_three(p: Any) -> Tuple[Any, Any, Any]:
    return p[2], p


@wp.func
def float_for_int(p: Any) -> int:
    return p[0]


@wp.kernel
def annotated_results(x: wp.array(dtype=wp.vec3d)):
    i = wp.tid()
    a, p = two_for_any(x[i])
    b, q = two_for_float(p)
    c, r = two_for_three(q)
    x[i] = r * (a + b * c) * float_for_int(p)
