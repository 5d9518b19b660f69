x = "\N{NO SUCH NAME}"  # expect error: bad-escape
