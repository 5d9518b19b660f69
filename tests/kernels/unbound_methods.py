# Methods of Python's types, called with the object that they change.
import functools

import warp as wp

items = [1]
list.append(items, 7)
A = items[-1]
add = list.append
add(items, 8)
list(map(functools.partial(list.append, items), [9, 10]))
B = len(items)
names = {}
dict.update(names, a=3)
C = dict.get(names, "a")
both = {1, 2}
set.add(both, 5)
D = len(both)
E = len(str.upper("abc") + str.join("-", ["x", "y"]))
type(items).pop(items)
G = items[-1]


@wp.kernel
def k(x: wp.array(dtype=int)):
    x[0] = A
    x[1] = B
    x[2] = C
    x[3] = D
    x[4] = E
    x[5] = G
