def f():
    global x
    x: int = 1  # expect error: annotated-declaration
