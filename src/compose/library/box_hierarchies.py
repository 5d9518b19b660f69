# SPDX-License-Identifier: Apache-2.0
"""Boxes in a hierarchy: overlaps, candidate pairs, rays."""

field("hierarchies of boxes", element="body bodies", other="obstacle obstacles", share=6)

lower_corner = quantity(vec3, "m", "lower corner", one="lo lower", many="lowers body_lowers")
upper_corner = quantity(vec3, "m", "upper corner", one="hi upper", many="uppers body_uppers")
bound_center = quantity(vec3, "m", "center", one="c center", many="centers box_centers")
bound_radius = quantity(float, "m", "radius", one="r radius", many="radii box_radii", low=0.25, high=1.0)
bound_margin = quantity(float, "m", "safety margin", one="margin", low=0.05, high=0.5, uniform=True)
overlap_count = quantity(int, "1", "number of overlaps", one="count", many="counts overlap_counts", low=0, high=9)
overlap_entry = quantity(int, "1", "boxes that overlap", one="candidate", many="pairs candidates", low=-1, high=9)
box_weight = quantity(float, "kg", "mass", one="mass", many="box_masses masses", low=0.5, high=4.0)
gathered_weight = quantity(float, "kg", "overlapped mass", one="total", many="gathered totals", means="total zero")
nearest_box = quantity(int, "1", "nearest box", one="nearest", many="nearest nearest_boxes", low=-1, high=9)
box_group = quantity(int, "1", "collision group", one="group", many="groups collision_groups", low=0, high=2)
push_force = quantity(vec3, "N", "force", one="f", many="forces push_forces", means="adds total length cap")
push_stiffness = quantity(float, "N/m", "contact stiffness", one="k stiffness", low=0.5, high=4.0, uniform=True)
beam_origin = quantity(vec3, "m", "beam origin", one="o", many="beam_origins", low=0.0, high=4.0)
beam_direction = quantity(vec3, "1", "beam direction", one="d", many="beam_dirs")
body_location = quantity(vec3, "m", "position", one="x", many="body_x body_positions")
body_motion = quantity(vec3, "m/s", "velocity", one="v", many="body_v body_velocities")
obstacle_force = quantity(vec3, "N", "reaction force", one="f", many="obstacle_forces reactions")
body_radius = quantity(float, "m", "radius", one="own_radius", many="body_radii body_radius", low=0.2, high=1.0)
obstacle_radius = quantity(float, "m", "radius", one="radius", many="obstacle_radii obstacle_radius", low=0.2, high=1.0)
sweep_time = quantity(float, "s", "time step", one="dt", low=0.01, high=0.5, uniform=True)
query_reach = quantity(float, "m", "reach of the search", one="search_reach max_reach", low=0.5, high=2.0, uniform=True)
box_mark = quantity(int, "1", "number of visits", one="visits", many="visits touched", low=0, high=9)


@algorithm
def count_overlaps(bvh: bvh_id, lowers: lower_corner, uppers: upper_corner, counts: out.overlap_count):
    "counts the overlaps of each body: the boxes of {bvh} that meet the body's own box, whose corners are the componentwise minimum and maximum of its entries of {lowers} and {uppers}"
    i = thread()
    guard(i)
    lo = wp.min(lowers[i], uppers[i])
    hi = wp.max(lowers[i], uppers[i])
    query = wp.bvh_query_aabb(bvh, lo, hi)
    k = int(0)
    n = int(0)
    while wp.bvh_query_next(query, k):
        n += 1
    counts[i] = n


@algorithm
def list_candidates(bvh: bvh_id, centers: body_location, margin: bound_margin, radii: bound_radius,
                    pairs: out.overlap_entry["n,4"], counts: out.overlap_count):
    "lists candidates for collisions: each row of {pairs} gets the indices of the first four boxes that a query of {bvh} gives, in the order of the query, for the cube around {centers} of the body with the half width {radii} + {margin}, and {counts} gets the number of all boxes that the query gives; if there are fewer than four, the other entries of the row stay as they are"
    i = thread()
    guard(i)
    c = centers[i]
    half = radii[i] + margin
    reach = wp.vec3(half, half, half)
    n = int(0)
    query = wp.bvh_query_aabb(bvh, c - reach, c + reach)
    k = int(0)
    while wp.bvh_query_next(query, k):
        if n < 4:
            pairs[i, n] = k
        n += 1
    counts[i] = n


@algorithm
def gather_masses_of_overlaps(bvh: bvh_id, x: body_location, radius: query_reach, masses: other.box_weight,
                              totals: out.gathered_weight):
    "gathers masses: for each body the sum of {masses} over the boxes in {bvh} that meet the cube around {x} with the half width {radius}"
    i = thread()
    guard(i)
    p = x[i]
    reach = wp.vec3(radius, radius, radius)
    total = float(0.0)
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    k = int(0)
    while wp.bvh_query_next(query, k):
        total += masses[k]
    totals[i] = total


