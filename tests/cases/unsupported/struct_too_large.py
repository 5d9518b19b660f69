"""A struct that is too large is named once, not once for each struct that holds it."""

import warp as wp


@wp.struct
class S1:
    a: float; b: float; c: float; d: float; e: float; f: float; g: float; h: float; i: float; j: float


@wp.struct
class S2:
    a: S1; b: S1; c: S1; d: S1; e: S1; f: S1; g: S1; h: S1; i: S1; j: S1; k: S1; l: S1; m: S1; n: S1; o: S1; p: S1


@wp.struct
class S3:
    a: S2; b: S2; c: S2; d: S2; e: S2; f: S2; g: S2; h: S2; i: S2; j: S2; k: S2; l: S2; m: S2; n: S2; o: S2; p: S2


@wp.struct
class S4:
    a: S3; b: S3; c: S3; d: S3; e: S3; f: S3; g: S3; h: S3; i: S3; j: S3; k: S3; l: S3; m: S3; n: S3; o: S3; p: S3


@wp.struct
class S5:
    a: S4; b: S4; c: S4; d: S4; e: S4; f: S4; g: S4; h: S4; i: S4; j: S4; k: S4; l: S4; m: S4; n: S4; o: S4; p: S4


@wp.struct
class S6:
    a: S5


@wp.kernel
def k(s: S6, x: wp.array(dtype=float)):  # expect error: bad-annotation
    x[wp.tid()] = 1.0
