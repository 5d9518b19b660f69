if x = 1:  # expect error: assign-in-expression
    pass
