# SPDX-License-Identifier: Apache-2.0
"""Small programs about what CPython 3.11 refuses after parsing (symtable.c, future.c, compile.c).

all_texts() yields every statement of STATEMENTS in every context of CONTEXTS, every two of PAIRS in
a function, and PROGRAMS. Whether one is an error is for CPython to say: near misses stand beside.
"""

import itertools
import textwrap

# "@" is where the statement goes, at its indentation.
CONTEXTS = [
    "@",
    "from __future__ import annotations\n@",
    "def f(x, *a, y=1, **k):\n    @",
    "async def f(x):\n    @",
    "async def f(x):\n    yield 1\n    @",
    "class C:\n    @",
    "class C:\n    def m(self, x):\n        @",
    "def f():\n    x = y = z = 1\n    def g():\n        @",
    "def f():\n    global x\n    def g():\n        @",
    "def f(x, y, z):\n    class C:\n        @",
    "def f(x, y, z):\n    class C:\n        def g(self):\n            @",
    "async def f():\n    def g():\n        @",
    "def f():\n    async def g():\n        @",
    "for i in x:\n    @",
    "while x:\n    pass\nelse:\n    @",
    "for i in x:\n    def f():\n        @",
    "for i in x:\n    class C:\n        @",
    "def f():\n    while x:\n        with y as z:\n            @",
    "for i in x:\n    try:\n        pass\n    except* E:\n        @",
    "def f():\n    try:\n        pass\n    except* E:\n        @",
    "def f():\n    try:\n        pass\n    except* E:\n        for i in x:\n            @",
    "def f():\n    for i in x:\n        try:\n            @\n        except* E:\n            pass",
    "def f():\n    for i in x:\n        try:\n            pass\n        except* E:\n            pass\n        else:\n            @",
    "def f():\n    for i in x:\n        try:\n            pass\n        except* E:\n            pass\n        finally:\n            @",
    "for i in x:\n    try:\n        pass\n    finally:\n        @",
    "if 0:\n    @",
    "match x:\n    case [y, *z]:\n        @",
]

