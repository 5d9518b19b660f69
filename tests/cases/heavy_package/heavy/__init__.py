import endless

SETTINGS = endless.TOTAL
