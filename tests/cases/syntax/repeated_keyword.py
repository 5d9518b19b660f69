f(a=1, b=2, a=3)  # expect error: repeated-keyword
