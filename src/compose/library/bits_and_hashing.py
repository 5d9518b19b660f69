# SPDX-License-Identifier: Apache-2.0
"""Bits and hashing: counting and spreading bits, Morton codes, hashes, random words."""

field("bits and hashing", element="entry entries", other="table tables", apart=True, share=3)

bit_word = quantity(uint, "1", "32-bit word", one="x w", many="words", low=0, high=1000000)
reversed_word = quantity(uint, "1", "reversed word", one="rev", many="reversed_words", low=0, high=1000000)
gray_word = quantity(uint, "1", "Gray code", one="gray", many="gray_codes", low=0, high=1000000)
single_bit = quantity(uint, "1", "lowest set bit", one="low_bit", many="lowest_bits", low=0, high=1000000)
cleared_word = quantity(uint, "1", "cleared word", one="rest", many="cleared_words", low=0, high=1000000)
rotated_word = quantity(uint, "1", "rotated word", one="rot", many="rotated_words", low=0, high=1000000)
bit_field = quantity(uint, "1", "bit field", one="bits", many="bit_fields", low=0, high=4095)
hamming_count = quantity(uint, "1", "Hamming distance", one="dist", many="distances", low=0, high=20)
second_word = quantity(uint, "1", "second word", one="y", many="second_words other_words", low=0, high=1000000)
bit_count = quantity(uint, "1", "bit count", one="ones", many="bit_counts popcounts", low=0, high=20)
parity_bit = quantity(uint, "1", "parity", one="parity odd", many="parities", low=0, high=1)
hash_value = quantity(uint, "1", "hash", one="h", many="hashes", low=0, high=1000000)
generator_state = quantity(uint, "1", "generator state", one="s", many="rng_states", low=1, high=1000000)
unit_number = quantity(float, "1", "uniform number", one="u", many="uniforms", low=0.0, high=1.0)
grid_cell_x = quantity(uint, "1", "column index", one="x cx", many="cell_x", low=0, high=1000)
grid_cell_y = quantity(uint, "1", "row index", one="y cy", many="cell_y", low=0, high=1000)
grid_cell_z = quantity(uint, "1", "layer index", one="z cz", many="cell_z", low=0, high=1000)
morton_code = quantity(uint, "1", "Morton code", one="code", many="morton_codes codes", low=0, high=1000000)
table_size = quantity(uint, "1", "number of buckets", one="num_buckets table_size", low=3, high=9, uniform=True)
hash_bucket = quantity(uint, "1", "bucket", one="bucket", many="buckets", low=0, high=8)
hash_seed = quantity(uint, "1", "seed of the hash", one="seed", low=0, high=1000000, uniform=True)
word_shift = quantity(uint, "1", "number of places", one="shift", low=1, high=12, uniform=True)
field_mask = quantity(uint, "1", "mask of the field", one="mask", low=1, high=4095, uniform=True)
table_key = quantity(int, "1", "keys in the table, -1 for an empty slot", one="stored", many="table table_keys", low=-1, high=7)
wanted_key = quantity(int, "1", "keys to look up", one="key", many="keys wanted_keys", low=0, high=7)
found_slot = quantity(int, "1", "slots that are found", one="slot", many="slots", low=-1, high=5)
particle_cell = quantity(vec3, "m", "positions of the points", one="p x", many="points positions")
cell_length = quantity(float, "m", "cell length", one="cell_size h", low=0.25, high=1.0, uniform=True)
bucket_load = quantity(int, "1", "numbers of points in the buckets", one="load", many="bucket_counts loads", low=0, high=3)
flag_bit = quantity(int, "1", "flags", one="flag", many="flags", low=0, high=1)
packed_flags = quantity(int, "1", "packed flags", one="bits", many="packed bitmask", low=0, high=15)
byte_value = quantity(int, "1", "bytes", one="byte", many="data messages", low=0, high=255)
checksum = quantity(int, "1", "checksums", one="crc", many="checksums", low=0, high=255)
curve_index = quantity(int, "1", "places on the curve", one="d", many="hilbert_indices", low=0, high=63)
cell_column = quantity(int, "1", "columns of the cells", one="x", many="xs cell_x", low=0, high=7)
cell_row = quantity(int, "1", "rows of the cells", one="y", many="ys cell_y", low=0, high=7)
filter_flag = quantity(int, "1", "entries of the Bloom filter, 0 or 1", one="bit", many="bloom_filter", low=0, high=1)
inserted_key = quantity(int, "1", "keys to insert", one="key", many="new_keys", low=0, high=50)
asked_key = quantity(int, "1", "keys to look up", one="key", many="keys queries", low=0, high=50)
streamed_key = quantity(int, "1", "keys to count", one="key", many="keys", low=-1, high=50)
possible_flag = quantity(int, "1", "flags, 1 for keys that may be there", one="hit", many="maybe_present", low=0, high=1)
sketch_count = quantity(int, "1", "counters of the sketch", one="n", many="sketch", low=0, high=3)


