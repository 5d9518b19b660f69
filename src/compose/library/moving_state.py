# SPDX-License-Identifier: Apache-2.0
"""The state of particles, bodies, contracts: reset, reordered, copied to worlds and out of them, taken
from tables. In these algorithms `same` and `also` are quantities of a field with a state, which is
drawn for each kernel."""

field("moving state", element="element elements", other="world worlds", apart=True, share=6)

state_keep_flag = quantity(int, "1", "keep flag", one="keep", many="keep keep_mask alive", low=0, high=1)
state_valid_flag = quantity(int, "1", "valid flag", one="valid", many="valid is_valid", low=0, high=1)
state_source = quantity(int, "1", "source index", one="src", many="order sorted_ids source_ids", low=0, high=3)
state_target = quantity(int, "1", "target index", one="dst", many="slots target_ids dest_ids", low=0, high=3)
state_row = quantity(int, "1", "table row", one="row", many="row_ids table_ids row_map", low=-1, high=3)
state_pin = quantity(int, "1", "target index", one="pin", many="target_index pin_index attachment", low=-1, high=3)
state_pick = quantity(int, "1", "source index", one="src", many="source_ids picks", low=-1, high=4)
state_source_start = quantity(int, "1", "first entry to copy", one="src_start src_offset", low=0, high=4, uniform=True)
state_target_start = quantity(int, "1", "first entry to write", one="dst_start dst_offset", low=0, high=4, uniform=True)
state_world_start = quantity(int, "1", "first entry of each world", one="start", many="world_start world_offset", low=0, high=3)
state_world_count = quantity(int, "1", "number of entries of each world", one="count", many="world_count num_in_world", low=0, high=3)
state_world_flag = quantity(int, "1", "reset flag of each world", one="reset", many="world_mask reset_worlds world_reset", low=0, high=1)
state_world_index = quantity(int, "1", "worlds to reset", one="world", many="world_ids env_ids reset_ids", low=0, high=3)
state_delay = quantity(int, "1", "delay in steps", one="lag", many="delay lag delay_steps", low=0, high=3)
state_head = quantity(int, "1", "row that was written last", one="head newest", low=0, high=3, uniform=True)
state_in_use = quantity(int, "1", "number of entries in use", one="count", many="active_count num_active", low=0, high=4)
state_stamp = quantity(int, "1", "time stamp", one="stamp", many="stamp version", low=0, high=4)
incoming_stamp = quantity(int, "1", "incoming time stamp", one="stamp", many="incoming_stamp incoming_version", low=0, high=4)
state_age = quantity(int, "1", "age in steps", one="age", many="age steps_alive", low=0, high=5)
state_lifetime = quantity(int, "1", "largest age in steps", one="max_age lifetime", low=1, high=4, uniform=True)
state_source_kind = quantity(int, "1", "source type", one="kind", many="source_type source_kind", low=0, high=2)
state_table = quantity(float, "", "table with three columns", one="x", many="rows table columns")
flat_state = quantity(float, "", "components, one vector behind the other", one="x", many="flat buffer packed")
state_flat_start = quantity(int, "1", "first entry to write", one="start offset", low=0, high=3, uniform=True)
state_component = quantity(int, "1", "component to take", one="axis", many="axis_ids axes", low=0, high=2)
picked_component = quantity(float, "", "component", one="x", many="picked components")
state_owner = quantity(int, "1", "world of each entry", one="world", many="entry_world world_of", low=-1, high=2)


@algorithm(titles="reset_%_state reset_%s", share=60)
def reset_state(
    reset: flags["the reset flag of each {element}"], initial: same, initial2: also, current: same, current2: also,
    result: out.same, result2: out.also,
):
    "resets the {elements} whose flag in {reset} is set: {result} and {result2} get {initial} and {initial2}; for the others they get {current} and {current2}"
    i = thread()
    guard(i)
    if reset[i]:
        result[i] = initial[i]
        result2[i] = initial2[i]
    else:
        result[i] = current[i]
        result2[i] = current2[i]


@algorithm(titles="restore_* restore_%_*", share=30)
def restore_state(reset: flags["the reset flag of each {element}"], saved: same, result: out.same):
    "gives the {elements} whose flag in {reset} is set their saved value back: {result} gets {saved}; for the others it stays as it is"
    i = thread()
    guard(i)
    if reset[i]:
        result[i] = saved[i]


