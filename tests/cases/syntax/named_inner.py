[[(j := 0) for i in x] for j in y]  # expect error: named-expression
