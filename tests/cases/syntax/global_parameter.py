def f(x):
    global x  # expect error: late-declaration
