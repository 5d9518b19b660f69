x = [a,
     b  # expect error: forgot-comma
     c]
