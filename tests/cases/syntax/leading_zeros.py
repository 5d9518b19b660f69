x = 0777  # expect error: leading-zeros
