# Constants of a C extension, and of a file that weft cannot follow: see stubs.cli.
import compiled_extension as ext
import warp as wp
from half_known import COUNT, NAMES, SIZE, double


@wp.kernel
def extension(a: wp.array(dtype=float)):
    a[0] = ext.LIMIT  # expect error: module-not-found


@wp.kernel
def computed(a: wp.array(dtype=int)):
    a[0] = wp.static(COUNT + SIZE + double(1) + len(NAMES))  # expect error: static-unknown


@wp.kernel
def open_value(a: wp.array(dtype=int)):
    a[0] = ext.OPEN  # expect error: module-not-found


@wp.kernel
def dots(a: wp.array(dtype=int)):
    a[0] = ext.DOTS  # expect error: module-not-found


@wp.kernel
def of_code(a: wp.array(dtype=float)):
    a[0] = wp.static(ext.compute(3))  # expect error: static-unknown


@wp.kernel
def known_member(a: wp.array(dtype=int)):
    a[0] = ext.Level.LOW  # expect error: module-not-found


@wp.kernel
def open_member(a: wp.array(dtype=int)):
    a[0] = int(ext.Level.HIGH)  # expect error: module-not-found


@wp.kernel
def open_annotation(a: wp.array(dtype=int)):
    a[0] = int(ext.Level.MIDDLE)  # expect error: module-not-found


@wp.kernel
def open_count(a: wp.array(dtype=int)):
    a[0] = wp.static(len(list(ext.Level)))  # expect error: static-unknown
