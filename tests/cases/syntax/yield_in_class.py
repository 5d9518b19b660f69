class C:
    x = yield  # expect error: outside-function
