import warp as wp


@wp.kernel
def array_of_numpy(x: np.ndarray):  # expect error: undefined-name
    x[0] = 1.0
