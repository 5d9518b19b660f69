import warp as wp


@wp.kernel
def misspelled(a: wp.array(dtype=wp.uint8)):
    i = tid()  # expect error: unknown-function
    a[i] = wp.iunt8(3)  # expect error: unknown-function
    a[i] = wp.mxa(a[i], a[i])  # expect error: unknown-function
    a[i] = wp.sih(a[i])  # expect error: unknown-function
    a[i] = wp.no_such_function(a[i])  # expect error: unknown-function


@wp.kernel
def words(a: wp.array(dtype=float)):
    a[0] = wp.sine(a[0])  # expect error: unknown-function


@wp.kernel
def of_numpy(a: wp.array(dtype=float)):
    a[0] = wp.arctan2(a[0], a[1])  # expect error: unknown-function


@wp.kernel
def of_python(a: wp.array(dtype=float)):
    wp.lanch(words, dim=3)  # expect error: unknown-function


@wp.kernel
def constant(a: wp.array(dtype=float)):
    a[0] = a[0] * wp.PIE  # expect error: unknown-attribute


@wp.kernel
def launch_as_value(a: wp.array(dtype=float)):
    f = wp.launch  # expect error: python-only


@wp.kernel
def method(a: wp.array(dtype=float), v: wp.vec3):
    a[0] = v.dot(v)  # expect error: no-field
