for f() in x:  # expect error: assign-target
    pass
