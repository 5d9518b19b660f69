"""NaN and infinity are no expected values, unless the kernel itself writes them."""

import warp as wp


# Warp's backward pass replays s as 0 and divides by it.
@wp.kernel
def replayed_as_zero(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):  # ends: PASS (forward)
    i = wp.tid()
    s = float(0.0)
    for j in range(x.shape[1]):
        s += x[i, j] * x[i, j]
    for j in range(x.shape[1]):
        y[i, j] = x[i, j] / wp.sqrt(s)


@wp.kernel
def infinite_by_itself(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    y[i] = x[i] * 3.0
    if x[i] > 0.5:
        y[i] = -wp.inf


@wp.kernel
def never_finite(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    y[i] = x[i] / (x[i] - x[i])


# Finite where x is positive, which later trials have.
@wp.kernel
def finite_by_choice(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS
    i = wp.tid()
    y[i] = wp.pow(x[i], 0.3) + wp.log(x[i])


Rows = wp.array2d(dtype=float)


# Backward, the loop ends before it reaches what forward has summed: gradients are zero where all
# threads stop so, and infinite elsewhere. Inputs that tell are worth more than such gradients.
@wp.kernel
def attend(q: Rows, k: Rows, v: Rows, scale: float, causal: int, y: Rows):  # ends: PASS (forward)
    i, c = wp.tid()
    s = float(0.0)
    n = float(0.0)
    for j in range(k.shape[0]):
        if causal != 0 and j > i:
            break
        a = float(0.0)
        for d in range(q.shape[1]):
            a += q[i, d] * k[j, d]
        p = wp.exp(a * scale)
        s += p * v[j, c]
        n += p
    y[i, c] = s / n


# Libraries round cos in their own ways, on which an integer may hang where no input is a float.
@wp.kernel
def digits_of_cos(y: wp.array(dtype=int)):  # ends: PASS
    i = wp.tid()
    y[i] = int(wp.cos(float(i + 1) * 0.37) * 1000000.0)
