# SPDX-License-Identifier: Apache-2.0
"""Histograms, scans, reductions and compaction."""

field("histograms and scans", element="item items", other="bin bins", link="entry entries",
      group="bin bins", apart=True, all=True)

item_value = quantity(float, "1", "value", one="x v", many="values x data")
item_weight = quantity(float, "1", "weights", one="w", many="weights w", low=0.1, high=1.0)
bin_fraction = quantity(float, "1", "fraction of a bin", one="frac f", many="fractions", low=0.05, high=1.0)
bin_count = quantity(int, "1", "counts of the bins", one="n", many="counts histogram hist", low=0, high=4)
key_total = quantity(float, "1", "weighted sums of the keys", one="total", many="key_sums totals")
bin_weight = quantity(float, "1", "weights of the bins", one="w", many="bin_weights hist", low=0.1, high=2.0)
range_start = quantity(float, "1", "start of the range", one="lo start", low=-2.0, high=0.0, uniform=True)
bin_width = quantity(float, "1", "width of a bin", one="width bin_width", low=0.25, high=1.0, uniform=True)
running_total = quantity(float, "1", "running sum", one="total", many="scan prefix sums")
scan_stride = quantity(int, "1", "stride of the step", one="stride offset", low=1, high=4, uniform=True)
segment_head = quantity(int, "1", "head flag", one="head", many="heads flags", low=0, high=1)
slot_start = quantity(int, "1", "first slot of each item, followed by the end of the last one's", one="first", many="offsets starts", low=0, high=6)
packed_value = quantity(float, "1", "packed values", one="p", many="packed compacted")
bucket_key = quantity(int, "1", "keys", one="key", many="keys", low=0, high=7)
bucket_minimum = quantity(float, "1", "smallest values of the buckets", one="low", many="minima bucket_min")
bucket_maximum = quantity(float, "1", "largest values of the buckets", one="high", many="maxima bucket_max")
block_total = quantity(float, "1", "sums", one="total", many="block_sums")
block_size = quantity(int, "1", "items per block", one="block_size", low=2, high=4, uniform=True)
item_count = quantity(int, "1", "number of items", one="n", many="num_found counts", low=0, high=3)
joint_value = quantity(float, "1", "second values", one="y", many="y second")
run_length = quantity(int, "1", "run lengths", one="length", many="lengths runs", low=0, high=4)
world_of_item = quantity(int, "1", "worlds of the items", one="world", many="worlds world_ids", low=0, high=2)
world_offset = quantity(int, "1", "first item of each world", one="start", many="world_start world_offsets", low=0, high=6)
bit_shift = quantity(int, "1", "first bit of the digit", one="shift", low=0, high=2, uniform=True)
cumulative_share = quantity(float, "1", "cumulative shares", one="share", many="cdf shares")
table_slot = quantity(int, "1", "bin index", one="slot bin", many="slots bins", low=0, high=6)
tree_stride = quantity(int, "1", "stride of the tree", one="stride", low=1, high=2, uniform=True)
tree_value = quantity(float, "1", "sums of a tree", one="v", many="tree sums_tree")
exclusive_total = quantity(float, "1", "exclusive running sums", one="total", many="exclusive prefix_before")
running_peak = quantity(float, "1", "running maxima", one="top", many="running_max peaks")
segment_total = quantity(float, "1", "sums of the segments", one="total", many="segment_sums totals")


@formula
def bin_of(x: item_value, lo: range_start, width: bin_width) -> table_slot:
    "the bin of {x} among seven bins of the width {width} that begin at {lo}: ({x} - {lo}) / {width} rounded down, clamped to the range from 0 to 6"
    return wp.clamp(int(wp.floor((x - lo) / width)), 0, 6)


@formula
def place_in_bin(x: item_value, lo: range_start, width: bin_width) -> bin_fraction:
    "u - floor(u), from 0 to 1, where u = ({x} - {lo}) / {width}"
    u = (x - lo) / width
    return u - wp.floor(u)


