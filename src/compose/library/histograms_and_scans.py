# SPDX-License-Identifier: Apache-2.0
"""Histograms, scans, reductions and compaction."""

field("histograms and scans", element="item items", other="bin bins", link="entry entries",
      group="bin bins", apart=True, all=True)

item_value = quantity(float, "1", "value", one="x v", many="values x data")
item_weight = quantity(float, "1", "weights", one="w", many="weights w", low=0.1, high=1.0)
bin_fraction = quantity(float, "1", "bin fraction", one="frac", many="fractions", low=0.05, high=1.0)
bin_count = quantity(int, "1", "counts of the bins", one="n", many="counts histogram hist", low=0, high=4)
key_total = quantity(float, "1", "weighted sums by key", one="total", many="key_sums")
bin_weight = quantity(float, "1", "weights of the bins", one="w", many="bin_weights hist", low=0.1, high=2.0)
range_start = quantity(float, "1", "start of the range", one="lo start", low=-2.0, high=0.0, uniform=True)
bin_width = quantity(float, "1", "width of a bin", one="width bin_width", low=0.25, high=1.0, uniform=True)
running_total = quantity(float, "1", "running sum", one="total", many="scan prefix")
scan_stride = quantity(int, "1", "stride of the step", one="stride offset", low=1, high=4, uniform=True)
segment_head = quantity(int, "1", "head flag", one="head", many="flags heads", low=0, high=1)
slot_start = quantity(int, "1", "first slot of each item, followed by the end of the last one's", one="first", many="offsets starts", low=0, high=6)
packed_value = quantity(float, "1", "kept values, packed", one="p", many="packed compacted")
expanded_value = quantity(float, "1", "expanded values", one="p", many="expanded decoded")
bucket_key = quantity(int, "1", "keys", one="key", many="keys", low=0, high=7)
bucket_minimum = quantity(float, "1", "smallest values of the buckets", one="low", many="minima bucket_min")
bucket_maximum = quantity(float, "1", "largest values of the buckets", one="high", many="maxima bucket_max")
block_total = quantity(float, "1", "sums of the blocks", one="total", many="block_sums")
row_sum_of_values = quantity(float, "1", "sums of the rows", one="total", many="row_sums row_totals")
dot_total = quantity(float, "1", "dot product", one="dot", many="dot dot_product")
partial_total = quantity(float, "1", "partial sums", one="total", many="partial_sums partials")
sum_stride = quantity(int, "1", "distance of the values that a thread adds up", one="stride", low=2, high=4, uniform=True)
width_of_range = quantity(float, "1", "width of the range", one="width range_width", low=0.25, high=1.0, uniform=True)
run_total = quantity(int, "1", "number of runs", one="runs", many="num_runs run_count", low=0, high=3)
found_total = quantity(int, "1", "numbers of values in the range and above it", one="n", many="counts found", low=0, high=3)
event_time = quantity(float, "s", "times of the events", one="t", many="times event_times", low=0.0, high=8.0)
session_of_event = quantity(int, "1", "sessions of the events", one="session", many="sessions session_ids", low=0, high=2)
first_event = quantity(int, "1", "indices of the first event of each session", one="first", many="first_events", low=0, high=6)
session_time = quantity(float, "s", "times since the start of the session", one="elapsed", many="elapsed")
session_length = quantity(float, "s", "lengths of the sessions", one="longest", many="session_lengths durations", low=0.0, high=2.0)
pair_row = quantity(int, "1", "first categories", one="a", many="first_ids categories", low=0, high=2)
pair_column = quantity(int, "1", "second categories", one="b", many="second_ids classes", low=0, high=2)
pair_table = quantity(int, "1", "table of counts", one="n", many="table contingency", low=0, high=3)
value_segment = quantity(int, "1", "first entry of each segment, followed by the end of the last one", one="first", many="segment_starts starts", low=0, high=6)
joint_value = quantity(float, "1", "second values", one="y", many="y second_values")
run_length = quantity(int, "1", "lengths of the runs", one="length", many="lengths run_lengths", low=0, high=4)
cumulative_share = quantity(float, "1", "cumulative shares", one="share", many="cdf shares")
table_slot = quantity(int, "1", "bin index", one="slot bin", many="slots bins", low=0, high=6)
tree_stride = quantity(int, "1", "stride of the tree", one="stride", low=1, high=2, uniform=True)
tree_value = quantity(float, "1", "entries of the tree of sums", one="v", many="tree")
exclusive_total = quantity(float, "1", "exclusive running sums", one="total", many="exclusive_scan prefix")
running_peak = quantity(float, "1", "running maxima", one="top", many="running_max")
segment_total = quantity(float, "1", "sums of the segments", one="total", many="segment_sums")
histogram_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
drawn_bin = quantity(int, "1", "drawn bins", one="bin", many="drawn_bins", low=0, high=6)
drawn_total = quantity(int, "1", "numbers of draws for each bin", one="n", many="draw_counts", low=0, high=3)
cumulative_weight = quantity(float, "1", "cumulative weights of the bins", one="cdf", many="cdf cumulative")
plane_vector = quantity(vec2, "1", "vectors", one="g", many="vectors gradients")
angle_total = quantity(float, "1", "summed lengths by direction", one="total", many="orientation_hist")
word_id = quantity(int, "1", "words", one="word", many="words word_ids", low=0, high=3)
pair_count_table = quantity(int, "1", "numbers of pairs", one="n", many="pair_counts", low=0, high=3)
context_width = quantity(int, "1", "width of the context", one="width", low=1, high=3, uniform=True)
binned_sum = quantity(float, "1", "weighted sums of the values", one="total", many="value_sums")
weighted_square = quantity(float, "1", "weighted sums of the squares", one="total", many="square_sums")


