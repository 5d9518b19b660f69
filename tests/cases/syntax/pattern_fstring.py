match x:
    case f"{y}":  # expect error: pattern-value
        pass
