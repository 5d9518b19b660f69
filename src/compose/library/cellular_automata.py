# SPDX-License-Identifier: Apache-2.0
"""Cellular automata: life, fires, sand, majority, growth."""

field("cellular automata", element="cell cells", other="cell cells", dims=2, apart=True, share=1)

life_state = quantity(int, "1", "states of the cells", one="alive", many="cells", low=0, high=1)
occupied_cell = quantity(int, "1", "occupied cells", one="occupied", many="occupied", low=0, high=1)
fire_state = quantity(int, "1", "states of the forest", one="s", many="forest", low=0, high=2)
growth_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
growth_chance = quantity(float, "1", "chance of growth for each occupied neighbor", one="chance p_grow", low=0.05, high=0.25, uniform=True)
sand_height = quantity(int, "1", "numbers of grains", one="grains", many="grains", low=0, high=7)
topple_height = quantity(int, "1", "height from which a cell topples", one="limit critical", low=4, high=5, uniform=True)
rule_number = quantity(int, "1", "number of the rule", one="rule", low=0, high=255, uniform=True)
line_state = quantity(int, "1", "states of the cells", one="s", many="cells", low=0, high=1)
cyclic_state = quantity(int, "1", "states of the cells", one="s", many="cells states", low=0, high=3)
number_of_states = quantity(int, "1", "number of states", one="num_states", low=3, high=5, uniform=True)
chemical_u = quantity(float, "1", "concentration of U", one="u", many="u", low=0.1, high=1.0, means="total")
chemical_v = quantity(float, "1", "concentration of V", one="v", many="v", low=0.1, high=1.0, means="total")
feed_rate = quantity(float, "1", "feed rate", one="feed", low=0.02, high=0.1, uniform=True)
kill_rate = quantity(float, "1", "kill rate", one="kill", low=0.02, high=0.1, uniform=True)
spread_rate = quantity(float, "1", "diffusion rate", one="d spread", low=0.05, high=0.25, uniform=True)
smooth_state = quantity(float, "1", "density", one="s", many="densities", low=0.1, high=1.0)
growth_center = quantity(float, "1", "density at which growth is largest", one="mu center", low=0.2, high=0.8, uniform=True)
growth_width = quantity(float, "1", "width of the growth", one="sigma width", low=0.1, high=0.5, uniform=True)
ant_row = quantity(int, "1", "rows of the ants", one="row", many="ant_rows", low=0, high=4)
ant_column = quantity(int, "1", "columns of the ants", one="col", many="ant_cols", low=0, high=4)
ant_heading = quantity(int, "1", "headings of the ants", one="heading", many="headings", low=0, high=3)
site_spin = quantity(int, "1", "spins of the sites, 1 or -1, and 0 for vacant sites", one="s", many="spins", low=-1, high=1)
spin_energy = quantity(float, "1", "energies of the sites", one="e", many="energies")
spin_coupling = quantity(float, "1", "coupling of neighboring spins", one="j_coupling", low=0.25, high=1.0, uniform=True)
outer_field = quantity(float, "1", "external field", one="b_field", uniform=True)
wind_column = quantity(int, "1", "column step of the wind", one="wind", low=-1, high=1, uniform=True)
lightning_chance = quantity(float, "1", "chance of lightning", one="p_lightning", low=0.1, high=0.5, uniform=True)
regrowth_chance = quantity(float, "1", "chance of growth", one="p_regrow", low=0.2, high=0.8, uniform=True)
car_position = quantity(int, "1", "cells of the cars, all different", one="x", many="car_cells")
car_speed = quantity(int, "1", "speeds of the cars in cells for each step", one="v", many="car_speeds", low=0, high=3)
road_length = quantity(int, "1", "number of cells of the road", one="road_length", low=20, high=30, uniform=True)
largest_speed = quantity(int, "1", "largest speed", one="v_max", low=2, high=4, uniform=True)
dawdle_chance = quantity(float, "1", "chance to dawdle", one="p_slow", low=0.2, high=0.8, uniform=True)


@formula
def gray_scott_u(
    u: chemical_u, v: chemical_v, w: west.chemical_u, e: east.chemical_u, n: north.chemical_u,
    s: south.chemical_u, d: spread_rate, feed: feed_rate,
) -> chemical_u:
    "by the first equation of Gray and Scott, {u} + {d} ({w} + {e} + {n} + {s} - 4 {u}) - {u} {v}^2 + {feed} (1 - {u})"
    laplacian = w + e + n + s - 4.0 * u
    return u + d * laplacian - u * v * v + feed * (1.0 - u)


@formula
def gray_scott_v(
    u: chemical_u, v: chemical_v, w: west.chemical_v, e: east.chemical_v, n: north.chemical_v,
    s: south.chemical_v, d: spread_rate, feed: feed_rate, kill: kill_rate,
) -> chemical_v:
    "by the second equation of Gray and Scott, in which v spreads half as fast as u, {v} + ({d} / 2) ({w} + {e} + {n} + {s} - 4 {v}) + {u} {v}^2 - ({feed} + {kill}) {v}"
    laplacian = w + e + n + s - 4.0 * v
    return v + 0.5 * d * laplacian + u * v * v - (feed + kill) * v


