def f(x):
    await x  # expect error: outside-async
