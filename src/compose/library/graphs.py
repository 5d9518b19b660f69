# SPDX-License-Identifier: Apache-2.0
"""Graphs."""

field("graphs", element="node nodes", other="node nodes", link="edge edges",
      group="community communities", apart=True, state=True, share=2)

graph_level = quantity(int, "1", "level", one="level", many="levels", low=-1, high=3)
current_level = quantity(int, "1", "current level", one="current_level current", low=0, high=2, uniform=True)
conflict_count = quantity(int, "1", "number of conflicts", one="conflicts", many="conflicts num_conflicts", low=0, high=2)
change_count = quantity(int, "1", "number of changes", one="changed", many="changed num_changed", low=0, high=2)
node_degree = quantity(int, "1", "degree", one="degree deg", many="degrees", low=0, high=5)
node_label = quantity(int, "1", "label", one="label", many="labels", low=0, high=6)
parent_label = quantity(int, "1", "parent", one="parent", many="parent parents", low=0, high=6)
node_part = quantity(int, "1", "parts of the nodes", one="part", many="parts partition part_ids", low=0, high=2)
page_rank = quantity(float, "1", "rank", one="rank r", many="ranks", low=0.1, high=1.0, means="settles")
rank_damping = quantity(float, "1", "damping factor", one="damping alpha", low=0.1, high=0.9, uniform=True)
edge_weight = quantity(float, "1", "edge weight", one="w weight", many="weights edge_weights w", low=0.1, high=2.0)
path_length = quantity(float, "1", "path length", one="dist", many="dist", low=0.1, high=8.0)
parent_node = quantity(int, "1", "predecessor", one="pred", many="predecessors", low=0, high=4)
triangle_count = quantity(int, "1", "number of triangles", one="triangles", many="triangle_counts", low=0, high=6)
triangles_at_node = quantity(int, "1", "number of triangles", one="triangles", many="triangle_counts triangles", low=0, high=6)
node_color = quantity(int, "1", "color", one="color", many="colors", low=-1, high=4)
node_priority = quantity(int, "1", "priority", one="priority", many="priorities", low=0, high=9)
node_state = quantity(int, "1", "state", one="state", many="states", low=0, high=2)
node_alive = quantity(int, "1", "alive flag", one="alive", many="alive", low=0, high=1)
core_number = quantity(int, "1", "smallest degree in the core", one="min_degree core_degree", low=1, high=3, uniform=True)
cut_weight = quantity(float, "1", "weight of the cut", one="cut", many="cut cut_weight")
path_count = quantity(float, "1", "number of shortest paths", one="sigma", many="sigma path_counts", low=0.5, high=4.0)
dependency = quantity(float, "1", "dependency", one="delta", many="delta dependencies")
clustering = quantity(float, "1", "clustering coefficient", one="coefficient", many="clustering coefficients", low=0.1, high=1.0)
adjacency_start = quantity(int, "1", "first neighbor of each node, followed by the end of the last node's", one="first", many="offsets row_start adj_start")
adjacent_node = quantity(int, "1", "neighbors of all nodes", one="j", many="neighbors adj adj_nodes")
similarity = quantity(float, "1", "similarities", one="similarity", many="similarities scores", low=0.1, high=1.0)
walker_node = quantity(int, "1", "nodes at which the walkers are", one="node", many="walker_nodes", low=0, high=4)
walk_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
node_strength = quantity(float, "1", "strength", one="strength", many="strengths strength", low=0.1, high=4.0, means="peak bins")
walk_chance = quantity(float, "1", "chance to walk on", one="p_walk chance", low=0.1, high=0.9, uniform=True)
node_signal = quantity(float, "1", "signal", one="u x value", many="signal u", means="blend goal settles zero")
diffusion_step = quantity(float, "1", "step size", one="step h", low=0.05, high=0.3, uniform=True)
signal_laplacian = quantity(float, "1", "signal Laplacian", one="lap", many="laplacian lap", sums=True)
hub_score = quantity(float, "1", "hub score", one="hub", many="hubs hub_scores", low=0.1, high=1.0, means="settles")
authority_score = quantity(float, "1", "authority score", one="authority", many="authorities", low=0.1, high=1.0)
edge_keep_chance = quantity(float, "1", "chance to keep an edge", one="keep", low=0.3, high=0.9, uniform=True)
kept_weight = quantity(float, "1", "weights of the kept edges", one="w", many="kept_weights")
opinion = quantity(int, "1", "opinion", one="opinion", many="opinions", low=0, high=4)
activation_chance = quantity(float, "1", "chance of activation", one="p_activate", low=0.2, high=0.8, uniform=True)
active_state = quantity(int, "1", "activation state", one="state", many="activation", low=0, high=2)
node_feature = quantity(vec3, "1", "features", one="f", many="features")
node_message = quantity(vec3, "1", "summed messages", one="message", many="messages")
message_weight = quantity(float, "1", "summed weights of the messages", one="total", many="weight_sums")
edge_masked = quantity(int, "1", "edge mask", one="masked", many="edge_mask", low=0, high=1)
part_matrix = quantity(float, "1", "weights between the parts", one="weight", many="part_weights")
degree_bin = quantity(int, "1", "numbers of nodes for each degree", one="n", many="degree_counts", low=0, high=3)
pushed_rank = quantity(float, "1", "pushed ranks", one="pushed", many="pushed")


