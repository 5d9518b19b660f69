# SPDX-License-Identifier: Apache-2.0
"""What is done with a result, other than to store it, and which elements take part."""

blend_weight = quantity(float, "1", "blending weight", one="alpha blend blend_weight", low=0.1, high=0.9, uniform=True)
exceedance = quantity(int, "1", "violation flag", one="violated", many="violations exceeded")
exceed_count = quantity(int, "1", "number of values above the allowed *", one="num_above", many="num_above count_above")
squared_error = quantity(float, "1", "total squared error of the *", one="loss", many="loss squared_error")
largest_change = quantity(float, "same as the result", "largest change of the *", one="change", many="residual max_change largest_change", low=0.1, high=1.0)
pinned_flag = quantity(int, "1", "pinned flag", one="pinned", many="pinned fixed is_pinned", low=0, high=1)
first_slot = quantity(int, "1", "first slot to fill, from 0 to 3", one="first offset start", low=0, high=3, uniform=True)
slot_index = quantity(int, "1", "slots of the results, all different", one="slot", many="slots order target_ids")
mask_flag = quantity(int, "1", "mask (0 or 1)", one="masked", many="valid mask is_valid", low=0, high=1)
history_row = quantity(int, "1", "row of the history to fill", one="row history_row time_row", low=0, high=3, uniform=True)
norm_limit = quantity(float, "same as the result", "largest length of the *", one="max_length limit", low=0.5, high=2.0, uniform=True)
result_length = quantity(float, "same as the result", "length of the *", one="length", many="lengths norms magnitudes")
result_tolerance = quantity(float, "1", "tolerance", one="tolerance eps dead_band", low=0.1, high=0.6, uniform=True)
bin_total = quantity(int, "1", "number of values in each bin", one="count", many="bins histogram hist")
bin_size = quantity(float, "same as the result", "width of a bin", one="bin_width bin_size", low=0.3, high=1.0, uniform=True)
element_kind = quantity(int, "1", "kind", one="kind", many="kinds kind_ids", low=0, high=2)
wanted_kind = quantity(int, "1", "wanted kind", one="kind wanted_kind active_kind", low=0, high=2, uniform=True)
lowest_kind = quantity(int, "1", "lowest wanted kind", one="kind_min min_kind first_kind", low=0, high=1, uniform=True)
highest_kind = quantity(int, "1", "highest wanted kind", one="kind_max max_kind last_kind", low=1, high=2, uniform=True)
sleeping_flag = quantity(int, "1", "sleeping flag", one="asleep", many="asleep sleeping is_asleep", low=0, high=1)
element_age = quantity(float, "s", "age", one="age", many="ages", low=0.0, high=2.0)
age_limit = quantity(float, "s", "largest age", one="max_age age_limit lifetime", low=0.5, high=2.0, uniform=True)
world_running = quantity(int, "1", "running flag of each world", one="running", many="world_active world_running world_enabled", low=0, high=1)
state_bits = quantity(int, "1", "state bits", one="bits", many="state_bits flag_bits status_bits", low=0, high=7)
wanted_bits = quantity(int, "1", "mask of wanted bits", one="mask bit_mask wanted_bits", low=1, high=6, uniform=True)


@ending(types="float vec", means="adds", fresh=True, linear=True, share=14)
def accumulate(result: out.same):
    "add it to {result}"
    result[here] += value


@ending(types="float", means="range", fresh=True, before="clamped", gives="clamped *", share=10)
def limited(lowest: uniform.same["", "low"], highest: uniform.same["", "high"], result: out.same):
    "clamp it to the range from {lowest} to {highest}, and store it in {result}"
    result[here] = any_of(wp.clamp(value, lowest, highest), wp.min(wp.max(value, lowest), highest))


@ending(types="float", means="peak", positive=True, before="peak", gives="new peak *", share=5)
def keep_larger(peak: same, new_peak: out.same):
    "store the larger of it and {peak} in {new_peak}"
    new_peak[here] = wp.max(peak[here], value)


@ending(types="float", means="lowest", positive=True, before="lowest", gives="new lowest *", share=4)
def keep_smaller(lowest: same, new_lowest: out.same):
    "store the smaller of it and {lowest} in {new_lowest}"
    new_lowest[here] = wp.min(lowest[here], value)


@ending(types="float vec", means="blend", fresh=True, before="blended", gives="blended *", share=9)
def blended(previous: same, alpha: blend_weight, result: out.same):
    "store {alpha} times it plus (1 - {alpha}) times {previous} in {result}"
    result[here] = any_of(alpha * value + (1.0 - alpha) * previous[here], wp.lerp(previous[here], value, alpha), previous[here] + alpha * (value - previous[here]))


