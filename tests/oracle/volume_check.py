#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Volumes: `weft run` against warp-lang on its CPU device, bit for bit, and its adjoints.

usage: volume_check.py WEFT

volume_kernels.py is run on places in general position and on lattices, where samples fall on voxels and ties are
rounded, with volumes that both sides make from the same arrays. The interpreter and both texts have to give the bits
that warp-lang gives; adjoints agree to the last digits of their largest term, since warp-lang's compiler contracts
sums.
"""

import os
import subprocess
import tempfile

import oracle_env

KERNELS = os.path.join(oracle_env.HERE, "volume_kernels.py")
EXECUTORS = ("reference", "text", "text-cuda")
VOXEL = (0.3, 0.7, 1.1)
ORIGIN = (-1.3, 0.4, 2.0)
SHAPE = (21, 9, 130)
# kernel -> (what it reads, has it derivatives)
VOLUMES = {
    "maps": ("float", True),
    "floats": ("float", True),
    "vectors": ("vec3", True),
    "fours": ("vec4", True),
    "integers": ("int", False),
    "numbers": ("index", False),
    "stores": ("float", False),
}
# Files of warp-lang's examples and tests, packed by zlib, and what reads them; the first is also written unpacked. Its
# surface has tiles inside.
FILES = {"examples/assets/rocks": "floats", "tests/assets/torus": "floats", "tests/assets/test_vec_grid": "vectors",
         "tests/assets/test_int32_grid": "integers", "tests/assets/test_index_grid": "numbers"}
BACKGROUND = {"float": "2.5", "vec3": "[1,-2,0.5]", "vec4": "[1,-2,0.5,4]", "int": "-7"}


def places(np):
    """(name, places in voxels): in and around the volume; a store writes each voxel once."""
    random = np.random.default_rng(3)
    size = np.array(SHAPE)
    yield "scattered", (random.uniform(-0.2, 1.2, (400, 3)) * size).astype("f4")
    yield "lattice", (random.permutation(np.argwhere(np.ones((24, 16, 1))))[:300] * [1, 1, 0] + random.integers(-6, 12, (300, 3)) * [0, 0, 0.5]
                      + [-2, -3, 0]).astype("f4")


def arrays(np):
    """What the volumes are made of, by kind; floats as float64, which both sides round."""
    random = np.random.default_rng(4)
    near, far = random.integers(-2, 12, (1500, 3)), random.integers(-3, 3, (60, 3)) * [700, 5000, 9]
    return {
        "float": random.normal(size=SHAPE),
        "vec3": random.normal(size=(*SHAPE, 3)).astype("f4"),
        "vec4": random.normal(size=(*SHAPE, 4)).astype("f4"),
        "int": random.integers(-1000, 1000, SHAPE).astype("i4"),
        "index": np.concatenate([near, far, near[:50]]).astype("i4"),
    }


def made_by_warp(np, wp, kind, values):
    if kind == "index":
        return wp.Volume.allocate_by_voxels(wp.array(values, dtype=wp.vec3i, device="cpu"), VOXEL, ORIGIN, device="cpu")
    background = [float(x) for x in BACKGROUND[kind].strip("[]").split(",")]
    if kind == "vec4":
        return four_of(np, wp, values, background)
    outside = background if kind == "vec3" else int(background[0]) if kind == "int" else background[0]
    return wp.Volume.load_from_numpy(values, ORIGIN, VOXEL, outside, device="cpu")


def four_of(np, wp, values, background):
    """load_from_numpy has no vec4."""
    import volume_kernels

    full = np.empty([*(-(-n // 8) * 8 for n in SHAPE), 4], "f4")
    full[:] = background
    full[: SHAPE[0], : SHAPE[1], : SHAPE[2]] = values
    made = wp.Volume.allocate([0, 0, 0], [n - 1 for n in full.shape[:3]], VOXEL, wp.vec4(*background), ORIGIN, device="cpu")
    wp.launch(volume_kernels.fill_fours, full.shape[:3], [made.id, wp.array(full, dtype=wp.vec4, device="cpu")], device="cpu")
    return made


def among_voxels(np, volume, p):
    """Half of the places, and some of the volume's voxels."""
    voxels = np.random.default_rng(8).permutation(volume.get_voxels().numpy())[:400]
    return np.concatenate([p[::2], voxels + 0.25]).astype("f4")


def around_blocks(np, volume, n=400):
    """Places in blocks of the volume and near them."""
    random = np.random.default_rng(10)
    tiles = volume.get_tiles().numpy()
    return (tiles[random.integers(0, len(tiles), n)] + random.uniform(-40, 48, (n, 3))).astype("f4")


