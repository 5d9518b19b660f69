# SPDX-License-Identifier: Apache-2.0
"""Lattice Boltzmann: nine directions in the plane."""

field("lattice Boltzmann", element="cell cells", other="direction directions", dims=2, apart=True)

distribution = quantity(float, "1", "distributions, by direction, row and column", one="f", many="f distributions", low=0.1, high=1.0)
lattice_weight = quantity(float, "1", "weights of the directions", one="w", many="weights w", low=0.02, high=0.5)
lattice_x = quantity(int, "1", "steps of the directions along columns", one="cx", many="cx dir_x", low=-1, high=1)
lattice_y = quantity(int, "1", "steps of the directions along rows", one="cy", many="cy dir_y", low=-1, high=1)
opposite_direction = quantity(int, "1", "opposite directions", one="back", many="opposite", low=0, high=8)
lattice_density = quantity(float, "1", "density", one="rho", many="rho densities", low=0.5, high=2.0)
lattice_flow_x = quantity(float, "1", "horizontal flow", one="ux", many="ux", low=-0.3, high=0.3)
lattice_flow_y = quantity(float, "1", "vertical flow", one="uy", many="uy", low=-0.3, high=0.3)
lattice_relaxation = quantity(float, "1", "relaxation rate", one="omega", low=0.5, high=1.5, uniform=True)
body_push = quantity(float, "1", "body force", one="push force_x", low=0.01, high=0.1, uniform=True)
wall_flag = quantity(int, "1", "wall flag", one="wall", many="walls solid", low=0, high=1)
row_distribution = quantity(float, "1", "distributions, by direction and column", one="f", many="f distributions", low=0.1, high=1.0)
moving_wall = quantity(float, "1", "speed of the lid", one="lid lid_speed", low=0.05, high=0.2, uniform=True)
lattice_momentum = quantity(vec2, "1", "momentum", one="momentum", many="momenta")
lattice_total_momentum = quantity(vec2, "1", "total momentum", one="total", many="total total_momentum")
wall_force = quantity(vec2, "1", "force on the walls", one="force", many="force wall_force")
equilibrium_part = quantity(float, "1", "equilibrium", one="f_eq eq", many="f_eq")
lattice_pressure = quantity(float, "1", "pressure", one="p", many="pressures")


@formula
def eastward_equilibrium(
    rho: lattice_density, ux: lattice_flow_x, uy: lattice_flow_y,
) -> equilibrium_part:
    "{rho} / 9 times (1 + 3 {ux} + 4.5 {ux}^2 - 1.5 ({ux}^2 + {uy}^2)), for the direction of one column to the right"
    square = 1.5 * (ux * ux + uy * uy)
    return rho / 9.0 * (1.0 + 3.0 * ux + 4.5 * ux * ux - square)


@formula
def diagonal_equilibrium(
    rho: lattice_density, ux: lattice_flow_x, uy: lattice_flow_y,
) -> equilibrium_part:
    "{rho} / 36 times (1 + 3 c + 4.5 c^2 - 1.5 ({ux}^2 + {uy}^2)) with c = {ux} + {uy}, for the direction of one column to the right and one row down"
    along = ux + uy
    square = 1.5 * (ux * ux + uy * uy)
    return rho / 36.0 * (1.0 + 3.0 * along + 4.5 * along * along - square)


@formula
def cell_pressure(rho: lattice_density) -> lattice_pressure:
    "({rho} - 1) / 3"
    return (rho - 1.0) / 3.0


@algorithm
def moments(
    f: distribution["9,n,m"], cx: lattice_x["9", "-1:2"], cy: lattice_y["9", "-1:2"],
    rho: out.lattice_density["n,m"], ux: out.lattice_flow_x["n,m"], uy: out.lattice_flow_y["n,m"],
):
    "the density and the flow of each cell: {rho} gets the sum of its nine distributions, {ux} and {uy} get the sums of the distributions times {cx} and {cy} of their direction, divided by the density"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    mx = float(0.0)
    my = float(0.0)
    for q in range(9):
        value = f[q, i, j]
        total += value
        mx += value * float(cx[q])
        my += value * float(cy[q])
    rho[i, j] = total
    ux[i, j] = mx / total
    uy[i, j] = my / total


@algorithm
def collide(
    f: distribution["9,n,m"], w: lattice_weight["9"], cx: lattice_x["9", "-1:2"],
    cy: lattice_y["9", "-1:2"], rho: lattice_density["n,m"], ux: lattice_flow_x["n,m"],
    uy: lattice_flow_y["n,m"], omega: lattice_relaxation, f_out: out.distribution["9,n,m"],
):
    "relaxes the distributions by a BGK collision: each distribution moves by {omega} towards its equilibrium {w} {rho} (1 + 3 c + 4.5 c^2 - 1.5 ({ux}^2 + {uy}^2)), where c is {cx} {ux} + {cy} {uy} of the direction"
    i, j = thread()
    guard(i, j)
    u = ux[i, j]
    v = uy[i, j]
    density = rho[i, j]
    square = 1.5 * (u * u + v * v)
    for q in range(9):
        c = float(cx[q]) * u + float(cy[q]) * v
        equilibrium = w[q] * density * (1.0 + 3.0 * c + 4.5 * c * c - square)
        value = f[q, i, j]
        f_out[q, i, j] = value + omega * (equilibrium - value)


