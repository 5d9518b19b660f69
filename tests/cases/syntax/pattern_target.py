match x:
    case a as _:  # expect error: pattern-target
        pass
