{1: 2, 3}  # expect error: missing-colon
