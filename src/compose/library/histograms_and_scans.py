# SPDX-License-Identifier: Apache-2.0
"""Histograms, scans, reductions and compaction."""

field("histograms and scans", element="item items", other="bin bins", link="entry entries",
      group="bin bins")

item_value = quantity(float, "1", "value", one="x v", many="values x data")
item_weight = quantity(float, "1", "weight", one="w", many="weights w", low=0.1, high=1.0)
bin_count = quantity(int, "1", "count of a bin", one="n", many="counts histogram hist", low=0, high=4)
bin_weight = quantity(float, "1", "weight of a bin", one="w", many="bin_weights hist", low=0.1, high=2.0)
range_start = quantity(float, "1", "start of the range", one="lo start", low=-2.0, high=0.0, uniform=True)
bin_width = quantity(float, "1", "width of a bin", one="width bin_width", low=0.25, high=1.0, uniform=True)
running_total = quantity(float, "1", "running sum", one="total", many="scan prefix sums")
scan_stride = quantity(int, "1", "stride of the step", one="stride offset", low=1, high=4, uniform=True)
segment_head = quantity(int, "1", "head flag", one="head", many="heads flags", low=0, high=1)
slot_start = quantity(int, "1", "first slot", one="first", many="offsets starts", low=0, high=6)
packed_value = quantity(float, "1", "packed value", one="p", many="packed compacted")
bucket_key = quantity(int, "1", "key", one="key", many="keys", low=0, high=7)
bucket_minimum = quantity(float, "1", "smallest value of a bucket", one="low", many="minima bucket_min")
bucket_maximum = quantity(float, "1", "largest value of a bucket", one="high", many="maxima bucket_max")
block_total = quantity(float, "1", "sum of a block", one="total", many="block_sums")
block_size = quantity(int, "1", "items per block", one="block_size", low=2, high=4, uniform=True)
item_count = quantity(int, "1", "number of items", one="n", many="num_found counts", low=0, high=3)
joint_value = quantity(float, "1", "second value", one="y", many="y second")
run_length = quantity(int, "1", "run length", one="length", many="lengths runs", low=0, high=4)
world_of_item = quantity(int, "1", "world", one="world", many="worlds world_ids", low=0, high=2)
world_offset = quantity(int, "1", "first item of a world", one="start", many="world_start world_offsets", low=0, high=6)
bit_shift = quantity(int, "1", "shift", one="shift", low=0, high=2, uniform=True)
cumulative_share = quantity(float, "1", "cumulative share", one="share", many="cdf shares")
table_slot = quantity(int, "1", "slot", one="slot", many="slots", low=0, high=6)


@formula
def bin_of(x: item_value, lo: range_start, width: bin_width) -> table_slot:
    "the bin of {x} with bins of {width} that begin at {lo}: ({x} - {lo}) / {width} rounded down, clamped to the range from 0 to 6"
    return wp.clamp(int(wp.floor((x - lo) / width)), 0, 6)


@formula
def place_in_bin(x: item_value, lo: range_start, width: bin_width) -> item_weight:
    "the place of {x} within its bin, from 0 to 1: u minus u rounded down, where u = ({x} - {lo}) / {width}"
    u = (x - lo) / width
    return u - wp.floor(u)


@algorithm
def histogram(
    x: item_value["n"], lo: range_start, width: bin_width, hist: out.bin_count["b"],
):
    "counts each {x} in the bin ({x} - {lo}) / {width}, rounded down, atomically; values before the first or behind the last bin are left out"
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
    "adds {w} of each item to the bin ({x} - {lo}) / {width}, rounded down and clamped to the first and last bin, atomically"
    i = thread()
    guard(i)
    slot = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    wp.atomic_add(hist, slot, w[i])


@algorithm
def linear_histogram(
    x: item_value["n"], w: item_weight["n"], lo: range_start, width: bin_width,
    hist: out.bin_weight["b"],
):
    "shares {w} of each item between the two bins next to it: with u = ({x} - {lo}) / {width} and its whole part k, bin k gets {w} (1 - (u - k)) and bin k + 1 gets {w} (u - k), atomically; bins that do not exist get nothing"
    i = thread()
    guard(i)
    u = (x[i] - lo) / width
    k = int(wp.floor(u))
    f = u - wp.floor(u)
    if k >= 0 and k < hist.shape[0]:
        wp.atomic_add(hist, k, w[i] * (1.0 - f))
    if k + 1 >= 0 and k + 1 < hist.shape[0]:
        wp.atomic_add(hist, k + 1, w[i] * f)


@algorithm
def joint_histogram(
    x: item_value["n"], y: joint_value["n"], lo: range_start, width: bin_width,
    hist: out.bin_count["b,b"],
):
    "counts each pair of {x} and {y} in the row of the bin of {x} and the column of the bin of {y}, atomically; the bin is (value - {lo}) / {width}, rounded down and clamped to the table"
    i = thread()
    guard(i)
    row = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    col = wp.clamp(int(wp.floor((y[i] - lo) / width)), 0, hist.shape[1] - 1)
    wp.atomic_add(hist, row, col, 1)


