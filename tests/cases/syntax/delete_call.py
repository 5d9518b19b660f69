del f()  # expect error: delete-target
