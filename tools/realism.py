#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How like real kernels are generated ones? Compares data sets with the kernels in Warp's own
examples and tests.

  realism.py --set NAME=DATASET [--set NAME=DATASET ...] [--real DIR ...] [--json FILE]
             [--classify] [--weft PROGRAM] [--no-models]

Per data set: the Jensen-Shannon divergence (in bits, 0: equal, 1: nothing in common) between its
distributions and the real ones, and the bits per byte of a byte model (ngram_model.py), trained on
it and tested on the real kernels, and the reverse. `text` is the kernel as it is written,
`normalised` is without comments, layout and the writer's names. All models are trained on the same
number of bytes. What is tested is cut into five parts, real kernels by file: each part is tested
with a model whose few mixing weights were fitted on the others. In the row `real` (and in "predicts
itself") the model is also trained on the other parts alone, so that nothing of a file is on both
sides; the divergences of `real` are between two halves by file. A kernel that occurs twice among
the real ones counts once.

--classify: how well a classifier tells the sets from real kernels (realism_classifier.py: three
views, matched by statements, grouped by file), beside how well it tells real packages from each
other, and two halves of all real files; what distinguishes the last set most; how near kernels are
to their nearest real ones, and how many are identical. --weft: the features of `weft stats
--profile`, each with its share among real kernels and in the sets."""

import argparse
import hashlib
import importlib.util
import json
import os
import random
import subprocess
import sys

import numpy

from kernel_corpus import calls, distributions, made_kernels, real_kernels
from ngram_model import Model
from realism_classifier import distinguishing, nearest, tell_apart

PARTS = 5
FIT = 10  # one text in so many of the other parts serves for fitting
MEASURES = ["lines", "depth", "arguments", "argument kinds", "spelling", "statements", "operators",
            "builtins"]
VIEWS = {"text": lambda kernel: kernel.text, "normalised": lambda kernel: kernel.normalised()}


def warp_folders():
    base = importlib.util.find_spec("warp").submodule_search_locations[0]
    return [os.path.join(base, "examples"), os.path.join(base, "tests")]


def divergence(a, b):
    """Jensen-Shannon, base 2, of two counters."""
    keys = sorted(set(a) | set(b))
    p = numpy.array([a[key] for key in keys], dtype=float)
    q = numpy.array([b[key] for key in keys], dtype=float)
    if not p.sum() or not q.sum():
        return 0.0 if p.sum() == q.sum() else 1.0
    p, q = p / p.sum(), q / q.sum()
    middle = (p + q) / 2
    return max(0.0, entropy(middle) - (entropy(p) + entropy(q)) / 2)


def entropy(p):
    p = p[p > 0]
    return float(-(p * numpy.log2(p)).sum())


def part_of(group, parts):
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % parts


def cut(texts, size):
    """Texts in a random but fixed order, as many as give `size` bytes."""
    order = sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())
    kept, total = [], 0
    for text in order:
        if total >= size:
            break
        kept.append(text)
        total += len(text.encode())
    return kept


def size_of(texts):
    return sum(len(text.encode()) for text in texts)


def part_texts(kernels, view, part):
    """(the texts of this part, those of the others)."""
    own, rest = [], []
    for kernel in kernels:
        (own if part_of(kernel.group, PARTS) == part else rest).append(view(kernel))
    return own, rest


def rate(tested, view, size, trained=None):
    """Bits per byte of `tested`, by models of `trained`, or of the other parts of `tested`."""
    bits = n = 0
    model = Model(cut([view(kernel) for kernel in trained], size)) if trained else None
    for part in range(PARTS):
        own, rest = part_texts(tested, view, part)
        if not own or not rest:
            continue
        rest = cut(rest, size)
        used = model or Model(rest[len(rest) // FIT:])
        used.fit(rest[:len(rest) // FIT])
        more, count = used.bits(own)
        bits, n = bits + more, n + count
    return bits / n if n else 0.0


def training_size(kernels, view):
    """What the smallest of the parts' complements holds."""
    return min(size_of(part_texts(kernels, view, part)[1]) for part in range(PARTS))


def models(sets, real):
    """{view: {"training bytes", "bits per byte": {set: {direction: rate}}}}"""
    result = {}
    for name, view in VIEWS.items():
        size = min(training_size(kernels, view) for kernels in [real, *sets.values()])
        rows = {"real": {"predicts real": rate(real, view, size)}}
        for title, kernels in sets.items():
            rows[title] = {"predicts real": rate(real, view, size, kernels)}
            sample = kernels[:len(real)]
            rows[title]["predicted by real"] = rate(sample, view, size, real)
            rows[title]["predicts itself"] = rate(sample, view, size)
        result[name] = {"training bytes": size, "bits per byte": rows}
    return result


def summary(kernels, counts):
    lines = sorted(int(value) for value, n in counts["lines"].items() for _ in range(n))
    return {
        "kernels": len(kernels),
        "median lines": lines[len(lines) // 2],
        "lines at 95 %": lines[len(lines) * 95 // 100],
        "different builtins": len(counts["builtins"]),
    }


# --- the classifier and the features ----------------------------------------------------------


def package_of(kernel):
    return kernel.group.split(os.sep)[0]


def classified(sets, real, most):
    """{"AUC": {pair: {view: AUC}}, "distinguishing": [...], "copies": {set: {...}}}"""
    halves = [[kernel for kernel in real if part_of("half " + kernel.group, 2) == k] for k in (0, 1)]
    rows, found = {"halves of real": tell_apart(*halves, most)[0]}, None
    packages = sorted({package_of(kernel) for kernel in real})
    for number, name in enumerate(packages):
        for other in packages[number + 1:]:
            sides = ([kernel for kernel in real if package_of(kernel) == side] for side in (name, other))
            rows[f"{name}, {other}"] = tell_apart(*sides, most)[0]
    for title, kernels in sets.items():
        rows[f"real, {title}"], found = tell_apart(real, kernels, most)
    return {"AUC": rows, "distinguishing": distinguishing(found, 30) if found else [],
            "copies": {title: nearest(kernels, real, most) for title, kernels in sets.items()}}


def profile_of(weft, paths):
    done = subprocess.run([weft, "stats", "--profile", "--json", *paths], stdout=subprocess.PIPE, check=False)
    if done.returncode > 1:  # 1: some file of them cannot be parsed
        sys.exit(f"realism.py: {weft} stats --profile failed")
    return json.loads(done.stdout)


def feature_shares(weft, real, sets):
    """{feature: {"real": share, set: share}}"""
    profiles = {"real": profile_of(weft, real), **{name: profile_of(weft, [path]) for name, path in sets.items()}}
    return {feature: {name: round(found["features"][feature] / max(1, found["kernels"]), 5) for name, found in profiles.items()}
            for feature in profiles["real"]["features"]}


def compare(sets, real, with_models):
    halves = [[kernel for kernel in real if part_of("half " + kernel.group, 2) == k] for k in (0, 1)]
    counts = {"real": distributions(real)}
    a, b = (distributions(half) for half in halves)
    divergences = {"real": {name: divergence(a[name], b[name]) for name in MEASURES}}
    summaries = {"real": summary(real, counts["real"])}
    for title, kernels in sets.items():
        counts[title] = distributions(kernels)
        divergences[title] = {name: divergence(counts[title][name], counts["real"][name])
                              for name in MEASURES}
        summaries[title] = summary(kernels, counts[title])
    shares = {title: {name: shares_of(counter[name]) for name in MEASURES}
              for title, counter in counts.items()}
    return {"sets": summaries, "divergence": divergences, "models": models(sets, real) if with_models else {},
            "shares": shares}


def shares_of(counter, most=40):
    total = sum(counter.values()) or 1
    return {value: round(n / total, 5) for value, n in counter.most_common(most)}


# --- the report -------------------------------------------------------------------------------


def table(heads, rows):
    widths = [max(len(str(row[k])) for row in [heads, *rows]) for k in range(len(heads))]
    for row in [heads, *rows]:
        print("  ".join(str(cell).rjust(width) if k else str(cell).ljust(width)
                        for k, (cell, width) in enumerate(zip(row, widths))))
    print()


def show(report, differences):
    names = list(report["sets"])
    keys = list(report["sets"]["real"])
    table(["kernels", *names], [[key, *(report["sets"][name][key] for name in names)] for key in keys])
    table(["Jensen-Shannon divergence from real", *names],
          [[key, *(f"{report['divergence'][name][key]:.3f}" for name in names)] for key in MEASURES])
    for view, result in report["models"].items():
        rows = result["bits per byte"]
        heads = [key for key in rows[names[-1]]]
        table([f"bits per byte, {view} ({result['training bytes']:,} training bytes)", *names],
              [[key, *(f"{rows[name][key]:.3f}" if key in rows[name] else "-" for name in names)]
               for key in heads])
    if differences:
        show_differences(report["shares"], names)
    if "classifier" in report:
        show_classifier(report["classifier"])
    if "features" in report:
        show_features(report["features"], names[1:])


def show_classifier(found):
    views = ["structure", "names", "text"]
    table(["AUC", "kernels of each", *views],
          [[pair, row["kernels"], *(f"{row[view]:.3f}" if view in row else "-" for view in views)] for pair, row in found["AUC"].items()])
    table(["what distinguishes the last set", "real", "set"],
          [[gram, f"{real:.3f}", f"{own:.3f}"] for gram, real, own in found["distinguishing"]])
    heads = list(next(iter(found["copies"].values())))
    table(["nearest real kernel", *heads], [[title, *(row[head] for head in heads)] for title, row in found["copies"].items()])


def show_features(features, names):
    """A feature that is more than twice, or less than half as frequent as among real kernels is marked."""
    rows = []
    for feature, shares in features.items():
        row = [feature, f"{100 * shares['real']:.1f} %"]
        for name in names:
            ratio = shares[name] / shares["real"] if shares["real"] else 1.0 if not shares[name] else float("inf")
            row += [f"{100 * shares[name]:.1f} %", f"{ratio:.2f}" + (" " if 0.5 <= ratio <= 2 else "*")]
        rows.append(row)
    table(["feature", "real", *(head for name in names for head in (name, "ratio"))], rows)


def show_differences(shares, names):
    """What the last data set has too much or too little of."""
    last = names[-1]
    for measure in MEASURES:
        real, own = shares["real"][measure], shares[last][measure]
        keys = sorted(set(real) | set(own), key=lambda k: -abs(real.get(k, 0) - own.get(k, 0)))
        table([f"{measure}: share in", "real", last],
              [[key, f"{real.get(key, 0):.4f}", f"{own.get(key, 0):.4f}"] for key in keys[:12]])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=DATASET",
                        help="a data set: a folder that weft generate wrote, or a .jsonl file")
    parser.add_argument("--real", action="append", metavar="DIR",
                        help="Python files with real kernels (default: those of the installed Warp)")
    parser.add_argument("--limit", type=int, default=30000, help="records read of each data set")
    parser.add_argument("--real-limit", type=int, default=0, help="real kernels used (default: all)")
    parser.add_argument("--without", default="", metavar="PREFIX,...",
                        help="leave out real kernels that call builtins which begin so")
    parser.add_argument("--differences", action="store_true",
                        help="show where the last data set differs most")
    parser.add_argument("--classify", action="store_true", help="tell the sets from real kernels, and real packages from each other")
    parser.add_argument("--most", type=int, default=1000, metavar="N", help="kernels of each side for --classify (default: 1000)")
    parser.add_argument("--weft", metavar="PROGRAM", help="the weft whose stats --profile finds features")
    parser.add_argument("--no-models", action="store_true", help="without the byte models, which take longest")
    parser.add_argument("--json", metavar="FILE", help="write everything there")
    return parser.parse_args()


def main():
    options = arguments()
    real = list(real_kernels(options.real or warp_folders()))
    if options.real_limit:
        random.Random(0).shuffle(real)
        real = real[:options.real_limit]
    if options.without:
        prefixes = tuple(options.without.split(","))
        real = [kernel for kernel in real if not calls(kernel, prefixes)]
    sets, paths = {}, {}
    for item in options.set:
        name, _, path = item.partition("=")
        paths[name] = path
        sets[name] = list(made_kernels(path, options.limit))
        if not sets[name]:
            sys.exit(f"realism.py: {path}: no kernels")
    if not real or not sets:
        sys.exit("realism.py: nothing to compare: give --set NAME=DATASET")
    report = compare(sets, real, not options.no_models)
    if options.classify:
        report["classifier"] = classified(sets, real, options.most)
    if options.weft:
        report["features"] = feature_shares(options.weft, options.real or warp_folders(), paths)
    show(report, options.differences)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
