type Rows[T: float, *Shape, **P] = dict[T, tuple[*Shape]]
type = 3
type.x = type(type)
def f[T = int](x: T) -> T:
    try:
        return x
    except A, B:
        pass
async def g[*Ts = *tuple[int, str]](*a: *Ts):
    try:
        pass
    except* A, B:
        pass
class C[T](list[T]):
    type Inner = T
