# Values of wp.Mesh stay in the kernel or function that calls wp.mesh_get: Warp 1.19 get_type_code.
import warp as wp


@wp.func
def corner(mesh: wp.Mesh, i: int):  # expect error: bad-annotation
    return mesh.points[i]


@wp.kernel
def first(id: wp.uint64, p: wp.array(dtype=wp.vec3)):
    p[0] = corner(wp.mesh_get(id), 0)


@wp.kernel
def given(mesh: wp.Mesh, p: wp.array(dtype=wp.vec3)):  # expect error: bad-annotation
    p[0] = mesh.points[0]