@algorithm(titles="reorder_%s permute_%s gather_%_state reorder_%_state", share=40)
def reorder_state(
    order: state_source["n", "distinct:n"], current: same, current2: also, result: out.same, result2: out.also,
):
    "reorders the {elements}: entry i of {result} and {result2} gets the entries of {current} and {current2} at `{order}[i]`"
    i = thread()
    guard(i)
    src = order[i]
    result[i] = current[src]
    result2[i] = current2[src]


@algorithm(titles="scatter_* scatter_%_* put_*_back", share=18)
def scatter_state(slot: state_target["n", "distinct:n"], current: same, result: out.same):
    "puts each value in its place: entry `{slot}[i]` of {result} gets entry i of {current}; no two entries of {slot} are equal"
    i = thread()
    guard(i)
    result[slot[i]] = current[i]


@algorithm(titles="compact_%s keep_%s compact_%_state", share=18)
def keep_some(
    keep: state_keep_flag["n", "0:2"], slot: state_target["n", "distinct:n"], current: same["n"], current2: also["n"],
    result: out.same["n"], result2: out.also["n"],
):
    "keeps the {elements} with 1 in {keep}: entry `{slot}[i]` of {result} and {result2} gets entry i of {current} and {current2}; no two entries of {slot} are equal"
    i = thread()
    guard(i)
    if keep[i] == 0:
        return
    dst = slot[i]
    result[dst] = current[i]
    result2[dst] = current2[i]


@algorithm(titles="copy_*_range copy_%_range", share=18)
def copy_range(
    src: state_source_start["", "0:5"], dst: state_target_start["", "0:5"], current: same["n+4"],
    result: out.same["n+4"],
):
    "copies a range: entry {dst} + i of {result} gets entry {src} + i of {current}"
    i = thread()
    result[dst + i] = current[src + i]


@algorithm(dims=2, titles="copy_*_to_worlds broadcast_* replicate_%_*", share=15)
def copy_to_worlds(current: same["m"], result: out.same["n,m"]):
    "gives all worlds the same state, with thread w, i for {element} i of world w: `{result}[w, i]` gets entry i of {current}"
    world, i = thread()
    result[world, i] = current[i]


@algorithm(dims=2, titles="gather_*_of_worlds split_*_by_world", share=21)
def rows_of_worlds(
    start: state_world_start["n", "0:5"], num: state_world_count["n", "0:m+1"], current: same["m+4"],
    result: out.same["n,m"],
):
    "brings the {elements} of all worlds, which lie one world after the other in {current}, into rows, with thread w, i for column i of row w: `{result}[w, i]` gets entry `{start}[w]` + i of {current} if i is below `{num}[w]`; else nothing is done"
    world, i = thread()
    if i >= num[world]:
        return
    result[world, i] = current[start[world] + i]


@algorithm(element="world worlds", titles="pack_*_of_worlds flatten_* pack_worlds", share=21)
def pack_worlds(slot: state_target["n", "distinct:n", "places of the worlds"], current: same["n,4"], packed: out.same["4*n"]):
    "packs worlds with four entries each into one flat array: with s = `{slot}[w]`, entries 4 s, 4 s + 1, 4 s + 2 and 4 s + 3 of {packed} get the four entries of row w of {current}; no two entries of {slot} are equal"
    world = thread()
    start = 4 * slot[world]
    for k in range(4):
        packed[start + k] = current[world, k]


@algorithm(dims=2, titles="reset_worlds reset_*_of_worlds", share=40)
def reset_worlds(reset: state_world_flag["n", "0:2"], initial: same["m"], result: out.same["n,m"]):
    "resets the worlds with 1 in {reset}, with thread w, i for {element} i of world w: `{result}[w, i]` gets entry i of {initial}; in other worlds nothing is done"
    world, i = thread()
    if reset[world] == 0:
        return
    result[world, i] = initial[i]


@algorithm(dims=2, titles="reset_selected_worlds reset_*_of_listed", share=40)
def reset_listed_worlds(
    ids: state_world_index["n", "distinct:n"], initial: same["m"], initial2: also["m"], result: out.same["n,m"],
    result2: out.also["n,m"],
):
    "resets the worlds in {ids}, with thread k, i for {element} i of world `{ids}[k]`: its entries of {result} and {result2}, which have a row for each world, get entry i of {initial} and of {initial2}; no world is listed twice"
    k, i = thread()
    world = ids[k]
    result[world, i] = initial[i]
    result2[world, i] = initial2[i]


