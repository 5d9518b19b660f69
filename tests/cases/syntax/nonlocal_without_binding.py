x = 1


def f():
    nonlocal x  # expect error: nonlocal-binding
