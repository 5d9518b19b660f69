# SPDX-License-Identifier: Apache-2.0
"""Graphs."""

field("graphs", element="node nodes", other="node nodes", link="edge edges",
      group="community communities", apart=True)

graph_level = quantity(int, "1", "level", one="level", many="levels depths", low=-1, high=3)
current_level = quantity(int, "1", "current level", one="level depth current", low=0, high=2, uniform=True)
conflict_count = quantity(int, "1", "number of conflicts", one="conflicts", many="conflicts num_conflicts", low=0, high=2)
change_count = quantity(int, "1", "number of changes", one="changed", many="changed num_changed", low=0, high=2)
node_degree = quantity(int, "1", "degree", one="degree deg", many="degrees degree", low=0, high=5)
node_label = quantity(int, "1", "label", one="label", many="labels components", low=0, high=6)
parent_label = quantity(int, "1", "parent", one="parent", many="parents parent", low=0, high=6)
node_part = quantity(int, "1", "parts of the nodes", one="part", many="parts partition part_ids", low=0, high=2)
page_rank = quantity(float, "1", "rank", one="rank r", many="ranks rank", low=0.1, high=1.0, means="settles")
rank_damping = quantity(float, "1", "damping factor", one="damping alpha", low=0.1, high=0.9, uniform=True)
edge_weight = quantity(float, "1", "edge weight", one="w weight", many="weights edge_weights w", low=0.1, high=2.0)
path_length = quantity(float, "1", "path length", one="dist", many="dist distances", low=0.1, high=8.0)
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
adjacency_start = quantity(int, "1", "first edge of each node, followed by the end of the last node's", one="first", many="offsets row_start adj_start")
adjacent_node = quantity(int, "1", "neighbors of all nodes", one="j", many="neighbors adj adj_nodes")
similarity = quantity(float, "1", "similarities", one="similarity", many="similarities scores", low=0.1, high=1.0)
walker_node = quantity(int, "1", "nodes of the walkers", one="node", many="walkers current_nodes", low=0, high=4)
walk_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
node_strength = quantity(float, "1", "strength", one="strength", many="strengths strength", low=0.1, high=4.0, means="peak bins")
walk_chance = quantity(float, "1", "chance to walk on", one="p_walk chance", low=0.1, high=0.9, uniform=True)
node_signal = quantity(float, "1", "signal", one="u x value", many="signal values u", means="blend goal settles zero")
diffusion_step = quantity(float, "1", "step size", one="step h", low=0.05, high=0.3, uniform=True)
signal_flow = quantity(float, "1", "signal Laplacian", one="lap flow", many="laplacian lap", sums=True)
hub_score = quantity(float, "1", "hub score", one="hub", many="hubs hub_scores", low=0.1, high=1.0, means="settles")
authority_score = quantity(float, "1", "authority score", one="authority", many="authorities", low=0.1, high=1.0)


@formula(opposite=True)
def laplacian_term(x: node_signal, y: other.node_signal, w: link.edge_weight) -> signal_flow:
    "{w} times the difference of {y} and {x}"
    return w * (y - x)


@formula
def diffuse_signal(x: node_signal, lap: signal_flow, h: diffusion_step) -> node_signal:
    "{x} plus {h} times {lap}"
    return x + h * lap


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
    "one step of a breadth-first search: a node without a {level}, which has -1, gets {depth} + 1 if one of its neighbors has the level {depth}; all other nodes keep theirs. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    own = level[i]
    if own >= 0:
        next_level[i] = own
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
    "each node of the frontier, whose {level} is {depth}, raises {next_level} of its unvisited neighbors, those with a negative {level}, to {depth} + 1 by an atomic maximum, and adds 1 atomically to {changed}[0] for each of them; node i has the edges from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "counts the edges that come in at each node: adds 1 atomically to {degree} of the target of each edge, except for edges from a node to itself; node i has the edges from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, whose targets are {neighbors}"
    i = thread()
    guard(i)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if j != i:
            wp.atomic_add(degree, j, 1)


