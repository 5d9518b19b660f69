# Iterators that are read once, live views of dicts, and classes that say what obj[key] = v and
# obj += v do.
import warp as wp


class Table:
    def __init__(self):
        self.d = {}
        self.n = 0

    def __setitem__(self, k, v):
        self.d[k] = v

    def __getitem__(self, k):
        return self.d[k]

    def __delitem__(self, k):
        del self.d[k]

    def __iadd__(self, x):
        self.n += x
        return self


t = Table()
u = t
t["a"] = 4
t["b"] = 5
del t["b"]
t += 3
t += 4
ITEM = u["a"]
SUM = u.n
ITEMS = len(u.d)

d = {"a": 1}
keys, values, items = d.keys(), d.values(), d.items()
d["b"] = 2
VIEWS = len(list(keys)) * 100 + sum(values) * 10 + len(items)
AGAIN = sum(len(k) for k in keys) + sum(v for k, v in items)
HAS = int("b" in keys) + 2 * int(2 in values) + 4 * int(set(d) == set(keys))

pairs = zip([1, 2], [3, 4])
PRODUCTS = sum(a * b for a, b in pairs)
mapped = list(map(lambda x: x + 1, [1, 2]))
mapped.append(9)
TWICE = sum(mapped) + sum(mapped)
generator = (x for x in [1, 2, 3])
LARGEST = max(generator)
LISTS = int(isinstance(generator, list)) + 2 * int(isinstance(mapped, list))
VIEW_IS_LIST = int(isinstance(keys, list))
for k in list(d):
    d[k + "x"] = 0
LENGTH = len(keys)
in_order = sorted(d.items())
d["a"] = 50
FIRST = in_order[0][1]
x, y = map(int, "12")
starred = [*zip("ab", "cd")]
LAST = list(reversed([1, 2, 3]))[0]


@wp.kernel
def classes(x: wp.array[int]):
    x[0] = ITEM
    x[1] = SUM
    x[2] = ITEMS


@wp.kernel
def views(x: wp.array[int]):
    x[0] = VIEWS
    x[1] = AGAIN
    x[2] = HAS
    x[3] = LENGTH
    x[4] = FIRST


@wp.kernel
def iterators(a: wp.array[int]):
    a[0] = PRODUCTS
    a[1] = TWICE
    a[2] = LARGEST
    a[3] = LISTS
    a[4] = x * 10 + y
    a[5] = wp.static(len(starred))
    a[6] = LAST
    a[7] = VIEW_IS_LIST