def run_warp(wp, kernels, kernel, volume, p, adjoint):
    places = wp.array(p, dtype=wp.vec3, device="cpu", requires_grad=True)
    out = wp.zeros(len(p), dtype=wp.vec3, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(getattr(kernels, kernel), len(p), [wp.uint64(volume.id), places], [out], device="cpu")
    value = out.numpy()
    tape.backward(grads={out: wp.array(adjoint, dtype=wp.vec3, device="cpu")})
    return value, places.grad.numpy()


def text_of(folder, kind):
    """The volume as weft run takes it."""
    voxel, origin = (",".join(map(str, x)) for x in (VOXEL, ORIGIN))
    made = f"{'index' if kind == 'index' else ''}volume:@{folder}/{kind}.npy,voxel=[{voxel}],origin=[{origin}]"
    return made + (f",background={BACKGROUND[kind]}" if kind in BACKGROUND else "")


def run_weft(np, weft, folder, kernel, executor, n, made):
    command = [weft, "run", "--quiet", KERNELS, "--kernel", kernel, "--dim", str(n), "--executor", executor, "--arg", f"volume={made}",
               "--arg", f"p=@{folder}/p.npy", "--arg", f"out=zeros:{n}x3", "--save", f"out=@{folder}/out.npy"]
    if VOLUMES[kernel][1]:
        command += ["--grad", "--adjoint", f"out=@{folder}/adjoint.npy", "--save-grad", f"p=@{folder}/dp.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr:
        return done.stderr or f"status {done.returncode}"
    return np.load(f"{folder}/out.npy"), np.load(f"{folder}/dp.npy") if VOLUMES[kernel][1] else None


def compare(np, got, want, differentiable):
    """What is wrong; None: nothing."""
    if isinstance(got, str):
        return got
    values = int((got[0].view("i4") != want[0].view("i4")).sum())
    apart = float((np.abs(got[1] - want[1]) / (1 + np.abs(want[1]).max(axis=1, keepdims=True))).max()) if differentiable else 0
    told = len(np.unique(want[0])) > 16 and (not differentiable or len(np.unique(want[1])) > 20)
    return None if values == 0 and apart < 1e-5 and told else f"{values} values differ, adjoints by {apart:.1e}, tells: {told}"


def files_of(wp, folder):
    """(file, kernel, volume) of each file, as it is, and of one that is unpacked."""
    for name, kernel in FILES.items():
        path = os.path.join(os.path.dirname(wp.__file__), f"{name}.nvdb")
        with open(path, "rb") as stream:
            volume = wp.Volume.load_from_nvdb(stream, device="cpu")
        yield path, kernel, volume
        if name == next(iter(FILES)):
            volume.save_to_nvdb(f"{folder}/plain.nvdb", codec="none")
            yield f"{folder}/plain.nvdb", kernel, volume


def numbers_agree(np, wp, kernels, weft, folder, voxels, p):
    """volume_sample_index: values in arrays, which the volume numbers. How many executors give warp-lang's bits."""
    random, good = np.random.default_rng(11), 0
    volume = made_by_warp(np, wp, "index", voxels)
    p = among_voxels(np, volume, p)
    count, n = len(volume.get_voxels().numpy()), len(p)
    given = {"p": p, "data": random.normal(size=count).astype("f4"), "more": random.normal(size=(count, 3)).astype("f4")}
    want = {"values": wp.zeros(n, dtype=float, device="cpu"), "out": wp.zeros(n, dtype=wp.vec3, device="cpu")}
    arrays_given = [wp.array(x, dtype=wp.vec3 if x.ndim > 1 else float, device="cpu") for x in given.values()]
    wp.launch(kernels.by_numbers, n, [wp.uint64(volume.id), *arrays_given, *want.values()], device="cpu")
    for name, x in given.items():
        np.save(f"{folder}/{name}.npy", x)
    for executor in EXECUTORS:
        command = [weft, "run", "--quiet", KERNELS, "--kernel", "by_numbers", "--dim", str(n), "--executor", executor,
                   "--arg", f"volume={text_of(folder, 'index')}", "--arg", f"values=zeros:{n}", "--arg", f"out=zeros:{n}x3"]
        command += [word for name in given for word in ("--arg", f"{name}=@{folder}/{name}.npy")]
        command += [word for name in want for word in ("--save", f"{name}=@{folder}/{name}.npy")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        apart = done.stderr or [int((np.load(f"{folder}/{k}.npy").view("i4") != w.numpy().view("i4")).sum()) for k, w in want.items()]
        told = len(np.unique(want["values"].numpy())) > 16
        print(f"by_numbers {executor}: {apart} of {n} differ")
        good += apart == [0, 0] and told
    return good


def work(weft):
    """Runs under the Python that has warp-lang."""
    wp, np = oracle_env.start_warp()
    import volume_kernels as kernels

    good = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        made = arrays(np)
        for kind, values in made.items():
            np.save(f"{folder}/{kind}.npy", values)
        for name, scattered in places(np):
            cases = [(text_of(folder, kind), kernel, made_by_warp(np, wp, kind, made[kind])) for kernel, (kind, _) in VOLUMES.items()]
            if name == "scattered":
                cases += [(f"volume:@{path}", kernel, volume) for path, kernel, volume in files_of(wp, folder)]
            for text, kernel, volume in cases:
                differentiable = VOLUMES[kernel][1]
                p = scattered
                if kernel == "numbers":
                    p = among_voxels(np, volume, scattered)
                elif text.endswith(".nvdb"):
                    p = around_blocks(np, volume)
                adjoint = np.random.default_rng(6).normal(size=p.shape).astype("f4")
                np.save(f"{folder}/p.npy", p)
                np.save(f"{folder}/adjoint.npy", adjoint)
                found = {executor: run_weft(np, weft, folder, kernel, executor, len(p), text) for executor in EXECUTORS}
                want = run_warp(wp, kernels, kernel, volume, p, adjoint)
                for executor, got in found.items():
                    wrong = compare(np, got, want, differentiable)
                    runs += 1
                    good += wrong is None
                    if wrong:
                        print(f"{name} {kernel} {executor} {os.path.basename(text)}: {wrong}")
        good += numbers_agree(np, wp, kernels, weft, folder, made["index"], next(places(np))[1])
        runs += len(EXECUTORS)
    print(f"{good} of {runs} runs give what warp-lang gives")
    return 0 if good == runs > 0 else 1


if __name__ == "__main__":
    oracle_env.run_with_warp(work, __file__)
