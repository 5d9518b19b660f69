def f(x):
    return [i async for i in x]  # expect error: outside-async
