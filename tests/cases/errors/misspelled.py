import warp as wp


@wp.kernel
def misspelled(a: wp.array(dtype=wp.uint8)):
    i = tid()  # expect error: unknown-function
    a[i] = wp.iunt8(3)  # expect error: unknown-function
    a[i] = wp.mxa(a[i], a[i])  # expect error: unknown-function
    a[i] = wp.sih(a[i])  # expect error: unknown-function
    a[i] = wp.no_such_function(a[i])  # expect error: unknown-function
