[a, b for a, b in c]  # expect error: bare-comprehension
