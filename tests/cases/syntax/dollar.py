x = a $ b  # expect error: invalid-syntax
