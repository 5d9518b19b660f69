def f(*a, *b):  # expect error: star-twice
    pass