@formula
def bin_of(x: item_value, lo: range_start, width: bin_width) -> table_slot:
    "the bin of {x} among seven bins, the first of which begins at {lo} and each of which is {width} wide, that is ({x} - {lo}) / {width} rounded down, clamped to the range from 0 to 6"
    return wp.clamp(int(wp.floor((x - lo) / width)), 0, 6)


@formula
def place_in_bin(x: item_value, lo: range_start, width: bin_width) -> bin_fraction:
    "u - floor(u), from 0 to 1, where u is ({x} - {lo}) / {width}"
    u = (x - lo) / width
    return u - wp.floor(u)


@algorithm
def histogram(
    x: item_value["n"], lo: range_start, width: bin_width, hist: out.bin_count["b"],
):
    "makes a histogram: for each entry of {x} 1 is added atomically to the entry of {hist} for its bin, ({x} - {lo}) / {width} rounded down; values below the first bin or above the last one are left out"
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
    "makes a weighted histogram: {w} of each item is added atomically to the entry of {hist} for its bin, ({x} - {lo}) / {width} rounded down; values below the first bin count in the first one, values above the last bin in the last one"
    i = thread()
    guard(i)
    slot = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    wp.atomic_add(hist, slot, w[i])


@algorithm
def linear_histogram(
    x: item_value["n"], w: item_weight["n"], lo: range_start, width: bin_width,
    hist: out.bin_weight["b"],
):
    "makes a histogram with linear weights, which shares {w} of each item between two neighboring bins of {hist}: with u = ({x} - {lo}) / {width} and b = floor(u), {w} (1 - (u - b)) is added atomically to bin b and {w} (u - b) to bin b + 1; what falls on a bin that {hist} does not have is dropped"
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
    "makes the joint histogram of {x} and {y}: for each item 1 is added atomically to {hist}, in the row of the bin of {x} and the column of the bin of {y}; the bin of a value is (value - {lo}) / {width} rounded down, clamped to the rows and columns of {hist}"
    i = thread()
    guard(i)
    row = wp.clamp(int(wp.floor((x[i] - lo) / width)), 0, hist.shape[0] - 1)
    col = wp.clamp(int(wp.floor((y[i] - lo) / width)), 0, hist.shape[1] - 1)
    wp.atomic_add(hist, row, col, 1)


@algorithm(element="row rows")
def histogram_of_rows(
    x: item_value["n,m"], lo: range_start, width: bin_width, hist: out.bin_count["n,3"],
):
    "counts the values in each row of {x} in three bins of the width {width}, the first of which begins at {lo}; values below the first bin count in the first one, values above the third bin in the third one. The counts go to the same row of {hist}"
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
    "the cumulative distribution: for each bin the sum of {counts} over the bins up to and including it, divided by the sum over all bins"
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
    "makes one step of an inclusive scan: each item gets the sum of its own {x} and that of the item {stride} places before it, or its own {x} alone if there is no such item"
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
    "makes one step of a segmented scan: an item whose head flag in {heads} is 0 adds {x} of the item {stride} places before it to its own, and takes the flag of that item; an item with the flag 1, or without an item {stride} places before it, keeps its sum and its flag"
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
    "scans blocks of three neighboring values of {x}, with one thread for each block, whose first value has 3 times the index of the thread: {sums} gets the inclusive running sums within the block, and {totals} the sum of the block"
    block = thread()
    guard(block)
    total = float(0.0)
    for k in range(3 * block, 3 * block + 3):
        total += x[k]
        sums[k] = total
    totals[block] = total


