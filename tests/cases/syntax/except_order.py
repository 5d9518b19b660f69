try:
    pass
except:  # expect error: except-order
    pass
except ValueError:
    pass
