try:
    pass
except a, b:  # expect error: bare-exceptions
    pass