STATEMENTS = """
return
return 1
return *x, 1
return *x
break
continue
yield
yield 1
yield *x, 1
yield from x
z = yield from x
await x
z = await x
global x
global q
global q, q
global f
global C
global i
global __class__
nonlocal x
nonlocal q
nonlocal x, y
nonlocal __class__
nonlocal i
nonlocal k
nonlocal self
global x; nonlocal x
nonlocal x; global x
from a import *
from a import b, c
from a import __debug__
from a import __debug__ as b
import a.__debug__
import __debug__.a
import a.b as __debug__
from __future__ import division
from __future__ import nothing
from .__future__ import division
__debug__ = 1
__debug__ += 1
__debug__: int
__debug__: int = 1
(__debug__): int
(__debug__): int = 1
a.__debug__ = 1
a.__debug__ += 1
a.__debug__: int
a.__debug__: int = 1
a[__debug__] = 1
del __debug__
del a.__debug__
del (x, [y, __debug__])
print(__debug__)
print(__debug__=1)
print(a.__debug__)
def __debug__(): pass
class __debug__: pass
class D(__debug__=1): pass
def g(__debug__): pass
def g(*, __debug__): pass
def g(*__debug__): pass
def g(**__debug__): pass
def g(__debug__, /): pass
g = lambda __debug__: 1
g = lambda *__debug__: 1
(__debug__ := 1)
for __debug__ in x: pass
with x as __debug__: pass
[1 for __debug__ in x]
def g(a, a): pass
def g(a, /, a): pass
def g(a, *, a): pass
def g(a, *a): pass
def g(a, **a): pass
def g(*a, **a): pass
def g(a, b, c, *d, e, **g): pass
def g(a: a, b=a): pass
g = lambda a, a: 1
g = lambda a, *, a=1: 1
g = lambda a: lambda a: 1
def g(__a, _C__a): pass
async def g(a, a): pass
g(a=1, a=2)
g(a=1, b=2)
g(a=1, **b, a=2)
g(**a, **a)
g(a=1)(a=2)
g(a=g(a=1))
g(*a, *b, a=1, b=2, c=3, d=4, e=5, f=6, h=7, i=8, j=9, k=1, l=2, m=3, n=4, o=5, p=6, q=7, r=8)
g(a=1, b=2, c=3, d=4, e=5, f=6, h=7, i=8, j=9, k=1, l=2, m=3, n=4, o=5, p=6, q=7, r=8, c=9)
x.g(a=1, a=2)
class D(a=1, a=2): pass
class D(*x, y, metaclass=z, **k): pass
*a = x
*a, = x
a, *b = x
*a, *b = x
[*a, *b] = x
[*a], *b = x
(*a, b), *c = x
a = *b = x
*a, b = *c = x
a = *b, = x
for *a in x: pass
for *a, b in x: pass
for *a, *b in x: pass
for a, (*b, c), *d in x: pass
for a in *x, y: pass
for a in *x: pass
[1 for *a in x]
[1 for *a, *b in x]
[1 for *a, b in x]
with x as (*a, b): pass
with x as (*a, *b): pass
with x as [*a]: pass
a = *x
a = *x,
a = [*x, *y]
a = {*x, *y}
a = x[*y]
a = x[*y, 1]
a = x[*y:1]
x[*y] = 1
del x[*y]
a[*b]: int
a += *x
a += *x, 1
*x
*x,
print(*x, *y)
print((*x))
a: int = *x
a: int = *x, 1
a: *x = 1
a: (*x, 1) = 1
def g(*a: *x): pass
def g(*a: x): pass
def g(a: (*x, 1)) -> (*x,): pass
assert *x
assert x, *y
(yield)
a = lambda: (yield)
a = lambda: (yield from x)
a = lambda: await x
[(yield) for a in x]
[a for a in (yield)]
[a for a in x if (yield)]
{(yield) for a in x}
{a: (yield) for a in x}
((yield from x) for a in x)
[lambda: (yield) for a in x]
[a for b in x for a in (yield)]
def g(a=(yield)): pass
def g(a: (yield)): pass
def g() -> (yield): pass
def g(a: (await x)): pass
def g(a: (b := 1)): pass
def g(a=(b := 1)): pass
def g(a: [(b := 1) for i in x]): pass
a: (yield) = 1
a: (yield)
a: (await x)
a: (b := 1)
a: [(b := 1) for i in y]
a: [(yield) for i in y]
a: (lambda: (yield))
a: (lambda: (b := 1))
a.b: (yield)
a.b: (await x) = 1
(a): (yield)
a[(yield)]: int
a[1, (*b, 2)]: int
a[1, (2, *b)]: int = 1
a[1, [*b]]: int
a[1:(*b,)]: int
a[{*b}].c: int
(a.__debug__): int
x, a.__debug__ = y
a.__debug__.b = 1
a: (lambda a, a: 1)
a: g(b=1, b=2)
@(yield)
class D: pass
class D((yield)): pass
async for a in x: pass
async with x: pass
async with x as a, y as b: pass
[a async for a in x]
{a async for a in x}
{a: a async for a in x}
(a async for a in x)
[await a for a in x]
[a for a in await x]
(await a for a in x)
(a for a in await x)
[[b async for b in a] for a in x]
[[b for b in a] async for a in x]
[(b async for b in a) for a in x]
([b async for b in a] for a in x)
[a for a in x for b in await a]
[a for a in [b async for b in x]]
lambda: [a async for a in x]
lambda: (a async for a in x)
def g(): [a async for a in x]
async def g(): [a async for a in x]
async def g(): yield 1; return
async def g(): yield 1; return 1
async def g(): return 1; yield 1
async def g(): return 1
async def g(): return lambda: (yield)
async def g(): yield from x
async def g(): [(yield) for a in x]
async def g(): await (yield)
[i := 0 for i in y]
[(i := 0) for i in y]
[(i := 0) for j in y]
[(i := 0) for j in y for i in z]
[i for i in y if (j := i)]
[j for i in y if (j := i) for j in z]
[(j := 1, [j for j in z]) for i in y]
[[(i := 0) for j in z] for i in y]
[[(j := 0) for i in z] for j in y]
[i for i in (i := y)]
[i for i in (j := y)]
[i for i in y for k in (j := z)]
[i for i in [(j := k) for k in y]]
[i for i in (lambda: (j := 1))()]
[(lambda: (i := 1)) for i in y]
[(lambda i: (i := 1)) for i in y]
[i for i in y if (lambda: (j := i))()]
{(i := 0): 1 for i in y}
{1: (i := 0) for j in y}
((i := 0) for i in y)
[i for i[(j := 0)] in y]
[(y := 0) for x[y] in z]
(lambda: [(i := 0) for j in y])
(lambda i: [(i := 0) for j in y])
[(q := 1) for i in y]; global q
global q; [(q := 1) for i in y]
def g(): q = 1; [(q := 1) for i in y]
def g(): global q; [(q := 1) for i in y]
def g(): [(q := 1) for i in y]; global q
[(__i := 0) for __i in y]
[(__i := 0) for j in y]
global a; a: int
a: int; global a
global a; (a): int
(a): int; global a
global a; a: int = 1
(a): int = 1; global a
nonlocal x; x: int
x: int; nonlocal x
print(x); global x
x = 1; global x
x += 1; global x
del x; global x
import x; global x
import x.y; global x
from a import x; global x
def x(): pass; global x
class x: pass; global x
for x in y: global x
for q in y: pass; global q
with y as q: global q
global x; x = 1; print(x)
global x; del x
global x; import x
global x; global x
global x; x
if x: global x
[x for x in y]; global x
[q for i in x]; global q
lambda: q; global q
lambda q: q; global q
lambda q=q: q; global q
class D: q = 1; global q
def g(): q = 1; global q
def g(q): global q
def g(q): nonlocal q
def g(*q): global q
def g(**q): nonlocal q
def g(): nonlocal x
def g(): nonlocal g
def g(): nonlocal q; q = 1
def g(): q = 1; nonlocal q
def g(): print(q); nonlocal q
def g(): super(); nonlocal __class__
class D: nonlocal q
class D: nonlocal x; x = 1
class D: super; nonlocal __class__
async def g(): nonlocal x; await x
def g(): x = 1; [x for x in y]; lambda: x
try: pass
except a: pass
try: pass
except: pass
try: break
finally: pass
while x: break
while x: continue
while x: return
while x: lambda: (yield)
for a in x: [b for b in x]; break
with x: break
with x: continue
with x: return
print(f"{(yield)} {(a := 1)}")
print(f"{await x}")
print(f"{g(a=1, a=2)}")
print(f"{[i := 0 for i in y]}")
print(f"{lambda a: 1}")
print(f"{x!r:{(yield)}}")
match x: pass
del x, y
del (x), [y], z.a, z[1]
raise x from (yield)
assert (yield), (a := 1)
""".strip().split("\n")

