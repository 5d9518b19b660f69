"""Docstring."""
from __future__ import annotations
import a, b.c as d, e . f
from . import a
from .. b . c import (d as e, f,)
from ....x import *
a = b = c, *d = e; f += 1; g: int; h: int = 1; (i): int = 2; j.k: int; l[0]: int = 1, *b; *m, = n,
(a), [b, (c, *d)] = e
a -= 1; a *= 2; a /= 3; a //= 4; a %= 5; a @= 6; a &= 7; a |= 8; a ^= 9; a <<= 1; a >>= 2; a **= 3
del a, (b, [c]), d.e, f[0]
assert a; assert a, b
if a: pass
elif b:
    pass
elif c: pass; pass
else:
	pass
while a:
    break; continue
else: pass
for a, *b in c, *d: pass
else:
    pass
async def f(a, b: int = 1, /, c=2, *d: *e, f, g: int = 3, **h: str) -> int:
    async for a in b: await c
    async with a as b, c: return
    return *a, b
def g(*, a): global b, c
def h(*a, b): return lambda *, c: (yield)
@a.b(c)
@d
class C(a, *b, metaclass=c, **d):
    @e
    def f(self): raise
    raise a from b
class D: ...
class E(): x = 1
try: raise a
except (a, b) as c: pass
except d: pass
except: pass
else: pass
finally: pass
try:
    pass
except* a as b:
    pass
try: pass
finally: pass
with a: pass
with a as b, c as (d, e): pass
with (a as b, c,): pass
with (a, b): pass
with (a): pass
with (a), b: pass
def k(d):
    with (yield): pass
    def l(): nonlocal d
with (a, b) as c: pass
def o(): l[0]: int = yield
