# Sets of integers have the order of CPython's hash table, however they were made; what was
# removed from a set or list is gone.
import warp as wp

ints = wp.types.vector(8, wp.int32)
wide = wp.types.vector(32, wp.int64)


def eight(items):
    items = list(items)
    return ints(*(items + [0] * (8 - len(items))))


def thirty_two(items):
    items = list(items)
    return wide(*(items + [0] * (32 - len(items))))


N = 3
two = {5, N}
three = {40, 3, 1}
five = {7, 16, 23, -2, 4}
named = {40, N, 16, 8, 1, 33}
built = set()
for k in (90, 17, 8, 0, 1, 57, 32, 40):
    built.add(k)
squares = {i * i % 61 for i in range(29)}
huge = set([2**61 - 1, 2**61, -1, -2, 1000, 2000, 3000, 12])
copied = set(set([64, 8, 0, 72, 5, 3]))
short = {33, 1, 2}.copy()
grown = set([3, 9])
grown.update([17, 25, 41])
fewer = set([64, 8, 0, 72, 5])
fewer.remove(8)
fewer.discard(100)
fewer.discard(5)
truths = {True, 0, 2}
frozen = frozenset([12, 4, 20])


@wp.kernel
def displays(a: wp.array[ints]):
    a[0] = wp.static(eight(two))
    a[1] = wp.static(eight(three))
    a[2] = wp.static(eight(named))
    a[3] = wp.static(eight(int(t) for t in truths))


@wp.kernel
def added(a: wp.array[ints], b: wp.array[wide]):
    a[0] = wp.static(eight(built))
    a[1] = wp.static(eight(frozen))
    a[2] = wp.static(eight(grown))
    b[0] = wp.static(thirty_two(squares))
    b[1] = wp.static(thirty_two(huge))


@wp.kernel
def changed(a: wp.array[ints]):
    a[0] = wp.static(eight(copied))
    a[1] = wp.static(eight(short))
    a[2] = wp.static(eight(fewer))
    a[3] = wp.static(eight(sorted(five)))


order = [4, 1, 3, 1]
order.remove(1)
order.insert(1, 7)
order.insert(-9, 2)
order.insert(9, 6)
backwards = list(order)
backwards.reverse()
ranked = list(order)
ranked.sort(key=lambda x: (x % 3, x), reverse=True)


@wp.kernel
def lists(a: wp.array[ints]):
    a[0] = wp.static(eight(order))
    a[1] = wp.static(eight(backwards))
    a[2] = wp.static(eight(ranked))
