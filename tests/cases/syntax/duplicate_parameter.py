def f(x, x):  # expect error: duplicate-parameter
    pass
