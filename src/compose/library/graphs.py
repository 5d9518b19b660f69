# SPDX-License-Identifier: Apache-2.0
"""Graphs."""

field("graphs", element="node nodes", other="node nodes", link="edge edges",
      group="community communities")

graph_level = quantity(int, "1", "level", one="level", many="levels depths", low=-1, high=3)
current_level = quantity(int, "1", "current level", one="level depth current", low=0, high=2, uniform=True)
change_count = quantity(int, "1", "number of changes", one="changed", many="changed num_changed", low=0, high=2)
node_degree = quantity(int, "1", "degree", one="degree deg", many="degrees degree", low=0, high=5)
node_label = quantity(int, "1", "label", one="label", many="labels components", low=0, high=6)
node_part = quantity(int, "1", "part", one="part", many="parts partition part_ids", low=0, high=2)
page_rank = quantity(float, "1", "rank", one="rank r", many="ranks rank", low=0.1, high=1.0)
rank_damping = quantity(float, "1", "damping factor", one="damping alpha", low=0.1, high=0.9, uniform=True)
edge_weight = quantity(float, "1", "edge weight", one="w weight", many="weights edge_weights w", low=0.1, high=2.0)
path_length = quantity(float, "1", "distance from the source", one="dist", many="dist distances", low=0.1, high=8.0)
parent_node = quantity(int, "1", "predecessor", one="parent", many="parents predecessors pred", low=0, high=4)
triangle_count = quantity(int, "1", "number of triangles", one="triangles", many="triangles triangle_counts", low=0, high=6)
node_color = quantity(int, "1", "color", one="color", many="colors", low=-1, high=4)
node_priority = quantity(int, "1", "priority", one="priority", many="priorities priority", low=0, high=9)
node_state = quantity(int, "1", "state", one="state", many="states status", low=0, high=2)
node_alive = quantity(int, "1", "alive flag", one="alive", many="alive", low=0, high=1)
core_number = quantity(int, "1", "core number", one="k", low=1, high=3, uniform=True)
cut_weight = quantity(float, "1", "weight of the cut", one="cut", many="cut cut_weight")
path_count = quantity(float, "1", "number of shortest paths", one="sigma", many="sigma path_counts", low=0.5, high=4.0)
dependency = quantity(float, "1", "dependency", one="delta", many="delta dependencies")
clustering = quantity(float, "1", "clustering coefficient", one="coefficient", many="clustering coefficients", low=0.1, high=1.0)
adjacency_start = quantity(int, "1", "first edge", one="first", many="offsets row_start adj_start")
adjacent_node = quantity(int, "1", "neighbor", one="j", many="neighbors adj adj_nodes")
similarity = quantity(float, "1", "similarity", one="similarity", many="similarities scores", low=0.1, high=1.0)
walker_node = quantity(int, "1", "walker", one="node", many="walkers current_nodes", low=0, high=4)
walk_seed = quantity(int, "1", "seed", one="seed", low=0, high=1000, uniform=True)
node_signal = quantity(float, "1", "signal", one="u x value", many="signal values u")
signal_flow = quantity(float, "1", "Laplacian of the signal", one="lap flow", many="laplacian lap", sums=True)
hub_score = quantity(float, "1", "hub score", one="hub", many="hubs hub_scores", low=0.1, high=1.0)
authority_score = quantity(float, "1", "authority score", one="authority", many="authorities", low=0.1, high=1.0)


@formula(opposite=True)
def laplacian_term(x: node_signal, y: other.node_signal, w: link.edge_weight) -> signal_flow:
    "{w} times the difference of {y} and {x}"
    return w * (y - x)


@formula
def diffuse_signal(x: node_signal, lap: signal_flow, dt: time_step) -> node_signal:
    "{x} plus {dt} times {lap}"
    return x + dt * lap


@formula
def clustering_coefficient(triangles: triangle_count, degree: node_degree) -> clustering:
    "twice {triangles} divided by the number of ordered pairs of neighbors, {degree} times ({degree} - 1); 0 if {degree} is below 2"
    if degree < 2:
        return 0.0
    return 2.0 * float(triangles) / float(degree * (degree - 1))


