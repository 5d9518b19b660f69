x = (1]  # expect error: mismatched-bracket
