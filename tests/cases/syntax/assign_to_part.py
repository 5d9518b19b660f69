(a,
 1) = x  # expect error: assign-target
