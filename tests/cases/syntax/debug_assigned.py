__debug__ = 0  # expect error: assign-target
