# Arguments of the module re that are not followed, or are none of the function's.
import os
import re

import warp as wp

compiled = re.compile("a")
A = 1 if compiled.match("ba", pos=1) else 2
B = 1 if compiled.search("ba", endpos=1) else 2
C = len(re.sub("a", "bb", "aaa", count=os.getpid()))
D = len(re.split("a", "aaa", os.getpid()))
E = 1 if compiled.match("ba", 1) else 2
F = len(re.findall("a", "aA", re.I | re.M))


@wp.kernel
def k(a: wp.array(dtype=int)):
    a[0] = A  # expect error: unknown-value


@wp.kernel
def k2(a: wp.array(dtype=int)):
    a[0] = B  # expect error: unknown-value


@wp.kernel
def k3(a: wp.array(dtype=int)):
    a[0] = C  # expect error: unknown-value


@wp.kernel
def k4(a: wp.array(dtype=int)):
    a[0] = D  # expect error: unknown-value


@wp.kernel
def k5(a: wp.array(dtype=int)):
    a[0] = E  # expect error: unknown-value


@wp.kernel
def k6(a: wp.array(dtype=int)):
    a[0] = F  # expect error: unknown-value
