#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft compile --block-dim N` gives the whole module text that warp-lang builds for launches with N threads
per block: header, kernels and CPU entry points, for N = 1, which is what Warp's CPU builds compile, and 64.
The entry points that --emit json lists are defined in that text, with the shared memory of Warp's .meta files.

usage: block_dim_check.py WEFT [--sample N] [--kernels N|all] [--one-in N [--seed S]]

The kernels are those of tests/kernels, of which a sample is compared that the number --sample draws, and all that
need shared memory; --one-in compares a part of these.
"""

import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

SIZES = (1, 64)


def preambles_of(module):
    """What Module.resolve_options makes of the option extra_build_options."""
    import warp_text

    extra = module.options.get("extra_build_options")
    names = ("extra_cpu_preamble", "extra_cuda_preamble") if extra else ()
    return {name: warp_text.context._normalize_extra_preamble(getattr(extra, name)) for name in names}


def whole_texts(path):
    """[[kernel, {"N cpu": text, ...}]] of a file: run by the Python that has warp-lang."""
    import warp_text

    made, found = [], []
    with warp_text.noting_kernels(made):
        warp_text.import_file(path)
    for kernel in warp_text.kernels_of(path, made):
        if kernel.is_generic or kernel.generic_parent or not warp_text.is_static(kernel):
            continue
        kernel.module.options["strip_hash"] = True
        texts = {}
        try:
            for size in SIZES:
                options = {**kernel.module.options, **preambles_of(kernel.module), "block_dim": size, "output_arch": None}
                hasher = warp_text.context.ModuleHasher([kernel], options)
                for device in warp_text.DEVICES:  # a builder each: warp_text forgets what one has noted of functions
                    builder = warp_text.context.ModuleBuilder(kernel.module, options, hasher=hasher)
                    texts[f"{size} {device}"] = builder.codegen(device)
                texts[f"{size} meta"] = builder.build_meta()
        except Exception:  # what warp-lang refuses has no text to compare
            continue
        found.append([kernel.key, texts])
    return found


def print_texts(paths):
    """A line of JSON for each file: in a fork, for the counters in the names of functions run on in a process."""
    for path in paths:
        if os.fork() == 0:
            line = json.dumps([path, whole_texts(path)])
            print(f"\n{line}", flush=True)
            os._exit(0)
        os.wait()


def dump(python, paths):
    command = [python, "-B", os.path.abspath(__file__), "--dump", *paths]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if not lines:
        sys.exit(f"warp-lang ended with status {done.returncode}")
    return map(json.loads, lines)


def weft_text(weft, path, kernel, size, device):
    command = [weft, "compile", "-q", path, "--device", device, "--block-dim", str(size), "--kernel", kernel]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def renumbered(text):
    """Functions that a function makes have a number, in Warp of all that the process has made before. A wp.static
    within an instance makes some for each text that is built, so the numbers depend on which texts are built first;
    oracle.kernels compares them. Here they count from 0 in the order of the text."""
    numbers = {}
    return re.sub(r"(\w+__locals__\w+_)\d+\b", lambda m: m.group(1) + str(numbers.setdefault(m.group(), len(numbers))), text)


def weft_entry_points(weft, path, kernel, size):
    command = [weft, "compile", "-q", path, "--emit", "json", "--block-dim", str(size), "--kernel", kernel]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)["entry_points"]


def wrong_entry_points(found, texts, size):
    """What is wrong with the entry points that weft lists for one block size."""
    if found["block_dim"] != size:
        yield f"block_dim is {found['block_dim']}"
    for device in ("cpu", "cuda"):
        for entry in found[device]:
            parameters = ",\n    ".join(f"{p['type']} {p['name']}".replace(" * ", " *") for p in entry["parameters"])
            if f" {entry['name']}(\n    {parameters})\n{{" not in texts[f"{size} {device}"]:
                yield f"no {entry['name']} with these parameters"
    meta = {f"{entry['name']}_smem_bytes": entry["smem_bytes"] for entry in found["cuda"]}
    if meta != texts[f"{size} meta"] or [e["smem_bytes"] for e in found["cpu"]] != list(meta.values()):
        yield f"shared memory is {meta}, warp-lang has {texts[f'{size} meta']}"


def is_alone(entry, counts):
    """Whether --kernel NAME means this one kernel of its file."""
    return counts[entry[0], entry[1]] == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--sample", default=os.environ.get("WEFT_ORACLE_SEED", "1"))
    parser.add_argument("--kernels", default="150")
    chosen = part.take(sys.argv)
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    paths = sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py")))
    entries = [(path, kernel, texts) for path, found in dump(python, paths) for kernel, texts in found]
    counts = collections.Counter((path, kernel) for path, kernel, _ in entries)
    entries = [entry for entry in entries if is_alone(entry, counts)]
    if args.kernels != "all":
        sample = random.Random(args.sample).sample(entries, min(int(args.kernels), len(entries)))
        entries = [entry for entry in entries if entry in sample or any(entry[2][f"{SIZES[0]} meta"].values())]
    entries = chosen.of(entries)
    wrong = sizes = shared = 0
    for path, kernel, texts in entries:
        for size in SIZES:
            shared += any(texts[f"{size} meta"].values())
            for why in wrong_entry_points(weft_entry_points(args.weft, path, kernel, size), texts, size):
                wrong += 1
                print(f"{path} {kernel}: entry points with block_dim {size}: {why}")
        for key, theirs in texts.items():
            size, device = key.split()
            if device != "meta" and renumbered(weft_text(args.weft, path, kernel, size, device)) != renumbered(theirs):
                wrong += 1
                print(f"{path} {kernel}: the {device} text with block_dim {size} differs")
        sizes += texts["1 cpu"] != texts["64 cpu"]
    print(f"{len(entries)} kernels, {wrong} texts differ; {shared} texts with shared memory; sample {args.sample}")
    sys.exit(0 if entries and not wrong and sizes == len(entries) else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--dump"]:
        import warp_text

        warp_text.start(os.path.join(oracle_env.CACHE, "kernels"))
        print_texts(sys.argv[2:])
    else:
        main()
