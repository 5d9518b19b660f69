x = a€  # expect error: bad-character
