# Changes of lists, dicts and objects that may not happen, since nothing says whether they do: what
# they hold is not known afterwards, under any of their names.
import random
from time import perf_counter as measure

import warp as wp

sizes = [1]
same = sizes
if measure() > 1.0:
    sizes.append(2)

table = {"a": 1, "b": 2}
alias = table
if measure() > 1.0:
    alias["a"] = 3


class Config:
    width = 1


config = Config()
config.height = 1


def widen(c, names):
    c.width = 2
    c.height = 1
    names.append("w")


names = []
if measure() > 1.0:
    widen(config, names)

turns = []
for i in range(3):
    if measure() > 1.0:
        continue
    turns.append(i)
after = []
after.append(1)

results = []


def stop_or_add(out):
    if measure() > 1.0:
        return
    out.append(1)


stop_or_add(results)

keep = [1]
push = keep.append
push(2)

order = [1, 2, 3]
random.shuffle(order)

features = []
try:
    import accelerated_kernels_of_nobody

    features.append("fast")
except ImportError:
    pass


shortened = []
measure() > 1.0 and shortened.append(1)
chosen = []
chosen.append(1) if measure() > 1.0 else None


class Registering(type):
    names = []

    def __new__(mcs, name, bases, body):
        Registering.names.append(name)
        return super().__new__(mcs, name, bases, body)


class Registered(metaclass=Registering):
    n = 4


class Settings:
    width = 1

    def __init__(self, given):
        for name, value in given.items():
            setattr(self, name, value)


settings = Settings({random.choice("ab"): 2})


# What is made under a condition changes for certain there.
class Counter:
    def __init__(self):
        self.items = []
        self.n = 0

    def add(self, x):
        self.items.append(x)
        self.n += 1
        return self


if measure() > 1.0:
    made = {}
    made["a"] = 4
    made_sum = Counter().add(3).add(4)

v = wp.vec3(1.0, 2.0, 3.0)
also_v = v
if measure() > 1.0:
    v[0] = 2.0


@wp.kernel
def list_of_two_names(x: wp.array(dtype=int)):
    x[0] = wp.static(len(same))  # expect error: static-unknown


@wp.kernel
def dict_of_two_names(x: wp.array(dtype=int)):
    x[0] = wp.static(table["b"])
    x[1] = wp.static(table["a"])  # expect error: static-unknown


@wp.kernel
def attribute(x: wp.array(dtype=int)):
    x[0] = wp.static(config.height)
    x[1] = wp.static(config.width)  # expect error: static-unknown


@wp.kernel
def argument(x: wp.array(dtype=int)):
    x[0] = wp.static(len(names))  # expect error: static-unknown


@wp.kernel
def turns_of_a_loop(x: wp.array(dtype=int)):
    x[0] = wp.static(after[0])
    x[1] = wp.static(len(turns))  # expect error: static-unknown


@wp.kernel
def end_of_a_function(x: wp.array(dtype=int)):
    x[0] = wp.static(len(results))  # expect error: static-unknown


@wp.kernel
def method_with_a_name(x: wp.array(dtype=int)):
    x[0] = wp.static(len(keep))  # expect error: static-unknown


@wp.kernel
def shuffled(x: wp.array(dtype=int)):
    x[0] = wp.static(order[0])  # expect error: static-unknown


@wp.kernel
def behind_an_import(x: wp.array(dtype=int)):
    x[0] = wp.static(len(features))  # expect error: static-unknown


@wp.kernel
def made_there(x: wp.array(dtype=int)):
    x[0] = wp.static(made["a"])
    x[1] = wp.static(made_sum.n)
    x[2] = wp.static(len(made_sum.items))


@wp.kernel
def vector(x: wp.array(dtype=float)):
    x[0] = wp.static(also_v)[0]  # expect error: static-unknown


@wp.kernel
def any_attribute(x: wp.array(dtype=int)):
    x[0] = wp.static(settings.width)  # expect error: static-unknown


@wp.kernel
def in_expressions(x: wp.array(dtype=int)):
    x[0] = wp.static(len(shortened))  # expect error: static-unknown


@wp.kernel
def in_a_choice(x: wp.array(dtype=int)):
    x[0] = wp.static(len(chosen))  # expect error: static-unknown


@wp.kernel
def by_a_metaclass(x: wp.array(dtype=int)):
    x[0] = wp.static(Registered.n)
    x[1] = wp.static(len(Registering.names))  # expect error: static-unknown
