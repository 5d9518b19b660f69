a = *x  # expect error: starred-here
