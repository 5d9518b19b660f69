# SPDX-License-Identifier: Apache-2.0
"""Sorting: steps of networks, ranks, merging, selection."""

field("sorting", element="item items", other="splitter splitters", apart=True, all=True, share=3)

sort_key = quantity(float, "1", "keys", one="key k", many="keys")
moved_key = quantity(float, "1", "moved keys", one="key", many="moved_keys moved")
integer_key = quantity(int, "1", "integer keys", one="key", many="keys int_keys", low=0, high=15)
sorted_integer_key = quantity(int, "1", "sorted integer keys", one="key", many="sorted_keys", low=0, high=15)
item_payload = quantity(float, "1", "payloads", one="payload value", many="values payloads")
sorted_payload = quantity(float, "1", "sorted payloads", one="payload", many="sorted_payloads")
moved_payload = quantity(float, "1", "moved payloads", one="payload", many="moved_payloads")
sort_stride = quantity(int, "1", "stride of the comparison", one="stride", low=1, high=2, uniform=True)
bitonic_size = quantity(int, "1", "size of the bitonic blocks", one="size", low=2, high=4, uniform=True)
second_list_key = quantity(float, "1", "keys of the second list", one="other", many="second_keys other_keys")
merged_rank = quantity(int, "1", "ranks in the merged list", one="rank", many="merged_ranks ranks", low=0, high=9)
major_key = quantity(int, "1", "first keys", one="major", many="major_keys first_keys", low=0, high=3)
sort_phase = quantity(int, "1", "phase of the sort", one="phase parity", low=0, high=1, uniform=True)
item_rank = quantity(int, "1", "ranks", one="rank", many="ranks", low=0, high=5)
source_index = quantity(int, "1", "indices of the sources", one="source", many="order permutation perm", low=0, high=5)
digit_shift = quantity(int, "1", "first bit of the digit", one="shift first_bit", low=0, high=2, uniform=True)
digit_count = quantity(int, "1", "counts of the digits", one="n", many="digit_counts", low=0, high=4)
digit_start = quantity(int, "1", "first ranks of the digits", one="start", many="digit_starts", low=0, high=5)
splitter_key = quantity(float, "1", "splitters", one="splitter", many="splitters")
bucket_of_item = quantity(int, "1", "buckets", one="bucket", many="buckets bucket_ids", low=0, high=4)
inversion_count = quantity(int, "1", "numbers of inversions", one="n", many="inversions num_inversions", low=0, high=5)
key_triple = quantity(vec3, "1", "three keys", one="a t", many="triples")
key_quad = quantity(vec4, "1", "four keys", one="q", many="quads")
top_value = quantity(float, "1", "largest keys", one="v", many="top_values")
top_index = quantity(int, "1", "columns of the largest keys", one="at", many="top_indices", low=0, high=4)
minor_key = quantity(int, "1", "second keys", one="minor", many="minor_keys second_keys", low=0, high=3)
sorted_triple = quantity(vec3, "1", "three sorted keys", one="s", many="sorted_triples")
sorted_quad = quantity(vec4, "1", "four sorted keys", one="s", many="sorted_quads")
middle_key = quantity(float, "1", "median key", one="mid median", many="medians middles")
bucket_total = quantity(int, "1", "counts of the buckets", one="n", many="bucket_counts", low=0, high=4)
second_row_key = quantity(int, "1", "second rows of keys", one="second", many="second_rows second_keys", low=0, high=15)
row_key = quantity(int, "1", "rows of keys", one="key", many="keys key_rows", low=0, high=15)
sorted_row_key = quantity(int, "1", "sorted rows of keys", one="key", many="sorted_rows sorted_keys", low=0, high=15)
network_stage = quantity(int, "1", "gap of the comparison", one="gap", low=1, high=2, uniform=True)
shuffle_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
shuffled_index = quantity(int, "1", "shuffled columns", one="at", many="shuffled permutations", low=0, high=6)


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
    "the components of {q} in rising order, found with five comparisons"
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
def quad_median(q: key_quad) -> middle_key:
    "the median of the components of {q}, which is half of their sum without the smallest and the largest"
    low = wp.min(wp.min(q[0], q[1]), wp.min(q[2], q[3]))
    high = wp.max(wp.max(q[0], q[1]), wp.max(q[2], q[3]))
    return 0.5 * (q[0] + q[1] + q[2] + q[3] - low - high)