@formula
def smooth_growth(
    s: smooth_state, w: west.smooth_state, e: east.smooth_state, n: north.smooth_state,
    f: south.smooth_state, mu: growth_center, sigma: growth_width, dt: scaled_time_step,
) -> smooth_state:
    "{s} + {dt} (2 exp(-((m - {mu}) / {sigma})^2 / 2) - 1), clamped to the range from 0 to 1, where m is the mean of the four neighbors {w}, {e}, {n} and {f}"
    z = (0.25 * (w + e + n + f) - mu) / sigma
    return wp.clamp(s + dt * (2.0 * wp.exp(-0.5 * z * z) - 1.0), 0.0, 1.0)


@algorithm
def game_of_life(s: life_state["n,m", "0:2"], next_s: out.life_state["n,m"]):
    "computes one generation of Conway's game of life on a torus, where {s} has 1 for a living and 0 for a dead cell: a cell with three living ones among its eight neighbors becomes or stays alive, one with two stays as it is, and all others are dead in the next generation"
    i, j = thread()
    guard(i, j)
    rows = s.shape[0]
    cols = s.shape[1]
    around = -s[i, j]
    for di in range(-1, 2):
        for dj in range(-1, 2):
            around += s[(i + di + rows) % rows, (j + dj + cols) % cols]
    if around == 3:
        next_s[i, j] = 1
    elif around == 2:
        next_s[i, j] = s[i, j]
    else:
        next_s[i, j] = 0


@algorithm(dims=1)
def elementary_rule(
    s: line_state["n", "0:2"], rule: rule_number["", "0:256"], next_s: out.line_state["n"],
):
    "makes one step of an elementary cellular automaton on a ring: the new state of each cell is bit 4 l + 2 c + r of {rule}, where l, c and r are the states of its left neighbor, of itself and of its right neighbor"
    i = thread()
    guard(i)
    n = s.shape[0]
    pattern = 4 * s[(i + n - 1) % n] + 2 * s[i] + s[(i + 1) % n]
    next_s[i] = (rule >> pattern) & 1


@algorithm
def forest_fire(
    s: fire_state["n+2,m+2", "0:3"], wind: wind_column["", "-1:2"], next_s: out.fire_state["n,m"],
):
    "makes one step of a forest fire, where {s} is a forest with a margin of one cell: a burning cell (2) becomes empty (0); a tree (1) burns if its left or right neighbor burns, or the cell one row above and {wind} columns to the right does; all others stay as they are. Thread i, j works on the cell in row i + 1 and column j + 1 of {s}, and stores its next state at i, j"
    i, j = thread()
    guard(i, j)
    state = s[i + 1, j + 1]
    if state == 2:
        next_s[i, j] = 0
    elif state == 1 and (s[i + 1, j] == 2 or s[i + 1, j + 2] == 2 or s[i, j + 1 + wind] == 2):
        next_s[i, j] = 2
    else:
        next_s[i, j] = state


@algorithm
def topple_sand(
    grains: sand_height["n+2,m+2", "0:8"], limit: topple_height["", "4:6"],
    next_grains: out.sand_height["n,m"],
):
    "makes one step of a sand pile, where {grains} has a margin of one cell: a cell with at least {limit} grains loses four, and each cell gains one grain for each of its four neighbors that has at least {limit}. Thread i, j works on the cell in row i + 1 and column j + 1 of {grains}, and stores its next number of grains at i, j"
    i, j = thread()
    guard(i, j)
    own = grains[i + 1, j + 1]
    total = own
    if own >= limit:
        total -= 4
    if grains[i, j + 1] >= limit:
        total += 1
    if grains[i + 2, j + 1] >= limit:
        total += 1
    if grains[i + 1, j] >= limit:
        total += 1
    if grains[i + 1, j + 2] >= limit:
        total += 1
    next_grains[i, j] = total


@algorithm(share=2)
def cyclic_step(
    s: cyclic_state["n+2,m+2", "0:3"], states: number_of_states["", "3:5"],
    next_s: out.cyclic_state["n,m"],
):
    "makes one step of a cyclic cellular automaton, where {s} has a margin of one cell: a cell goes on to the next state, its state plus 1 modulo {states}, if at least two of the nine cells in the 3 x 3 window around it are in that state, else it stays as it is. Thread i, j works on the cell in row i + 1 and column j + 1 of {s}, and stores its next state at i, j"
    i, j = thread()
    guard(i, j)
    own = s[i + 1, j + 1]
    wanted = (own + 1) % states
    found = int(0)
    for di in range(3):
        for dj in range(3):
            if s[i + di, j + dj] == wanted:
                found += 1
    if found >= 2:
        next_s[i, j] = wanted
    else:
        next_s[i, j] = own


