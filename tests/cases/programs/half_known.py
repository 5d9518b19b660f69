# Its values are computed in ways that weft does not follow; a stub says some of them.
import os

COUNT = len(os.listdir("."))
SIZE = 2 * COUNT
NAMES = ["of", "the", "file"]


def double(n):
    return 2 * n