@formula(opposite=True)
def laplacian_term(x: node_signal, y: other.node_signal, w: link.edge_weight) -> signal_laplacian:
    "{w} times ({y} - {x})"
    return w * (y - x)


@formula
def diffuse_signal(x: node_signal, lap: signal_laplacian, h: diffusion_step) -> node_signal:
    "{x} plus {h} times {lap}"
    return x + h * lap


@formula
def clustering_coefficient(triangles: triangles_at_node, degree: node_degree) -> clustering:
    "twice {triangles} divided by the number of ordered pairs of neighbors, {degree} times ({degree} - 1); 0 if {degree} is below 2"
    if degree < 2:
        return 0.0
    return 2.0 * float(triangles) / float(degree * (degree - 1))


@algorithm
def bfs_pull(
    offsets: row_offsets, neighbors: link_to_other, level: graph_level, depth: current_level,
    next_level: out.graph_level,
):
    "makes one step of a breadth-first search: an unvisited node, whose entry of {level} is -1, gets {depth} + 1 if one of its neighbors has the level {depth}; all other nodes keep their level. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes one step of a breadth-first search from the frontier, the nodes with the level {depth}: for each neighbor of such a node that is unvisited, as its entry of {level} is negative, its entry of {next_level} is raised to {depth} + 1 by an atomic maximum, and 1 is added atomically to {changed}[0]. The neighbors of node i are the entries of {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "counts the edges that come in at each node: for each edge 1 is added atomically to the entry of {degree} for its target, except for edges from a node to itself; the edges of node i are those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, and their targets stand in {neighbors}"
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
    "the strength of each node i: the sum of {w} over its edges, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; an edge to the node itself, for which {neighbors} has i, counts twice"
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
    "makes one step of connected components: each node takes the smallest label among its own in {label} and those of its neighbors; for each node whose label becomes smaller 1 is added atomically to {changed}[0]. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes the hooking step of connected components: for each edge whose two nodes have different labels in {label}, the entry of {root} whose index is the larger label is lowered to the smaller label by an atomic minimum"
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
    "finds the root of each node: the node that is reached from it by going on to the parent, whose index stands in {parent}, until a node is its own parent, but at most eight times"
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
    "the new rank of each node i: (1 - {damping}) divided by the number of nodes, plus {damping} times the sum of {rank} / {degree} over the nodes that link to it, which are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; those of degree 0 are left out of the sum"
    i = thread()
    guard(i)
    total = (1.0 - damping) / float(rank.shape[0])
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        links = degree[j]
        if links > 0:
            total += damping * rank[j] / float(links)
    new_rank[i] = total


