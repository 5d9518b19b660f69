*a, (b, c), *d = x  # expect error: starred-target
