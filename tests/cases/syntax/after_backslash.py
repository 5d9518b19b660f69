x = 1 + \ 2  # expect error: stray-backslash
