"""Tiles as parameters of native snippets: their classes are template parameters."""
import warp as wp


@wp.func_native(
    """
    out[0] = tile_extract(t, i);
    """
)
def extract_natively(t: wp.tile[int, 1], i: int, out: wp.array[int]): ...


@wp.func_native(
    """
    return tile_extract(t, 0) + tile_extract(u, 0);
    """,
    adj_snippet="""
    adj_t.grad(0) += adj_ret;
    """,
    replay_snippet="""
    return 0.0f;
    """,
)
def sum_of_first(t: wp.tile[float, 1], u: wp.tile[float, 1]) -> float: ...


@wp.kernel
def tiles_in_snippets(out: wp.array[int], sums: wp.array[float]):
    i = wp.tid()
    t = wp.tile_zeros(shape=1, dtype=int, storage="register")
    u = wp.tile_ones(shape=2, dtype=float, storage="shared")
    extract_natively(t, i, out)
    sums[i] = sum_of_first(u, u)
