x = "\xg"  # expect error: bad-escape
