def f():
    x = 1

    def g():
        global x  # expect error: global-and-nonlocal
        nonlocal x