@formula
def population_count(x: bit_word) -> bit_count:
    "the number of ones among the 32 bits of {x}, counted in pairs, fours and bytes of bits"
    x = x - ((x >> wp.uint32(1)) & wp.uint32(0x55555555))
    x = (x & wp.uint32(0x33333333)) + ((x >> wp.uint32(2)) & wp.uint32(0x33333333))
    x = (x + (x >> wp.uint32(4))) & wp.uint32(0x0F0F0F0F)
    return (x * wp.uint32(0x01010101)) >> wp.uint32(24)


@formula
def parity(x: bit_word) -> parity_bit:
    "1 if {x} has an odd number of ones, else 0"
    x = x ^ (x >> wp.uint32(16))
    x = x ^ (x >> wp.uint32(8))
    x = x ^ (x >> wp.uint32(4))
    x = x ^ (x >> wp.uint32(2))
    return (x ^ (x >> wp.uint32(1))) & wp.uint32(1)


@formula
def reverse_bits(x: bit_word) -> reversed_word:
    "the 32 bits of {x} in reverse order"
    x = ((x >> wp.uint32(1)) & wp.uint32(0x55555555)) | ((x & wp.uint32(0x55555555)) << wp.uint32(1))
    x = ((x >> wp.uint32(2)) & wp.uint32(0x33333333)) | ((x & wp.uint32(0x33333333)) << wp.uint32(2))
    x = ((x >> wp.uint32(4)) & wp.uint32(0x0F0F0F0F)) | ((x & wp.uint32(0x0F0F0F0F)) << wp.uint32(4))
    x = ((x >> wp.uint32(8)) & wp.uint32(0x00FF00FF)) | ((x & wp.uint32(0x00FF00FF)) << wp.uint32(8))
    return (x >> wp.uint32(16)) | (x << wp.uint32(16))


@formula
def gray_code(x: bit_word) -> gray_word:
    "{x} xor ({x} shifted right by one)"
    return x ^ (x >> wp.uint32(1))


@formula
def lowest_bit(x: bit_word) -> single_bit:
    "{x} with all ones but the lowest cleared, or 0 if {x} is 0"
    return x & (~x + wp.uint32(1))


@formula
def clear_lowest_bit(x: bit_word) -> cleared_word:
    "{x} with its lowest one cleared, or 0 if {x} is 0"
    return x & (x - wp.uint32(1))


@formula
def rotate_left(x: bit_word, shift: word_shift) -> rotated_word:
    "the 32 bits of {x} rotated to the left by {shift} places"
    return (x << shift) | (x >> (wp.uint32(32) - shift))


@formula
def extract_field(x: bit_word, shift: word_shift, mask: field_mask) -> bit_field:
    "{x} shifted right by {shift}, of which only the bits that are set in {mask} are kept"
    return (x >> shift) & mask


@formula
def hamming_distance(x: bit_word, y: second_word) -> hamming_count:
    "the number of bits in which {x} and {y} differ, which are the ones in {x} xor {y}"
    return population_count(x ^ y)


@formula
def murmur_finalizer(x: bit_word) -> hash_value:
    "the finalizer of MurmurHash3, which is, from {x} on and modulo 2^32, xor with itself shifted right by 16, times 0x85EBCA6B, xor with itself shifted right by 13, times 0xC2B2AE35, and xor with itself shifted right by 16"
    x = x ^ (x >> wp.uint32(16))
    x = x * wp.uint32(0x85EBCA6B)
    x = x ^ (x >> wp.uint32(13))
    x = x * wp.uint32(0xC2B2AE35)
    return x ^ (x >> wp.uint32(16))


@formula
def combine_hashes(h: hash_value, y: second_word) -> hash_value:
    "{h} xor s, where s is the sum of {y}, 0x9E3779B9, {h} shifted left by 6 and {h} shifted right by 2, modulo 2^32"
    return h ^ (y + wp.uint32(0x9E3779B9) + (h << wp.uint32(6)) + (h >> wp.uint32(2)))


@formula
def seeded_hash(x: bit_word, seed: hash_seed) -> hash_value:
    "p xor (p shifted right by 15), where p is ({x} xor {seed}) times 0x01000193, modulo 2^32"
    h = (x ^ seed) * wp.uint32(0x01000193)
    return h ^ (h >> wp.uint32(15))


@formula
def bucket_of_hash(h: hash_value, size: table_size) -> hash_bucket:
    "{h} modulo {size}"
    return h % size


