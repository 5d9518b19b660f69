x = f'{a\n}'  # expect error: bad-fstring
