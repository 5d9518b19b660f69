*a = x  # expect error: starred-target
