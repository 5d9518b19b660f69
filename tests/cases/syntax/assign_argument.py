f(a.b=1)  # expect error: assign-argument
