# SPDX-License-Identifier: Apache-2.0
"""Can a classifier tell generated kernels from real ones? For realism.py, in numpy alone.

Three views of a kernel:
- structure: n-grams of 1 to 4 tokens, all names of the writer's hidden, numbers by their kind;
- names: the writer's names and the words that they consist of;
- text: n-grams of 5 characters, as it is written.

The classifier is logistic regression on hashed counts (1 + log n, times the inverse frequency, rows
of length one), by gradient descent with momentum. The AUC comes from a cross-validation in FOLDS
parts: kernels of one file are in one part, and both sides are matched by their numbers of
statements first, so that neither lengths nor habits of a file are what is learnt. 0.5: nobody can
tell them apart; 1: always."""

import ast
import builtins
import collections
import hashlib
import io
import keyword
import random
import re
import tokenize
import zlib

import numpy

FOLDS = 5
WIDTH = 1 << 12  # hashed features
ROUNDS, RATE, MOMENTUM, DECAY = 60, 20.0, 0.9, 1e-4
STEPS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 60]
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}


# --- views ------------------------------------------------------------------------------------


def structure_tokens(kernel):
    """As hidden_tokens; they are found once."""
    if not hasattr(kernel, "tokens"):
        kernel.tokens = hidden_tokens(kernel)
    return kernel.tokens


def hidden_tokens(kernel):
    """The tokens of the kernel without names: `y[i] = wp.sqrt(x[j])` is x [ x ] = wp.sqrt ( x [ x ] )."""
    tokens, before = [], ["", ""]
    for token in tokenize.generate_tokens(io.StringIO(kernel.normalised()).readline):
        if token.type in SKIPPED:
            continue
        text = token.string
        if token.type == tokenize.NAME:
            if before[-1] == "." and before[-2] == "wp":
                text = "wp." + text
                del tokens[-2:]
            elif before[-1] == ".":
                text = "a"
            elif text != "wp" and not keyword.iskeyword(text) and not hasattr(builtins, text):
                text = "x"
        elif token.type == tokenize.NUMBER:
            text = "0.0" if re.search(r"[.eE]", text) and not text.startswith("0x") else "0"
        elif token.type == tokenize.STRING:
            text = "''"
        elif token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            text = tokenize.tok_name[token.type]
        tokens.append(text)
        before = [before[-1], token.string]
    return tokens


def grams(tokens, longest):
    for length in range(1, longest + 1):
        for at in range(len(tokens) - length + 1):
            yield " ".join(tokens[at:at + length])


def names(kernel):
    for node in ast.walk(kernel.node):
        found = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name"}.get(type(node))
        if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == kernel.alias):
            found = "attr"
        name = getattr(node, found) if found else None
        if name and name != kernel.alias and not hasattr(builtins, name):
            yield name
            yield from ("_" + word for word in name.lower().split("_") if word and word != name)


VIEWS = {
    "structure": lambda kernel: grams(structure_tokens(kernel), 4),
    "names": names,
    "text": lambda kernel: (kernel.text[at:at + 5] for at in range(len(kernel.text) - 4)),
}


# --- the classifier ---------------------------------------------------------------------------


def counts_of(bags):
    """A row for each bag: 1 + log n of each hashed feature."""
    rows = numpy.zeros((len(bags), WIDTH), dtype=numpy.float32)
    for row, bag in zip(rows, bags):
        for feature, n in bag.items():
            row[zlib.crc32(feature.encode()) % WIDTH] += n
    return numpy.log1p(rows)


def weighted(rows, train):
    """Times the inverse frequency in the rows that are trained on; rows of length one."""
    frequency = (rows[train] > 0).sum(axis=0)
    rows = rows * numpy.log((1 + len(train)) / (1 + frequency)).astype(numpy.float32)
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def regression(rows, truth):
    weights, speed, bias = numpy.zeros(rows.shape[1], dtype=numpy.float32), 0, 0.0
    truth = truth.astype(numpy.float32)
    for _ in range(ROUNDS):
        error = (1 / (1 + numpy.exp(-(rows @ weights + bias))) - truth).astype(numpy.float32)
        speed = MOMENTUM * speed - RATE * (rows.T @ error / len(truth) + DECAY * weights)
        weights = weights + speed
        bias -= error.mean()
    return weights, bias


