try:
    pass
except a:
    pass
except* b:  # expect error: mixed-except
    pass
