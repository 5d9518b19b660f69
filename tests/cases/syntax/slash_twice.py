def f(a, /, b, /):  # expect error: slash
    pass
