try:
    pass
except a, b as c:  # expect error: bare-exceptions
    pass
