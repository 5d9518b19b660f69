# SPDX-License-Identifier: Apache-2.0
"""Searching."""

field("searching", element="sample samples", other="bin bins", apart=True)

sample = quantity(float, "1", "values to look up", one="x sample", many="values x samples")
bin_edge = quantity(float, "1", "bin edges", one="edge", many="edges bin_edges boundaries")
bin_index = quantity(int, "1", "bins", one="slot bin", many="bins bin_ids slots", low=0, high=7)
sorted_key_value = quantity(int, "1", "sorted keys", one="key", many="keys key_list", low=0, high=20)
searched_key = quantity(int, "1", "keys to look for", one="wanted", many="queries wanted_keys", low=0, high=20)
found_place = quantity(int, "1", "indices that are found", one="place", many="indices places", low=-1, high=8)
pair_count = quantity(int, "1", "numbers of pairs", one="pairs", many="pair_counts num_pairs", low=0, high=8)
offset_of_world = quantity(int, "1", "first items of the worlds, followed by the end of the last one", one="start", many="offsets world_start starts")
item_number = quantity(int, "1", "items to look up", one="item", many="items item_ids", low=0, high=9)
world_number = quantity(int, "1", "worlds of the items", one="world", many="worlds world_ids", low=-1, high=5)
row_entry = quantity(int, "1", "rows of integers", one="v", many="rows values", low=0, high=9)
limit_value = quantity(int, "1", "limit of the entries", one="limit threshold", low=2, high=8, uniform=True)
pattern_entry = quantity(int, "1", "symbols of the pattern", one="p", many="pattern needle", low=0, high=2)
text_entry = quantity(int, "1", "rows of symbols", one="c", many="text symbols", low=0, high=2)
prefix_length = quantity(int, "1", "lengths of the common prefixes", one="length", many="lengths prefix_lengths", low=0, high=6)
second_row = quantity(int, "1", "second rows of symbols", one="d", many="second_text other_text", low=0, high=2)
wanted_rank = quantity(int, "1", "wanted rank", one="rank", low=0, high=2, uniform=True)
selected_entry = quantity(int, "1", "selected entries", one="v", many="selected", low=0, high=9)
majority_entry = quantity(int, "1", "candidates for the majority", one="candidate", many="majorities candidates", low=0, high=2)
big_number = quantity(int, "1", "numbers", one="x", many="numbers x", low=0, high=400)
integer_root = quantity(int, "1", "integer square roots", one="root", many="roots", low=0, high=20)


@algorithm
def binary_search(edges: bin_edge["k+1", "rising:1"], x: sample["n"], slot: out.bin_index["n"]):
    "makes a binary search in {edges}, which are in rising order: the bin of each entry of {x} is the number of edges that are not above it"
    i = thread()
    guard(i)
    value = x[i]
    lo = int(0)
    hi = edges.shape[0]
    while lo < hi:
        mid = (lo + hi) // 2
        if edges[mid] <= value:
            lo = mid + 1
        else:
            hi = mid
    slot[i] = lo


@algorithm(element="query queries")
def lower_bound(keys: sorted_key_value["k+1", "rising:2"], wanted: searched_key["n", "0:9"], places: out.found_place["n"]):
    "makes a binary search in {keys}, which are sorted: for each entry of {wanted} the first index whose key is not below it, or the number of keys if all are below it"
    i = thread()
    guard(i)
    key = wanted[i]
    lo = int(0)
    hi = keys.shape[0]
    while lo < hi:
        mid = (lo + hi) // 2
        if keys[mid] < key:
            lo = mid + 1
        else:
            hi = mid
    places[i] = lo


@algorithm(element="query queries")
def exact_match(keys: sorted_key_value["k+1", "rising:2"], wanted: searched_key["n", "0:9"], places: out.found_place["n"]):
    "makes a binary search in {keys}, which are sorted, for a key equal to each entry of {wanted}: the bracket is at first the whole array; if the key in its middle, half of the sum of both ends, rounded down, is the wanted one, its index is the place that is found; else the search goes on above the middle if that key is smaller than the wanted one, and below it if it is larger; -1 if no key is equal"
    i = thread()
    guard(i)
    key = wanted[i]
    lo = int(0)
    hi = keys.shape[0] - 1
    places[i] = -1
    while lo <= hi:
        mid = (lo + hi) // 2
        candidate = keys[mid]
        if candidate == key:
            places[i] = mid
            break
        if candidate < key:
            lo = mid + 1
        else:
            hi = mid - 1


@algorithm(element="query queries")
def galloping_search(keys: sorted_key_value["k+1", "rising:2"], wanted: searched_key["n", "0:9"], places: out.found_place["n"]):
    "makes a galloping search in {keys}, which are sorted: for each entry of {wanted} the first index whose key is not below it, or the number of keys if all are below it; a step of 1 is doubled while the key at index step - 1 exists and is below the wanted one, and a binary search goes on from half of the step up to the step"
    i = thread()
    guard(i)
    key = wanted[i]
    count = keys.shape[0]
    step = int(1)
    while step <= count and keys[step - 1] < key:
        step = 2 * step
    lo = step // 2
    hi = wp.min(step, count)
    while lo < hi:
        mid = (lo + hi) // 2
        if keys[mid] < key:
            lo = mid + 1
        else:
            hi = mid
    places[i] = lo