@formula
def hash_cell(x: grid_cell_x, y: grid_cell_y, z: grid_cell_z) -> hash_value:
    "(73856093 {x}) xor (19349663 {y}) xor (83492791 {z}), modulo 2^32"
    return (x * wp.uint32(73856093)) ^ (y * wp.uint32(19349663)) ^ (z * wp.uint32(83492791))


@function
def spread_by_two(x: uint):
    "the lower ten bits of {x}, each followed by two zeros"
    x = x & wp.uint32(0x3FF)
    x = (x | (x << wp.uint32(16))) & wp.uint32(0x030000FF)
    x = (x | (x << wp.uint32(8))) & wp.uint32(0x0300F00F)
    x = (x | (x << wp.uint32(4))) & wp.uint32(0x030C30C3)
    return (x | (x << wp.uint32(2))) & wp.uint32(0x09249249)


@formula
def morton_in_space(x: grid_cell_x, y: grid_cell_y, z: grid_cell_z) -> morton_code:
    "the lower ten bits of {x}, {y} and {z} interleaved, with bit b of {x} as bit 3 b, that of {y} as bit 3 b + 1, and that of {z} as bit 3 b + 2"
    return spread_by_two(x) | (spread_by_two(y) << wp.uint32(1)) | (spread_by_two(z) << wp.uint32(2))


@function
def spread_by_one(x: uint):
    "the lower 16 bits of {x}, each followed by a zero"
    x = x & wp.uint32(0xFFFF)
    x = (x | (x << wp.uint32(8))) & wp.uint32(0x00FF00FF)
    x = (x | (x << wp.uint32(4))) & wp.uint32(0x0F0F0F0F)
    x = (x | (x << wp.uint32(2))) & wp.uint32(0x33333333)
    return (x | (x << wp.uint32(1))) & wp.uint32(0x55555555)


@formula
def morton_in_plane(x: grid_cell_x, y: grid_cell_y) -> morton_code:
    "the lower 16 bits of {x} and {y} interleaved, with bit b of {x} as bit 2 b, and that of {y} as bit 2 b + 1"
    return spread_by_one(x) | (spread_by_one(y) << wp.uint32(1))


@formula
def xorshift(s: generator_state) -> generator_state:
    "a step of xorshift, which is, from {s} on, xor with itself shifted left by 13, then xor with that result shifted right by 17, then xor with that result shifted left by 5"
    s = s ^ (s << wp.uint32(13))
    s = s ^ (s >> wp.uint32(17))
    return s ^ (s << wp.uint32(5))


@formula
def linear_congruence(s: generator_state) -> generator_state:
    "a step of a linear congruential generator, 1664525 {s} + 1013904223 modulo 2^32"
    return s * wp.uint32(1664525) + wp.uint32(1013904223)


@formula
def unit_number_of(s: generator_state) -> unit_number:
    "the number from 0 to 1 that the upper 24 bits of {s} give, ({s} shifted right by 8) / 2^24"
    return float(s >> wp.uint32(8)) / 16777216.0


@algorithm(element="key keys")
def probe_table(
    keys: wanted_key["n", "0:5"], table: table_key["t", "-1:5"], slots: out.found_slot["n"],
):
    "looks each entry of {keys} up in {table} by linear probing, as in a hash table, and stores the slot that holds it: the search begins at the slot that is the key modulo the length of {table}, goes on to the next slot, and from the last one to slot 0, and looks at each slot at most once; -1 if it meets an empty slot, which holds -1, before the key, or if no slot holds the key"
    i = thread()
    guard(i)
    key = keys[i]
    size = table.shape[0]
    slots[i] = -1
    for probe in range(size):
        slot = (key + probe) % size
        if table[slot] == key:
            slots[i] = slot
            break
        if table[slot] < 0:
            break


@algorithm(element="point points")
def count_points_by_hash(
    p: particle_cell["n"], h: cell_length, loads: out.bucket_load["b"],
):
    "counts points by the hash of their cell: the cell (x, y, z) of a point is {p} divided by {h}, each component rounded down to an integer. Its bucket is |7 x + 13 y + 19 z| modulo the length of {loads}, and 1 is added atomically to that entry of {loads}"
    i = thread()
    guard(i)
    x = int(wp.floor(p[i][0] / h))
    y = int(wp.floor(p[i][1] / h))
    z = int(wp.floor(p[i][2] / h))
    bucket = wp.abs(7 * x + 13 * y + 19 * z) % loads.shape[0]
    wp.atomic_add(loads, bucket, 1)


@algorithm(element="row rows")
def pack_flags(flags: flag_bit["n,4", "0:2"], packed: out.packed_flags["n"]):
    "packs the four flags in each row of {flags} into an integer, the flag in column b as bit b, column 0 as the lowest bit"
    row = thread()
    guard(row)
    bits = int(0)
    for b in range(4):
        bits = bits | (flags[row, b] << b)
    packed[row] = bits


