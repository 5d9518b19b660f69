#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hash grids, BVHs and meshes: `weft run` against warp-lang on its CPU device, bit for bit.

usage: geometry_check.py WEFT

geometry_kernels.py is run on points in general position and on a lattice, where distances tie, with objects that
both sides make from the same arrays. Each kernel writes floats, and numbers that tell what a query found and in
which order. The interpreter and both texts have to give what warp-lang gives. closest_point_edge_edge is compared with
its adjoint; so are rays and closest points of meshes. geometry_blocks.py has kernels with blocks of 8 threads, which
warp-lang runs with wp.config.enable_cpu_blocks.
"""

import os
import subprocess
import tempfile

import oracle_env

KERNELS = os.path.join(oracle_env.HERE, "geometry_kernels.py")
BLOCKS = os.path.join(oracle_env.HERE, "geometry_blocks.py")
WIDE = 8
EXECUTORS = ("reference", "text", "text-cuda")
RADIUS = 0.6
WIDTH = 0.5


def torus(np, rings, steps):
    """Points and triangles of a torus around the y axis: a closed surface."""
    a, b = np.meshgrid(np.arange(rings) * 2 * np.pi / rings, np.arange(steps) * 2 * np.pi / steps, indexing="ij")
    r = 1.2 + 0.5 * np.cos(b)
    points = np.stack([r * np.cos(a), 0.5 * np.sin(b), r * np.sin(a)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings), np.arange(steps), indexing="ij")
    at = [((i + x) % rings * steps + (j + y) % steps).ravel() for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
    return points, np.stack([at[0], at[3], at[1], at[0], at[2], at[3]], -1).ravel()


def box(np):
    """A cube of 12 triangles and a square that is one of its slices: ties, edges in common."""
    points = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return points, np.array([[q[0], q[1], q[2], q[0], q[2], q[3]] for q in quads]).ravel()


def scenes(np):
    """(name, points that ask, mesh's points, indices, velocities)"""
    random = np.random.default_rng(5)
    lattice = np.array([[x, y, z] for x in range(-3, 4) for y in range(-2, 3) for z in range(-3, 4)]) * 0.5
    for name, asked, (points, indices) in (
        ("scattered", random.uniform(-2, 2, (300, 3)), torus(np, 14, 9)),
        ("lattice", lattice, box(np)),
    ):
        velocities = random.normal(size=points.shape)
        yield name, *(x.astype("f4") for x in (asked, points)), indices.astype("i4"), velocities.astype("f4")


def commands(folder):
    """kernel -> (its first parameter, the object as weft run takes it)"""
    at = {name: f"@{folder}/{name}.npy" for name in ("asked", "points", "indices", "velocities", "upper")}
    mesh = f"mesh:{at['points']},{at['indices']},{at['velocities']}"
    return {
        "grid_loops": ("grid", f"hashgrid:{at['asked']},{WIDTH},4x3x64"),
        "bvh_loops": ("tree", f"bvh:{at['asked']},{at['upper']}"),
        "mesh_points": ("mesh", mesh),
        "mesh_rays": ("mesh", mesh),
        "mesh_variables": ("mesh", mesh),
        "mesh_arrays": ("mesh", mesh),
        "bvh_blocks": ("tree", f"bvh:{at['asked']},{at['upper']}"),
        "mesh_blocks": ("mesh", mesh),
    }


def run_weft(np, weft, folder, kernel, executor, n):
    parameter, made = commands(folder)[kernel]
    launch = [BLOCKS, "--dim", f"{n},{WIDE}", "--block-dim", str(WIDE)] if kernel.endswith("_blocks") else [KERNELS, "--dim", str(n)]
    command = [weft, "run", "--quiet", *launch, "--kernel", kernel, "--executor", executor, "--arg", f"{parameter}={made}",
               "--arg", f"p=@{folder}/asked.npy", "--arg", f"r={RADIUS}", "--arg", f"out=zeros:{n}", "--arg", f"seen=zeros:{n}",
               "--save", f"out=@{folder}/out.npy", "--save", f"seen=@{folder}/seen.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr:
        return done.stderr or f"status {done.returncode}"
    return np.load(f"{folder}/out.npy"), np.load(f"{folder}/seen.npy")


def run_warp(wp, kernels, kernel, arrays):
    """What warp-lang's CPU device writes; the object lives until then."""
    import geometry_blocks

    asked, points, indices, velocities, upper = arrays
    p = wp.array(asked, dtype=wp.vec3, device="cpu")
    if kernel == "grid_loops":
        made = wp.HashGrid(4, 3, 64, device="cpu")
        made.build(p, WIDTH)
    elif kernel in ("bvh_loops", "bvh_blocks"):
        made = wp.Bvh(p, wp.array(upper, dtype=wp.vec3, device="cpu"))
    else:
        made = wp.Mesh(wp.array(points, dtype=wp.vec3, device="cpu"), wp.array(indices, dtype=int, device="cpu"),
                       wp.array(velocities, dtype=wp.vec3, device="cpu"))
    out, seen = wp.zeros(len(asked), dtype=float, device="cpu"), wp.zeros(len(asked), dtype=int, device="cpu")
    blocks = kernel.endswith("_blocks")
    wp.launch(getattr(geometry_blocks if blocks else kernels, kernel), (len(asked), WIDE) if blocks else len(asked),
              [wp.uint64(made.id), p, RADIUS, out, seen], device="cpu", block_dim=WIDE if blocks else 256)
    return out.numpy(), seen.numpy()


# Kernels that gradients are compared of.
SLOPES = ("hits", "nearest", "hit_variables", "nearest_variables")
ENDS = ("p1", "q1", "p2", "q2")


def edge_pairs(np, n=600):
    """Pairs of edges and adjoints of what is found: in general position, on a lattice (parallel, touching, without
    length), and nearly parallel."""
    random = np.random.default_rng(9)
    ends = random.uniform(-1, 1, (4, n, 3))
    ends[:, n // 3 : 2 * n // 3] = random.integers(-1, 2, (4, n // 3, 3))
    last = slice(2 * n // 3, n)
    ends[3, last] = ends[2, last] + (ends[1, last] - ends[0, last]) * 1.5 + random.normal(size=(n // 3, 3)) * 1e-3
    return ends.astype("f4"), random.normal(size=(n, 3)).astype("f4")


def edges_warp(wp, kernels, ends, adjoint):
    given = [wp.array(x, dtype=wp.vec3, device="cpu", requires_grad=True) for x in ends]
    out = wp.zeros(len(adjoint), dtype=wp.vec3, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(kernels.edges, len(adjoint), given, [out], device="cpu")
    tape.backward(grads={out: wp.array(adjoint, dtype=wp.vec3, device="cpu")})
    return [out.numpy(), *(x.grad.numpy() for x in given)]


def edges_weft(np, weft, folder, ends, adjoint, executor):
    for name, array in zip((*ENDS, "adjoint"), (*ends, adjoint)):
        np.save(f"{folder}/{name}.npy", array)
    command = [weft, "run", "--quiet", KERNELS, "--kernel", "edges", "--dim", str(len(adjoint)), "--executor", executor, "--grad",
               "--arg", f"out=zeros:{len(adjoint)}x3", "--save", f"out=@{folder}/out.npy", "--adjoint", f"out=@{folder}/adjoint.npy"]
    for name in ENDS:
        command += ["--arg", f"{name}=@{folder}/{name}.npy", "--save-grad", f"{name}=@{folder}/d{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr:
        return done.stderr or f"status {done.returncode}"
    return [np.load(f"{folder}/{name}.npy") for name in ("out", *("d" + name for name in ENDS))]


def edges_agree(np, wp, kernels, weft, folder):
    """Bits of the values; adjoints to the last digits of their largest term, since sums are contracted differently."""
    ends, adjoint = edge_pairs(np)
    want, good = edges_warp(wp, kernels, ends, adjoint), 0
    for executor in EXECUTORS:
        got = edges_weft(np, weft, folder, ends, adjoint, executor)
        if isinstance(got, str):
            print(f"edges {executor}: {got}")
            continue
        values = int((got[0].view("i4") != want[0].view("i4")).sum())
        apart = max(float((np.abs(a - b) / (1 + np.abs(b).max(axis=1, keepdims=True))).max()) for a, b in zip(got[1:], want[1:]))
        print(f"edges {executor}: {values} values differ, adjoints by {apart:.1e}")
        good += values == 0 and apart < 1e-5
    return good


def slopes_warp(wp, kernels, kernel, arrays, adjoint):
    asked, points, indices, ways = arrays
    mesh = wp.Mesh(wp.array(points, dtype=wp.vec3, device="cpu"), wp.array(indices, dtype=int, device="cpu"))
    given = [wp.array(x, dtype=wp.vec3, device="cpu", requires_grad=True) for x in (asked, ways)]
    out = wp.zeros(len(asked), dtype=wp.vec3, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(getattr(kernels, kernel), len(asked), [wp.uint64(mesh.id), *given], [out], device="cpu")
    tape.backward(grads={out: wp.array(adjoint, dtype=wp.vec3, device="cpu")})
    return [out.numpy(), *(x.grad.numpy() for x in given)]


def slopes_weft(np, weft, folder, kernel, n, executor):
    command = [weft, "run", "--quiet", KERNELS, "--kernel", kernel, "--dim", str(n), "--executor", executor, "--grad",
               "--arg", f"mesh=mesh:@{folder}/points.npy,@{folder}/indices.npy", "--arg", f"p=@{folder}/asked.npy",
               "--arg", f"d=@{folder}/ways.npy", "--arg", f"out=zeros:{n}x3", "--adjoint", f"out=@{folder}/adjoint.npy",
               "--save", f"out=@{folder}/out.npy", "--save-grad", f"p=@{folder}/dp.npy", "--save-grad", f"d=@{folder}/dd.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr:
        return done.stderr or f"status {done.returncode}"
    return [np.load(f"{folder}/{name}.npy") for name in ("out", "dp", "dd")]


def slopes_agree(np, wp, kernels, weft, folder, scene):
    """Gradients of what queries of a mesh find. Of a ray that starts on the surface Warp's backward pass may find no hit
    any more, since it computes that anew and rounds otherwise: such rays are left out."""
    name, asked, points, indices = scene
    random = np.random.default_rng(21)
    ways = random.normal(size=asked.shape).astype("f4")
    adjoint = random.normal(size=asked.shape).astype("f4")
    np.save(f"{folder}/ways.npy", ways)
    np.save(f"{folder}/adjoint.npy", adjoint)
    good = 0
    for kernel in SLOPES:
        want = slopes_warp(wp, kernels, kernel, (asked, points, indices, ways), adjoint)
        for executor in EXECUTORS:
            got = slopes_weft(np, weft, folder, kernel, len(asked), executor)
            if isinstance(got, str):
                print(f"{name} {kernel} {executor}: {got}")
                continue
            values = int((got[0].view("i4") != want[0].view("i4")).sum())
            kept = ~((np.abs(want[0][:, 0]) < 1e-5) & want[0].any(axis=1)) if kernel.startswith("hit") else slice(None)
            apart = [np.abs(a - b).max(axis=1) / (1 + np.abs(b).max(axis=1)) for a, b in zip(got[1:], want[1:])]
            worst = max(float(a[kept].max()) for a in apart)
            moved = int((np.abs(want[1]).max(axis=1) > 0).sum())
            print(f"{name} {kernel} {executor}: {values} values differ, gradients by {worst:.1e}, {moved} of {len(asked)} have one")
            good += values == 0 and worst < 1e-3 and moved > 0
    return good


def triangle_pairs(np, n=1998):
    """Pairs of triangles: in general position, on a lattice (touching, coplanar, without area), and in one plane."""
    random = np.random.default_rng(12)
    pairs = random.uniform(-1, 1, (n, 6, 3))
    pairs[n // 3 : 2 * n // 3] = random.integers(-1, 3, (n // 3, 6, 3))
    pairs[2 * n // 3 :, :, 1] = random.integers(0, 2, (n - 2 * n // 3, 1))
    return pairs.reshape(-1, 3).astype("f4")


def triangles_agree(np, wp, kernels, weft, folder):
    pairs = triangle_pairs(np)
    n, good = len(pairs) // 6, 0
    np.save(f"{folder}/pairs.npy", pairs)
    np.save(f"{folder}/doubles.npy", pairs.astype("f8"))
    want = [wp.zeros(n, dtype=int, device="cpu") for _ in range(2)]
    given = [wp.array(pairs, dtype=wp.vec3, device="cpu"), wp.array(pairs.astype("f8"), dtype=wp.vec3d, device="cpu")]
    wp.launch(kernels.triangles, n, given, want, device="cpu")
    for executor in EXECUTORS:
        command = [weft, "run", "--quiet", KERNELS, "--kernel", "triangles", "--dim", str(n), "--executor", executor,
                   "--arg", f"p=@{folder}/pairs.npy", "--arg", f"q=@{folder}/doubles.npy"]
        for name in ("seen", "twice"):
            command += ["--arg", f"{name}=zeros:{n}", "--save", f"{name}=@{folder}/{name}.npy"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        apart = [int((np.load(f"{folder}/{name}.npy") != w.numpy()).sum()) for name, w in zip(("seen", "twice"), want)] if not done.stderr else done.stderr
        meet = int(want[0].numpy().sum())
        print(f"triangles {executor}: {apart} of {n} differ, {meet} meet")
        good += apart == [0, 0] and n // 5 < meet < 4 * n // 5
    return good


def work(weft):
    """Runs under the Python that has warp-lang."""
    wp, np = oracle_env.start_warp()
    wp.config.enable_cpu_blocks = True
    import geometry_kernels as kernels

    good = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, asked, points, indices, velocities in scenes(np):
            upper = asked + np.array([0.3, 0.2, 0.1], "f4") * (1 + np.arange(len(asked))[:, None] % 3).astype("f4")
            arrays = {"asked": asked, "points": points, "indices": indices, "velocities": velocities, "upper": upper}
            for key, value in arrays.items():
                np.save(f"{folder}/{key}.npy", value)
            for kernel in commands(folder):
                found = {executor: run_weft(np, weft, folder, kernel, executor, len(asked)) for executor in EXECUTORS}
                if all(isinstance(got, str) for got in found.values()):
                    sys.exit(f"{kernel}: {found}")
                want = run_warp(wp, kernels, kernel, tuple(arrays.values()))
                for executor, got in found.items():
                    runs += 1
                    bad = got if isinstance(got, str) else [int((a.view("i4") != b.view("i4")).sum()) for a, b in zip(got, want)]
                    good += bad == [0, 0] and bool(want[0].any()) and bool(want[1].any())
                    if bad != [0, 0]:
                        print(f"{name} {kernel} {executor}: {bad} (floats, numbers that differ, of {len(asked)})")
            good += slopes_agree(np, wp, kernels, weft, folder, (name, asked, points, indices))
            runs += len(SLOPES) * len(EXECUTORS)
        good += edges_agree(np, wp, kernels, weft, folder)
        good += triangles_agree(np, wp, kernels, weft, folder)
        runs += 2 * len(EXECUTORS)
    print(f"{good} of {runs} runs give what warp-lang gives")
    return 0 if good == runs > 0 else 1


if __name__ == "__main__":
    oracle_env.run_with_warp(work, __file__)
