if a:
        b = 1
	c = 2  # expect error: tab-mix
