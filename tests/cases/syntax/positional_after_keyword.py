f(a=1, b)  # expect error: argument-order
