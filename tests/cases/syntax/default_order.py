def f(a=1, b):  # expect error: default-order
    pass
