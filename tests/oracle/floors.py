"""Numbers of identical kernels that a comparison must not fall below (floors.txt)."""

import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "floors.txt")


def read():
    """(comment lines, {name: floor})"""
    with open(PATH) as stream:
        lines = stream.readlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return [line for line in lines if line.startswith("#")], {name: int(n) for name, n in rows}


def write(comments, numbers):
    with open(PATH, "w") as stream:
        stream.writelines(comments + [f"{name} {n}\n" for name, n in sorted(numbers.items())])


def holds(name, tally, may_raise):
    """Whether a tally has no faults and reaches its floor; raises the floor where that is asked."""
    comments, numbers = read()
    equal = tally.counts["equal"]
    print(f"{name}: {equal} identical on both devices, the floor is {numbers[name]}")
    good = not tally.faults and equal >= numbers[name]
    if may_raise and equal > numbers[name]:
        write(comments, {**numbers, name: equal})
    return good
