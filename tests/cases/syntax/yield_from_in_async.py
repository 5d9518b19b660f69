async def f(x):
    yield from x  # expect error: yield-from-in-async
