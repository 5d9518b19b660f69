def f(*a=1):  # expect error: star-default
    pass
