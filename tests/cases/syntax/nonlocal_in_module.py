nonlocal x  # expect error: nonlocal-binding
