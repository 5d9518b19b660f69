x = (*a)  # expect error: starred-here
