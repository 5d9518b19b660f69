def f():
    print(x)
    global x  # expect error: late-declaration
