x = a $ b  # expect error: bad-character
