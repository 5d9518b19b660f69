# Lists, dicts and tuples that hold themselves are compared, printed and copied without end; Python
# raises a RecursionError for some of that.
import copy
import dataclasses

import warp as wp

ring = [1]
ring.append(ring)
knot = (ring, 2)
ring.append(knot)
table = {"ring": ring}
table["table"] = table
ring.append(table)
again = copy.deepcopy(ring)
SAME = ring == again or ring == ring or table == {"ring": 0}
TEXT = str(ring) + repr(knot) + f"{table}"
PLACE = ring in [ring]
SORTED = sorted([ring, ring])


@dataclasses.dataclass
class Node:
    links: list


node = Node([])
node.links.append(node)


@wp.kernel
def refers_to_list(x: wp.array(dtype=float)):
    x[0] = wp.static(float(again[1][1][0]))
    x[1] = wp.vec3(ring)  # expect error: invalid-reference


@wp.kernel
def refers_to_tuple(x: wp.array(dtype=float)):
    x[0] = knot  # expect error: invalid-reference


@wp.kernel
def shape_of_list(x: wp.array(dtype=float)):
    y = wp.zeros(shape=ring, dtype=float)  # expect error: invalid-reference
    x[0] = y[0]


@wp.kernel
def value_of_list(x: wp.array(dtype=float)):
    x[0] = wp.static(ring)  # expect error: static-value


@wp.kernel
def value_of_object(x: wp.array(dtype=float)):
    x[0] = wp.static(node)  # expect error: static-value
