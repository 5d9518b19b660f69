# SPDX-License-Identifier: Apache-2.0
"""Numbers that a comparison must not fall below (floors.txt)."""

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


def reaches(name, number, may_raise):
    """Whether a number reaches its floor; raises the floor where that is asked."""
    comments, numbers = read()
    print(f"{name}: {number}, the floor is {numbers[name]}")
    if may_raise and number > numbers[name]:
        write(comments, {**numbers, name: number})
    return number >= numbers[name]


def holds(name, tally, may_raise):
    """Whether a tally has no faults and as many identical kernels as its floor says."""
    return reaches(name, tally.counts["equal"], may_raise) and not tally.faults
