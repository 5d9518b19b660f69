match x:
    case [*a, *b]:  # expect error: pattern-star
        pass