@algorithm
def weighted_degree(
    offsets: row_offsets, neighbors: link_to_other, w: link.edge_weight,
    strength: out.node_strength,
):
    "the strength of each node i: the sum of {w} over its edges, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; an edge to the node itself counts twice"
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
    "each node takes the smallest of its own {label} and those of its neighbors; for each node whose label becomes smaller 1 is added atomically to {changed}[0]. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    own = label[i]
    smallest = int(own)
    for k in range(offsets[i], offsets[i + 1]):
        smallest = wp.min(smallest, label[neighbors[k]])
    new_label[i] = smallest
    if smallest < own:
        wp.atomic_add(changed, 0, 1)


@algorithm(over="link")
def hook_components(ends: link_ends, label: node_label["n", "0:n"], root: out.node_label["n"]):
    "for each edge whose two nodes have different labels in {label}, the entry of {root} at the larger label is lowered to the smaller label by an atomic minimum"
    e = thread()
    a = label[ends[e, 0]]
    b = label[ends[e, 1]]
    if a == b:
        return
    low = wp.min(a, b)
    high = wp.max(a, b)
    wp.atomic_min(root, high, low)


@algorithm
def compress_labels(parent: parent_label["n", "0:n"], root: out.node_label):
    "follows {parent} from each node for at most eight steps, until a node is its own parent; the result is the node reached"
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
    "the new rank of each node i: (1 - {damping}) divided by the number of nodes, plus {damping} times the sum of {rank} / {degree} over the nodes that link to it, which are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; nodes of degree 0 are left out of the sum"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        links = degree[j]
        if links > 0:
            total += rank[j] / float(links)
    new_rank[i] = (1.0 - damping) / float(rank.shape[0]) + damping * total


@algorithm
def hub_update(
    offsets: row_offsets, neighbors: link_to_other, authority: authority_score,
    w: link.edge_weight, hub: out.hub_score,
):
    "the hub score of each node i: the sum over its edges, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {w} times {authority} of the edge's target"
    i = thread()
    guard(i)
    score = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        score += w[k] * authority[neighbors[k]]
    hub[i] = score


@algorithm(share=2)
def count_triangles(
    offsets: adjacency_start["n+1", "rising:4"], neighbors: adjacent_node["4*n+4", "0:n"],
    triangles: out.triangle_count,
):
    "for each node i the number of triangles of which it is the smallest node: how many pairs of entries j and k of its list of neighbors, with j above i and k above j, there are for which k also stands in the list of j. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    begin = offsets[i]
    end = offsets[i + 1]
    found = int(0)
    for a in range(begin, end):
        j = neighbors[a]
        if j <= i:
            continue
        for b in range(begin, end):
            k = neighbors[b]
            if k <= j:
                continue
            for c in range(offsets[j], offsets[j + 1]):
                if neighbors[c] == k:
                    found += 1
                    break
    triangles[i] = found


