match a:
    case 1 | -1 | 1.5 | -1 + 2j | 1 - 2j: pass
    case 'a' 'b' | b'c' | None | True | False: pass
    case a if a: pass
    case _ if b: pass
    case a.b.c | (d.e): pass
    case (d) if e: pass
    case [] | [1] | [1, *_] | (1, *_, 2) | () | (1,): pass
    case [a] | [a, *_] | (a, *_, 1): pass
    case [a, *b]: pass
    case (a, *_, c): pass
    case a, b: pass
    case *a, : pass
    case {} | {'a': 1} | {1: _, a.b: 2, None: 3, -1: _,}: pass
    case {'a': b, **c}: pass
    case {1: _, a.b: c, None: d, -1: e,}: pass
    case A() | a.B(1, b.c) | C(d=1, f=2) | D(1, j=2, _=3,) | D(_=_): pass
    case D(h, j=k, _=i,): pass
    case ([a] | a) as c if d: pass
match a, b:
    case _: pass
match *a, b: 
    case [_, _] as c: pass
match (a): 
    case _: pass
match -a:
    case _: pass
match[a:b] = c
match(a, b)
match.a = case = _ = match
match * a
match: int
