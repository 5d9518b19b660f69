for i in x:
    pass
else:
    break  # expect error: outside-loop
