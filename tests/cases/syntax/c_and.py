if a && b:  # expect error: invalid-syntax
    pass
