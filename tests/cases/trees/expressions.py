a or b and not c, not not a, a if b else c if d else e, lambda: 0, lambda a, /, b=1, *c, d, e=2, **f: a
a < b <= c != d == e >= f > g, a in b not in c is d is not e
a | b ^ c & d << e >> f + g - h * i / j // k % l @ m, -a ** -b, +a, ~a, (await a.b ** c for d in e)
a.b.c(d)[e](*f, g=1, **h)(i for i in j)(k, *l, m=n, *o, **p, q=r)
a[b], a[b, c], a[b:c], a[b:c:d], a[:], a[::], a[:, 1], a[b,], a[*b], a[*b, c], a[b := c], a[::-1, ...]
(), (a,), (a, *b), (a), ((a)), [], [a], [*a, b,], {}, {a}, {*a, b}, {a: b, **c, d: e,}
[a for b in c], {a for b, in c if d if e for f in g}, {a: b for c in d}, (a async for b in c)
[a for b, *c in d], [a := b, c], (a := b), {a := b}, f(a := b), f((a := b), c=d)
lambda: ((yield), (yield a), (yield a, *b), (yield from a), (*a, b), (a)(b))
None, True, False, ..., NotImplemented, a.é, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢, ﬁn, µ
x = (
    a
    + b  # comment
) \
    .c
