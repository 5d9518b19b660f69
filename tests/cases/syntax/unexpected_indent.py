x = 1
  y = 2  # expect error: unexpected-indent
