# Constants that functions of Python's library compute.
import enum
import math
import os.path

import warp as wp

NAMES = {"a": 3, "b": 4}
A = math.factorial(5) + math.comb(7, 3) + math.comb(3, 5)
B = 1 if math.isclose(0.1 + 0.2, 0.3) else 2
B += 10 if math.isclose(1.0, 1.1, rel_tol=0.2) else 20
C = ord("a") + len(chr(98) + bin(5) + hex(-255) + oct(8))
D, E = divmod(-7, 2)
F = round(2.675, 2)
G = round(0.5, 3) + round(1.005, 2)
H = round(7, 2)
I = "warp_kernels_of".find("kernel") + 10 * "a-b-c".count("-") + "abc".find("x")
J, _, K = "tile=16".partition("=")
L = int(K) + len("a/b/c".rpartition("/")[0])
M = (1000).bit_length() + N if (N := 3) else 0
O = os.path.basename("kernels/gemm.py").count("m")
P = next(iter(NAMES)) == "a" and next(iter(NAMES.values()))
EMPTY = ()
Q = next(iter(EMPTY), 5)
WIDTH = 100
R = WIDTH.bit_length()
T = bin(10) == "0b1010" and hex(-255) == "-0xff" and oct(0) == "0o0"


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    y[0] = A
    y[1] = B
    y[2] = C
    y[3] = D
    y[4] = E
    x[0] = F
    x[1] = G
    y[5] = H
    y[6] = I
    y[7] = L
    y[9] = M
    y[10] = O
    y[11] = P
    y[12] = Q
    y[13] = R
    if wp.static(T):
        y[14] = 1


class Shape(enum.Enum):
    BOX = (2, 3)
    BALL = (4, 5)
    LONG = 7

    def __init__(self, width, height=1):
        self.width = width
        self.area = width * height

    @property
    def twice(self):
        return 2 * self.area


S = [0] * 6
S[1:4] = [7, 8]
S[:1] = (5, 6)
S[-1:] = []
S[9:3] = [4]


@wp.kernel
def members(y: wp.array(dtype=int)):
    y[0] = wp.static(Shape.BOX.area + 100 * Shape.BALL.width)
    y[1] = wp.static(Shape.LONG.twice)
    y[2] = wp.static(len(S))
    y[3] = wp.static(S[0] + 10 * S[2] + 100 * S[-1])
    y[4] = wp.static(Shape.BALL.value[1])
