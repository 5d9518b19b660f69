# weft imports the file, as warp-lang's own module does: __name__ is not "__main__".
import warp as wp

if __name__ == "__main__":

    @wp.kernel
    def in_block(a: wp.array(dtype=float)):  # expect warning: unseen-kernel
        a[0] = 1.0