@algorithm(element="block blocks")
def add_block_offsets(
    sums: running_total["4*n"], totals: block_total["n"], scan: out.running_total["4*n"],
):
    "completes a scan that was made in blocks of four items, one thread for each block: {sums} of the block's items, those from 4 times its index on, plus the sum of {totals} over all blocks before it goes to the same entries of {scan}"
    block = thread()
    guard(block)
    before = float(0.0)
    for b in range(block):
        before += totals[b]
    for k in range(4 * block, 4 * block + 4):
        scan[k] = sums[k] + before


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
    offsets: slot_start["n+1", "rising:2"], x: item_value["n"], expanded: out.expanded_value["2*n+2"],
):
    "decodes runs: `{x}[i]` is stored in all slots of {expanded} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    value = x[i]
    for slot in range(offsets[i], offsets[i + 1]):
        expanded[slot] = value


@algorithm
def mark_run_heads(
    keys: bucket_key["n", "0:2"], heads: out.segment_head["n"], runs: out.run_total["1"],
):
    "marks the heads of runs of equal keys: {heads} gets 1 for the first key and for each key that differs from the one before it, else 0; for each head 1 is added atomically to {runs}[0]"
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
    "computes for each item the length of the run of equal {keys} that begins with it: the number of items from it on, itself included, before a key differs or {keys} ends"
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
    "the smallest and the largest value in each bucket, where the bucket of item i is `{keys}[i]`: the bucket's entry of {minima} is lowered to `{x}[i]` by an atomic minimum, and its entry of {maxima} is raised to it by an atomic maximum"
    i = thread()
    guard(i)
    key = keys[i]
    value = x[i]
    wp.atomic_min(minima, key, value)
    wp.atomic_max(maxima, key, value)


@algorithm
def sum_by_key(
    keys: bucket_key["n", "-1:b"], x: item_value["n"], w: item_weight["n"],
    sums: out.key_total["b"],
):
    "adds up weighted values by key: {w} times {x} of each item is added atomically to the entry of {sums} for its key in {keys}; items with a negative key are left out"
    i = thread()
    guard(i)
    key = keys[i]
    if key >= 0:
        wp.atomic_add(sums, key, w[i] * x[i])


@algorithm
def strided_sum(x: item_value["m"], size: sum_stride, totals: out.partial_total["n"]):
    "computes partial sums: thread i adds up the values of {x} with the indices i, i + {size}, i + 2 {size} and so on, up to the end of {x}"
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
    x: item_value["2*n"], y: joint_value["2*n"], total: out.dot_total["1"],
):
    "the dot product of {x} and {y}: thread i adds the product of their entries 2 i and the product of their entries 2 i + 1, and adds this sum atomically to {total}[0]"
    i = thread()
    guard(i)
    k = 2 * i
    part = x[k] * y[k] + x[k + 1] * y[k + 1]
    wp.atomic_add(total, 0, part)


@algorithm(element="event events")
def time_in_session(
    sessions: session_of_event["n", "0:w"], first: first_event["w", "0:n"], t: event_time["n"],
    elapsed: out.session_time["n"], longest: out.session_length["w"],
):
    "the time of each event since the start of its session, which is the time of the event `{first}[s]` for session s: the difference goes to {elapsed}, and the session's entry of {longest} is raised to it by an atomic maximum"
    i = thread()
    guard(i)
    session = sessions[i]
    since = t[i] - t[first[session]]
    elapsed[i] = since
    wp.atomic_max(longest, session, since)


@algorithm
def contingency_table(
    a: pair_row["n", "-1:r"], b: pair_column["n", "-1:c"], table: out.pair_table["r,c"],
):
    "makes a contingency table: for each item 1 is added atomically to {table}, in the row of its category in {a} and the column of its category in {b}; items with a negative category in one of them are left out"
    i = thread()
    guard(i)
    row = a[i]
    col = b[i]
    if row < 0 or col < 0:
        return
    wp.atomic_add(table, row, col, 1)


