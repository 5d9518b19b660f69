# SPDX-License-Identifier: Apache-2.0
"""What is done with a result, other than to store it, and which elements take part."""

blend_weight = quantity(float, "1", "blending weight", one="alpha blend blend_weight", low=0.1, high=0.9, uniform=True)
own_gain = quantity(float, "1", "gain", one="gain", many="gains", low=0.5, high=2.0)
common_gain = quantity(float, "1", "gain of all", one="gain scale factor", low=0.5, high=2.0, uniform=True)
world_gain = quantity(float, "1", "gain of a world", one="gain", many="world_gains env_scales gain_of_world", low=0.5, high=2.0)
importance = quantity(float, "1", "importance", one="weight", many="importance importances", low=0.1, high=1.0)
exceedance = quantity(int, "1", "violation flag", one="violated", many="violations exceeded")
exceed_count = quantity(int, "1", "number of values above the critical one", one="num_above", many="num_above count_above")
squared_error = quantity(float, "1", "sum of the squared differences", one="loss", many="loss squared_error")
largest_change = quantity(float, "1", "largest change", one="change", many="residual max_change largest_change", low=0.1, high=1.0)
pinned_flag = quantity(int, "1", "pinned flag", one="pinned", many="pinned fixed is_pinned", low=0, high=1)
history_row = quantity(int, "1", "row of the history", one="row frame slot", low=0, high=3, uniform=True)
norm_limit = quantity(float, "1", "largest length", one="max_length limit", low=0.5, high=2.0, uniform=True)
result_length = quantity(float, "1", "length of the result", one="length", many="lengths norms magnitudes")
result_tolerance = quantity(float, "1", "tolerance", one="tolerance eps dead_band", low=0.1, high=0.6, uniform=True)
bin_total = quantity(int, "1", "number of results in each bin", one="count", many="bins histogram hist")
bin_size = quantity(float, "1", "width of a bin", one="bin_width bin_size", low=0.3, high=1.0, uniform=True)
element_kind = quantity(int, "1", "kind", one="kind", many="kinds types material_ids", low=0, high=2)
wanted_kind = quantity(int, "1", "wanted kind", one="kind wanted_kind active_kind", low=0, high=2, uniform=True)
sleeping_flag = quantity(int, "1", "sleeping flag", one="asleep", many="asleep sleeping is_asleep", low=0, high=1)
first_taken = quantity(int, "1", "first index that takes part", one="first begin start", low=0, high=2, uniform=True)
element_age = quantity(float, "s", "age", one="age", many="ages", low=0.0, high=2.0)
age_limit = quantity(float, "s", "largest age", one="max_age age_limit lifetime", low=0.5, high=2.0, uniform=True)
world_running = quantity(int, "1", "running flag of each world", one="running", many="world_running world_active env_enabled", low=0, high=1)
state_bits = quantity(int, "1", "state bits", one="bits", many="state_bits flag_bits status_bits", low=0, high=7)
wanted_bits = quantity(int, "1", "mask of wanted bits", one="mask bit_mask wanted_bits", low=1, high=6, uniform=True)
color_index = quantity(int, "1", "color of the sweep", one="color phase parity", low=0, high=1, uniform=True)
importance_limit = quantity(float, "1", "smallest importance", one="min_importance importance_limit", low=0.2, high=0.6, uniform=True)
layer_index = quantity(int, "1", "layer", one="layer", many="layers layer_ids", low=0, high=4)
lowest_layer = quantity(int, "1", "lowest layer that takes part", one="min_layer first_layer", low=0, high=2, uniform=True)
highest_layer = quantity(int, "1", "highest layer that takes part", one="max_layer last_layer", low=2, high=4, uniform=True)
owner_index = quantity(int, "1", "owner", one="owner", many="owners owner_ids", low=-1, high=3)


@ending(types="float vec int", sums=True, linear=True, share=14)
def accumulate(result: out.same):
    "add it to {result}"
    result[here] += value


@ending(types="float", share=8)
def limited(lowest: uniform.same["", "low"], highest: uniform.same["", "high"], result: out.same):
    "clamp it to the range from {lowest} to {highest}, and store it in {result}"
    result[here] = any_of(wp.clamp(value, lowest, highest), wp.min(wp.max(value, lowest), highest))


