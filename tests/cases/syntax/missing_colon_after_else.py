if x:
    pass
else  # expect error: expected-token
    pass
