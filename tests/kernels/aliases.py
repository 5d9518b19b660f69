# Lists, dicts, sets, vectors and structs are objects: a change through one name is seen through all
# others, and copies do not change.
import copy
import functools
import sys

import warp as wp

# Second names, in containers, attributes, parameters and closures.
types = []
also_types = types
types.append(wp.float64)

registry = {"box": {"n": 1}, "rows": []}
box = registry["box"]
box["n"] = 4
row = []
registry["rows"].append(row)
row.append(5)

pair = ([], 1)
pair[0].append(9)


class Config:
    names = []

    def __init__(self, items):
        self.items = items
        self.own = []


shared = [1]
first, second = Config(shared), Config(shared)
first.items.append(7)
first.names.append(1)
second.names.append(2)
first.own.append(1)
shared += [8]
OF_CLASS = len(Config.names) * 100 + len(first.own) * 10 + len(second.own)


def grow(items):
    items.append(3)
    return items


grown = []
grow(grow(grown))


def counter():
    seen = []

    def add(x):
        seen.append(x)
        return len(seen)

    return add


count = counter()
count(1)
count(1)
CLOSURE = count(1)


# Defaults are made once, when the def statement runs.
def make_sum(n, seen=[]):
    seen.append(n)
    total = sum(seen)

    @wp.kernel
    def default_list(x: wp.array[float]):
        x[0] = x[1] * float(total)

    return default_list


sum_of_one = make_sum(2)
sum_of_two = make_sum(5)


def keep(n, seen={}, *, order=[]):
    seen[n] = len(seen)
    order.append(n)
    return seen, order


keep(3)
SEEN, ORDER = keep(4)
KEPT = len(SEEN) * 10 + len(ORDER)
collect = lambda x, items=[]: (items.append(x), items)[1]  # noqa: E731
collect(1)
LAMBDA = len(collect(2))


def no_default(items=[]):
    items = items + [1]
    return items


no_default()
NEW_LIST = len(no_default())


@functools.lru_cache
def table(n):
    return []


table(1).append(4)
table(1).append(4)
CACHED = len(table(1)) * 10 + len(table(2))


# What makes another object, and what changes the one that is there.
numbers = [1, 2, 3]
sliced, listed, copied = numbers[:], list(numbers), numbers.copy()
same = numbers
numbers.pop(0)
numbers *= 2
same += (4,)
LENGTHS = len(numbers) * 1000 + len(sliced) * 100 + len(listed) * 10 + len(copied)

by_name = {"a": 1}
other_name, dict_copy = by_name, dict(by_name)
other_name |= {"b": 2}
other_name.update(c=3)
pairs = list(by_name.items())
by_name["b"] = 50
del by_name["a"]
popped = other_name.pop("c")
DICTS = sum(by_name.values()) * 100 + len(dict_copy) * 10 + pairs[1][1] + popped

members = {1, 2}
other_members = members
other_members |= {3}
members.add(4)
members.add(4)

x = [1]
y = x
y = y + [2]
head, *tail = copied
tail[0] = 77
UNPACKED = copied[1] + len(x)
inner = {"k": [1]}
shallow, deep = copy.copy(inner), copy.deepcopy(inner)
shallow["k"].append(2)
shallow["n"] = 1
COPIES = len(inner["k"]) * 100 + len(deep["k"]) * 10 + len(inner)


def keywords(**more):
    more["z"] = 1
    return len(more)


given = {"y": 1}
KEYWORDS = keywords(**given) * 10 + len(given)
repeated = [[]] * 3
repeated[0].append(1)
separate = [[] for _ in range(3)]
separate[0].append(1)
ROWS = sum(len(i) for i in repeated) * 10 + sum(len(i) for i in separate)
doubled = [1, 2]
doubled.extend(doubled)
left = right = []
left += (1, 2)
left.clear()
right.append(6)
EXTENDED = len(doubled) * 10 + right[0] + len(left)
by_name.setdefault("new", []).append(1)

# A list that grows while it is read, and one that shrinks under another name.
work = [1]
for w in work:
    if w < 5:
        work.append(w + 1)
stack = [1, 2, 3]
while len(stack) > 1:
    numbers_left = stack
    numbers_left.pop()

# Identity; containers that hold themselves.
IDENTITY = int(x is x) + 2 * int(x is y) + 4 * int([1] is [1]) + 8 * int(shared is second.items)
loop = [1]
loop.append(loop)
loop_copy = copy.deepcopy(loop)
LOOP = int(loop_copy[1] is loop_copy) * 10 + int(loop_copy[1] is loop) + int(loop == loop)
ring = {"self": None}
ring["self"] = ring