@algorithm(element="row rows")
def unpack_flags(packed: packed_flags["n", "0:16"], flags: out.flag_bit["n,4"]):
    "unpacks four flags from each entry of {packed}: bit b of entry i, 0 or 1, goes to column b of row i of {flags}"
    row = thread()
    guard(row)
    bits = int(packed[row])
    for b in range(flags.shape[1]):
        flags[row, b] = bits & 1
        bits = bits >> 1


@algorithm(element="row rows")
def crc8_of_rows(data: byte_value["n,m", "0:256"], crcs: out.checksum["n"]):
    "the CRC-8 of the bytes in each row of {data}, with the polynomial 0x107 and the start value 0: for each byte from left to right the CRC becomes the CRC xor the byte, and then eight times it is shifted left by one, and xor 0x107 if its bit 7 was set before the shift"
    row = thread()
    guard(row)
    crc = int(0)
    for k in range(data.shape[1]):
        crc = crc ^ data[row, k]
        for b in range(8):
            carry = crc >> 7
            crc = (crc << 1) ^ (0x107 * carry)
    crcs[row] = crc


@algorithm(element="row rows")
def fletcher_checksum(data: byte_value["n,m", "0:256"], sums: out.checksum["n,2"]):
    "computes Fletcher's checksum of the bytes in each row of {data}: column 0 of {sums} gets the sum of the bytes modulo 255, and column 1 the sum, modulo 255, of the values that this first sum has after each byte"
    row = thread()
    guard(row)
    low = int(0)
    high = int(0)
    for k in range(data.shape[1]):
        low = (low + data[row, k]) % 255
        high = (high + low) % 255
    sums[row, 0] = low
    sums[row, 1] = high


@algorithm(element="cell cells")
def hilbert_index(xs: cell_column["n", "0:8"], ys: cell_row["n", "0:8"], d: out.curve_index["n"]):
    "the place of each cell on the Hilbert curve through 8 by 8 cells, where x and y are its column in {xs} and its row in {ys}: the place is the sum of s^2 times ((3 rx) xor ry) for s = 4, 2, 1, where rx is 1 if x has the bit with the value s, else 0, and ry is the same for y. After each s, if ry is 0, x and y change places; if rx is 1 as well, they become 7 - x and 7 - y before that"
    i = thread()
    guard(i)
    x = xs[i]
    y = ys[i]
    place = int(0)
    s = int(4)
    while s > 0:
        rx = wp.where((x & s) > 0, 1, 0)
        ry = wp.where((y & s) > 0, 1, 0)
        place += s * s * ((3 * rx) ^ ry)
        if ry == 0:
            if rx == 1:
                x = 7 - x
                y = 7 - y
            old_x = x
            x = y
            y = old_x
        s = s // 2
    d[i] = place


@function
def slot_of_key(key: int, h: int, size: int):
    "the slot of {key} for the hash function {h}, ((2 {h} + 3) {key} + 7 {h}) modulo {size}"
    return ((2 * h + 3) * key + 7 * h) % size


@algorithm(element="key keys")
def insert_in_bloom_filter(keys: inserted_key["n", "0:51"], bloom: out.filter_flag["b+4"]):
    "inserts keys in a Bloom filter: the slots of each entry of {keys} for the hash functions 0, 1 and 2 in {bloom} are raised to 1 by an atomic maximum; {bloom} has as many slots as entries"
    i = thread()
    guard(i)
    key = keys[i]
    for h in range(3):
        wp.atomic_max(bloom, slot_of_key(key, h, bloom.shape[0]), 1)


@algorithm(element="key keys")
def query_bloom_filter(
    keys: asked_key["n", "0:51"], bloom: filter_flag["b+4", "0:2"], hits: out.possible_flag["n"],
):
    "looks keys up in a Bloom filter: {hits} gets 1 for each entry of {keys} whose slots for the hash functions 0, 1 and 2 are all 1 in {bloom}, and 0 for any other key; {bloom} has as many slots as entries"
    i = thread()
    guard(i)
    key = keys[i]
    hits[i] = 1
    for h in range(3):
        if bloom[slot_of_key(key, h, bloom.shape[0])] == 0:
            hits[i] = 0


@algorithm(element="key keys")
def count_in_sketch(keys: streamed_key["n", "-1:51"], sketch: out.sketch_count["3,b+2"]):
    "counts keys in a count-min sketch: for each entry of {keys} and each row r of {sketch}, 1 is added atomically to the column that is the slot of the key for the hash function r; there are as many slots as columns; negative keys are left out"
    i = thread()
    guard(i)
    key = keys[i]
    if key < 0:
        return
    for h in range(3):
        wp.atomic_add(sketch, h, slot_of_key(key, h, sketch.shape[1]), 1)
