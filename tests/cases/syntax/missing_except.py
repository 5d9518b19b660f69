try:
    pass
x = 1  # expect error: missing-except
