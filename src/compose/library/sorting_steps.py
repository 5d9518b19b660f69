# SPDX-License-Identifier: Apache-2.0
"""Sorting: steps of networks, ranks, merging, selection."""

field("sorting", element="item items", other="splitter splitters", apart=True, all=True)

sort_key = quantity(float, "1", "keys", one="key k", many="keys")
sorted_key = quantity(float, "1", "sorted keys", one="key", many="sorted_keys sorted")
integer_key = quantity(int, "1", "integer keys", one="key", many="keys int_keys", low=0, high=15)
item_payload = quantity(float, "1", "payloads", one="payload value", many="payloads values")
sort_stride = quantity(int, "1", "stride of the comparison", one="stride j", low=1, high=2, uniform=True)
bitonic_size = quantity(int, "1", "size of the bitonic blocks", one="size k", low=2, high=4, uniform=True)
sort_phase = quantity(int, "1", "phase of the sort", one="phase parity", low=0, high=1, uniform=True)
item_rank = quantity(int, "1", "ranks", one="rank", many="ranks positions", low=0, high=5)
source_index = quantity(int, "1", "indices of the sources", one="source", many="order permutation perm", low=0, high=5)
digit_shift = quantity(int, "1", "shift of the digit", one="shift", low=0, high=2, uniform=True)
digit_count = quantity(int, "1", "counts of the digits", one="n", many="digit_counts", low=0, high=4)
digit_start = quantity(int, "1", "first ranks of the digits", one="start", many="digit_starts", low=0, high=5)
splitter_key = quantity(float, "1", "splitters", one="splitter", many="splitters pivots")
bucket_of_item = quantity(int, "1", "buckets", one="bucket", many="buckets bucket_ids", low=0, high=4)
inversion_count = quantity(int, "1", "numbers of inversions", one="n", many="inversions num_inversions", low=0, high=5)
key_triple = quantity(vec3, "1", "three keys", one="a t", many="triples keys")
key_quad = quantity(vec4, "1", "four keys", one="q", many="quads keys")
top_value = quantity(float, "1", "largest keys", one="v", many="top_values")
top_index = quantity(int, "1", "columns of the largest keys", one="at", many="top_indices", low=0, high=4)
minor_key = quantity(int, "1", "second keys", one="minor", many="minor_keys", low=0, high=3)
sorted_triple = quantity(vec3, "1", "three sorted keys", one="s sorted", many="sorted_triples")
sorted_quad = quantity(vec4, "1", "four sorted keys", one="s sorted", many="sorted_quads")
middle_key = quantity(float, "1", "median key", one="mid median", many="medians middles")
bucket_total = quantity(int, "1", "counts of the buckets", one="n", many="bucket_counts", low=0, high=4)
key_spread = quantity(float, "1", "key spread", one="spread", many="spreads")
row_key = quantity(int, "1", "rows of keys", one="key", many="keys rows", low=0, high=15)
sorted_row_key = quantity(int, "1", "sorted rows of keys", one="key", many="sorted_rows sorted_keys", low=0, high=15)
network_stage = quantity(int, "1", "gap of the comparison", one="gap", low=1, high=2, uniform=True)


@formula
def sort_triple(a: key_triple) -> sorted_triple:
    "the components of {a} in rising order"
    low = wp.min(a[0], a[1])
    high = wp.max(a[0], a[1])
    top = wp.max(high, a[2])
    rest = wp.min(high, a[2])
    return wp.vec3(wp.min(low, rest), wp.max(low, rest), top)


@formula
def sort_quad(q: key_quad) -> sorted_quad:
    "the components of {q} in rising order, by a network of five comparisons"
    a = wp.min(q[0], q[1])
    b = wp.max(q[0], q[1])
    c = wp.min(q[2], q[3])
    d = wp.max(q[2], q[3])
    inner_low = wp.max(a, c)
    inner_high = wp.min(b, d)
    return wp.vec4(
        wp.min(a, c), wp.min(inner_low, inner_high), wp.max(inner_low, inner_high), wp.max(b, d),
    )


@formula
def median_of_quad(q: key_quad) -> middle_key:
    "the median of the components of {q}: half of their sum without the smallest and the largest"
    low = wp.min(wp.min(q[0], q[1]), wp.min(q[2], q[3]))
    high = wp.max(wp.max(q[0], q[1]), wp.max(q[2], q[3]))
    return 0.5 * (q[0] + q[1] + q[2] + q[3] - low - high)


@formula
def spread_of_triple(a: key_triple) -> key_spread:
    "the largest component of {a} minus the smallest"
    return wp.max(a[0], wp.max(a[1], a[2])) - wp.min(a[0], wp.min(a[1], a[2]))


