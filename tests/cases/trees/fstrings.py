f'', f'a', f'{a}', f'a{b}c', F"{a!r}{b!s:>{w}}{c!a:x}", rf'\{a}\n', f'{{{a}}}', f'{a:{b}.{c}}'
f'{a=}', f'{ a = }', f'{a=!s}', f'{a = :>3}', f'{a!=b}', f'{a == b}', f'{a:=5}', f'{(a:=5)}'
f'''{
a}
  {b + f"{c}"} {
  d
}''', f'{ {1: 2}[1] }', f'{(lambda: 1)}', f'{a["b"]:c}', f'\N{BULLET}{a}', f'{"a" "b"}'
('a' f'{b}'
   f"{c:{d}}" 'e' u'f'), f'{*a, b}', f'é{a}', f'''
é{a}'''
def a(): f'{yield}'
