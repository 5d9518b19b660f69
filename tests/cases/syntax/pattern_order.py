match x:
    case A(a=1, b):  # expect error: pattern-order
        pass