@algorithm
def bitonic_step(
    keys: sort_key["n"], stride: sort_stride["", "1:3"], size: bitonic_size["", "2:5"],
    new_keys: out.moved_key["n"],
):
    "makes one step of a bitonic sort: item i is compared with its partner, the item i xor {stride}; if the bitwise and of i and {size} is 0, the smaller key of both goes to the smaller index and the larger one to the larger index, else the other way round; an item whose partner would lie beyond the end of {keys} keeps its key. Each thread stores only the new key of its own item"
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
def odd_even_step(keys: sort_key["n"], phase: sort_phase["", "0:2"], new_keys: out.moved_key["n"]):
    "makes one phase of an odd-even transposition sort: an item whose index plus {phase} is even takes the smaller one of its own key and that of the next item, any other item the larger one of its own key and that of the item before; an item without such a neighbor in {keys} keeps its key"
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
    "the rank of each key in the sorted order: the number of smaller ones among all entries of {keys}, plus that of equal ones with a smaller index"
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
    keys: integer_key["n", "0:4"], payload: item_payload["n"], sorted: out.sorted_integer_key["n"],
    values: out.sorted_payload["n"],
):
    "sorts by counting: the rank of each item is the number of smaller ones among all entries of {keys}, plus that of equal ones with a smaller index; the item's key is stored at this index of {sorted}, and its entry of {payload} at the same index of {values}"
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
    order: source_index["n", "distinct:n"], keys: sort_key["n"], payload: item_payload["n"],
    moved: out.moved_key["n"], values: out.moved_payload["n"],
):
    "applies a permutation: entry i of {moved} and {values} gets the key and the payload of the item `{order}[i]`"
    i = thread()
    guard(i)
    source = order[i]
    moved[i] = keys[source]
    values[i] = payload[source]


@algorithm
def radix_ranks(
    keys: integer_key["n", "0:16"], shift: digit_shift["", "0:3"], starts: digit_start["4", "0:6"],
    ranks: out.item_rank["n"],
):
    "the rank of each key in one pass of a radix sort, whose digit is the number from 0 to 3 in the two bits of the key from bit {shift} on: the entry of {starts} for its digit plus the number of keys before it with the same digit"
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
    "counts the digits of the keys for a radix sort: for each key 1 is added atomically to the entry of {counts} for its digit, the number from 0 to 3 in its two bits from bit {shift} on"
    i = thread()
    guard(i)
    wp.atomic_add(counts, (keys[i] >> shift) & 3, 1)


@algorithm
def bucket_by_splitters(
    keys: sort_key["n"], splitters: splitter_key["k"], buckets: out.bucket_of_item["n"],
    counts: out.bucket_total["k+1"],
):
    "finds the bucket of each key in a sample sort: the number of {splitters} that are not larger than the key goes to {buckets}, and 1 is added atomically to the entry of {counts} for that bucket"
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
    "counts the inversions of each item: how many entries of {keys} have a larger index and a smaller key"
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
    "finds the two largest keys of each row of {keys}: the largest and the second largest go to the columns 0 and 1 of {tops}, and the columns in which they stand to the columns 0 and 1 of {at}; of equal keys the one with the smaller column comes first"
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
    keys: sort_key["n"], other_keys: second_list_key["m"], ranks: out.merged_rank["n"],
):
    "the rank of each key when the sorted lists {keys} and {other_keys} are merged: its index plus the number of entries of {other_keys} that are smaller"
    i = thread()
    guard(i)
    key = keys[i]
    rank = int(i)
    for j in range(other_keys.shape[0]):
        if other_keys[j] < key:
            rank += 1
    ranks[i] = rank


@algorithm(element="row rows")
def bubble_pass_of_rows(keys: sort_key["n,m+1"], moved: out.moved_key["n,m+1"]):
    "makes one pass of a bubble sort over each row of {keys} from left to right: of two neighbors the larger key goes on to the right; {moved} gets the row after the pass"
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
    major: major_key["n", "0:3"], minor: minor_key["n", "0:3"], ranks: out.item_rank["n"],
):
    "the rank of each item by {major}, then by {minor}, then by its index: how many of all entries of both arrays come before it"
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
    "sorts each row of {keys}, whose entries are 0 to 3, in rising order by counting: for each value in turn the keys that have it are counted, and it is stored that many times, behind the smaller values"
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
def compare_exchange_rows(keys: sort_key["n,m+2"], gap: network_stage["", "1:3"], moved: out.moved_key["n,m+2"]):
    "makes one stage of a comparison network in each row of {keys}: column c is compared with column c + {gap} if c modulo 2 {gap} is below {gap} and that column exists, and the smaller key goes to column c of {moved}, the larger one to the other; columns without a partner keep their keys"
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
def merge_sorted_rows(keys: row_key["n,m+1", "rising:1"], second_keys: second_row_key["n,m+1", "rising:1"], sorted: out.sorted_row_key["n,2*m+2"]):
    "merges each row of {keys} with the same row of {second_keys}, both of which are sorted and have the same length, into a row of {sorted}, which is twice as long: the smaller one of the two next keys comes first, that of {keys} if they are equal, and when a row is at its end the rest of the other follows"
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


@algorithm(share=2, element="row rows")
def shuffled_columns(seed: shuffle_seed, shuffled: out.shuffled_index["n,m+2"]):
    "draws a random order of the columns for each row of {shuffled}, by the method of Fisher and Yates: the row begins with 0, 1, 2 and so on, and for each column c from the last one down to 1 its entry changes places with that of a column that `wp.randi` draws from 0 to c, both included"
    row = thread()
    guard(row)
    state = wp.rand_init(seed, row)
    width = shuffled.shape[1]
    for c in range(width):
        shuffled[row, c] = c
    for k in range(1, width):
        c = width - k
        other = wp.randi(state, 0, c + 1)
        kept = shuffled[row, c]
        shuffled[row, c] = shuffled[row, other]
        shuffled[row, other] = kept
