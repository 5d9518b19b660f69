#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Textures: `weft run` against warp-lang on its CPU device, bit for bit, and its adjoints.

usage: texture_check.py WEFT [--count N] [--sample N] [--one-in N [--seed S]]

texture_kernels.py is run on textures of all axes, items, channels, filters, address modes, kinds of coordinates and
levels that warp-lang's CPU device has: N of the 14,976 forms, drawn by the number
--sample, of which --one-in takes a part. Coordinates are in general position,
on and between texels, and far outside. The interpreter and both texts have to give the bits that warp-lang gives;
adjoints agree to the last digits of their largest term, since warp-lang's compiler contracts sums.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

KERNELS = f"{oracle_env.HERE}/texture_kernels.py"
EXECUTORS = ("reference", "text", "text-cuda")
ITEMS = ("u1", "u2", "f4", "i1", "i2", "f2", "u4", "i4")
ADDRESSES = ("wrap", "clamp", "mirror", "border")
SIZES = {1: (13,), 2: (6, 9), 3: (4, 5, 7)}
NAMES = {1: "along", 2: "across", 3: "through"}
OUTPUTS = {"one": 1, "two": 2, "four": 4}
PLACES = 320


def forms():
    """Every form; address modes of the second and third axis follow the first one's, shifted."""
    return [
        dict(zip(("ndim", "items", "channels", "filter", "address", "shift", "normalized", "mips"), f))
        for f in itertools.product((1, 2, 3), ITEMS, (1, 2, 4), ("closest", "linear"), range(4), range(4), (False, True),
                                   ((1, "linear"), (0, "closest"), (0, "linear"), (2, "linear")))
        if not (f[1] in ("u4", "i4") and (f[3] == "linear" or (f[7][0] != 1 and f[7][1] == "linear")))
    ]


def modes(form):
    return [ADDRESSES[(form["address"] + form["shift"] * axis) % 4] for axis in range(form["ndim"])]


def made(np, form, seed):
    """The texels."""
    random = np.random.default_rng(seed)
    shape = SIZES[form["ndim"]] + ((form["channels"],) if form["channels"] > 1 else ())
    if form["items"][0] == "f":
        return random.normal(size=shape).astype(form["items"])
    least, most = np.iinfo(form["items"]).min, np.iinfo(form["items"]).max
    return random.integers(least, most, shape, dtype=form["items"], endpoint=True)


def places(np, form, seed):
    """Coordinates for u, v, w, and levels of detail."""
    random = np.random.default_rng(seed)
    size = np.array((SIZES[form["ndim"]][::-1] + (1, 1))[:3], "f4")
    p = random.uniform(-1.2, 2.2, (PLACES, 3))
    p[::4] = random.integers(-8, 24, p[::4].shape) / (2 * size)
    p[1::16] *= 1000
    p[2::64] = random.choice([0, -0.0, 1, 2, -1, 1e-30, -1e-30, 1e7], p[2::64].shape)
    p[3::64] *= 1e12
    lod = random.uniform(-0.5, 4.5, PLACES)
    lod[::3] = random.integers(-1, 5, lod[::3].shape)
    p = p * (1 if form["normalized"] else size)
    for axis, mode in enumerate(modes(form)):
        if mode in ("clamp", "border"):
            p[5:8, axis] = np.inf, -np.inf, np.nan
    return p.astype("f4"), lod.astype("f4")


def text_of(form, path):
    levels, between = form["mips"]
    return (f"texture:@{path},filter={form['filter']},address=[{','.join(modes(form))}],normalized={str(form['normalized']).lower()}"
            f",mips={levels},mipfilter={between}" if form["items"] not in ("u4", "i4") else
            f"texture:@{path},address=[{','.join(modes(form))}],normalized={str(form['normalized']).lower()},mips={levels}")


def run_warp(np, wp, kernels, form, texels, p, lod, seeds):
    """Values of the outputs, then adjoints of p and lod."""
    filters = {"closest": wp.TextureFilterMode.CLOSEST, "linear": wp.TextureFilterMode.LINEAR}
    kind = {1: wp.Texture1D, 2: wp.Texture2D, 3: wp.Texture3D}[form["ndim"]]
    address = {f"address_mode_{axis}": getattr(wp.TextureAddressMode, mode.upper()) for axis, mode in zip("uvw", modes(form))}
    levels, between = form["mips"]
    given = {} if form["items"] in ("u4", "i4") else {"filter_mode": filters[form["filter"]], "mip_filter_mode": filters[between]}
    texture = kind(texels, normalized_coords=form["normalized"], num_mip_levels=levels, device="cpu", **address, **given)
    places_ = wp.array(p, dtype=wp.vec3, device="cpu", requires_grad=True)
    lods = wp.array(lod, dtype=float, device="cpu", requires_grad=True)
    out = [wp.zeros(PLACES, dtype=t, device="cpu", requires_grad=True) for t in (float, wp.vec2, wp.vec4)]
    with wp.Tape() as tape:
        wp.launch(getattr(kernels, NAMES[form["ndim"]]), PLACES, [texture, places_, lods], out, device="cpu")
    values = [o.numpy().copy() for o in out]
    tape.backward(grads={o: wp.array(s, dtype=o.dtype, device="cpu") for o, s in zip(out, seeds)})
    return values, [places_.grad.numpy(), lods.grad.numpy()]


