(a.b := 1)  # expect error: assign-expression
