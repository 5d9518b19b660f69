def f(a, (b, c)):  # expect error: bracketed-parameters
    pass
