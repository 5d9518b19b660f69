def f():
    from a import *  # expect error: import-star
