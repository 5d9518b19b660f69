if x:
y = 2  # expect error: no-block
