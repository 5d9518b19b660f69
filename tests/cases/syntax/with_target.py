with a as f():  # expect error: assign-target
    pass