@algorithm(titles="read_delayed_* delay_*", share=12)
def delayed_state(history: same["4,n", "", "history of the *"], lag: state_delay["n", "0:4"], head: state_head["", "0:4"], delayed: out.same["n"]):
    "reads old values out of a ring buffer: {history} has a row for each of the last four steps, the newest in row {head}, the one before in the row before it, and the last row comes before row 0; `{delayed}[i]` gets the value of {element} i from `{lag}[i]` steps ago"
    i = thread()
    guard(i)
    row = (head - lag[i] + 4) % 4
    delayed[i] = history[row, i]


@algorithm(titles="shift_*_history advance_*_history", share=18)
def shift_history(
    current: same["n"], history: same["4,n", "", "history of the *"], result: out.same["4,n", "", "new history of the *"],
):
    "shifts the history of each {element} by one step: row 0 of {result} gets {current}, and row r + 1 gets row r of {history}, whose last row is dropped"
    i = thread()
    guard(i)
    for r in range(3):
        result[r + 1, i] = history[r, i]
    result[0, i] = current[i]


@algorithm(titles="clear_* clear_%_* zero_*_masked", share=18)
def clear_state(reset: flags["the flag of each {element} to clear"], current: same, result: out.same):
    "clears the {elements} whose flag in {reset} is set: {result} gets zero for them, and {current} for the others"
    i = thread()
    guard(i)
    if reset[i]:
        result[i] = zero
        return
    result[i] = current[i]


@algorithm(titles="assign_*_from_table lookup_* look_up_*", share=21)
def state_of_table(row: state_row["n", "-1:l", "table rows, -1 for none"], table: same["l", "", "table of the *"], default: same["1"], result: out.same["n"]):
    "gives each {element} a value of a table: {result} gets the entry of {table} at `{row}[i]`, or the one entry of {default} where that is negative"
    i = thread()
    guard(i)
    r = row[i]
    if r < 0:
        result[i] = default[0]
    else:
        result[i] = table[r]


@algorithm(titles="apply_*_targets set_*_targets override_*", share=21)
def hold_at_targets(pin: state_pin["n", "-1:l", "target indices, -1 for none"], target: same["l", "", "targets of the *"], current: same["n"], result: out.same["n"]):
    "gives some {elements} target values: {result} gets the entry of {target} at `{pin}[i]` where that index is not negative, else {current}"
    i = thread()
    guard(i)
    k = pin[i]
    if k >= 0:
        result[i] = target[k]
    else:
        result[i] = current[i]


@algorithm(titles="copy_picked_* gather_valid_* gather_*", share=40)
def gather_within(
    pick: state_pick["n", "-1:m+1"], current: same["m"], current2: also["m"], gathered: out.same["n"], gathered2: out.also["n"],
):
    "gathers values: entry i of {gathered} and {gathered2} gets the entries of {current} and {current2} at `{pick}[i]`; where that is negative or not below the length of {current}, nothing is done"
    i = thread()
    guard(i)
    src = pick[i]
    if src < 0 or src >= current.shape[0]:
        return
    gathered[i] = current[src]
    gathered2[i] = current2[src]


@algorithm(titles="select_* choose_* pick_source_of_*", share=21)
def merge_states(
    kind: state_source_kind, measured: same, predicted: same, default: same, result: out.same,
):
    "chooses where the value of each {element} comes from: {result} gets {measured} if {kind} is 0, {predicted} if it is 1, else {default}"
    i = thread()
    guard(i)
    if kind[i] == 0:
        result[i] = measured[i]
    elif kind[i] == 1:
        result[i] = predicted[i]
    else:
        result[i] = default[i]


@algorithm(titles="fill_unused_%s pad_unused_%s pad_*", share=18)
def fill_unused(num: state_in_use["1", "0:n+1"], padding: same["1"], current: same["n"], result: out.same["n"]):
    "pads unused entries: {result} gets {current} for the first `{num}[0]` {elements} and the one entry of {padding} for the others"
    i = thread()
    if i >= num[0]:
        result[i] = padding[0]
        return
    result[i] = current[i]


@algorithm(titles="respawn_%s respawn_old_%s replace_old_%s", of="particle walker grain", share=21)
def respawn(
    age: state_age["n"], limit: state_lifetime, spawn: same["l+1", "", "start values of the *"], current: same["n"],
    result: out.same["n"], age_out: out.state_age["n"],
):
    "replaces old {elements}: where {age} of {element} i is at least {limit}, {result} gets the entry of {spawn} at i modulo its length, and {age_out} 0; else {result} gets {current}, and {age_out} is {age} + 1"
    i = thread()
    guard(i)
    if age[i] >= limit:
        result[i] = spawn[i % spawn.shape[0]]
        age_out[i] = 0
        return
    result[i] = current[i]
    age_out[i] = age[i] + 1