def auc_of(scores, truth):
    """How often a positive one scores above a negative one; ties count half."""
    order = numpy.argsort(scores, kind="stable")
    ranks = numpy.empty(len(scores))
    values, first, counts = numpy.unique(scores[order], return_index=True, return_counts=True)
    ranks[order] = numpy.repeat(first + (counts + 1) / 2, counts)
    positive = int(truth.sum())
    return float((ranks[truth > 0].sum() - positive * (positive + 1) / 2) / (positive * (len(truth) - positive)))


def fold_of(group):
    return int(hashlib.sha256(("fold " + group).encode()).hexdigest(), 16) % FOLDS


def statements_of(kernel):
    return sum(isinstance(node, ast.stmt) for node in ast.walk(kernel.node)) - 1


def matched(first, second, most):
    """Of both the same number of kernels for each step of statements, `most` of each at most."""
    sides = []
    for kernels in (first, second):
        steps = collections.defaultdict(list)
        for kernel in kernels:
            steps[sum(statements_of(kernel) > step for step in STEPS)].append(kernel)
        for step in steps.values():
            random.Random(0).shuffle(step)
        sides.append(steps)
    pairs = [pair for step in sorted(sides[0]) for pair in zip(sides[0][step], sides[1][step])]
    random.Random(0).shuffle(pairs)
    return [pair[0] for pair in pairs[:most]], [pair[1] for pair in pairs[:most]]


def tell_apart(first, second, most):
    """{"kernels": of each side, view: AUC} and the bags of the structure view for distinguishing()."""
    first, second = matched(first, second, most)
    result = {"kernels": len(first)}
    both = first + second
    if len(first) < 2 * FOLDS:
        return result, None
    truth = numpy.array([0] * len(first) + [1] * len(second))
    folds = numpy.array([fold_of(kernel.group) for kernel in both])
    kept = None
    for view, features in VIEWS.items():
        bags = [collections.Counter(features(kernel)) for kernel in both]
        kept = kept or bags
        rows, scores = counts_of(bags), numpy.zeros(len(both))
        for fold in range(FOLDS):
            train, test = numpy.flatnonzero(folds != fold), numpy.flatnonzero(folds == fold)
            if not len(test):
                continue
            ready = weighted(rows, train)
            weights, bias = regression(ready[train], truth[train])
            scores[test] = ready[test] @ weights + bias
        result[view] = auc_of(scores, truth)
    return result, (kept, truth)


def distinguishing(found, most):
    """What one side's structure has more often than the other's: (n-gram, share of the first, share of
    the second), the most telling first; of n-grams within each other the shorter one."""
    bags, truth = found
    shares = [collections.Counter(), collections.Counter()]
    for bag, side in zip(bags, truth):
        shares[side].update(bag.keys())
    sizes = [max(1, int((truth == side).sum())) for side in (0, 1)]

    def gain(gram):
        p, q = (shares[side][gram] / sizes[side] for side in (0, 1))
        middle = (p + q) / 2
        return entropy(middle) - (entropy(p) + entropy(q)) / 2

    told = []
    for gram in sorted(set(shares[0]) | set(shares[1]), key=lambda gram: (-gain(gram), len(gram), gram))[:most * 20]:
        if len(told) < most and not any(gram in other or other in gram for other, _, _ in told):
            told.append((gram, shares[0][gram] / sizes[0], shares[1][gram] / sizes[1]))
    return told


def entropy(p):
    return float(-sum(x * numpy.log2(x) for x in (p, 1 - p) if x > 0))


# --- copies -----------------------------------------------------------------------------------


def nearest(made, real, most):
    """How near generated kernels are to their nearest real ones, by the Jaccard index of their hashed
    4-grams of structure tokens: quantiles, and how many are identical."""
    made = made[:most]
    known, own = ((counts_of([collections.Counter(fours(kernel)) for kernel in side]) > 0).astype(numpy.float32)
                  for side in (real, made))
    common = own @ known.T
    either = own.sum(axis=1, keepdims=True) + known.sum(axis=1) - common
    likeness = numpy.sort((common / numpy.maximum(either, 1)).max(axis=1))
    texts = {kernel.normalised() for kernel in real}
    return {"kernels": len(made), "identical": sum(kernel.normalised() in texts for kernel in made),
            **{f"likeness at {percent} %": round(float(likeness[min(len(made) - 1, len(made) * percent // 100)]), 4)
               for percent in (50, 95, 99, 100)}}


def fours(kernel):
    tokens = structure_tokens(kernel)
    return (" ".join(tokens[at:at + 4]) for at in range(max(1, len(tokens) - 3)))