@algorithm
def bitonic_step(
    keys: sort_key["n"], stride: sort_stride["", "1:3"], size: bitonic_size["", "2:5"],
    new_keys: out.sort_key["n"],
):
    "one step of a bitonic sort: item i is compared with its partner, the item i xor {stride}; if the bitwise and of i and {size} is 0, the smaller key of both goes to the smaller index and the larger one to the larger index, else the other way round; an item whose partner does not exist keeps its key. Each thread stores the new key of its own item"
    i = thread()
    guard(i)
    key = keys[i]
    partner = i ^ stride
    if partner >= keys.shape[0]:
        new_keys[i] = key
        return
    other = keys[partner]
    ascending = (i & size) == 0
    lower = i < partner
    if ascending == lower:
        new_keys[i] = wp.min(key, other)
    else:
        new_keys[i] = wp.max(key, other)


@algorithm
def odd_even_step(keys: sort_key["n"], phase: sort_phase["", "0:2"], new_keys: out.sort_key["n"]):
    "one phase of an odd-even transposition sort: items whose index plus {phase} is even take the smaller key of themselves and the next item, the others the larger of themselves and the one before; without such a neighbor they keep their key"
    i = thread()
    guard(i)
    key = keys[i]
    if (i + phase) % 2 == 0:
        if i + 1 < keys.shape[0]:
            key = wp.min(key, keys[i + 1])
    elif i > 0:
        key = wp.max(key, keys[i - 1])
    new_keys[i] = key


@algorithm
def rank_by_counting(keys: sort_key["n"], ranks: out.item_rank["n"]):
    "the rank of each key in the sorted order: the number of smaller keys, plus that of equal keys with a smaller index"
    i = thread()
    guard(i)
    key = keys[i]
    rank = int(0)
    for j in range(keys.shape[0]):
        other = keys[j]
        if other < key or (other == key and j < i):
            rank += 1
    ranks[i] = rank


@algorithm
def scatter_by_rank(
    keys: integer_key["n", "0:4"], payload: item_payload["n"], sorted: out.integer_key["n"],
    values: out.item_payload["n"],
):
    "sorts by counting: the rank of each item is the number of smaller keys plus that of equal keys before it; stores the item's key at this index of {sorted} and its payload at the same index of {values}"
    i = thread()
    guard(i)
    key = keys[i]
    rank = int(0)
    for j in range(keys.shape[0]):
        other = keys[j]
        if other < key:
            rank += 1
        elif other == key and j < i:
            rank += 1
    sorted[rank] = key
    values[rank] = payload[i]


@algorithm
def apply_permutation(
    order: source_index["n", "0:n"], keys: sort_key["n"], payload: item_payload["n"],
    sorted: out.sorted_key["n"], values: out.item_payload["n"],
):
    "applies a permutation: item i gets the key and the payload of the item {order}[i], in {sorted} and {values}"
    i = thread()
    guard(i)
    source = order[i]
    sorted[i] = keys[source]
    values[i] = payload[source]


@algorithm
def radix_ranks(
    keys: integer_key["n", "0:16"], shift: digit_shift["", "0:3"], starts: digit_start["4", "0:6"],
    ranks: out.item_rank["n"],
):
    "the rank of each key in one pass of a radix sort over the two bits from {shift} on: {starts} of its digit plus the number of keys before it with the same digit"
    i = thread()
    guard(i)
    digit = (keys[i] >> shift) & 3
    rank = starts[digit]
    for j in range(i):
        if ((keys[j] >> shift) & 3) == digit:
            rank += 1
    ranks[i] = rank


@algorithm
def count_digits(
    keys: integer_key["n", "0:16"], shift: digit_shift["", "0:3"], counts: out.digit_count["4"],
):
    "counts the digits of the keys for a radix sort: adds 1 atomically to {counts} at the digit of each key, the number in its two bits from bit {shift} on"
    i = thread()
    guard(i)
    wp.atomic_add(counts, (keys[i] >> shift) & 3, 1)


@algorithm
def bucket_by_splitters(
    keys: sort_key["n"], splitters: splitter_key["k"], buckets: out.bucket_of_item["n"],
    counts: out.bucket_total["k+1"],
):
    "the bucket of each key in a sample sort, the number of {splitters} that are not larger than the key, goes to {buckets}; 1 is added atomically to {counts} of that bucket"
    i = thread()
    guard(i)
    key = keys[i]
    bucket = int(0)
    for s in range(splitters.shape[0]):
        if key >= splitters[s]:
            bucket += 1
    buckets[i] = bucket
    wp.atomic_add(counts, bucket, 1)


@algorithm
def count_inversions(keys: sort_key["n"], inversions: out.inversion_count["n"]):
    "counts the inversions of each item: the number of items with a larger index and a smaller key"
    i = thread()
    guard(i)
    key = keys[i]
    n = int(0)
    for j in range(i + 1, keys.shape[0]):
        if keys[j] < key:
            n += 1
    inversions[i] = n


