# SPDX-License-Identifier: Apache-2.0
"""A part of a test's work, another one each day, for tests whose whole takes minutes.

    test.py ... --one-in N [--seed S]

The test takes every N-th of its items. Where it begins is the remainder of S, which is the number of today's date:
N days have had all. What is taken is printed, with the seed by which a failure comes again. Without --one-in a test
takes everything.
"""

import sys
import time
import unittest


def today():
    """The number of today's date: the same all day, and one more tomorrow."""
    return int(time.time()) // 86400


class Part:
    """One of `count` parts of any list; the seed says which."""

    def __init__(self, count=1, seed=None):
        self.count, self.seed = count, today() if seed is None else seed

    def tell(self):
        if self.count > 1:
            print(f"one in {self.count}: --one-in {self.count} --seed {self.seed} takes the same; without, everything", flush=True)
        return self

    def of(self, items):
        """Every N-th of the items; of a few at least one."""
        items = list(items)
        return items[self.seed % min(self.count, len(items)) :: self.count] if items else items


def take(words):
    """The part that a command's words tell; its options are taken out of them."""
    found = {}
    for option in ("--one-in", "--seed"):
        if option in words:
            at = words.index(option)
            found[option] = int(words[at + 1])
            del words[at : at + 2]
    if found.get("--one-in", 1) < 1:
        sys.exit("--one-in wants a number from 1 on")
    return Part(found.get("--one-in", 1), found.get("--seed")).tell()


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


class Loader(unittest.TestLoader):
    """Loads a part of a module's tests; those that the command names are all loaded, and those that take a part of
    something themselves."""

    def __init__(self, part, always=()):
        super().__init__()
        self.part, self.always = part, always

    def loadTestsFromModule(self, module, **options):
        whole = super().loadTestsFromModule(module, **options)
        tests = list(tests_of(whole))
        chosen = set(self.part.of(test.id() for test in tests if test._testMethodName not in self.always))
        return self.suiteClass(test for test in tests if test._testMethodName in self.always or test.id() in chosen)


def main(part, **options):
    """unittest.main for the part."""
    unittest.main(testLoader=Loader(part), **options)