@algorithm
def histogram(
    x: item_value["n"], lo: range_start, width: bin_width, hist: out.bin_count["b"],
):
    "adds 1 atomically to the bin of each value of {x} in {hist}, the bin ({x} - {lo}) / {width}, rounded down; values before the first or after the last bin are left out"
    i = thread()
    guard(i)
    slot = int(wp.floor((x[i] - lo) / width))
    if slot < 0 or slot >= hist.shape[0]:
        return
    wp.atomic_add(hist, slot, 1)


@algorithm
def clamped_histogram(
    x: item_value["n"], w: item_weight["n"], lo: range_start, width: bin_width,
    hist: out.bin_weight["b"],
):
    "adds {w} of each item atomically to its bin in {hist}, the bin ({x} - {lo}) / {width}, rounded down and clamped to the first and the last bin"
    i = thread()
    guard(i)
    slot = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    wp.atomic_add(hist, slot, w[i])


@algorithm
def linear_histogram(
    x: item_value["n"], w: item_weight["n"], lo: range_start, width: bin_width,
    hist: out.bin_weight["b"],
):
    "shares {w} of each item between two neighboring bins of {hist}: with u = ({x} - {lo}) / {width} and k = floor(u), {w} (1 - (u - k)) is added atomically to bin k and {w} (u - k) to bin k + 1; what falls on bins that do not exist is dropped"
    i = thread()
    guard(i)
    u = (x[i] - lo) / width
    k = int(wp.floor(u))
    f = u - float(k)
    weight = w[i]
    if k >= 0 and k < hist.shape[0]:
        wp.atomic_add(hist, k, weight * (1.0 - f))
    if k + 1 >= 0 and k + 1 < hist.shape[0]:
        wp.atomic_add(hist, k + 1, weight * f)


@algorithm
def joint_histogram(
    x: item_value["n"], y: joint_value["n"], lo: range_start, width: bin_width,
    hist: out.bin_count["b,b"],
):
    "adds 1 atomically to {hist} for each pair of {x} and {y}, in the row of the bin of {x} and the column of the bin of {y}; the bin of a value is (value - {lo}) / {width}, rounded down and clamped to the rows or columns that there are"
    i = thread()
    guard(i)
    row = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    col = wp.clamp(int(wp.floor((y[i] - lo) / width)), 0, hist.shape[1] - 1)
    wp.atomic_add(hist, row, col, 1)


@algorithm(element="row rows")
def histogram_of_rows(
    x: item_value["n,m"], lo: range_start, width: bin_width, hist: out.bin_count["n,3"],
):
    "counts the values in each row of {x} in three bins of the width {width}, which begin at {lo}; values below count in the first, values above in the last. Each thread counts a row and stores the counts in its row of {hist}"
    row = thread()
    guard(row)
    first = int(0)
    middle = int(0)
    for k in range(x.shape[1]):
        u = (x[row, k] - lo) / width
        if u < 1.0:
            first += 1
        elif u < 2.0:
            middle += 1
    hist[row, 0] = first
    hist[row, 1] = middle
    hist[row, 2] = x.shape[1] - first - middle


@algorithm(element="bin bins")
def cumulative_distribution(counts: bin_weight["n"], cdf: out.cumulative_share["n"]):
    "for each bin the sum of {counts} from the first bin up to and with it, divided by the sum over all bins"
    b = thread()
    guard(b)
    before = float(0.0)
    total = float(0.0)
    for k in range(counts.shape[0]):
        weight = counts[k]
        if k <= b:
            before += weight
        total += weight
    cdf[b] = before / total


@algorithm
def scan_step(x: running_total, stride: scan_stride, next_x: out.running_total):
    "one step of an inclusive scan: each item gets its own {x} plus that of the item {stride} places before it, if there is one"
    i = thread()
    guard(i)
    total = x[i]
    if i >= stride:
        total += x[i - stride]
    next_x[i] = total


@algorithm
def segmented_scan_step(
    x: running_total, heads: segment_head["n", "0:2"], stride: scan_stride,
    next_x: out.running_total, next_heads: out.segment_head,
):
    "one step of a segmented scan: an item whose head flag in {heads} is 0 gets its own {x} plus that of the item {stride} places before it, and the flag of that item; an item with the flag 1, or without an item {stride} places before it, keeps both"
    i = thread()
    guard(i)
    own = x[i]
    head = heads[i]
    if i < stride or head == 1:
        next_x[i] = own
        next_heads[i] = head
        return
    next_x[i] = own + x[i - stride]
    next_heads[i] = heads[i - stride]


