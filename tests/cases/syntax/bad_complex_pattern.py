match x:
    case 1 + 2:  # expect error: bad-pattern
        pass
