[i for i in x if (j := i) for j in y]  # expect error: named-expression
