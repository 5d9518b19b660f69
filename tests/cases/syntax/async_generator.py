async def f():
    return 1  # expect error: async-generator
    yield 2