@algorithm
def count_in_range_and_above(
    x: item_value["n"], lo: range_start, width: width_of_range, found: out.found_total["2"],
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
    "makes one level of the down-sweep of a work-efficient scan: an entry of {x} whose index plus 1 is a multiple of 2 {stride} gets the entry {stride} places before it added; one whose index plus 1 is an odd multiple of {stride} is replaced by the entry {stride} places after it, if there is one; all others stay as they are"
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
def exclusive_scan_rows(x: item_value["n,m"], before: out.exclusive_total["n,m"], totals: out.row_sum_of_values["n"]):
    "the exclusive scan of each row of {x}: {before} gets for each entry the sum of the entries before it in its row, and {totals} the sum of the whole row"
    row = thread()
    guard(row)
    total = float(0.0)
    for c in range(x.shape[1]):
        before[row, c] = total
        total += x[row, c]
    totals[row] = total


@algorithm(element="row rows")
def running_maxima_of_rows(x: item_value["n,m"], tops: out.running_peak["n,m"]):
    "the running maxima of each row of {x}: for each entry the largest of the entries from the first one of its row up to and including it"
    row = thread()
    guard(row)
    top = x[row, 0]
    for c in range(x.shape[1]):
        top = wp.max(top, x[row, c])
        tops[row, c] = top


@algorithm(element="segment segments")
def sum_segments(starts: value_segment["n+1", "rising:3"], x: item_value["3*n+3"], sums: out.segment_total["n"]):
    "the sum of {x} over each segment; segment i has the entries from `{starts}[i]` up to, but not including, `{starts}[i + 1]`"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(starts[i], starts[i + 1]):
        total += x[k]
    sums[i] = total


@algorithm(share=2, element="draw draws")
def draw_bins(
    cdf: cumulative_weight["b+1", "rising:1"], seed: histogram_seed, drawn: out.drawn_bin["n"],
    counts: out.drawn_total["b+1"],
):
    "draws bins by their weights, whose cumulative sums stand in {cdf}: each thread draws a random number u from 0 to 1, finds by a binary search how many of the entries of {cdf} but the last are not above u times the last entry, stores this number, the bin, in {drawn}, and adds 1 atomically to the bin's entry of {counts}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    last = cdf.shape[0] - 1
    u = wp.randf(state) * cdf[last]
    lo = int(0)
    hi = int(last)
    while lo < hi:
        mid = (lo + hi) // 2
        if cdf[mid] <= u:
            lo = mid + 1
        else:
            hi = mid
    drawn[i] = lo
    wp.atomic_add(counts, lo, 1)


@algorithm(element="vector vectors")
def orientation_histogram(g: plane_vector["n"], hist: out.angle_total["8"]):
    "makes a histogram of the directions of vectors in a plane, weighted by their lengths: the length of each vector (x, y) of {g} is added atomically to entry b of {hist}, where b is 8 times its direction in turns, rounded down, but at most 7; the direction in turns is atan2(y, x) / (2 pi), plus 1 if that is negative. Vectors shorter than 0.01 are left out"
    i = thread()
    guard(i)
    v = g[i]
    length = wp.length(v)
    if length < 0.01:
        return
    turns = wp.atan2(v[1], v[0]) / (2.0 * wp.pi)
    if turns < 0.0:
        turns += 1.0
    slot = wp.min(int(8.0 * turns), 7)
    wp.atomic_add(hist, slot, length)


@algorithm(element="word words")
def count_word_pairs(
    words: word_id["n", "-1:w"], width: context_width["", "1:4"], table: out.pair_count_table["w,w"],
):
    "counts which words stand near each other: for each word and each of the {width} words after it, where there are so many, 1 is added atomically to {table}, in the row of the first word and the column of the second one; negative entries of {words} are padding and make no pairs"
    i = thread()
    guard(i)
    word = words[i]
    if word < 0:
        return
    for k in range(i + 1, wp.min(i + 1 + width, words.shape[0])):
        second = words[k]
        if second >= 0:
            wp.atomic_add(table, word, second, 1)


@algorithm
def moments_of_bins(
    x: item_value["n"], w: item_weight["n"], lo: range_start, width: bin_width,
    sums: out.binned_sum["b"], squares: out.weighted_square["b"],
):
    "adds up weighted moments of the values in each bin, where the bin of an item is ({x} - {lo}) / {width} rounded down: {w} {x} is added atomically to the entry of {sums} for the bin, and {w} {x}^2 to its entry of {squares}; items whose bin {sums} does not have are left out"
    i = thread()
    guard(i)
    value = x[i]
    slot = int(wp.floor((value - lo) / width))
    if slot < 0 or slot >= sums.shape[0]:
        return
    weight = w[i]
    wp.atomic_add(sums, slot, weight * value)
    wp.atomic_add(squares, slot, weight * value * value)
