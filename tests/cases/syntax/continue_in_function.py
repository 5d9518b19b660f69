for i in x:
    def f():
        continue  # expect error: outside-loop