@ending(types="float", means="alarm", positive=True, share=6)
def marked(allowed: uniform.same["", "middle"], violated: out.exceedance, result: out.same):
    "store it in {result}, and set {violated} to 1 if it is above {allowed}"
    result[here] = value
    if value > allowed:
        violated[here] = 1


@ending(types="float", means="alarm", positive=True, share=6)
def counted(allowed: uniform.same["", "middle"], above: out.exceed_count["1"], result: out.same):
    "store it in {result}, and add 1 atomically to {above} if it is above {allowed}"
    result[here] = value
    if value > allowed:
        wp.atomic_add(above, 0, 1)


@ending(types="float vec", means="total", linear=True, share=8)
def summed_up(total: out.same["1"], result: out.same):
    "store it in {result}, and add it to {total} atomically"
    result[here] = value
    wp.atomic_add(total, 0, value)


@ending(types="float", means="peak", share=3)
def largest_of_all(largest: out.same["1"], result: out.same):
    "store it in {result}, and raise {largest} to it by an atomic maximum"
    result[here] = value
    wp.atomic_max(largest, 0, value)


@ending(types="float", means="lowest", share=3)
def smallest_of_all(smallest: out.same["1"], result: out.same):
    "store it in {result}, and lower {smallest} to it by an atomic minimum"
    result[here] = value
    wp.atomic_min(smallest, 0, value)


@ending(types="float vec", means="total", linear=True, dims=1, share=5)
def summed_by_group(ids: element_to_group, total: out.same["g"], result: out.same):
    "store it in {result}, and add it atomically to `{total}[{ids}[i]]`"
    result[here] = value
    wp.atomic_add(total, ids[here], value)


@ending(types="float vec", means="total", linear=True, dims=1, after="by_group", share=5)
def only_by_group(ids: element_to_group, total: out.same["g"]):
    "add it atomically to `{total}[{ids}[i]]`"
    wp.atomic_add(total, ids[here], value)


@ending(types="float vec", means="goal", linear=True, after="error", gives="error of the *", share=7)
def difference(target: same, error: out.same):
    "store it minus {target} in {error}"
    error[here] = value - target[here]


@ending(types="float", means="goal", after="error", gives="squared error of the *", share=6)
def squared_difference(target: same, loss: out.squared_error["1"]):
    "add the square of its difference from {target} to {loss} atomically"
    error = value - target[here]
    wp.atomic_add(loss, 0, error * error)


@ending(types="vec", means="goal", after="error", gives="squared error of the *", share=6)
def squared_distance(target: same, loss: out.squared_error["1"]):
    "add the squared length of its difference from {target} to {loss} atomically"
    error = value - target[here]
    wp.atomic_add(loss, 0, any_of(wp.dot(error, error), wp.length_sq(error)))


@ending(types="float", means="settles", fresh=True, share=5)
def change_noted(previous: same, change: out.largest_change["1"], result: out.same):
    "store it in {result}, and raise {change} to the absolute value of its difference from {previous} by an atomic maximum"
    result[here] = value
    wp.atomic_max(change, 0, wp.abs(value - previous[here]))


@ending(types="float vec", units="m, m/s, rad, rad/s", of="particle vertex node body atom joint", alone=True, share=3)
def pinned_first(pinned: pinned_flag, current: same, result: out.same):
    "store it in {result}, or {current} where {pinned} is not 0"
    if pinned[here] != 0:
        result[here] = current[here]
        return
    result[here] = value


@ending(types="float vec", units="m, m/s, rad, rad/s", of="particle vertex node body atom joint", light=True, share=6)
def unless_pinned(pinned: pinned_flag, current: same, result: out.same):
    "store it in {result}, or {current} where {pinned} is not 0"
    if any_of:
        if pinned[here] != 0:
            result[here] = current[here]
        else:
            result[here] = value
    elif any_of:
        result[here] = wp.where(pinned[here] != 0, current[here], value)


@ending(types="float vec", linear=True, units="m, m/s, rad, rad/s", of="particle vertex node body atom joint", alone=True, share=3)
def free_alone(pinned: pinned_flag, result: out.same):
    "store it in {result} where {pinned} is 0, and leave {result} as it is elsewhere"
    if pinned[here] != 0:
        return
    result[here] = value


@ending(types="float vec", linear=True, units="m, m/s, rad, rad/s", of="particle vertex node body atom joint", light=True, share=5)
def where_free(pinned: pinned_flag, result: out.same):
    "store it in {result} where {pinned} is 0, and leave {result} as it is elsewhere"
    if pinned[here] == 0:
        result[here] = value


@ending(types="float vec", dims=1, linear=True, alone=True, share=3)
def into_history(row: history_row, recorded: out.same["4,n", "", "history of the *"]):
    "store it in `{recorded}[{row}, i]`"
    recorded[row, here] = value


