# A function of Python that calls itself as deeply as a table is long, and makes a @wp.func each time.
import warp as wp

ROWS = [{"kind": k, "faces": (7 * k) % 11} for k in range(57)]


def link(at):
    if at == len(ROWS):
        return leaf
    row = ROWS[at]
    following = link(at + 1)
    kind, faces = row["kind"], row["faces"]

    @wp.func
    def step(cell: int) -> int:
        if cell == kind:
            return faces
        return following(cell)

    step.__name__ = f"step_{at}"
    return step


@wp.func
def leaf(cell: int) -> int:
    return -1


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


DEPTH = depth(120)
faces_of = link(50)


@wp.kernel
def count(cells: wp.array[int], faces: wp.array[int]):
    i = wp.tid()
    faces[i] = faces_of(cells[i]) + DEPTH