# `except E as __debug__` is left out: CPython 3.11.7 corrupts its memory when it refuses that.
BLOCKS = [
    "try:\n    pass\nexcept:\n    pass\nexcept E:\n    pass",
    "try:\n    pass\nexcept E:\n    pass\nexcept:\n    pass",
    "try:\n    pass\nexcept:\n    pass\nexcept:\n    pass\nelse:\n    pass",
    "try:\n    pass\nexcept E as e:\n    global e",
    "try:\n    pass\nexcept E as e:\n    break\nelse:\n    pass",
    "try:\n    pass\nexcept E as e:\n    pass\nelse:\n    continue\nfinally:\n    pass",
    "try:\n    pass\nexcept E as e:\n    pass\nfinally:\n    return",
    "try:\n    pass\nexcept* E as e:\n    return 1",
    "try:\n    pass\nexcept* E:\n    break\nelse:\n    return",
    "try:\n    pass\nexcept* E:\n    while x:\n        break\n    else:\n        continue",
    "try:\n    pass\nexcept* E:\n    def g():\n        return 1\n    lambda: (yield)",
    "try:\n    return\nexcept* E:\n    pass\nfinally:\n    pass",
    "try:\n    pass\nexcept E:\n    try:\n        pass\n    except* F:\n        pass\n    return",
    "while x:\n    pass\nelse:\n    break",
    "for a in x:\n    break\nelse:\n    continue",
    "for a in x:\n    if a:\n        break\n    elif x:\n        continue\n    else:\n        with x:\n            break",
    "while 0:\n    class D:\n        break",
    "while 1:\n    def g():\n        continue",
    "@a(b=1, b=2)\ndef g():\n    pass",
    "@(yield)\ndef g():\n    pass",
    "if x:\n    from __future__ import division",
    "def g():\n    from __future__ import division",
    "print(a=1,\n      b=2,\n      a=3)",
    "def g(a,\n      b,\n      a):\n    pass",
    "def g(a,\n      __debug__):\n    pass",
    "from a import (b,\n    __debug__)",
    "(a,\n *b,\n *c) = x",
    "x = [\n  *a,\n  lambda: (\n    yield)]",
    "global a, \\\n  x, i",
]

