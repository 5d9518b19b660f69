# CPython replaces __debug__ by its value before it looks at names.
def f():
    print(__debug__)
    global __debug__
