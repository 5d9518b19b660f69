match x:
    case A(b, _=c):  # expect error: invalid-syntax
        pass
