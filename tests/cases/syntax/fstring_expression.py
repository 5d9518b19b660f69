x = f'{a b}'  # expect error: forgot-comma
