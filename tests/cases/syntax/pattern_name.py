match x:
    case [a, {"b": a}]:  # expect error: pattern-name
        pass
