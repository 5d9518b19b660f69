"""Python objects of the module, and texts as indices."""

import numpy as np
import warp as wp

LIST = [1.0, 2.0]
TUPLE = (1.0, 2.0)
DICT = {"a": 1.0}
NUMPY = np.array([1.0, 2.0])
ARRAY = wp.array([1.0, 2.0], dtype=float, device="cpu")


@wp.kernel
def from_a_list(x: wp.array(dtype=float)):
    x[0] = LIST[0]  # expect error: invalid-reference


@wp.kernel
def from_a_tuple(x: wp.array(dtype=float)):
    x[0] = TUPLE[0]  # expect error: invalid-reference


@wp.kernel
def from_a_dict(x: wp.array(dtype=float)):
    x[0] = DICT["a"]  # expect error: invalid-reference


@wp.kernel
def from_numpy(x: wp.array(dtype=float)):
    x[0] = NUMPY[0]  # expect error: unknown-value


@wp.kernel
def from_an_array(x: wp.array(dtype=float)):
    x[0] = ARRAY[0]  # expect error: unknown-value


@wp.kernel
def static_values(x: wp.array(dtype=float)):
    x[0] = wp.static(LIST[0] + DICT["a"])


@wp.kernel
def text_as_index_of_a_store(x: wp.array(dtype=float)):
    x["a"] = 1.0  # expect error: index-type


@wp.kernel
def text_as_index(x: wp.array(dtype=float)):
    x[0] = x["a"]  # expect error: index-type
