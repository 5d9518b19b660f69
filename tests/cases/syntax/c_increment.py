a++  # expect error: invalid-syntax
