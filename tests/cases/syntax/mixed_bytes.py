x = "a" b"b"  # expect error: mixed-bytes
