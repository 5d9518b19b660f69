f(x,
  y))  # expect error: unmatched-bracket
