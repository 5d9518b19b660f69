if !a:  # expect error: bad-character
    pass