PATTERNS = """
_
a
a.b
1
-1
1+2j
"s"
f"s"
f"{x}"
"s" f"{x}"
None
[]
[a]
[a, b]
[a, a]
[a, _, _]
[*_]
[*a, *b]
[*_, *_]
[a, *a]
(a, (b, a))
[1, *_, a]
{}
{1: a}
{1: a, 1: b}
{1: _, 1.0: _}
{1: _, True: _}
{0: _, False: _}
{-1: _, -1: _}
{1: _, -1: _}
{0: _, -0: _, 0.0: _}
{0j: _, 0: _}
{1+0j: _, 1: _}
{1+2j: _, 1+2j: _}
{1+2j: _, 1-2j: _}
{-1+2j: _, -1 + 2j: _}
{2j: _, 0+2j: _}
{-2j: _, 0-2j: _}
{"a": _, "a": _}
{"a": _, b"a": _}
{"a": _, "a" "": _}
{None: _, None: _}
{None: _, False: _}
{1e400: _, 1e500: _}
{1e20: _, 100000000000000000000.0: _}
{a.b: _, a.b: _}
{f"a": _}
{"a": a, **a}
{"a": a, **b}
{**a}
{"a": 1, "b": {"a": 1}}
C()
C(a)
C(a, b)
C(a, a)
C(a=1)
C(a=1, a=2)
C(a=a, b=a)
C(a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1, i=1, a=1)
C(__debug__=1)
C(a, b=C(a=_))
C(_, _)
a as b
a as a
_ as a
[a] as b
[a] as a
[a as b, c as b]
1 as a
(a as b) as c
__debug__
[__debug__]
1 as __debug__
{**__debug__}
[*__debug__]
1 | 2
1 | _
1 | a
_ | 1
a | 1
a | a
[a] | [a]
[a] | [b]
[a, b] | [b, a]
[a] | [a, b]
[a | b]
[1 | a]
[1 | _]
[_ | 1]
[(1 | a), a]
[a, (1 | 2)]
[a, ([1, b] | [b, 2])]
[a, ([1, a] | [a, 2])]
([a] | [b]) as c
([a] | {"x": a}) as a
(1 | 2) | 3
(1 | _) | 3
(1 | (2 | _))
(a | b) as c
C(a=(b | 1))
C(a=(1 | b))
C(a=([b] | {"c": b}))
{1: (a | b)}
((a)), b
*a, b
*_, a, *_
(*a,)
""".strip().split("\n")

# Each with every other, as two statements.
PAIRS = """
global x
nonlocal x
x
x = 1
x: int
x: int = 1
(x): int
(x): int = 1
x += 1
del x
import x
import x.y
from a import b as x
def x(): pass
class x: pass
for x in y: pass
with y as x: pass
[(x := 1) for i in y]
[x for x in y]
(x := 1)
lambda: x
lambda x: 1
def g(): nonlocal x
def g(): global x
class D: nonlocal x
class D: x = 1
print(f"{x}")
__x = 1
""".strip().split("\n")

