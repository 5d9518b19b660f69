f() = 1  # expect error: assign-target
