def f():  # expect error: no-block
