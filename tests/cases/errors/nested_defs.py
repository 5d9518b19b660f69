"""A `def` in a kernel is emitted in place: neither its name nor its parameters are bound."""

import warp as wp


@wp.kernel
def calls(a: wp.array(dtype=float)):
    i = wp.tid()

    def doubled():  # expect error: nested-function
        a[i] = 2.0

    doubled()


@wp.kernel
def parameters(a: wp.array(dtype=float)):
    i = wp.tid()

    def doubled(y: float):  # expect error: nested-function
        a[i] = y * 2.0


@wp.kernel
def results(a: wp.array(dtype=float)):
    i = wp.tid()

    def doubled():  # expect error: nested-function
        return a[i] * 2.0


@wp.kernel
def coroutines(a: wp.array(dtype=float)):
    async def doubled():  # expect error: unsupported-syntax
        a[0] = 2.0


@wp.kernel
def sizes(v: wp.vec3, a: wp.array(dtype=float)):
    a[0] = float(v.size)  # expect error: bad-component
    a[1] = float(a.nbytes)  # expect error: no-field
