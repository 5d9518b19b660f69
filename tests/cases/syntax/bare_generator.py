f(x for x in y, 1)  # expect error: bare-generator
