# SPDX-License-Identifier: Apache-2.0
"""Which elements take part, whatever they are, and results that chance has a part in."""

partition_rank = quantity(int, "1", "rank of the owner", one="owner", many="owners ranks owner_ids", low=0, high=2)
own_rank = quantity(int, "1", "rank of this process", one="rank my_rank own_rank", low=0, high=2, uniform=True)
color_class = quantity(int, "1", "color", one="color", many="colors coloring color_ids", low=0, high=2)
current_color = quantity(int, "1", "color whose turn it is", one="color current_color active_color", low=0, high=2, uniform=True)
last_change = quantity(int, "1", "version", one="version", many="versions revisions stamps", low=0, high=3)
seen_version = quantity(int, "1", "latest version that was processed", one="last_version seen processed", low=0, high=2, uniform=True)
level_of_detail = quantity(int, "1", "level of detail", one="level", many="levels lod_levels depths", low=0, high=3)
detail_limit = quantity(int, "1", "finest level to work on", one="max_level finest level_limit", low=0, high=2, uniform=True)
own_error = quantity(float, "1", "error estimate", one="error", many="errors error_estimates", low=0.0, high=1.0)
error_limit = quantity(float, "1", "error that is small enough", one="tolerance tol max_error", low=0.2, high=0.8, uniform=True)
next_update = quantity(float, "s", "time of the next update", one="due", many="next_times due_times wake_times", low=0.0, high=2.0)
present_time = quantity(float, "s", "present time", one="time now sim_time", low=0.5, high=1.5, uniform=True)
index_stride = quantity(int, "1", "number of launches that take turns", one="stride num_phases num_turns", low=2, high=3, uniform=True)
index_phase = quantity(int, "1", "number of this launch among those that take turns, from 0 on", one="phase turn phase_index", low=0, high=1, uniform=True)
range_begin = quantity(int, "1", "start of the range of indices to work on", one="start begin range_start", low=1, high=2, uniform=True)
range_end = quantity(int, "1", "end of the range of indices to work on, the first index after it", one="end stop range_end", low=3, high=6, uniform=True)
work_share = quantity(float, "1", "probability of taking part", one="p_take take_rate participation", low=0.3, high=0.8, uniform=True)
accept_share = quantity(float, "1", "probability of an update", one="accept p_update update_rate", low=0.3, high=0.8, uniform=True)
angle_jitter = quantity(float, "rad", "largest size of the jitter", one="jitter spread", low=0.02, high=0.3, uniform=True)
distance_jitter = quantity(float, "m", "largest size of the jitter", one="jitter spread", low=0.02, high=0.3, uniform=True)
relative_noise = quantity(float, "1", "relative size of the noise", one="spread noise rel_noise", low=0.05, high=0.3, uniform=True)
layer_bits = quantity(int, "1", "layer bits", one="layer", many="layers layer_bits layer_masks", low=0, high=7)
visible_layers = quantity(int, "1", "bits of the layers that count", one="visible layer_mask wanted_layers", low=1, high=6, uniform=True)
solid_cell = quantity(int, "1", "solid flag", one="solid", many="solid obstacles is_solid", low=0, high=1)
status_word = quantity(int, "1", "status bits", one="status", many="status status_bits", low=0, high=7)
status_flag = quantity(int, "1", "bit of the alarm", one="flag alarm_bit bit", low=1, high=4, uniform=True)


@filter(of="particle body cell atom triangle tet grain row node beam voxel", share=8)
def owned(owners: partition_rank, rank: own_rank):
    "nothing is done for {elements} whose {owners} is not {rank}"
    if owners[here] != rank:
        return


@filter(of="hinge bond constraint spring pair spin contact", alone=True, share=10)
def of_color(colors: color_class, color: current_color):
    "only {elements} whose {colors} is {color} have their turn; for others nothing is done"
    if colors[here] != color:
        return


@filter(of="item body joint asset project object", share=5)
def changed_since(versions: last_change, seen: seen_version):
    "{elements} whose {versions} is not above {seen} have not changed since, and nothing is done for them"
    if versions[here] <= seen:
        return


@filter(of="triangle tet", share=5)
def coarse_enough(levels: level_of_detail, finest: detail_limit):
    "nothing is done for {elements} whose {levels} is above {finest}"
    if levels[here] > finest:
        return


