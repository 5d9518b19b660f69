x = f'}'  # expect error: bad-fstring
