class C:
    x = [(j := i) for i in range(3)]  # expect error: named-expression
