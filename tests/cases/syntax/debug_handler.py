try:
    pass
except ValueError as __debug__:  # expect error: assign-target
    pass
