"""A package whose __init__ takes a name from a file of its own."""

from .funcs import cube