@filter(of="row particle joint body problem point system query parameter", share=5)
def not_converged(errors: own_error, tolerance: error_limit):
    "nothing is done for {elements} whose {errors} is below {tolerance}"
    if errors[here] < tolerance:
        return


@filter(of="particle body joint atom grain satellite", share=7)
def due(times: next_update, time: present_time):
    "nothing is done for {elements} whose {times} is above {time}"
    if times[here] > time:
        return


@filter(dims=1, of="particle body joint atom walker person", alone=True, share=1)
def every_few(stride: index_stride, phase: index_phase):
    "launches take turns: this one works on {elements} whose index has the remainder {phase} when divided by {stride}; for others nothing is done"
    if here % stride != phase:
        return


@filter(dims=1, of="particle body joint atom sample query row node point key item path trade asset ray triangle vertex", share=4)
def in_range(begin: range_begin, end: range_end):
    "this launch works on the {elements} from {begin} up to, but not including, {end}; for others nothing is done"
    if any_of:
        if here < begin or here >= end:
            return
    elif any_of:
        if here < begin:
            return
        if here >= end:
            return


@filter(of="object body particle point ray segment", share=10)
def in_layers(layers: layer_bits, visible: visible_layers):
    "nothing is done for {elements} whose {layers} has none of the bits of {visible}"
    if (layers[here] & visible) == 0:
        return


@filter(of="cell voxel", fields="fluids", share=10)
def fluid_only(solid: solid_cell):
    "nothing is done for {elements} whose {solid} is not 0"
    if solid[here] != 0:
        return


@filter(of="person ant spin", share=1)
def random_subset(share: work_share, state: random_state):
    "a random number from 0 to 1 is drawn for each {element}, and nothing is done where it is not below {share}"
    if wp.randf(state) >= share:
        return


@ending(types="float vec", means="blend", of="walker spin person cell site unit weight sample", share=1)
def accepted_by_chance(accept: accept_share, previous: same, state: random_state, result: out.same):
    "draw a random number from 0 to 1, and store it in {result} if the number is below {accept}, else {previous}"
    if any_of:
        if wp.randf(state) < accept:
            result[here] = value
        else:
            result[here] = previous[here]
    elif any_of:
        result[here] = wp.where(wp.randf(state) < accept, value, previous[here])


@ending(types="float", means="range", linear=True, before="noisy", gives="noisy *", units="m, m/s, rad/s, K, V, T, V/m", of="sample probe ray satellite cell body particle", light=True, share=2)
def with_relative_noise(spread: relative_noise, state: random_state, result: out.same):
    "multiply it by 1 plus {spread} times a standard normal random number, and store it in {result}"
    result[here] = value * (1.0 + spread * wp.randn(state))


@ending(types="float", means="range", linear=True, before="jittered", gives="jittered *", units="rad", share=1)
def with_angle_jitter(spread: angle_jitter, state: random_state, result: out.same):
    "add {spread} times a random number from -1 to 1 to it, and store it in {result}"
    result[here] = value + spread * wp.randf(state, -1.0, 1.0)


@ending(types="float", means="range", linear=True, before="jittered", gives="jittered *", units="m", of="ray probe satellite sample", share=2)
def with_distance_jitter(spread: distance_jitter, state: random_state, result: out.same):
    "add {spread} times a random number from -1 to 1 to it, and store it in {result}"
    result[here] = value + spread * wp.randf(state, -1.0, 1.0)


@ending(types="float", means="range", linear=True, positive=True, before="jittered", gives="jittered *", units="m/s, rad/s, K", of="sample probe link joint ray body particle satellite point cell atom", light=True, share=1)
def with_uniform_jitter(spread: relative_noise, state: random_state, result: out.same):
    "multiply it by a random number from 1 - {spread} to 1 + {spread}, and store it in {result}"
    result[here] = value * (1.0 + spread * wp.randf(state, -1.0, 1.0))


@ending(types="float", means="alarm", positive=True, share=7)
def alarm_bit(allowed: uniform.same["", "middle"], flag: status_flag, before: status_word, status: out.status_word, result: out.same):
    "store it in {result}, and {before} in {status}, with the bits of {flag} set if it is above {allowed}"
    result[here] = value
    bits = before[here]
    if value > allowed:
        bits = bits | flag
    status[here] = bits