@algorithm(element="item items")
def world_of_items(starts: offset_of_world["w+1", "rising:3"], items: item_number["n", "0:12"], worlds: out.world_number["n"]):
    "finds the world of each entry of {items} by binary search: world w has the items from `{starts}[w]` up to, but not including, `{starts}[w + 1]`; the world is the last w for which `{starts}[w]` is not above the item, or 0 if there is none; it is -1 for items that are not below the last entry of {starts}"
    i = thread()
    guard(i)
    item = items[i]
    last = starts.shape[0] - 1
    if item >= starts[last]:
        worlds[i] = -1
        return
    lo = int(0)
    hi = int(last)
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if starts[mid] <= item:
            lo = mid
        else:
            hi = mid
    worlds[i] = lo


@algorithm(element="row rows")
def first_above(rows: row_entry["n,m", "0:10"], limit: limit_value["", "2:9"], places: out.found_place["n"]):
    "finds the first column of each row of {rows} whose entry is above {limit}, or -1 if there is none"
    row = thread()
    guard(row)
    places[row] = -1
    for c in range(rows.shape[1]):
        if rows[row, c] > limit:
            places[row] = c
            break


@algorithm(element="row rows")
def find_pattern(text: text_entry["n,m+3", "0:2"], pattern: pattern_entry["2", "0:2"], places: out.found_place["n"]):
    "finds the first column of each row of {text} from which on the row has the same symbols as {pattern}, or -1 if the row does not contain the whole pattern"
    row = thread()
    guard(row)
    places[row] = -1
    for begin in range(text.shape[1] - pattern.shape[0] + 1):
        k = int(0)
        while k < pattern.shape[0] and text[row, begin + k] == pattern[k]:
            k += 1
        if k == pattern.shape[0]:
            places[row] = begin
            break


@algorithm(element="row rows")
def common_prefix_lengths(text: text_entry["n,m", "0:2"], texts: second_row["n,m", "0:2"], lengths: out.prefix_length["n"]):
    "finds the length of the longest common prefix of each row of {text} and the same row of {texts}: the number of columns before the first column in which they differ, or the number of all columns if the rows are equal"
    row = thread()
    guard(row)
    k = int(0)
    while k < text.shape[1] and text[row, k] == texts[row, k]:
        k += 1
    lengths[row] = k


@algorithm(element="row rows")
def select_by_rank(rows: row_entry["n,m+3", "0:10"], rank: wanted_rank["", "0:3"], selected: out.selected_entry["n"]):
    "selects the entry of each row of {rows} that has {rank} entries before it in sorted order: of each entry the smaller ones in its row and the equal ones in earlier columns are counted, and {selected} gets the entry for which their number is {rank}; every row has more than {rank} entries"
    row = thread()
    guard(row)
    for c in range(rows.shape[1]):
        value = rows[row, c]
        before = int(0)
        for k in range(rows.shape[1]):
            other = rows[row, k]
            if other < value or (other == value and k < c):
                before += 1
        if before == rank:
            selected[row] = value


@algorithm(element="row rows")
def majority_of_rows(rows: row_entry["n,m+2", "0:3"], candidates: out.majority_entry["n"]):
    "takes the majority vote of Boyer and Moore in each row of {rows}, with a candidate and a counter that are 0 at first: from left to right each entry becomes the candidate if the counter is 0, and then the counter grows by 1 if the entry is equal to the candidate, else it falls by 1; the last candidate goes to {candidates}"
    row = thread()
    guard(row)
    candidate = int(0)
    votes = int(0)
    for c in range(rows.shape[1]):
        value = rows[row, c]
        if votes == 0:
            candidate = value
        if value == candidate:
            votes += 1
        else:
            votes -= 1
    candidates[row] = candidate


@algorithm(element="number numbers")
def integer_square_roots(x: big_number["n", "0:401"], roots: out.integer_root["n"]):
    "the integer square root of each entry of {x}, the largest integer whose square is not above the entry, by bisection of the bracket from 0 to the entry plus 1"
    i = thread()
    guard(i)
    value = x[i]
    lo = int(0)
    hi = value + 1
    while hi - lo > 1:
        mid = lo + (hi - lo) // 2
        if mid * mid <= value:
            lo = mid
        else:
            hi = mid
    roots[i] = lo


@algorithm(element="query queries")
def count_pairs_up_to(keys: sorted_key_value["k+2", "rising:3"], wanted: searched_key["n", "0:20"], counts: out.pair_count["n"]):
    "counts for each entry of {wanted} the pairs of two different indices of {keys}, which are sorted, whose keys add up to at most that entry, with two pointers that begin at both ends of {keys} and end when they meet: if the sum of their two keys is above the entry, the right pointer moves one to the left; else the left index makes a pair with each of the indices behind it up to the right pointer, and the left pointer moves one to the right"
    i = thread()
    guard(i)
    limit = wanted[i]
    left = int(0)
    right = keys.shape[0] - 1
    pairs = int(0)
    while left < right:
        if keys[left] + keys[right] > limit:
            right -= 1
        else:
            pairs += right - left
            left += 1
    counts[i] = pairs
