x = """abc  # expect error: open-string
