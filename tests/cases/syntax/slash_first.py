def f(/, a):  # expect error: slash
    pass
