[i for i in (j := x)]  # expect error: named-expression
