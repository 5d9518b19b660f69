x = = 1  # expect error: invalid-syntax