@ending(types="float", share=4)
def limited_below(lowest: uniform.same["", "middle"], result: out.same):
    "store it in {result}, or {lowest} if it is below that"
    result[here] = wp.max(value, lowest)


@ending(types="float", share=4)
def limited_above(highest: uniform.same["", "middle"], result: out.same):
    "store it in {result}, or {highest} if it is above that"
    result[here] = wp.min(value, highest)


@ending(types="float int", share=5)
def keep_larger(previous: same, result: out.same):
    "store the larger of it and {previous} in {result}"
    result[here] = wp.max(previous[here], value)


@ending(types="float int", share=4)
def keep_smaller(previous: same, result: out.same):
    "store the smaller of it and {previous} in {result}"
    result[here] = wp.min(previous[here], value)


@ending(types="float vec", share=9)
def blended(previous: same, alpha: blend_weight, result: out.same):
    "store {alpha} times it plus (1 - {alpha}) times {previous} in {result}"
    result[here] = any_of(alpha * value + (1.0 - alpha) * previous[here], wp.lerp(previous[here], value, alpha), previous[here] + alpha * (value - previous[here]))


@ending(types="float vec", share=5)
def amplified(factor: own_gain, result: out.same):
    "store {factor} times it in {result}"
    result[here] = factor[here] * value


@ending(types="float vec", share=5)
def amplified_alike(factor: common_gain, result: out.same):
    "store {factor} times it in {result}"
    result[here] = factor * value


@ending(types="float vec", dims=1, share=6)
def amplified_by_world(worlds: element_world, gains: whole.world_gain["g"], result: out.same):
    "store it times `{gains}[w]` in {result}, where `w` is the world {worlds}"
    result[here] = gains[worlds[here]] * value


@ending(types="float", share=5)
def if_above(critical: uniform.same["", "middle"], result: out.same):
    "store it in {result} if it is above {critical}, else leave {result} as it is"
    if value > critical:
        result[here] = value


@ending(types="float", share=4)
def zero_if_below(critical: uniform.same["", "middle"], result: out.same):
    "store it in {result}, or 0 if it is below {critical}"
    if value < critical:
        result[here] = 0.0
    else:
        result[here] = value


@ending(types="float", share=5)
def marked(critical: uniform.same["", "middle"], violated: out.exceedance, result: out.same):
    "store it in {result}, and set {violated} to 1 if it is above {critical}"
    result[here] = value
    if value > critical:
        violated[here] = 1


@ending(types="float", share=5)
def counted(critical: uniform.same["", "middle"], above: out.exceed_count["1"], result: out.same):
    "store it in {result}, and add 1 to {above} by an atomic if it is above {critical}"
    result[here] = value
    if value > critical:
        wp.atomic_add(above, 0, 1)


@ending(types="float vec", sums=True, linear=True, share=6)
def summed_up(total: out.same["1"], result: out.same):
    "store it in {result}, and add it to {total} by an atomic"
    result[here] = value
    wp.atomic_add(total, 0, value)


@ending(types="float", share=1)
def largest_of_all(largest: out.same["1"], result: out.same):
    "store it in {result}, and raise {largest} to it by an atomic maximum"
    result[here] = value
    wp.atomic_max(largest, 0, value)


@ending(types="float", share=1)
def smallest_of_all(smallest: out.same["1"], result: out.same):
    "store it in {result}, and lower {smallest} to it by an atomic minimum"
    result[here] = value
    wp.atomic_min(smallest, 0, value)


@ending(types="float vec", sums=True, linear=True, dims=1, share=5)
def summed_by_group(ids: element_to_group, total: out.same["g"], result: out.same):
    "store it in {result}, and add it to `{total}[g]` by an atomic, where `g` is {ids}"
    result[here] = value
    wp.atomic_add(total, ids[here], value)


@ending(types="float vec", sums=True, linear=True, dims=1, share=5)
def only_by_group(ids: element_to_group, total: out.same["g"]):
    "add it to `{total}[g]` by an atomic, where `g` is {ids}"
    wp.atomic_add(total, ids[here], value)


@ending(types="float vec", linear=True, share=5)
def difference(target: same, result: out.same):
    "store it minus {target} in {result}"
    result[here] = value - target[here]


@ending(types="float", share=4)
def squared_difference(target: same, loss: out.squared_error["1"]):
    "add the square of its difference from {target} to {loss} by an atomic"
    error = value - target[here]
    wp.atomic_add(loss, 0, error * error)