@ending(types="vec", means="cap", before="capped", gives="capped *", share=8)
def shortened(limit: norm_limit, result: out.same):
    "store it in {result}, scaled down to the length {limit} if it is longer"
    length = wp.length(value)
    if length > limit:
        result[here] = value * (limit / length)
    else:
        result[here] = value


@ending(types="vec", means="length", share=6)
def with_length(lengths: out.result_length, result: out.same):
    "store it in {result}, and its length in {lengths}"
    result[here] = value
    lengths[here] = wp.length(value)


@ending(types="float", fields="signals", share=8)
def dead_band(eps: result_tolerance, result: out.same):
    "store it in {result}, or 0 where its absolute value is below {eps}"
    if wp.abs(value) < eps:
        result[here] = 0.0
    else:
        result[here] = value


@ending(types="float", means="bins", positive=True, share=6)
def in_histogram(width: bin_size, bins: out.bin_total["8"], result: out.same):
    "store it in {result}, and add 1 atomically to entry b of `{bins}`, where b is its quotient by {width}, rounded towards zero and clamped to the range from 0 to 7"
    result[here] = value
    wp.atomic_add(bins, wp.clamp(int(value / width), 0, 7), 1)


@ending(types="float vec int", linear=True, dims=1, alone=True, share=1)
def from_offset(first: first_slot, stored: out.same["n+3", "", "buffer of the *"]):
    "store it in `{stored}[{first} + i]`"
    stored[first + here] = value


@ending(types="float vec int", linear=True, dims=1, alone=True, share=2)
def in_slots(slots: slot_index["n", "distinct:n"], stored: out.same["n", "", "buffer of the *"]):
    "store it in `{stored}[{slots}[i]]`"
    stored[slots[here]] = value


@ending(types="float", means="zero", linear=True, alone=True, before="masked", gives="masked *", share=6)
def zero_where_masked(masked: mask_flag, result: out.same):
    "store it in {result}, or zero where {masked} is 0"
    if masked[here] == 0:
        result[here] = 0.0
        return
    result[here] = value


@ending(types="float", means="zero", linear=True, alone=True, light=True, before="masked", gives="masked *", share=6)
def zero_or_light_value(masked: mask_flag, result: out.same):
    "store it in {result}, or zero where {masked} is 0"
    if any_of:
        if masked[here] != 0:
            result[here] = value
        else:
            result[here] = 0.0
    elif any_of:
        result[here] = wp.where(masked[here] != 0, value, 0.0)


@filter(of="particle body atom vertex joint constraint contact tet triangle spring hinge", share=10)
def of_kind(kinds: element_kind, kind: wanted_kind):
    "only {elements} with {kinds} equal to {kind} take part; for others nothing is done"
    if kinds[here] != kind:
        return


@filter(of="particle body atom vertex joint constraint contact tet triangle spring hinge", share=14)
def of_kinds_between(kinds: element_kind, low: lowest_kind, high: highest_kind):
    "only {elements} with {kinds} from {low} to {high} take part; for others nothing is done"
    if kinds[here] < low or kinds[here] > high:
        return


@filter(of="particle body vertex joint", share=16)
def free_and_awake(pinned: pinned_flag, asleep: sleeping_flag):
    "nothing is done for {elements} whose {pinned} or {asleep} is not 0"
    if pinned[here] != 0 or asleep[here] != 0:
        return


@filter(dims=1, of="particle body joint atom", share=12)
def of_kind_in_running_world(kinds: element_kind, kind: wanted_kind, worlds: element_world, running: whole.world_running["g"]):
    "nothing is done for {elements} whose {kinds} is not {kind} or whose world is not running, where `{running}[{worlds}[i]]` is 0"
    if kinds[here] != kind or running[worlds[here]] == 0:
        return


@filter(of="particle body", share=8)
def awake(asleep: sleeping_flag):
    "nothing is done for {elements} whose {asleep} is not 0"
    if asleep[here] != 0:
        return


@filter(of="particle", fields="motion, fluids and flocks of particles", share=2)
def young(ages: element_age, limit: age_limit):
    "nothing is done for {elements} whose {ages} is above {limit}"
    if ages[here] > limit:
        return


@filter(dims=1, of="particle body joint system", share=10)
def in_running_world(worlds: element_world, running: whole.world_running["g"]):
    "nothing is done for {elements} whose world is not running, where `{running}[{worlds}[i]]` is 0"
    if running[worlds[here]] == 0:
        return


@filter(of="particle body vertex atom joint ray triangle tet spring grain", share=26)
def with_bits(bits: state_bits, mask: wanted_bits):
    "nothing is done for {elements} whose {bits} has none of the bits of {mask}"
    if (bits[here] & mask) == 0:
        return
