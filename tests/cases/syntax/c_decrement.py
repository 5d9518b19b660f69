while a--:  # expect error: invalid-syntax
    pass
