match x:
    case {1: _, 1.0: _}:  # expect error: pattern-repeated
        pass
