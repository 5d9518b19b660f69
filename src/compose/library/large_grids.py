# SPDX-License-Identifier: Apache-2.0
"""Grids and pairs whose numbers need 64 bits: flat indices, keys, offsets in fixed point."""

field("large grids", element="voxel voxels", other="voxel voxels", link="pair pairs", dims=1, apart=True, share=2)

voxel_x = quantity(int, "1", "first coordinate", one="x", many="xs", low=0, high=4000)
voxel_y = quantity(int, "1", "second coordinate", one="y", many="ys", low=0, high=4000)
voxel_z = quantity(int, "1", "third coordinate", one="z", many="zs", low=0, high=4000)
grid_width = quantity(int64, "1", "length of the grid along the first axis", one="nx width", low=4001, high=9000, uniform=True)
grid_height = quantity(int64, "1", "length of the grid along the second axis", one="ny height", low=4001, high=9000, uniform=True)
flat_index = quantity(int64, "1", "flat index", one="flat index", many="indices flat_indices", low=0, high=1000000)
lower_id = quantity(int, "1", "first id", one="a first", many="first_ids", low=0, high=100000)
upper_id = quantity(int, "1", "second id", one="b second", many="second_ids", low=0, high=100000)
number_of_ids = quantity(int, "1", "number of ids", one="num_ids", low=100001, high=200000, uniform=True)
pair_key = quantity(int64, "1", "key of the pair of ids", one="key", many="keys pair_keys", low=0, high=1000000000)
bucket_count = quantity(int, "1", "number of buckets", one="num_buckets", low=5, high=60, uniform=True)
key_bucket = quantity(int, "1", "bucket", one="bucket", many="buckets", low=0, high=60)
block_density = quantity(float, "1", "density", one="density d", many="densities block_densities", low=0.0, high=4.0)
fixed_density = quantity(int64, "1", "density in fixed point", one="fixed", many="fixed_densities", low=0, high=400000, sums=True, means="total")
fixed_scale = quantity(float, "1", "steps of the fixed point per unit", one="scale steps", low=1000.0, high=100000.0, uniform=True)
grid_coordinate_x = quantity(int, "1", "coordinate along the first axis", one="x", many="coords_x", low=0, high=4000)


@formula
def voxel_flat_index(x: voxel_x, y: voxel_y, z: voxel_z, nx: grid_width, ny: grid_height) -> flat_index:
    "({z} {ny} + {y}) {nx} + {x}, computed with 64 bits, since it may be above 2^31"
    return (wp.int64(z) * ny + wp.int64(y)) * nx + wp.int64(x)


@formula
def coordinate_of_index(flat: flat_index, nx: grid_width) -> grid_coordinate_x:
    "the remainder of {flat} by {nx}, as a 32-bit integer"
    return int(flat % nx)


@formula
def key_of_pair(a: lower_id, b: upper_id, num_ids: number_of_ids) -> pair_key:
    "the smaller one of {a} and {b} times {num_ids}, plus the larger one, computed with 64 bits"
    low = wp.min(a, b)
    high = wp.max(a, b)
    return wp.int64(low) * wp.int64(num_ids) + wp.int64(high)


@formula
def bucket_of_key(key: pair_key, num_buckets: bucket_count) -> key_bucket:
    "the remainder of {key} by {num_buckets}, as a 32-bit integer"
    return int(key % wp.int64(num_buckets))


@formula
def density_in_fixed_point(density: block_density, scale: fixed_scale) -> fixed_density:
    "{density} times {scale}, rounded to a 64-bit integer, so that sums do not depend on their order"
    return wp.int64(wp.round(density * scale))


@algorithm
def find_key(keys: pair_key["k", "0:9"], wanted: pair_key["n", "0:9", "keys to find"], places: out.key_bucket["n", "", "places of the keys"]):
    "for each key of {wanted} the first place of {keys} whose 64-bit key equals it, or -1 if there is none"
    i = thread()
    guard(i)
    place = int(-1)
    for k in range(keys.shape[0]):
        if keys[k] == wanted[i]:
            place = k
            break
    places[i] = place