@algorithm(over="link")
def relax_edges(
    ends: link_ends, w: edge_weight["e"], dist: path_length["n"], new_dist: out.path_length["n"],
):
    "relaxes each edge from u to v, the first and the second node in its row of {ends}: if {dist} of u plus {w} is below {dist} of v, {new_dist} of v is lowered to it by an atomic minimum"
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
    "a Bellman-Ford step: each node i takes the smallest of its own {dist} and of {dist} of the node `{neighbors}[k]` plus {w}[k] over its incoming edges k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; its parent becomes the neighbor that gave the smallest value, the first of equal ones, and stays {parent} if none is below its own {dist}"
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
    "a round of greedy coloring: each node without a {color}, which has -1, takes the smallest color from 0 on that none of its neighbors has; it stays uncolored if a neighbor is uncolored and has a higher {priority}, or the same and a smaller index; colored nodes keep their color. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    own = color[i]
    new_color[i] = own
    if own >= 0:
        return
    mine = priority[i]
    used = int(0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        theirs = priority[j]
        c = color[j]
        if c >= 0:
            used = used | (1 << c)
        elif theirs > mine or (theirs == mine and j < i):
            return
    free = int(0)
    while (used >> free) & 1 == 1:
        free += 1
    new_color[i] = free


@algorithm
def count_color_conflicts(
    offsets: row_offsets, neighbors: link_to_other, color: node_color["n", "-1:2"],
    conflicts: out.conflict_count["1"],
):
    "adds to {conflicts}[0], atomically, the number of edges of each node that lead to a neighbor of larger index and the same {color}; uncolored nodes, which have -1, have no conflicts. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "one round of a maximal independent set, where a {state} is 0 for undecided, 1 for inside, 2 for outside: an undecided node goes outside if a neighbor is inside, else inside if it has a higher {priority} than each other node among its undecided neighbors; all other nodes keep their {state}. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    s = state[i]
    if s != 0:
        new_state[i] = s
        return
    own = priority[i]
    s = int(1)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        other = state[j]
        if other == 1:
            s = 2
            break
        if other == 0 and j != i and priority[j] >= own:
            s = 0
    new_state[i] = s


@algorithm
def peel_core(
    offsets: row_offsets, neighbors: link_to_other, alive: node_alive, k_core: core_number,
    new_alive: out.node_alive, removed: out.change_count["1"],
):
    "one round of peeling for a {k_core}-core: a node stays alive, 1 in {new_alive}, if it is {alive} and has at least {k_core} alive neighbors, else it gets 0; for each node that dies in this round 1 is added atomically to {removed}[0]. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "the weight of the cut of a partition: {w} of each edge whose two nodes have a different {part} is added atomically to {cut}[0]"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    if part[u] != part[v]:
        wp.atomic_add(cut, 0, w[e])


@algorithm
def majority_label(
    offsets: row_offsets, neighbors: link_to_other, label: node_label, new_label: out.node_label,
):
    "each node takes the label that most of its neighbors have, the smallest of those that are equally frequent; a node without neighbors keeps its {label}. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "a step of Brandes' betweenness centrality: for each node i the sum, over its neighbors j whose {level} is one above its own, of {sigma}[i] / {sigma}[j] (1 + {delta}[j]); 0 for nodes with a negative {level}. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    own = level[i]
    if own < 0:
        new_delta[i] = 0.0
        return
    paths = sigma[i]
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if level[j] == own + 1:
            total += paths / sigma[j] * (1.0 + delta[j])
    new_delta[i] = total


@algorithm(element="walker walkers")
def random_walk_step(
    offsets: adjacency_start["n+1", "rising:3"], neighbors: adjacent_node["3*n+3", "0:n"], walker: walker_node["n", "0:n"],
    p_walk: walk_chance, seed: walk_seed, new_walker: out.walker_node["n"],
):
    "a step of random walks with restart: walker i, which is at the node {walker}[i], goes back to node i if that node has no edges, or else if a number from 0 to 1, drawn by `wp.randf`, is above {p_walk}; otherwise the walker moves along one of the node's edges, drawn by `wp.randi`, all equally likely. The neighbors of node j stand in {neighbors} from `{offsets}[j]` up to, but not including, `{offsets}[j + 1]`"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    node = walker[i]
    first = offsets[node]
    degree = offsets[node + 1] - first
    if degree == 0 or wp.randf(state) > p_walk:
        new_walker[i] = i
        return
    new_walker[i] = neighbors[first + wp.randi(state, 0, degree)]


@algorithm(over="link")
def jaccard_similarity(
    ends: link_ends, offsets: adjacency_start["n+1", "rising:3"],
    neighbors: adjacent_node["3*n+3", "0:n"], score: out.similarity["e"],
):
    "the Jaccard similarity of the two nodes in each row of {ends}: c / (a + b - c), where a and b are the lengths of the neighbor lists of the first and the second node, and c is the number of entries of the first list that also stand in the second; 0 if a + b - c is 0. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    u_first = offsets[u]
    u_last = offsets[u + 1]
    v_first = offsets[v]
    v_last = offsets[v + 1]
    common = int(0)
    for a in range(u_first, u_last):
        node = neighbors[a]
        for b in range(v_first, v_last):
            if neighbors[b] == node:
                common += 1
                break
    total = u_last - u_first + v_last - v_first - common
    if total > 0:
        score[e] = float(common) / float(total)
    else:
        score[e] = 0.0


@algorithm
def topological_level(
    offsets: row_offsets, neighbors: link_to_other, level: graph_level,
    new_level: out.graph_level,
):
    "a round of topological levels: a node without a {level}, which has -1, gets one more than the largest level of its predecessors if none of them has a negative one, and 0 if it has no predecessors; other nodes keep theirs. The predecessors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    own = level[i]
    new_level[i] = own
    if own >= 0:
        return
    deepest = int(-1)
    for k in range(offsets[i], offsets[i + 1]):
        above = level[neighbors[k]]
        if above < 0:
            return
        deepest = wp.max(deepest, above)
    new_level[i] = deepest + 1
