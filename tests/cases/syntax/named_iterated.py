[i := 0 for i in x]  # expect error: named-expression