PROGRAMS = [
    '"doc"\nfrom __future__ import division\nfrom __future__ import annotations\nimport a',
    '"doc"\n"other"\nfrom __future__ import division',
    "1\nfrom __future__ import division",
    "'a' 'b'\nfrom __future__ import division",
    "b'a'\nfrom __future__ import division",
    "f'a'\nfrom __future__ import division",
    "import a; from __future__ import division",
    "import a; import b; from __future__ import division; import c",
    "import a\nimport b; from __future__ import division",
    "from __future__ import division; import a; from __future__ import annotations",
    "from __future__ import division; 1; 2\nfrom __future__ import annotations",
    "from __future__ import division; from __future__ import annotations\nimport a",
    "'doc'; from __future__ import division",
    "'doc'; import a; from __future__ import division",
    "from __future__ import division, nothing",
    "from __future__ import (annotations,\n    nothing)",
    "from __future__ import braces",
    "from __future__ import *",
    "from __future__ import division as nothing",
    "from __future__ import nothing as division",
    "from __future__ import barry_as_FLUFL",
    "from __future__ import generators, nested_scopes, with_statement, absolute_import",
    "from __future__ import print_function, unicode_literals, generator_stop, division",
    "pass; from __future__ import division",
    "def f(): from __future__ import division",
    "from __future__ import division\ndef f(): from __future__ import division",
    "import __future__\nfrom . import __future__\nfrom __future__.a import b",
    "class C:\n def f(self):\n  __a = 1\n  def g(): nonlocal _C__a",
    "def f():\n __a = 1\n class C:\n  def g(self): nonlocal __a",
    "def f():\n _C__a = 1\n class C:\n  def g(self): nonlocal __a",
    "def f():\n _C__a = 1\n class __C:\n  def g(self): nonlocal __a",
    "def f():\n __a = 1\n class __:\n  def g(self): nonlocal __a",
    "class C:\n def f(self, __a): global _C__a",
    "class C:\n def f(self, __a__): global _C__a__",
    "class C:\n def f(self):\n  [(__i := 0) for __i in y]",
    "class C:\n x = 1\n def f(self): nonlocal x",
    "def f():\n class C:\n  x = 1\n  def g(self): nonlocal x",
    "def f():\n x = 1\n class C:\n  global x\n  def g(self): nonlocal x",
    "def f():\n x = 1\n def h():\n  global x\n  def g(): nonlocal x",
    "def f():\n def g(): nonlocal x\n x = 1",
    "def f():\n def g(): nonlocal x\n def h(): x = 1",
    "def f():\n def g():\n  nonlocal x\n  def h(): nonlocal x\n x = 1",
    "def f():\n def g():\n  def h(): nonlocal x\n  nonlocal y\n x = 1",
    "def f():\n def g(): nonlocal y\n def h(): nonlocal x\ndef i(): nonlocal z",
    "def f():\n def g(): nonlocal x\n for x in y: pass",
    "def f():\n def g(): nonlocal x\n [(x := 1) for i in y]",
    "def f():\n def g(): nonlocal x\n [x for x in y]",
    "def f():\n def g(): nonlocal x\n import x.y",
    "def f():\n def g(): nonlocal x\n try: pass\n except E as x: pass",
    "def f():\n def g(): nonlocal x\n match y:\n  case {**x}: pass",
    "def f():\n def g(): nonlocal x\n match y:\n  case [*x]: pass",
    "def f():\n def g(): nonlocal x\n match y:\n  case 1 as x: pass",
    "def f():\n def g(): nonlocal x\n x: int",
    "def f():\n def g(): nonlocal x\n (x): int",
    "def f():\n def g(): nonlocal x\n del x",
    "def f():\n def g(): nonlocal f",
    "lambda x: [(lambda: [(x := 1) for i in y]) for x in y]",
    "[[(lambda: (x := 1)) for y in z] for x in y]",
    "def f():\n  yield 1\n  return 1\nreturn",
    "def f():\n  break\nclass C:\n  continue\n  return",
    "def f(x, x): pass\nfrom __future__ import nothing",
    "from __future__ import nothing\ndef f(x, x): pass",
    "return\ndef f(x, x): pass",
    "nonlocal x\ndef f(x, x): pass",
    "return\nnonlocal x",
    "break\nreturn\nf(a=1, a=2)",
    "x = [await y]\nbreak",
    "def f():\n  async def g():\n    def h():\n      await x",
    "for a, b in x:\n  for c in a:\n    break\n  continue\nelse:\n  pass\nbreak",
    "async def f():\n  async for a in x:\n    async with b:\n      continue\n    break\n  else:\n    return [c async for c in d]",
    "match x:\n  case 1: break",
    "for i in x:\n  match i:\n    case 1: break\n    case _: continue",
    "(" * 20 + "lambda: (yield)" + ")" * 20,
]


