f(**a, *b)  # expect error: argument-order
