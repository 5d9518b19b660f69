def f(**a, b):  # expect error: after-double-star
    pass
