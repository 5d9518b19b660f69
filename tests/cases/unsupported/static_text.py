"""wp.static() of a text that a loop decides: Warp writes the kernel's text and fails to hash it."""

import warp as wp


@wp.kernel
def static_text_of_a_loop(x: wp.array(dtype=float)):
    for i in range(2):
        print(wp.static(f"{i}"))  # expect error: static-value
