def f(a, *):  # expect error: bare-star
    pass
