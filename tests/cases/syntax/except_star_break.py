for i in x:
    try:
        pass
    except* ValueError:
        break  # expect error: except-star-jump
