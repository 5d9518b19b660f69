from a import b,  # expect error: import-comma
