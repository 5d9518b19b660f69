a, b: int  # expect error: annotated-target