def weft_run(weft, kernel, executor, args, saves, adjoints=(), grads=()):
    """None, or what went wrong."""
    command = [weft, "run", "--quiet", KERNELS, "--kernel", kernel, "--dim", str(PLACES), "--executor", executor]
    for option, values in (("--arg", args), ("--save", saves), ("--adjoint", adjoints), ("--save-grad", grads)):
        for value in values:
            command += [option, value]
    done = subprocess.run(command + (["--grad"] if grads else []), capture_output=True, text=True, timeout=120)
    return (done.stderr or f"status {done.returncode}") if done.returncode or done.stderr else None


def run_weft(np, weft, folder, form, executor):
    zeros = [f"{name}=zeros:{PLACES}" + (f"x{n}" if n > 1 else "") for name, n in OUTPUTS.items()]
    wrong = weft_run(weft, NAMES[form["ndim"]], executor,
                     [f"t={text_of(form, folder + '/t.npy')}", f"p=@{folder}/p.npy", f"lod=@{folder}/lod.npy", *zeros],
                     [f"{name}=@{folder}/{name}.npy" for name in OUTPUTS],
                     [f"{name}=@{folder}/adj_{name}.npy" for name in OUTPUTS], [f"p=@{folder}/dp.npy", f"lod=@{folder}/dlod.npy"])
    if wrong:
        return wrong
    return [np.load(f"{folder}/{name}.npy") for name in OUTPUTS], [np.load(f"{folder}/{name}.npy") for name in ("dp", "dlod")]


def compare(np, got, want):
    """What is wrong; None: nothing."""
    if isinstance(got, str):
        return got
    values = sum(int((g.view("i4") != w.view("i4")).sum()) for g, w in zip(got[0], want[0]))
    apart = 0.0
    for g, w in zip(got[1], want[1]):
        if not np.array_equal(np.isfinite(g), np.isfinite(w)):
            return f"{values} values differ, and which adjoints are finite"
        near = np.abs(np.where(np.isfinite(w), g - w, 0)) / (1 + np.abs(np.where(np.isfinite(w), w, 0)))
        apart = max(apart, float(near.max()))
    return None if values == 0 and apart < 2e-5 else f"{values} values differ, adjoints by {apart:.1e}"


def check_held(np, wp, kernels, weft, folder):
    """Textures in a struct and in an array: the lines that are wrong."""
    random = np.random.default_rng(3)
    images = [random.normal(size=(5, 8)).astype("f4") for _ in range(3)]
    for i, image in enumerate(images):
        np.save(f"{folder}/image{i}.npy", image)
    p = random.uniform(-1, 2, (PLACES, 3)).astype("f4")
    np.save(f"{folder}/p.npy", p)
    textures = [wp.Texture2D(image, device="cpu") for image in images]
    layer = kernels.Layer()
    layer.height, layer.image = 3.0, textures[0]
    one = wp.zeros(PLACES, dtype=float, device="cpu")
    array = wp.array(textures[1:], dtype=wp.Texture2D, device="cpu")
    wp.launch(kernels.held, PLACES, [layer, array, wp.array(p, dtype=wp.vec3, device="cpu")], [one], device="cpu")
    for executor in EXECUTORS:
        wrong = weft_run(weft, "held", executor, ["layer.height=3", f"layer.image=texture:@{folder}/image0.npy",
                         f"images=texture:@{folder}/image1.npy;@{folder}/image2.npy", f"p=@{folder}/p.npy", f"one=zeros:{PLACES}"],
                         [f"one=@{folder}/one.npy"])
        if not wrong and not np.array_equal(np.load(f"{folder}/one.npy"), one.numpy()):
            wrong = "values differ"
        yield wrong and f"held {executor}: {wrong}"


def work(weft, *options):
    """Runs under the Python that has warp-lang."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--sample", type=int, default=1)
    options = list(options)
    chosen = part.take(options)
    o = parser.parse_args(options)
    wp, np = oracle_env.start_warp()
    import texture_kernels as kernels

    every = forms()
    drawn = np.random.default_rng(o.sample).permutation(len(every))[: o.count]
    lines = []
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in chosen.of(map(int, drawn)):
            form = every[number]
            texels, (p, lod) = made(np, form, number), places(np, form, number)
            random = np.random.default_rng(number)
            seeds = [random.normal(size=(PLACES, n) if n > 1 else PLACES).astype("f4") for n in OUTPUTS.values()]
            for name, values in (("t", texels), ("p", p), ("lod", lod), *((f"adj_{k}", s) for k, s in zip(OUTPUTS, seeds))):
                np.save(f"{folder}/{name}.npy", values)
            found = {executor: run_weft(np, weft, folder, form, executor) for executor in EXECUTORS}
            want = run_warp(np, wp, kernels, form, texels, p, lod, seeds)
            for executor, got in found.items():
                wrong = compare(np, got, want)
                runs += 1
                lines += [f"{form} {executor}: {wrong}"] if wrong else []
        for wrong in check_held(np, wp, kernels, weft, folder):
            runs += 1
            lines += [wrong] if wrong else []
    print("\n".join(lines[:20]))
    print(f"{runs - len(lines)} of {runs} runs give what warp-lang gives")
    return 0 if not lines and runs else 1


if __name__ == "__main__":
    oracle_env.run_with_warp(work, __file__)