def blocks(head, depth):
    """A statement with its head, nested in itself."""
    return "".join("  " * i + head + "\n" for i in range(depth)) + "  " * depth + "pass\n"


def nested():
    """Around CPython's limit of 20 nested blocks."""
    for depth in (18, 19, 20, 21):
        for head in ("for i in x:", "while x:", "with x:", "if x:", "with x as a:"):
            yield blocks(head, depth)
        yield "async def f():\n" + textwrap.indent(blocks("async for i in x:", depth), " ")
        yield "async def f():\n" + textwrap.indent(blocks("async with x:", depth), " ")
        yield "with " + ", ".join(["x"] * depth) + ": pass"
        yield "(1 " + " ".join(["async for i in x"] * depth) + ")"
        yield "[1 " + " ".join(["for i in x"] * depth) + "]"
        inner = textwrap.indent(blocks("for i in x:", depth - 1), "  ")
        yield "try:\n" + inner + "except E:\n  pass\n"
        yield "try:\n" + inner + "finally:\n  pass\n"
        yield "try:\n" + inner + "except E: pass\nfinally:\n  pass\n"
        yield "try:\n  pass\nexcept E:\n" + inner
        yield "try:\n  pass\nexcept E as e:\n  pass\nelse:\n" + inner
        yield "try:\n  pass\nexcept* E:\n" + inner
        yield "try:\n  pass\nfinally:\n" + inner
        yield "try:\n  pass\nexcept E:\n  pass\nfinally:\n" + inner
        yield blocks("for i in x:", depth) + "else:\n  pass"
        yield "class C:\n" + textwrap.indent(blocks("for i in x:", depth), " ")


def stars():
    """Around the limit of 255 targets before a starred one."""
    for count in (254, 255, 256, 257):
        names = ", ".join(f"a{i}" for i in range(count))
        yield f"{names}, *b = x"
        yield f"*b, {names} = x"
        yield f"[{names}, *b, c] = x"
        yield f"for {names}, *b in x: pass"
        yield f"match x:\n  case [{names}, *b]: pass"
        yield f"match x:\n  case [{names}, *_]: pass"
        yield f"match x:\n  case [*b, {names}]: pass"


def matches():
    for one in PATTERNS:
        yield f"match x:\n  case {one}: pass"
        yield f"match x:\n  case {one}:\n    pass\n  case 1: pass"
        yield f"match x:\n  case {one} if y: pass\n  case _: pass"
        yield f"match x:\n  case 1: pass\n  case {one}: pass"
        yield f"def f(a):\n  match x:\n    case {one}: return\n  global a"
    for one, other in itertools.product(PATTERNS, repeat=2):
        yield f"match x:\n  case ({one}) | ({other}): pass"
        yield f"match x:\n  case [({one}), {other}]: pass"


def all_texts():
    for context, statement in itertools.product(CONTEXTS, STATEMENTS + BLOCKS):
        line = next(line for line in context.split("\n") if line.endswith("@"))
        yield context.replace("@", statement.replace("\n", "\n" + line[:-1])) + "\n"
    for one, other in itertools.product(PAIRS, repeat=2):
        yield f"def f(y):\n  {one}\n  {other}\n"
        yield f"def f(x, y):\n  def h():\n    {one}\n    {other}\n"
        yield f"class C:\n  {one}\n  {other}\n"
        yield f"{one}\n{other}\n"
    yield from (text + "\n" for text in PROGRAMS)
    yield from nested()
    yield from (text + "\n" for text in stars())
    yield from (text + "\n" for text in matches())
