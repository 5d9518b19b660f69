{**a for a in b}  # expect error: unpacking-comprehension
