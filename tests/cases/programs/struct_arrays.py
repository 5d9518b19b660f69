import warp as wp


@wp.struct
class Cell:
    v: wp.array(dtype=float)
    n: int


@wp.kernel
def total(cells: wp.array(dtype=Cell), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = cells[i].v[0] + float(cells[i].n)
