match a:
    case 1 | -1 | 1.5 | -1 + 2j | 1 - 2j: pass
    case 'a' 'b' | b'c' | None | True | False: pass
    case a: pass
    case _: pass
    case a.b.c | (d): pass
    case [] | [a] | [a, *b] | (a, *_, c) | () | (a,): pass
    case a, b: pass
    case *a, : pass
    case {} | {'a': b, **c} | {1: _, a.b: c, None: d, -1: e,}: pass
    case A() | a.B(1, b) | C(d=e, f=g) | D(h, j=k, _=i,) | D(_=i): pass
    case (a | b) as c if d: pass
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