@algorithm
def histogram_of_rows(
    x: item_value["n,m"], lo: range_start, width: bin_width, hist: out.bin_count["n,3"],
):
    "each thread counts the values of its row in three bins of {width} from {lo} on; smaller ones count in the first, larger ones in the last"
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


@algorithm
def cumulative_distribution(counts: bin_weight, cdf: out.cumulative_share):
    "for each bin the sum of {counts} up to and with it, divided by the sum of all"
    b = thread()
    guard(b)
    before = float(0.0)
    total = float(0.0)
    for k in range(count(element)):
        if k <= b:
            before += counts[k]
        total += counts[k]
    cdf[b] = before / total


@algorithm
def scan_step(x: running_total, stride: scan_stride, next_x: out.running_total):
    "one step of an inclusive scan: each item gets its value plus that of the item {stride} before it, if there is one"
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
    "one step of a segmented scan: an item whose head flag is 0 gets its value plus that of the item {stride} before it, and the flag of that item; an item with the flag 1, or without an item {stride} before it, keeps both"
    i = thread()
    guard(i)
    next_x[i] = x[i]
    next_heads[i] = heads[i]
    if i < stride or heads[i] == 1:
        return
    next_x[i] = x[i] + x[i - stride]
    next_heads[i] = heads[i - stride]


@algorithm
def scan_blocks(x: item_value["3*n"], totals: out.block_total["n"], sums: out.running_total["3*n"]):
    "each thread scans a block of three values, inclusively, and stores the sum of the block"
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
    "adds to each item of a scan by blocks of {size} items the sum of {offsets} of all blocks before its own"
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
    "stores the value of each item with {offsets}[i + 1] above {offsets}[i] in the slot {offsets}[i]; {offsets} is an exclusive scan, and equal neighbors mean that the item goes"
    i = thread()
    guard(i)
    slot = offsets[i]
    if offsets[i + 1] > slot:
        packed[slot] = x[i]


@algorithm
def expand_runs(
    offsets: slot_start["n+1", "rising:2"], x: item_value["n"], packed: out.packed_value["2*n+2"],
):
    "decodes runs: the value of item i is stored in all slots from {offsets}[i] up to {offsets}[i + 1]"
    i = thread()
    guard(i)
    for slot in range(offsets[i], offsets[i + 1]):
        packed[slot] = x[i]


@algorithm
def mark_run_heads(
    keys: bucket_key["n", "0:2"], heads: out.segment_head["n"], runs: out.item_count["1"],
):
    "1 for each key that differs from the one before it, and for the first; the number of these is added up in {runs}[0], atomically"
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
    "for each item how many items from it on have the same key without a gap"
    i = thread()
    guard(i)
    length = int(1)
    while i + length < keys.shape[0] and keys[wp.min(i + length, keys.shape[0] - 1)] == keys[i]:
        length += 1
    lengths[i] = length


@algorithm
def extremes_of_buckets(
    keys: bucket_key["n", "0:b"], x: item_value["n"], minima: out.bucket_minimum["b"],
    maxima: out.bucket_maximum["b"],
):
    "lowers the minimum and raises the maximum of the bucket of each item's key to its value, atomically"
    i = thread()
    guard(i)
    key = keys[i]
    wp.atomic_min(minima, key, x[i])
    wp.atomic_max(maxima, key, x[i])


@algorithm
def sum_by_key(
    keys: bucket_key["n", "-1:b"], x: item_value["n"], w: item_weight["n"],
    hist: out.bin_weight["b"],
):
    "adds {w} times {x} of each item to the bin of its key, atomically; items with a negative key are left out"
    i = thread()
    guard(i)
    key = keys[i]
    if key >= 0:
        wp.atomic_add(hist, key, w[i] * x[i])


@algorithm
def strided_sum(x: item_value["m"], totals: out.block_total["n"], size: block_size):
    "each thread sums every {size}-th value, from the one of its index on"
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
    "each thread multiplies two neighboring pairs of {x} and {y}, and adds the sum of both products to {total}[0], atomically"
    i = thread()
    guard(i)
    part = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1]
    wp.atomic_add(total, 0, part)


@algorithm
def sum_per_world(
    worlds: world_of_item["n", "0:w"], starts: world_offset["w", "0:n"], x: item_value["n"],
    shifted: out.packed_value["n"], totals: out.block_total["w"],
):
    "subtracts from the value of each item that of the first item of its world, whose index is {starts}[world], and adds the difference to the total of the world, atomically"
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
    "counts the two bits of each key from the bit {shift} on, atomically"
    i = thread()
    guard(i)
    digit = (keys[i] >> shift) & 3
    wp.atomic_add(hist, digit, 1)


@algorithm
def count_in_range(
    x: item_value["n"], lo: range_start, width: bin_width, found: out.item_count["2"],
):
    "adds 1 to {found}[0] for each value from {lo} up to {lo} + {width}, and 1 to {found}[1] for each value above that, atomically"
    i = thread()
    guard(i)
    v = x[i]
    if v < lo:
        return
    if v < lo + width:
        wp.atomic_add(found, 0, 1)
    else:
        wp.atomic_add(found, 1, 1)
