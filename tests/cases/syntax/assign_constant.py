f(True=1)  # expect error: assign-constant