@algorithm
def ising_energy(
    s: site_spin["n,m", "-1:2"], j_coupling: spin_coupling, b: outer_field,
    e: out.spin_energy["n,m"],
):
    "the energy of each site of an Ising lattice on a torus: -s ({j_coupling} t + {b}), where s is its spin in {s} and t the sum of the spins one row below it and one column to the right of it"
    i, j = thread()
    guard(i, j)
    below = s[(i + 1) % s.shape[0], j]
    beside = s[i, (j + 1) % s.shape[1]]
    e[i, j] = -float(s[i, j]) * (j_coupling * float(below + beside) + b)


@algorithm(dims=1, element="ant ants")
def turn_ants(
    rows: ant_row["n", "0:4"], cols: ant_column["n", "0:4"], headings: ant_heading["n", "0:4"],
    s: life_state["4,4", "0:2"], new_headings: out.ant_heading["n"], new_rows: out.ant_row["n"],
    new_cols: out.ant_column["n"],
):
    "turns and moves Langton's ants on a torus of 4 by 4 cells: an ant, in the row {rows} and the column {cols}, turns right if {s} is 1 in its cell, left if it is 0, and then moves one cell in its new heading. Of headings 0 is up, to the row before, 1 is right, 2 is down and 3 is left"
    a = thread()
    guard(a)
    row = rows[a]
    col = cols[a]
    heading = (headings[a] + 2 * s[row, col] + 3) % 4
    if heading == 0:
        row -= 1
    elif heading == 1:
        col += 1
    elif heading == 2:
        row += 1
    else:
        col -= 1
    new_headings[a] = heading
    new_rows[a] = (row + s.shape[0]) % s.shape[0]
    new_cols[a] = (col + s.shape[1]) % s.shape[1]


@algorithm(share=2)
def random_growth(
    s: occupied_cell["n+2,m+2", "0:2"], chance: growth_chance, seed: growth_seed,
    next_s: out.occupied_cell["n,m"],
):
    "lets cells grow at random on a grid with a margin of one cell, where {s} has 1 for an occupied and 0 for a free cell: a free cell becomes occupied if a random number from 0 to 1 is below {chance} times the number of its four neighbors that are occupied, and occupied cells stay occupied; a number is drawn for free cells only. Thread i, j works on the cell in row i + 1 and column j + 1 of {s}, and stores the new state at i, j"
    i, j = thread()
    guard(i, j)
    rng = wp.rand_init(seed, i * next_s.shape[1] + j)
    near = s[i, j + 1] + s[i + 2, j + 1] + s[i + 1, j] + s[i + 1, j + 2]
    grown = s[i + 1, j + 1]
    if grown == 0 and wp.randf(rng) < chance * float(near):
        grown = 1
    next_s[i, j] = grown


@algorithm(share=2)
def fire_with_lightning(
    s: fire_state["n+2,m+2", "0:3"], p_regrow: regrowth_chance, p_lightning: lightning_chance,
    seed: growth_seed, next_s: out.fire_state["n,m"],
):
    "makes one step of a forest fire with lightning, where {s} is a forest with a margin of one cell: a burning cell (2) becomes empty (0), an empty cell becomes a tree (1) if a random number from 0 to 1 is below {p_regrow}, a tree burns if one of its four neighbors burns, and any other tree burns if a random number is below {p_lightning}; each cell draws at most one number. Thread i, j works on the cell in row i + 1 and column j + 1 of {s}, and stores its next state at i, j"
    i, j = thread()
    guard(i, j)
    rng = wp.rand_init(seed, i * next_s.shape[1] + j)
    own = s[i + 1, j + 1]
    new_state = int(own)
    if own == 2:
        new_state = 0
    elif own == 0:
        if wp.randf(rng) < p_regrow:
            new_state = 1
    elif s[i, j + 1] == 2 or s[i + 2, j + 1] == 2 or s[i + 1, j] == 2 or s[i + 1, j + 2] == 2:
        new_state = 2
    elif wp.randf(rng) < p_lightning:
        new_state = 2
    next_s[i, j] = new_state


@algorithm(dims=1, element="car cars", share=2)
def traffic_step(
    x: car_position["n", "distinct:16"], v: car_speed["n", "0:4"], road: road_length["", "20:31"],
    v_max: largest_speed["", "2:5"], p_slow: dawdle_chance, seed: growth_seed,
    x_out: out.car_position["n"], v_out: out.car_speed["n"],
):
    "makes a step of the traffic model of Nagel and Schreckenberg on a ring road of {road} cells: a car speeds up by 1, but not beyond {v_max}; then it brakes to the number of free cells up to the next car ahead, the smallest of ({x} of another car - its own {x}) modulo {road} over all other cars, minus 1; then it slows down by 1 if it moves and a random number from 0 to 1 is below {p_slow}; {v_out} gets this speed, and {x_out} gets {x} plus it, modulo {road}"
    i = thread()
    guard(i)
    rng = wp.rand_init(seed, i)
    own = x[i]
    free = int(road)
    for j in range(x.shape[0]):
        if j != i:
            free = wp.min(free, (x[j] - own + road) % road - 1)
    speed = wp.min(wp.min(v[i] + 1, v_max), free)
    if speed > 0 and wp.randf(rng) < p_slow:
        speed -= 1
    v_out[i] = speed
    x_out[i] = (own + speed) % road
