x = 0xg  # expect error: bad-number