@algorithm
def hub_update(
    offsets: row_offsets, neighbors: link_to_other, authority: authority_score,
    w: link.edge_weight, hub: out.hub_score,
):
    "the hub score of each node i: the sum over its edges, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {w} times {authority} of the edge's target, the node in {neighbors}"
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
    "counts for each node i the triangles of which it is the node with the smallest index: the number of pairs of entries j and k in its list of neighbors with j above i and k above j, where k also stands in the list of j. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "relaxes each edge from u to v, the first and the second node in its row of {ends}: if {dist} of u plus {w} of the edge is below {dist} of v, the entry of {new_dist} for v is lowered to that sum by an atomic minimum"
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
    "makes a Bellman-Ford step: the new path length of each node i is the smallest of its own in {dist} and, over its incoming edges k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of the path length of the node `{neighbors}[k]` plus {w}[k]; its predecessor becomes the neighbor that gave the smallest value, the first one if several are equal, and stays that of {parent} if no value is below its own path length"
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
    "makes a round of greedy coloring: each uncolored node, whose entry of {color} is -1, takes the smallest color from 0 on that none of its neighbors has; but it stays uncolored if one of its neighbors is uncolored too and has a higher value in {priority}, or the same one and a smaller index; colored nodes keep their color. No color is above 30. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "counts the conflicts of a coloring: the number of edges of each node that lead to a neighbor with a larger index and the same color in {color} is added atomically to {conflicts}[0]; uncolored nodes, which have -1, have no conflicts. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes one round of a maximal independent set, where {state} has 0 for an undecided node, 1 for one inside the set and 2 for one outside: an undecided node goes outside if a neighbor is inside; else it goes inside if its value in {priority} is higher than those of all undecided neighbors other than itself, and stays undecided if not; decided nodes keep their state. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes one round of peeling for the k-core with k = {k_core}: a node stays alive, and gets 1 in {new_alive}, if its entry of {alive} is 1 and those of at least {k_core} of its neighbors are 1; else it gets 0. For each node that was alive and gets 0 in this round, 1 is added atomically to {removed}[0]. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "the weight of the cut of a partition: {w} of each edge whose two nodes have different parts in {part} is added atomically to {cut}[0]"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    if part[u] != part[v]:
        wp.atomic_add(cut, 0, w[e])


@algorithm
def majority_label(
    offsets: row_offsets, neighbors: link_to_other, label: node_label, new_label: out.node_label,
):
    "makes a step of label propagation: each node takes the label that most of its neighbors have in {label}, the smallest of those that are equally frequent; a node without neighbors keeps its label. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes a step of Brandes' betweenness centrality: for each node i the sum of `{sigma}[i]` / `{sigma}[j]` (1 + `{delta}[j]`) over its neighbors j whose level in {level} is one above its own; 0 for nodes with a negative level. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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
    "makes a step of random walks with restart: walker i, which is at `{walker}[i]` and began at node i, goes back to node i if it is at a node without edges, or else if a number from 0 to 1, drawn by `wp.randf`, is above {p_walk}; otherwise it moves along one of the edges of the node at which it is, drawn by `wp.randi`, all equally likely. The neighbors of node j stand in {neighbors} from `{offsets}[j]` up to, but not including, `{offsets}[j + 1]`"
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
    "the Jaccard similarity of the two nodes in each row of {ends}: c / (a + b - c), where a and b are the lengths of the neighbor lists of the first and the second node, and c is the number of entries of the first list that also stand in the second; 0 if a + b - c is 0; entries that stand twice in a list count twice. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    e = thread()
    u = ends[e, 0]
    v = ends[e, 1]
    u_begin = offsets[u]
    u_end = offsets[u + 1]
    v_begin = offsets[v]
    v_end = offsets[v + 1]
    common = int(0)
    for a in range(u_begin, u_end):
        node = neighbors[a]
        for b in range(v_begin, v_end):
            if neighbors[b] == node:
                common += 1
                break
    union_size = u_end - u_begin + v_end - v_begin - common
    if union_size > 0:
        score[e] = float(common) / float(union_size)
    else:
        score[e] = 0.0


@algorithm
def topological_level(
    offsets: row_offsets, neighbors: link_to_other, level: graph_level,
    new_level: out.graph_level,
):
    "makes a round of topological levels: a node whose entry of {level} is negative gets 1 plus the largest level of its predecessors, or 0 if it has no predecessors; but if the level of one of its predecessors is negative, the node keeps its own level, as do all nodes whose level is not negative. The predecessors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
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


@algorithm(share=2)
def copy_random_neighbor(
    offsets: row_offsets, neighbors: link_to_other, opinion: opinion, seed: walk_seed,
    new_opinion: out.opinion,
):
    "makes a step of the voter model: each node takes the opinion that one of its neighbors has in {opinion}, drawn by `wp.randi`, all equally likely; a node without neighbors keeps its own. The neighbors of node i are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    first = offsets[i]
    degree = offsets[i + 1] - first
    if degree == 0:
        new_opinion[i] = opinion[i]
        return
    state = wp.rand_init(seed, i)
    new_opinion[i] = opinion[neighbors[first + wp.randi(state, 0, degree)]]