@algorithm
def stream_periodic(
    f: distribution["9,n,m"], cx: lattice_x["9", "-1:2"], cy: lattice_y["9", "-1:2"],
    f_out: out.distribution["9,n,m"],
):
    "streams the distributions on a periodic grid: each distribution comes from the cell {cy} rows and {cx} columns back"
    i, j = thread()
    rows = f.shape[1]
    cols = f.shape[2]
    for q in range(9):
        y = (i - cy[q] + rows) % rows
        x = (j - cx[q] + cols) % cols
        f_out[q, i, j] = f[q, y, x]


@algorithm
def stream_with_walls(
    f: distribution["9,n,m"], cx: lattice_x["9", "-1:2"], cy: lattice_y["9", "-1:2"],
    back: opposite_direction["9", "0:9"], walls: wall_flag["n,m", "0:2"],
    f_out: out.distribution["9,n,m"],
):
    "streams the distributions, with bounce-back at walls: each distribution comes from the cell {cy} rows and {cx} columns back; if that cell is a wall (1 in {walls}) or lies beyond the grid, the cell gets its own distribution of the opposite direction, {back}"
    i, j = thread()
    for q in range(9):
        y = i - cy[q]
        x = j - cx[q]
        bounced = True
        if y >= 0 and y < f.shape[1] and x >= 0 and x < f.shape[2]:
            if walls[y, x] == 0:
                f_out[q, i, j] = f[q, y, x]
                bounced = False
        if bounced:
            f_out[q, i, j] = f[back[q], i, j]


@algorithm
def push_flow(
    f: distribution["9,n,m"], w: lattice_weight["9"], cx: lattice_x["9", "-1:2"],
    push: body_push, walls: wall_flag["n,m", "0:2"], f_out: out.distribution["9,n,m"],
):
    "adds a body force along the rows, from column to column: each distribution of a cell grows by 3 {w} {cx} {push}; those of walls (1 in {walls}) are copied"
    i, j = thread()
    guard(i, j)
    strength = wp.where(walls[i, j] == 1, 0.0, push)
    for q in range(9):
        f_out[q, i, j] = f[q, i, j] + 3.0 * w[q] * float(cx[q]) * strength


@algorithm(dims=1)
def drag_lid(
    f: row_distribution["9,k"], w: lattice_weight["9"], cx: lattice_x["9", "-1:2"],
    cy: lattice_y["9", "-1:2"], lid: moving_wall, f_out: out.row_distribution["9,k"],
):
    "drags the row of cells below a moving lid: distributions with {cy} = 1 grow by 6 {w} {cx} {lid} times the density, which is the sum of the nine distributions of the cell; the others stay"
    j = thread()
    if j >= f.shape[1]:
        return
    rho = float(0.0)
    for q in range(9):
        rho += f[q, j]
    for q in range(9):
        value = f[q, j]
        if cy[q] == 1:
            value += 6.0 * w[q] * float(cx[q]) * lid * rho
        f_out[q, j] = value


@algorithm(share=2)
def momentum_of_cells(
    f: distribution["9,n,m"], cx: lattice_x["9", "-1:2"], cy: lattice_y["9", "-1:2"],
    walls: wall_flag["n,m", "0:2"], momenta: out.lattice_momentum["n,m"],
    total: out.lattice_total_momentum["1"],
):
    "sums up momenta: {momenta} gets the momentum of each cell, of walls as well, which is the sum of its distributions times the vectors ({cx}, {cy}) of their directions; the momenta of cells that are no walls (0 in {walls}) are added atomically to {total}[0]"
    i, j = thread()
    guard(i, j)
    p = wp.vec2(0.0, 0.0)
    for q in range(9):
        p += f[q, i, j] * wp.vec2(float(cx[q]), float(cy[q]))
    momenta[i, j] = p
    if walls[i, j] == 0:
        wp.atomic_add(total, 0, p)


@algorithm
def force_on_walls(
    f: distribution["9,n,m"], cx: lattice_x["9", "-1:2"], cy: lattice_y["9", "-1:2"],
    walls: wall_flag["n,m", "0:2"], force: out.wall_force["1"],
):
    "the force on the walls by momentum exchange: for each cell that is no wall (0 in {walls}) and each of the nine directions whose cell, {cy} rows down and {cx} columns to the right, lies in the grid and is a wall (1), twice the cell's distribution times ({cx}, {cy}); all of them are added to {force}[0], by one atomic per cell"
    i, j = thread()
    guard(i, j)
    if walls[i, j] == 1:
        return
    push = wp.vec2(0.0, 0.0)
    for q in range(9):
        y = i + cy[q]
        x = j + cx[q]
        if y >= 0 and y < f.shape[1] and x >= 0 and x < f.shape[2]:
            if walls[y, x] == 1:
                push += 2.0 * f[q, i, j] * wp.vec2(float(cx[q]), float(cy[q]))
    wp.atomic_add(force, 0, push)
