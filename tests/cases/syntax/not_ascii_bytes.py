x = b"é"  # expect error: bytes-not-ascii
