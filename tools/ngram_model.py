# SPDX-License-Identifier: Apache-2.0
"""A byte model for measuring how well one set of texts predicts another, in numpy.

Witten-Bell over contexts of 0 to ORDER - 1 bytes: P_k(s | c) = (N(c s) + T(c) P_{k-1}(s | c')) /
(N(c) + T(c)), where N counts occurrences in the training texts, T(c) the different bytes seen after
c, c' is c without its first byte, and P_{-1} is 1 / 256. A context that was not seen says what the
next shorter one says. Of a training text that repeats itself this is too sure, so that the model
mixes the P_k, with weights that depend on how long a known context is, and that fit() finds by
expectation maximisation on texts of the kind that is tested, but not on those that are tested.
Every text is preceded by zero bytes, so that no context crosses a border, and ended by one, which
is predicted too."""

import numpy

ORDER = 8  # bytes in a gram: the context and the byte itself; a gram is one uint64
ROUNDS = 20


def padded(texts):
    """All texts as one array of bytes, and where the bytes are that a model predicts."""
    pad = bytes(ORDER - 1)
    data = b"".join(pad + text.encode() + b"\0" for text in texts)
    array = numpy.frombuffer(data, dtype=numpy.uint8)
    predicted = numpy.ones(len(array), dtype=bool)
    at = 0
    for text in texts:
        predicted[at:at + ORDER - 1] = False
        at += ORDER + len(text.encode())
    return array, numpy.flatnonzero(predicted)


def grams(array, places, length):
    """The `length` bytes that end at each place, as numbers."""
    keys = numpy.zeros(len(places), dtype=numpy.uint64)
    for back in range(length - 1, -1, -1):
        keys = keys << numpy.uint64(8) | array[places - back].astype(numpy.uint64)
    return keys


class Model:
    def __init__(self, texts):
        array, places = padded(texts)
        self.levels = []
        for length in range(1, ORDER + 1):
            keys, counts = numpy.unique(grams(array, places, length), return_counts=True)
            contexts, first = numpy.unique(keys >> numpy.uint64(8), return_index=True)
            totals = numpy.add.reduceat(counts, first)
            kinds = numpy.diff(numpy.append(first, len(keys)))
            self.levels.append((keys, counts, contexts, totals, kinds))

    def chances(self, texts):
        """(the chances of each byte by P_{-1}, P_0, ..., the length of the longest known gram's
        context plus one)."""
        array, places = padded(texts)
        chances = numpy.full((ORDER + 1, len(places)), 1 / 256, dtype=numpy.float32)
        longest = numpy.zeros(len(places), dtype=numpy.int8)
        for length, (keys, counts, contexts, totals, kinds) in enumerate(self.levels, 1):
            wanted = grams(array, places, length)
            seen = look_up(keys, counts, wanted)
            total = look_up(contexts, totals, wanted >> numpy.uint64(8))
            kind = look_up(contexts, kinds, wanted >> numpy.uint64(8))
            before, known = chances[length - 1], total > 0
            mixed = (seen + kind * before) / numpy.maximum(total + kind, 1)
            chances[length] = numpy.where(known, mixed, before)
            longest[known] = length
        return chances, longest

    def fit(self, texts):
        self.weights = numpy.full((ORDER + 1, ORDER + 1), 1 / (ORDER + 1))
        chances, longest = self.chances(texts)
        for length in range(ORDER + 1):
            own = chances[:, longest == length]
            weights = self.weights[length]
            for _ in range(ROUNDS if own.shape[1] else 0):
                shares = weights[:, None] * own
                weights = (shares / shares.sum(axis=0)).mean(axis=1) + 1e-6
                weights /= weights.sum()
            self.weights[length] = weights

    def bits(self, texts):
        """(bits that the texts take, bytes predicted)."""
        chances, longest = self.chances(texts)
        mixed = (self.weights[longest] * chances.T).sum(axis=1)
        return float(-numpy.log2(mixed).sum()), len(longest)


def look_up(keys, values, wanted):
    """values[i] where keys[i] == wanted, else 0; keys rise."""
    at = numpy.minimum(numpy.searchsorted(keys, wanted), len(keys) - 1)
    return numpy.where(keys[at] == wanted, values[at], 0)