@algorithm(element="block blocks")
def scan_blocks(x: item_value["3*n"], totals: out.block_total["n"], sums: out.running_total["3*n"]):
    "each thread scans a block of three neighboring values of {x}: {sums} gets the running sum within the block, with the value itself, and {totals} the sum of the block"
    block = thread()
    guard(block)
    total = float(0.0)
    for k in range(3 * block, 3 * block + 3):
        total += x[k]
        sums[k] = total
    totals[block] = total


@algorithm
def add_block_offsets(
    sums: running_total["n"], offsets: block_total["n"], size: block_size,
    scan: out.running_total["n"],
):
    "completes a scan that was made block by block: {sums} of each item plus the sum of {offsets} over all blocks before its own, which is the item's index divided by {size}, rounded down"
    i = thread()
    guard(i)
    total = sums[i]
    for b in range(i // size):
        total += offsets[b]
    scan[i] = total


@algorithm
def compact_by_scan(
    offsets: slot_start["n+1", "rising:2"], x: item_value["n"], packed: out.packed_value["2*n+2"],
):
    "compacts items by an exclusive scan of their flags: item i is kept if `{offsets}[i + 1]` is above `{offsets}[i]`, and its value is then stored in {packed} at `{offsets}[i]`; other items are dropped"
    i = thread()
    guard(i)
    slot = offsets[i]
    if offsets[i + 1] > slot:
        packed[slot] = x[i]


@algorithm
def expand_runs(
    offsets: slot_start["n+1", "rising:2"], x: item_value["n"], packed: out.packed_value["2*n+2"],
):
    "decodes runs: `{x}[i]` is stored in all slots of {packed} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    value = x[i]
    for slot in range(offsets[i], offsets[i + 1]):
        packed[slot] = value


@algorithm
def mark_run_heads(
    keys: bucket_key["n", "0:2"], heads: out.segment_head["n"], runs: out.item_count["1"],
):
    "marks the heads of runs of equal keys: {heads} is 1 for the first key and for each key that differs from the one before it, else 0; for each head 1 is added atomically to {runs}[0]"
    i = thread()
    guard(i)
    heads[i] = 0
    if i > 0:
        if keys[i] == keys[i - 1]:
            return
    heads[i] = 1
    wp.atomic_add(runs, 0, 1)


@algorithm
def run_lengths(keys: bucket_key["n", "0:2"], lengths: out.run_length["n"]):
    "for each item the length of the run of equal {keys} that begins with it: the number of items from it on, itself included, until a key differs or the array ends"
    i = thread()
    guard(i)
    key = keys[i]
    length = int(1)
    while i + length < keys.shape[0] and keys[i + length] == key:
        length += 1
    lengths[i] = length


@algorithm
def extremes_of_buckets(
    keys: bucket_key["n", "0:b"], x: item_value["n"], minima: out.bucket_minimum["b"],
    maxima: out.bucket_maximum["b"],
):
    "lowers {minima} of the bucket of each item, which is its key, to its value by an atomic minimum, and raises {maxima} of the bucket to the value by an atomic maximum"
    i = thread()
    guard(i)
    key = keys[i]
    value = x[i]
    wp.atomic_min(minima, key, value)
    wp.atomic_max(maxima, key, value)


@algorithm
def sum_by_key(
    keys: bucket_key["n", "-1:b"], x: item_value["n"], w: item_weight["n"],
    hist: out.key_total["b"],
):
    "adds {w} times {x} of each item atomically to {hist} at its entry of {keys}; items with a negative key are left out"
    i = thread()
    guard(i)
    key = keys[i]
    if key >= 0:
        wp.atomic_add(hist, key, w[i] * x[i])


@algorithm
def strided_sum(x: item_value["m"], totals: out.block_total["n"], size: block_size):
    "thread i sums the values of {x} with the indices i, i + {size}, i + 2 {size} and so on, up to the end of {x}"
    i = thread()
    guard(i)
    total = float(0.0)
    k = int(i)
    while k < x.shape[0]:
        total += x[k]
        k += size
    totals[i] = total


@algorithm
def block_dot_product(
    x: item_value["2*n"], y: joint_value["2*n"], total: out.block_total["1"],
):
    "the dot product of {x} and {y}: thread i adds `{x}[2 * i]` `{y}[2 * i]` + `{x}[2 * i + 1]` `{y}[2 * i + 1]` atomically to {total}[0]"
    i = thread()
    guard(i)
    k = 2 * i
    part = x[k] * y[k] + x[k + 1] * y[k + 1]
    wp.atomic_add(total, 0, part)


@algorithm
def shift_by_first_of_world(
    worlds: world_of_item["n", "0:w"], starts: world_offset["w", "0:n"], x: item_value["n"],
    shifted: out.packed_value["n"], totals: out.block_total["w"],
):
    "subtracts from {x} of each item that of the first item of its world, whose index is {starts} of the world; stores the difference in {shifted} and adds it atomically to {totals} of the world"
    i = thread()
    guard(i)
    world = worlds[i]
    d = x[i] - x[starts[world]]
    shifted[i] = d
    wp.atomic_add(totals, world, d)


@algorithm
def digit_histogram(
    keys: bucket_key["n", "0:16"], shift: bit_shift["", "0:3"], hist: out.bin_count["4"],
):
    "counts the digits of the keys for a radix sort: the digit of a key is the number from 0 to 3 in its two bits from bit {shift} on, and 1 is added atomically to {hist} at the digit"
    i = thread()
    guard(i)
    digit = (keys[i] >> shift) & 3
    wp.atomic_add(hist, digit, 1)


@algorithm
def count_in_range(
    x: item_value["n"], lo: range_start, width: bin_width, found: out.item_count["2"],
):
    "adds 1 atomically to {found}[0] for each value from {lo} up to, but not including, {lo} + {width}, and to {found}[1] for each value from there on; values below {lo} do not count"
    i = thread()
    guard(i)
    v = x[i]
    if v < lo:
        return
    if v < lo + width:
        wp.atomic_add(found, 0, 1)
    else:
        wp.atomic_add(found, 1, 1)


@algorithm
def sweep_down(x: tree_value["n"], stride: tree_stride["", "1:3"], next_x: out.tree_value["n"]):
    "one level of the down-sweep of a work-efficient scan: an item whose index plus 1 is a multiple of 2 {stride} gets its own {x} plus that of the item {stride} places before it; an item whose index plus 1 is an odd multiple of {stride} gets {x} of the item {stride} places after it, if there is one; all others keep theirs"
    i = thread()
    guard(i)
    value = x[i]
    rest = (i + 1) % (2 * stride)
    if rest == 0:
        value += x[i - stride]
    elif rest == stride and i + stride < x.shape[0]:
        value = x[i + stride]
    next_x[i] = value


@algorithm(element="row rows")
def exclusive_scan_rows(x: item_value["n,m"], before: out.exclusive_total["n,m"], totals: out.block_total["n"]):
    "the exclusive running sums of each row of {x}: {before} gets the sum of the entries before each entry in its row, {totals} the sum of the row"
    row = thread()
    guard(row)
    total = float(0.0)
    for c in range(x.shape[1]):
        before[row, c] = total
        total += x[row, c]
    totals[row] = total


@algorithm(element="row rows")
def running_maxima_of_rows(x: item_value["n,m"], tops: out.running_peak["n,m"]):
    "the running maxima of each row of {x}: the largest of the entries from the first one up to and with each entry"
    row = thread()
    guard(row)
    top = x[row, 0]
    for c in range(x.shape[1]):
        top = wp.max(top, x[row, c])
        tops[row, c] = top


@algorithm(element="segment segments")
def sum_segments(starts: slot_start["n+1", "rising:3"], x: item_value["3*n+3"], sums: out.segment_total["n"]):
    "the sum of {x} over each segment i, the entries from `{starts}[i]` up to, but not including, `{starts}[i + 1]`"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(starts[i], starts[i + 1]):
        total += x[k]
    sums[i] = total
