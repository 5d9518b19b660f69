f"{d["key"]}"
f"{'\n'.join(a)}" f'{f"{f'{1}'}"}'
f"{
    d["a"]  # a comment }
    + 1
:>{d["width"]}}"
f"{elf:{"x"}}" rf"\{d}" f"\{d}\N{DIGIT ONE}{{"
f"{1:{1:{1}}}{x!r }"