@wp.kernel
def second_names(x: wp.array[int]):
    x[0] = wp.static(len(also_types))
    x[1] = wp.static(registry["box"]["n"])
    x[2] = wp.static(registry["rows"][0][0])
    x[3] = wp.static(pair[0][0])
    x[4] = wp.static(sum(second.items))
    x[5] = wp.static(OF_CLASS)
    x[6] = wp.static(len(grown))
    x[7] = wp.static(CLOSURE)


@wp.kernel
def type_of_list(x: wp.array(dtype=also_types[0])):
    x[0] = x[1]


@wp.kernel
def defaults(x: wp.array[int]):
    x[0] = wp.static(KEPT)
    x[1] = wp.static(LAMBDA)
    x[2] = wp.static(NEW_LIST)
    x[3] = wp.static(CACHED)


@wp.kernel
def copies(x: wp.array[int]):
    x[0] = wp.static(LENGTHS)
    x[1] = wp.static(DICTS)
    x[2] = wp.static(len(other_members))
    x[3] = wp.static(UNPACKED)
    x[4] = wp.static(COPIES)
    x[5] = wp.static(KEYWORDS)
    x[6] = wp.static(ROWS)
    x[7] = wp.static(EXTENDED)
    x[8] = wp.static(len(by_name["new"]))


@wp.kernel
def changes_while_read(x: wp.array[int]):
    x[0] = wp.static(len(work))
    x[1] = wp.static(stack[0])


@wp.kernel
def identity(x: wp.array[int]):
    x[0] = wp.static(IDENTITY)
    x[1] = wp.static(LOOP)
    x[2] = wp.static(len(ring["self"]["self"]))


# Vectors and structs: a struct copies what is assigned to its fields.
@wp.struct
class Spring:
    count: int
    rest: wp.vec3


@wp.struct
class Body:
    spring: Spring
    n: int


spring = Spring()
same_spring = spring
same_spring.count = 7
spring.rest = wp.vec3(1.0, 2.0, 3.0)
body = Body()
body.spring = spring
spring.count = 8
of_body = body.spring
of_body.count = 9
spring.rest[1] = 4.0
STRUCTS = same_spring.count * 100 + body.spring.count * 10 + int(same_spring.rest[1])
NOT_SHARED = body.spring.rest[1]

v = wp.vec3(1.0, 2.0, 3.0)
w = v
w[0] = 5.0
v_copy = copy.copy(v)
w.z = 6.0
spring.rest = v
v[1] = 12.0
OF_FIELD = spring.rest[1]
m = wp.mat22(1.0, 2.0, 3.0, 4.0)
m_row = m[0]
m_row[0] = 9.0
same_m = m
same_m[1, 1] = 8.0


def shift(a=wp.vec3(0.0, 0.0, 0.0)):
    a[0] += 1.0
    return a


shift()
SHIFTED = shift()[0]


@wp.kernel
def structs(x: wp.array[float]):
    x[0] = wp.static(float(STRUCTS))
    x[1] = wp.static(NOT_SHARED)
    x[2] = wp.static(OF_FIELD)


@wp.kernel
def vectors(x: wp.array[wp.vec3], y: wp.array[wp.mat22]):
    x[0] = v
    x[1] = w
    x[2] = v_copy
    x[3] = wp.vec3(wp.static(SHIFTED), 0.0, 0.0)
    y[0] = m


# Attributes and globals by their dicts, which are live.
class Options:
    wide = 1
    high = 2

    def __init__(self, **given):
        self.__dict__.update(given)


a, b, c = Options(wide=5), Options(), Options()
a.__dict__["high"] = 7
vars(b)["wide"] = 9
of_c = c.__dict__
c.wide = 3
of_c["high"] = of_c["wide"] + 1
object.__setattr__(b, "high", 4)
d = Options(wide=6, high=8)
del d.wide
del vars(d)["high"]
BY_NAME = 1
globals()["BY_NAME"] = 3
UPDATED = 1
globals().update(UPDATED=4)
BY_MODULE = 1
setattr(sys.modules[__name__], "BY_MODULE", 8)


@wp.kernel
def attributes(x: wp.array[int]):
    x[0] = wp.static(a.wide * 10 + a.high)
    x[1] = wp.static(b.wide * 10 + b.high)
    x[2] = wp.static(c.wide * 10 + c.high)
    x[3] = wp.static(d.wide * 10 + d.high)
    x[4] = BY_NAME
    x[5] = UPDATED
    x[6] = BY_MODULE
