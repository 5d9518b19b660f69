# What an iterator gives after it was read, in whole or in part, is not known.
import warp as wp

digits = map(int, "12")
FIRST = list(digits)
SECOND = len(list(digits))
pairs = enumerate([5, 6])
for i, x in pairs:
    break
REST = sum(i for i, x in pairs)


@wp.kernel
def read_once(x: wp.array(dtype=int)):
    x[0] = wp.static(FIRST[0])


@wp.kernel
def read_twice(x: wp.array(dtype=int)):
    x[0] = SECOND  # expect error: unknown-value


@wp.kernel
def read_in_part(x: wp.array(dtype=int)):
    x[0] = REST  # expect error: unknown-value
