try:
    pass
except*:  # expect error: missing-exception
    pass