@algorithm
def find_nearest_box(bvh: bvh_id, x: body_location, radius: query_reach, centers: other.bound_center, nearest: out.nearest_box):
    "finds the nearest box of each body at {x}: the index of the box whose center, in {centers}, is nearest and less than {radius} away, among those of {bvh} that meet the cube around {x} with the half width {radius}; -1 if there is none"
    i = thread()
    guard(i)
    p = x[i]
    reach = wp.vec3(radius, radius, radius)
    best = int(-1)
    least = radius
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    k = int(0)
    while wp.bvh_query_next(query, k):
        d = wp.length(centers[k] - p)
        if d < least:
            least = d
            best = k
    nearest[i] = best


@algorithm
def push_out_of_obstacles(bvh: bvh_id, x: body_location, r: bound_radius, centers: other.bound_center, radii: other.bound_radius,
                          k: push_stiffness, f: out.push_force):
    "pushes bodies out of obstacles, both spheres: a query of {bvh} gives the boxes that meet the cube around {x} with the half width {r}, the body's own radius. Each of these obstacles, with its center in {centers} and its radius in {radii}, that overlaps the body adds {k} times the depth of the overlap, along the unit vector from its center to {x}"
    i = thread()
    guard(i)
    p = x[i]
    own = r[i]
    reach = wp.vec3(own, own, own)
    total = wp.vec3()
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    j = int(0)
    while wp.bvh_query_next(query, j):
        d = p - centers[j]
        depth = own + radii[j] - wp.length(d)
        if depth > 0.0:
            total += wp.normalize(d) * (k * depth)
    f[i] = total


@algorithm
def count_swept_overlaps(bvh: bvh_id, x: body_location, v: body_motion, dt: sweep_time, margin: bound_margin,
                         counts: out.overlap_count):
    "counts for each body the boxes of {bvh} that meet the box around its path from {x} to {x} + {dt} {v}; that box goes from the componentwise minimum of both positions minus {margin} to their componentwise maximum plus {margin}"
    i = thread()
    guard(i)
    p = x[i]
    q = p + v[i] * dt
    thick = wp.vec3(margin, margin, margin)
    query = wp.bvh_query_aabb(bvh, wp.min(p, q) - thick, wp.max(p, q) + thick)
    k = int(0)
    n = int(0)
    while wp.bvh_query_next(query, k):
        n += 1
    counts[i] = n


@algorithm
def count_overlaps_of_other_groups(bvh: bvh_id, x: body_location, radius: query_reach, group_ids: box_group,
                                   box_groups: other.box_group, counts: out.overlap_count):
    "counts for each body the boxes of {bvh} that meet the cube around {x} with the half width {radius} and whose group in {box_groups} is not the body's own in {group_ids}"
    i = thread()
    guard(i)
    p = x[i]
    own = group_ids[i]
    reach = wp.vec3(radius, radius, radius)
    n = int(0)
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    k = int(0)
    while wp.bvh_query_next(query, k):
        if box_groups[k] != own:
            n += 1
    counts[i] = n


@algorithm(element="beam beams")
def count_boxes_on_beam(bvh: bvh_id, o: beam_origin, d: beam_direction, counts: out.overlap_count):
    "counts the boxes of {bvh} that are hit by each beam, a ray from {o} along {d}"
    i = thread()
    guard(i)
    query = wp.bvh_query_ray(bvh, o[i], d[i])
    k = int(0)
    n = int(0)
    while wp.bvh_query_next(query, k):
        n += 1
    counts[i] = n


@algorithm
def count_touched_boxes(bvh: bvh_id, x: body_location, radius: query_reach, visits: out_other.box_mark):
    "each body adds 1 atomically to {visits} of each box of {bvh} that meets the cube around {x} with the half width {radius}"
    i = thread()
    guard(i)
    p = x[i]
    reach = wp.vec3(radius, radius, radius)
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    k = int(0)
    while wp.bvh_query_next(query, k):
        wp.atomic_add(visits, k, 1)


@algorithm
def push_bodies_and_obstacles(bvh: bvh_id, x: body_location, r: body_radius, centers: other.bound_center, radii: other.obstacle_radius,
                              k: push_stiffness, f: out.push_force, reactions: out_other.obstacle_force):
    "adds up contact forces between bodies and obstacles, both spheres: for each obstacle whose box in {bvh} meets the cube around {x} with the half width {r}, and whose sphere with the center in {centers} and the radius in {radii} overlaps the body's own, the force {k} times the depth of the overlap along the unit vector from that center to {x} is added atomically to {f} of the body and subtracted from {reactions} of the obstacle"
    i = thread()
    guard(i)
    p = x[i]
    own = r[i]
    reach = wp.vec3(own, own, own)
    query = wp.bvh_query_aabb(bvh, p - reach, p + reach)
    j = int(0)
    while wp.bvh_query_next(query, j):
        d = p - centers[j]
        depth = own + radii[j] - wp.length(d)
        if depth > 0.0:
            push = wp.normalize(d) * (k * depth)
            wp.atomic_add(f, i, push)
            wp.atomic_sub(reactions, j, push)
