a, b += 1  # expect error: augmented-target