@ending(types="vec", share=4)
def squared_distance(target: same, loss: out.squared_error["1"]):
    "add the squared length of its difference from {target} to {loss} by an atomic"
    error = value - target[here]
    wp.atomic_add(loss, 0, any_of(wp.dot(error, error), wp.length_sq(error)))


@ending(types="float", share=1)
def change_noted(previous: same, change: out.largest_change["1"], result: out.same):
    "store it in {result}, and raise {change} to the absolute value of its difference from {previous} by an atomic maximum"
    result[here] = value
    wp.atomic_max(change, 0, wp.abs(value - previous[here]))


@ending(types="float vec", share=6)
def unless_pinned(pinned: pinned_flag, previous: same, result: out.same):
    "store it in {result}, or {previous} where {pinned} is not 0"
    if pinned[here] != 0:
        result[here] = previous[here]
    else:
        result[here] = value


@ending(types="float vec", linear=True, share=5)
def where_free(pinned: pinned_flag, result: out.same):
    "store it in {result} where {pinned} is 0"
    if pinned[here] == 0:
        result[here] = value


@ending(types="float vec", dims=1, linear=True, share=4)
def into_history(row: history_row, recorded: out.same["4,n"]):
    "store it in row {row} of `{recorded}`, in the column of the {element}"
    recorded[row, here] = value


@ending(types="vec", share=4)
def shortened(limit: norm_limit, result: out.same):
    "store it in {result}, shortened to the length {limit} if it is longer"
    length = wp.length(value)
    if length > limit:
        result[here] = value * (limit / length)
    else:
        result[here] = value


@ending(types="vec", share=4)
def with_length(lengths: out.result_length, result: out.same):
    "store it in {result}, and its length in {lengths}"
    result[here] = value
    lengths[here] = wp.length(value)


@ending(types="float", share=4)
def dead_band(eps: result_tolerance, result: out.same):
    "store it in {result}, or 0 where its absolute value is below {eps}"
    if wp.abs(value) < eps:
        result[here] = 0.0
    else:
        result[here] = value


@ending(types="float", share=3)
def in_histogram(width: bin_size, bins: out.bin_total["8"], result: out.same):
    "store it in {result}, and add 1 by an atomic to the entry of `{bins}` for it: its quotient by {width}, rounded towards zero and clamped to 0 to 7"
    result[here] = value
    wp.atomic_add(bins, wp.clamp(int(value / width), 0, 7), 1)


@filter(share=10)
def of_kind(kinds: element_kind, kind: wanted_kind):
    "only {elements} with {kinds} equal to {kind} take part; for others nothing is done"
    if kinds[here] != kind:
        return


@filter(share=8)
def awake(asleep: sleeping_flag):
    "nothing is done for {elements} whose {asleep} is not 0"
    if asleep[here] != 0:
        return


@filter(dims=1, share=6)
def from_first(first: first_taken):
    "nothing is done for {elements} with an index below {first}"
    if here < first:
        return


@filter(share=5)
def young(ages: element_age, limit: age_limit):
    "nothing is done for {elements} whose {ages} is above {limit}"
    if ages[here] > limit:
        return


@filter(dims=1, share=8)
def in_running_world(worlds: element_world, running: whole.world_running["g"]):
    "nothing is done for {elements} of a world `w`, which is {worlds}, whose `{running}[w]` is 0"
    if running[worlds[here]] == 0:
        return


@filter(share=6)
def with_bits(bits: state_bits, mask: wanted_bits):
    "nothing is done for {elements} whose {bits} has none of the bits of {mask}"
    if (bits[here] & mask) == 0:
        return


@filter(dims=1, share=5)
def of_color(color: color_index):
    "only {elements} whose index leaves the remainder {color} when divided by 2 take part; for others nothing is done"
    if here % 2 != color:
        return


@filter(share=5)
def important(weights: importance, least: importance_limit):
    "nothing is done for {elements} whose {weights} is below {least}"
    if weights[here] < least:
        return


@filter(share=5)
def between_layers(layers: layer_index, lowest: lowest_layer, highest: highest_layer):
    "only {elements} with {layers} from {lowest} to {highest} take part; for others nothing is done"
    if layers[here] < lowest or layers[here] > highest:
        return


@filter(share=5)
def owned(owners: owner_index):
    "nothing is done for {elements} whose {owners} is negative"
    if owners[here] < 0:
        return
