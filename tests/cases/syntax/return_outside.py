if True:
    return  # expect error: outside-function