@algorithm(titles="take_newer_* update_*_from_messages accept_newer_*", share=18)
def take_newer(
    stamp: state_stamp["n"], newer: incoming_stamp["n"], current: same["n"], incoming: same["n"], result: out.same["n"],
    stamp_out: out.state_stamp["n"],
):
    "takes over incoming values that are newer: where {newer} is above {stamp}, {result} gets {incoming} and {stamp_out} gets {newer}; else they get {current} and {stamp}"
    i = thread()
    guard(i)
    own = stamp[i]
    if newer[i] > own:
        result[i] = incoming[i]
        stamp_out[i] = newer[i]
    else:
        result[i] = current[i]
        stamp_out[i] = own


@algorithm(titles="split_%s_into_rows split_*_into_rows", share=8)
def split_into_rows(current: same["n"], result: out.same["n,m"]):
    "brings a flat array into rows: entry i of {current} goes to row i // m and column i modulo m of {result}, which has m columns"
    i = thread()
    guard(i)
    cols = result.shape[1]
    result[i // cols, i % cols] = current[i]


@algorithm(titles="gather_*_of_entries copy_*_of_entries", share=40)
def values_of_entries(
    owner: state_owner["n", "-1:l", "worlds of the entries, -1 for unused ones"], src: state_source["n", "0:m", "columns of the entries"], current: same["l,m"], gathered: out.same["n", "", "* of the entries"],
):
    "collects the values of entries: {gathered} gets the value of {current} in row `{owner}[i]`, the world of entry i, and column `{src}[i]`; for entries whose world is negative nothing is done"
    i = thread()
    world = owner[i]
    if world < 0:
        return
    gathered[i] = current[world, src[i]]


@algorithm(titles="scatter_*_to_worlds write_*_to_worlds", share=40)
def entries_to_worlds(
    owner: state_owner["n", "-1:l", "worlds of the entries, -1 for unused ones"], slot: state_target["n", "distinct:n"], current: same["n"], result: out.same["l,n"],
):
    "distributes entries to their worlds: row `{owner}[i]`, the world of entry i, of {result} gets {current} in column `{slot}[i]`; entries whose world is negative are left out. No two entries of {slot} are equal"
    i = thread()
    world = owner[i]
    if world < 0:
        return
    result[world, slot[i]] = current[i]


@algorithm(titles="write_*_table pack_* export_*", types="vec", share=40)
def components_to_columns(current: same["n"], table: out.state_table["n,3"]):
    "writes the three components of each vector of {current} into the columns of its row of {table}"
    i = thread()
    guard(i)
    v = current[i]
    table[i, 0] = v[0]
    table[i, 1] = v[1]
    table[i, 2] = v[2]


@algorithm(titles="read_*_table unpack_* import_*", types="vec", share=40)
def columns_to_components(table: state_table["n,3"], offset: same["1"], result: out.same["n"]):
    "{result} gets for each {element} the vector of the three columns of its row of {table} plus the one entry of {offset}"
    i = thread()
    guard(i)
    result[i] = wp.vec3(table[i, 0], table[i, 1], table[i, 2]) + offset[0]


@algorithm(titles="flatten_* flatten_%_* write_flat_*", types="vec", share=40)
def flatten_vectors(start: state_flat_start["", "0:4"], current: same["n"], flat: out.flat_state["3*n+3"]):
    "writes the three components of each vector of {current} one after another: those of {element} i are the entries {start} + 3 i, {start} + 3 i + 1 and {start} + 3 i + 2 of {flat}"
    i = thread()
    guard(i)
    v = current[i]
    base = start + 3 * i
    flat[base + 0] = v[0]
    flat[base + 1] = v[1]
    flat[base + 2] = v[2]


@algorithm(titles="convert_*_axes swap_*_axes", types="vec", share=30)
def turn_axes_up(current: same, result: out.same):
    "brings vectors of a frame whose y axis points up into one whose z axis does: each (x, y, z) of {current} becomes (x, -z, y) in {result}"
    i = thread()
    guard(i)
    v = current[i]
    result[i] = wp.vec3(v[0], -v[2], v[1])


@algorithm(titles="select_*_axis extract_*_component", types="vec", share=30)
def component_along_axis(axis: state_component["n", "0:3"], current: same["n"], picked: out.picked_component["n"]):
    "{picked} gets the component of {current} that {axis} says: 0, 1 or 2"
    i = thread()
    guard(i)
    v = current[i]
    if axis[i] == 0:
        picked[i] = v[0]
    elif axis[i] == 1:
        picked[i] = v[1]
    else:
        picked[i] = v[2]
