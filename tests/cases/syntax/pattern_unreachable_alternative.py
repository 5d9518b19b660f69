match x:
    case _ | 1:  # expect error: unreachable-case
        pass
