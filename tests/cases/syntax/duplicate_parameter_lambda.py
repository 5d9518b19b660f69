f = lambda x, *x: 1  # expect error: duplicate-parameter