@algorithm(element="row rows")
def top_two_of_rows(
    keys: sort_key["n,m+2"], tops: out.top_value["n,2"], at: out.top_index["n,2"],
):
    "the largest and the second largest key of each row of {keys} go to the columns 0 and 1 of {tops}, and the columns in which they stand to those of {at}; of equal keys the one with the smaller column comes first"
    row = thread()
    guard(row)
    best = float(-1.0e6)
    best_at = int(0)
    second = float(-1.0e6)
    second_at = int(0)
    for c in range(keys.shape[1]):
        key = keys[row, c]
        if key > best:
            second = best
            second_at = best_at
            best = key
            best_at = c
        elif key > second:
            second = key
            second_at = c
    tops[row, 0] = best
    tops[row, 1] = second
    at[row, 0] = best_at
    at[row, 1] = second_at


@algorithm
def merge_ranks(
    keys: sort_key["n"], other_keys: splitter_key["m"], ranks: out.item_rank["n"],
):
    "the rank of each key when {keys} and {other_keys} are merged: its index plus the number of {other_keys} that are smaller"
    i = thread()
    guard(i)
    key = keys[i]
    rank = int(i)
    for j in range(other_keys.shape[0]):
        if other_keys[j] < key:
            rank += 1
    ranks[i] = rank


@algorithm(element="row rows")
def bubble_pass_of_rows(keys: sort_key["n,m+1"], moved: out.sorted_key["n,m+1"]):
    "one pass of a bubble sort over each row of {keys} from left to right: of two neighbors the larger key goes on to the right; {moved} gets the row after the pass"
    row = thread()
    guard(row)
    largest = keys[row, 0]
    last = keys.shape[1] - 1
    for c in range(last):
        key = keys[row, c + 1]
        moved[row, c] = wp.min(largest, key)
        largest = wp.max(largest, key)
    moved[row, last] = largest


@algorithm
def lexicographic_ranks(
    major: integer_key["n", "0:3"], minor: minor_key["n", "0:3"], ranks: out.item_rank["n"],
):
    "the rank of each item by {major}, then by {minor}, then by its index: how many items come before it"
    i = thread()
    guard(i)
    a = major[i]
    b = minor[i]
    rank = int(0)
    for j in range(major.shape[0]):
        c = major[j]
        d = minor[j]
        if c < a:
            rank += 1
        elif c == a:
            if d < b or (d == b and j < i):
                rank += 1
    ranks[i] = rank


@algorithm(element="row rows")
def insertion_sort_rows(keys: row_key["n,m+1", "0:16"], sorted: out.sorted_row_key["n,m+1"]):
    "sorts each row of {keys} in rising order by insertion into the same row of {sorted}: the keys are taken from left to right, and each larger key that is there already moves one place to the right before the key is stored"
    row = thread()
    guard(row)
    for c in range(keys.shape[1]):
        key = keys[row, c]
        at = int(c)
        while at > 0 and sorted[row, at - 1] > key:
            sorted[row, at] = sorted[row, at - 1]
            at -= 1
        sorted[row, at] = key


@algorithm(element="row rows")
def counting_sort_rows(keys: row_key["n,m", "0:4"], sorted: out.sorted_row_key["n,m"]):
    "sorts each row of {keys}, all of which are from 0 to 3, in rising order by counting: for each value in turn the keys that have it are counted, and it is stored that many times after those before it"
    row = thread()
    guard(row)
    at = int(0)
    for value in range(4):
        count = int(0)
        for c in range(keys.shape[1]):
            if keys[row, c] == value:
                count += 1
        for k in range(count):
            sorted[row, at + k] = value
        at += count


@algorithm(element="row rows")
def compare_exchange_rows(keys: sort_key["n,m+2"], gap: network_stage["", "1:3"], moved: out.sorted_key["n,m+2"]):
    "one stage of a comparison network in each row of {keys}: column c is compared with column c + {gap} if c modulo 2 {gap} is below {gap} and that column exists, and the smaller key goes to column c of {moved}, the larger one to the other; columns without a partner keep their keys"
    row = thread()
    guard(row)
    for c in range(keys.shape[1]):
        key = keys[row, c]
        if c % (2 * gap) < gap:
            if c + gap < keys.shape[1]:
                key = wp.min(key, keys[row, c + gap])
        else:
            key = wp.max(key, keys[row, c - gap])
        moved[row, c] = key


@algorithm(element="row rows")
def merge_sorted_rows(keys: row_key["n,m+1", "rising:1"], second_keys: minor_key["n,m+1", "rising:1"], sorted: out.sorted_row_key["n,2*m+2"]):
    "merges each row of {keys} with the same row of {second_keys}, both of which are sorted, into a row of {sorted}: the smaller one of the two next keys comes first, that of {keys} if they are equal, and when a row is at its end the rest of the other follows"
    row = thread()
    guard(row)
    width = keys.shape[1]
    a = int(0)
    b = int(0)
    for c in range(sorted.shape[1]):
        if b >= width or (a < width and keys[row, a] <= second_keys[row, b]):
            sorted[row, c] = keys[row, a]
            a += 1
        else:
            sorted[row, c] = second_keys[row, b]
            b += 1
