FIRST: int = 1
SECOND: int = = 2
