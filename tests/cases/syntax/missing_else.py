x = (1 if y)  # expect error: missing-else
