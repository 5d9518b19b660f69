while x  # expect error: missing-colon
    pass
