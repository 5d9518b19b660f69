def f(x):
    return [(yield i) for i in x]  # expect error: yield-in-comprehension
