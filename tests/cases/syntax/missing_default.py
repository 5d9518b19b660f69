def f(a=):  # expect error: missing-default
    pass
