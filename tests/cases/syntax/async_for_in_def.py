def f(x):
    async for i in x:  # expect error: outside-async
        pass
