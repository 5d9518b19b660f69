"""Imports from a neighbouring file and from packages, under several names."""

import neighbour
import neighbour as near
import pack.funcs
from neighbour import LIMIT, Body, scaled
from neighbour import mass_of as mass
from pack import cube
from pack.deeper.more import quarter

import warp as wp


@wp.kernel
def module_attribute(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = neighbour.scaled(a[i]) + near.SCALE


@wp.kernel
def imported_names(a: wp.array(dtype=float), bodies: wp.array(dtype=Body)):
    i = wp.tid()
    if i < LIMIT:
        a[i] = scaled(a[i]) + mass(bodies[i])


@wp.kernel
def from_package(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = cube(a[i]) + pack.funcs.halved(a[i]) + quarter(a[i])
