"""Source lines that stand as comments: long lines, continuation lines, doc strings, blank lines."""

import warp as wp


@wp.kernel
def doc_string(a: wp.array(dtype=float)):
    """A doc string.

    With several lines.
    """
    # a comment
    i = wp.tid()  # a trailing comment

    a[i] = 1.0


@wp.kernel
def long_lines(first_array: wp.array(dtype=float), second_array: wp.array(dtype=float), third_array: wp.array(dtype=float)):
    thread_index = wp.tid()
    first_array[thread_index] = second_array[thread_index] * third_array[thread_index] + second_array[thread_index] / 3.0
    first_array[thread_index] = (
        second_array[thread_index]
        + third_array[thread_index]
    )
    x = 1.0 + \
        2.0
    first_array[thread_index] += x


@wp.kernel
def several_on_a_line(a: wp.array(dtype=float)):
    i = wp.tid(); x = 2.0
    if x > 1.0: a[i] = x


@wp.kernel
def special_characters(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = 1.0  # "quotes" \ backslash, {braces}, % percent, é


@wp.kernel
def printing(a: wp.array(dtype=float)):
    i = wp.tid()
    print(a[i])
    print("text")
    wp.printf("value %d %f\n", i, a[i])
