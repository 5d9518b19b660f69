# Methods of Python's types that weft does not evaluate leave what they change unknown.
import warp as wp

items = [1, 2]
list.__init__(items, [3])
names = {"a": 1}
dict.__setitem__(names, "b", 4)
other = [1]
getattr(other, "append")(2)


@wp.kernel
def k(x: wp.array(dtype=int)):
    x[0] = wp.static(items[0])  # expect error: static-unknown


@wp.kernel
def k2(x: wp.array(dtype=int)):
    x[0] = wp.static(len(names))  # expect error: static-unknown


@wp.kernel
def k3(x: wp.array(dtype=int)):
    x[0] = wp.static(len(other))  # expect error: static-unknown