@algorithm
def bfs_pull(
    offsets: row_offsets, neighbors: link_to_other, level: graph_level, depth: current_level,
    next_level: out.graph_level,
):
    "one step of a breadth-first search: a node without a {level} (-1) gets {depth} + 1 if one of its neighbors has the level {depth}; all other nodes keep theirs"
    i = thread()
    guard(i)
    if level[i] >= 0:
        next_level[i] = level[i]
        return
    found = int(-1)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if level[j] == depth:
            found = depth + 1
            break
    next_level[i] = found


@algorithm
def bfs_push(
    offsets: adjacency_start["n+1", "rising:3"], neighbors: adjacent_node["3*n+3", "0:n"],
    level: graph_level["n", "-1:2"], depth: current_level["", "0:2"],
    next_level: out.graph_level["n", "-1:1"], changed: out.change_count["1"],
):
    "each node of the frontier, whose {level} is {depth}, raises {next_level} of its unvisited neighbors, those of negative {level}, to {depth} + 1 by an atomic maximum, and counts each of them in {changed}[0]"
    i = thread()
    guard(i)
    if level[i] != depth:
        return
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if level[j] < 0:
            wp.atomic_max(next_level, j, depth + 1)
            wp.atomic_add(changed, 0, 1)


@algorithm
def count_in_degrees(offsets: row_offsets, neighbors: link_to_other, degree: out.node_degree):
    "adds 1 to the {degree} of the target of each edge of each node, except for edges from a node to itself"
    i = thread()
    guard(i)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if j != i:
            wp.atomic_add(degree, j, 1)


@algorithm
def weighted_degree(
    offsets: row_offsets, neighbors: link_to_other, w: link.edge_weight,
    strength: out.node_signal,
):
    "the sum of {w} over the edges of each node; an edge from a node to itself counts twice"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        if neighbors[k] == i:
            total += 2.0 * w[k]
        else:
            total += w[k]
    strength[i] = total


@algorithm
def propagate_labels(
    offsets: row_offsets, neighbors: link_to_other, label: node_label, new_label: out.node_label,
    changed: out.change_count["1"],
):
    "each node takes the smallest of its own {label} and those of its neighbors; {changed}[0] counts the nodes whose label became smaller"
    i = thread()
    guard(i)
    smallest = label[i]
    for k in range(offsets[i], offsets[i + 1]):
        smallest = wp.min(smallest, label[neighbors[k]])
    new_label[i] = smallest
    if smallest < label[i]:
        wp.atomic_add(changed, 0, 1)


@algorithm(over="link")
def hook_components(ends: link_ends, label: node_label["n", "0:n"], root: out.node_label["n"]):
    "for each edge of two nodes of different {label}, the larger label's entry of {root} is lowered to the smaller label by an atomic minimum"
    e = thread()
    a = label[ends[e, 0]]
    b = label[ends[e, 1]]
    if a == b:
        return
    low = wp.min(a, b)
    high = wp.max(a, b)
    wp.atomic_min(root, high, low)


@algorithm
def compress_labels(parent: node_label["n", "0:n"], root: out.node_label):
    "follows {parent} from each node for at most eight steps, until a node is its own parent, and stores the node reached"
    i = thread()
    guard(i)
    node = i
    for step in range(8):
        up = parent[node]
        if up == node:
            break
        node = up
    root[i] = node


@algorithm
def pagerank_step(
    offsets: row_offsets, neighbors: link_to_other, rank: page_rank, degree: node_degree,
    damping: rank_damping, new_rank: out.page_rank,
):
    "(1 - {damping}) divided by the number of nodes, plus {damping} times the sum of {rank} divided by {degree} over the nodes linking to each node; nodes of degree 0 are left out"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if degree[j] > 0:
            total += rank[j] / float(degree[j])
    new_rank[i] = (1.0 - damping) / float(rank.shape[0]) + damping * total


@algorithm
def hub_update(
    offsets: row_offsets, neighbors: link_to_other, authority: authority_score,
    w: link.edge_weight, hub: out.hub_score,
):
    "the sum over the edges of each node of {w} times the {authority} of the edge's target"
    i = thread()
    guard(i)
    score = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        score += w[k] * authority[neighbors[k]]
    hub[i] = score


