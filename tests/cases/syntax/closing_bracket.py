x = 1)  # expect error: unmatched-bracket
