# What runs when it is imported takes more steps than weft takes for a file.
def read():
    n = 0
    for i in range(1000):
        for k in range(1000):
            n += k
    return n


TOTAL = read()