@algorithm
def count_triangles(
    offsets: adjacency_start["n+1", "rising:4"], neighbors: adjacent_node["4*n+4", "0:n"],
    triangles: out.triangle_count,
):
    "for each node the number of triangles of which it is the smallest node: for each neighbor j above i, the sorted neighbor lists of i and j are merged with two cursors, and their common entries above j counted"
    i = thread()
    guard(i)
    found = int(0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if j <= i:
            continue
        a = offsets[i]
        b = offsets[j]
        a_end = offsets[i + 1]
        b_end = offsets[j + 1]
        while a < a_end and b < b_end:
            u = neighbors[a]
            v = neighbors[b]
            if u == v:
                if u > j:
                    found += 1
                a += 1
                b += 1
            elif u < v:
                a += 1
            else:
                b += 1
    triangles[i] = found


@algorithm(over="link")
def relax_edges(
    ends: link_ends, w: edge_weight["e"], dist: path_length["n"], new_dist: out.path_length["n"],
):
    "for each edge from u to v, {new_dist} of v is lowered to {dist} of u plus {w} by an atomic minimum; edges that give nothing shorter than {dist} of v do nothing"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    candidate = dist[u] + w[e]
    if candidate < dist[v]:
        wp.atomic_min(new_dist, v, candidate)


@algorithm
def bellman_ford_pull(
    offsets: row_offsets, neighbors: link_to_other, w: link.edge_weight, dist: path_length,
    parent: parent_node, new_dist: out.path_length, new_parent: out.parent_node,
):
    "each node takes the smallest of its own {dist} and of {dist} plus {w} over its incoming edges, and the neighbor that gave it as its parent, the first of equal ones; it keeps its {parent} if none is shorter"
    i = thread()
    guard(i)
    best = dist[i]
    best_parent = parent[i]
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        d = dist[j] + w[k]
        if d < best:
            best = d
            best_parent = j
    new_dist[i] = best
    new_parent[i] = best_parent


@algorithm
def greedy_coloring(
    offsets: adjacency_start["n+1", "rising:4"], neighbors: adjacent_node["4*n+4", "0:n"],
    priority: node_priority, color: node_color["n", "-1:2"], new_color: out.node_color,
):
    "each node without a {color} (-1) takes the smallest color that no neighbor has, unless an uncolored neighbor of higher {priority}, or of the same and a smaller index, comes first; other nodes keep theirs"
    i = thread()
    guard(i)
    new_color[i] = color[i]
    if color[i] >= 0:
        return
    used = int(0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if color[j] >= 0:
            used = used | (1 << color[j])
        elif priority[j] > priority[i] or (priority[j] == priority[i] and j < i):
            return
    c = int(0)
    while (used >> c) & 1 == 1:
        c += 1
    new_color[i] = c


@algorithm
def count_color_conflicts(
    offsets: row_offsets, neighbors: link_to_other, color: node_color["n", "-1:2"],
    conflicts: out.change_count["1"],
):
    "{conflicts}[0] grows by the number of edges to a neighbor of larger index and the same {color}; uncolored nodes (-1) have none"
    i = thread()
    guard(i)
    c = color[i]
    if c < 0:
        return
    clashes = int(0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if j > i and color[j] == c:
            clashes += 1
    if clashes > 0:
        wp.atomic_add(conflicts, 0, clashes)


@algorithm
def independent_set_round(
    offsets: row_offsets, neighbors: link_to_other, priority: node_priority,
    state: node_state["n", "0:2"], new_state: out.node_state,
):
    "one round of a maximal independent set: states are 0 undecided, 1 inside, 2 outside; an undecided node goes outside if a neighbor is inside, and inside if it has a higher {priority} than each undecided neighbor; decided nodes keep their {state}"
    i = thread()
    guard(i)
    s = state[i]
    if s != 0:
        new_state[i] = s
        return
    s = int(1)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if state[j] == 1:
            s = 2
            break
        if state[j] == 0 and j != i and priority[j] >= priority[i]:
            s = 0
    new_state[i] = s


@algorithm
def peel_core(
    offsets: row_offsets, neighbors: link_to_other, alive: node_alive, k_core: core_number,
    new_alive: out.node_alive, removed: out.change_count["1"],
):
    "a node stays alive if it is {alive} and has at least {k_core} alive neighbors; {removed}[0] counts the nodes that die"
    i = thread()
    guard(i)
    if alive[i] == 0:
        new_alive[i] = 0
        return
    living = int(0)
    for k in range(offsets[i], offsets[i + 1]):
        living += alive[neighbors[k]]
    if living >= k_core:
        new_alive[i] = 1
    else:
        new_alive[i] = 0
        wp.atomic_add(removed, 0, 1)


@algorithm(over="link")
def cut_of_partition(
    ends: link_ends, part: node_part["n"], w: edge_weight["e"], cut: out.cut_weight["1"],
):
    "adds {w} of each edge whose two nodes have a different {part} to {cut}[0]"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    if part[u] != part[v]:
        wp.atomic_add(cut, 0, w[e])


@algorithm
def majority_label(
    offsets: row_offsets, neighbors: link_to_other, label: node_label, new_label: out.node_label,
):
    "each node takes the label that most of its neighbors have, the smaller of two that are equally frequent; a node without neighbors keeps its {label}"
    i = thread()
    guard(i)
    first = offsets[i]
    last = offsets[i + 1]
    best = label[i]
    most = int(0)
    for k in range(first, last):
        candidate = label[neighbors[k]]
        votes = int(0)
        for m in range(first, last):
            if label[neighbors[m]] == candidate:
                votes += 1
        if votes > most or (votes == most and candidate < best):
            most = votes
            best = candidate
    new_label[i] = best


@algorithm
def accumulate_dependency(
    offsets: adjacency_start["n+1", "rising:4"], neighbors: adjacent_node["4*n+4", "0:n"],
    level: graph_level["n", "-1:2"], sigma: path_count, delta: dependency,
    new_delta: out.dependency,
):
    "for each node the sum over its neighbors one {level} deeper of {sigma} of the node divided by that of the neighbor, times 1 plus the neighbor's {delta}"
    i = thread()
    guard(i)
    if level[i] < 0:
        new_delta[i] = 0.0
        return
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if level[j] == level[i] + 1:
            total += sigma[i] / sigma[j] * (1.0 + delta[j])
    new_delta[i] = total


@algorithm
def random_walk_step(
    offsets: row_offsets, neighbors: link_to_other, walker: walker_node["n", "0:n"],
    restart: rank_damping, seed: walk_seed, new_walker: out.walker_node,
):
    "each walker moves along a random edge of its node, or goes back to the node of its own index with probability 1 - {restart} or if its node has no edges; the state of walker i is rand_init({seed}, i), and the restart is drawn first"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    node = walker[i]
    first = offsets[node]
    degree = offsets[node + 1] - first
    if degree == 0 or wp.randf(state) > restart:
        new_walker[i] = i
        return
    new_walker[i] = neighbors[first + wp.randi(state, 0, degree)]


@algorithm(over="link")
def jaccard_similarity(
    ends: link_ends, offsets: adjacency_start["n+1", "rising:3"],
    neighbors: adjacent_node["3*n+3", "0:n"], score: out.similarity["e"],
):
    "for each pair of nodes in {ends} the number of neighbors of the first that are neighbors of the second, divided by the sum of the lengths of both lists less that number; 0 if that is 0"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    common = int(0)
    for a in range(offsets[u], offsets[u + 1]):
        for b in range(offsets[v], offsets[v + 1]):
            if neighbors[a] == neighbors[b]:
                common += 1
                break
    total = offsets[u + 1] - offsets[u] + offsets[v + 1] - offsets[v] - common
    if total > 0:
        score[e] = float(common) / float(total)
    else:
        score[e] = 0.0


@algorithm
def topological_level(
    offsets: row_offsets, neighbors: link_to_other, level: graph_level,
    new_level: out.graph_level,
):
    "a node without a {level} (-1) gets one more than the largest level of its predecessors as soon as they all have one, and 0 if it has none; other nodes keep theirs"
    i = thread()
    guard(i)
    new_level[i] = level[i]
    if level[i] >= 0:
        return
    deepest = int(-1)
    for k in range(offsets[i], offsets[i + 1]):
        above = level[neighbors[k]]
        if above < 0:
            return
        deepest = wp.max(deepest, above)
    new_level[i] = deepest + 1
