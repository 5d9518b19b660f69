"""`import *` of a module that weft does not find: it may define any name."""

import warp as wp
from no_such_module_of_this_test import *


@wp.kernel
def calls(a: wp.array(dtype=float)):
    a[0] = foo(1.0)  # expect error: module-not-found


@wp.kernel
def reads(a: wp.array(dtype=float)):
    a[0] = SCALE  # expect error: module-not-found


@wp.kernel
def reads_attributes(a: wp.array(dtype=float)):
    helper.scale(a)  # expect error: module-not-found


@wp.kernel
def uses_none(a: wp.array(dtype=float)):
    a[0] = 1.0