@algorithm
def activate_neighbors(
    offsets: adjacency_start["n+1", "rising:3"], neighbors: adjacent_node["3*n+3", "0:n"],
    active: active_state["n", "0:3"], p_activate: activation_chance, seed: walk_seed,
    new_active: out.active_state["n", "0:2"], changed: out.change_count["1"],
):
    "makes a step of an independent cascade, where {active} has 0 for a passive, 1 for a newly active and 2 for an old active node: a newly active node draws a random number from 0 to 1 for each of its passive neighbors in turn, and if it is below {p_activate}, raises the neighbor's entry of {new_active} to 1 by an atomic maximum, and adds 1 atomically to {changed}[0]. The neighbors of node i stand in {neighbors} from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    if active[i] != 1:
        return
    state = wp.rand_init(seed, i)
    for k in range(offsets[i], offsets[i + 1]):
        j = neighbors[k]
        if active[j] == 0:
            if wp.randf(state) < p_activate:
                wp.atomic_max(new_active, j, 1)
                wp.atomic_add(changed, 0, 1)


@algorithm(over="link")
def drop_edges(w: edge_weight["e"], keep: edge_keep_chance, seed: walk_seed, kept: out.kept_weight["e"]):
    "drops edges at random: an edge keeps its weight, {w} / {keep}, if a random number from 0 to 1 is below {keep}, and gets the weight 0 if not"
    e = thread()
    state = wp.rand_init(seed, e)
    kept[e] = 0.0
    if wp.randf(state) < keep:
        kept[e] = w[e] / keep


@algorithm(over="link")
def send_messages(
    ends: link_ends, w: edge_weight["e"], mask: edge_masked["e", "0:2"], f: node_feature["n"],
    messages: out.node_message["n"], total: out.message_weight["n"],
):
    "sends messages along the edges of a graph: for each edge from u to v, the first and the second node in its row of {ends}, {w} times {f} of u is added atomically to the entry of {messages} for v, and {w} to the entry of {total} for v; edges with 0 in {mask} are left out"
    e = thread()
    if mask[e] == 0:
        return
    u = ends[e, 0]
    v = ends[e, 1]
    weight = w[e]
    wp.atomic_add(messages, v, weight * f[u])
    wp.atomic_add(total, v, weight)


@algorithm(over="link")
def weights_between_parts(
    ends: link_ends, part: node_part["n", "0:p"], w: edge_weight["e"], between: out.part_matrix["p,p"],
):
    "the weights between the parts of a graph, for a coarser one: {w} of each edge is added atomically to {between}, in the row of the part of its first and the column of the part of its second node in {ends}; edges within a part are left out"
    e = thread()
    row = part[ends[e, 0]]
    col = part[ends[e, 1]]
    if row == col:
        return
    wp.atomic_add(between, row, col, w[e])


@algorithm
def count_degrees(offsets: row_offsets, counts: out.degree_bin["5"]):
    "the distribution of the degrees: for each node 1 is added atomically to the entry of {counts} for its number of edges, `{offsets}[i + 1]` - `{offsets}[i]` for node i; nodes with more than four edges count as nodes with four"
    i = thread()
    guard(i)
    degree = wp.min(offsets[i + 1] - offsets[i], 4)
    wp.atomic_add(counts, degree, 1)


@algorithm
def push_ranks(
    offsets: row_offsets, neighbors: link_to_other, rank: page_rank, damping: rank_damping,
    pushed: out.pushed_rank,
):
    "pushes the ranks of a PageRank step along the edges: node i adds {damping} times its {rank}, divided by the number of its edges, atomically to {pushed} of each of its neighbors, which are `{neighbors}[k]` for k from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`; nodes without edges push nothing"
    i = thread()
    guard(i)
    first = offsets[i]
    last = offsets[i + 1]
    if first == last:
        return
    share = damping * rank[i] / float(last - first)
    for k in range(first, last):
        wp.atomic_add(pushed, neighbors[k], share)
