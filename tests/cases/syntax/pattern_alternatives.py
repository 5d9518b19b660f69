match x:
    case [a] | [b]:  # expect error: pattern-alternatives
        pass
