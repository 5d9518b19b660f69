x = (1,  # expect error: open-bracket
y = 2
