x = yield = 1  # expect error: assign-yield
