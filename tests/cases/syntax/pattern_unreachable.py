match x:
    case y:  # expect error: unreachable-case
        pass
    case 1:
        pass
