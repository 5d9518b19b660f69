// SPDX-License-Identifier: Apache-2.0
// Device functions of volumes, in blocks as those of geometry.cuh: a program of its own gets the blocks that it uses.
//: Volume
// A box of nx * ny * nz voxels from (0, 0, 0) on. What they have is in one of the arrays, block by
// block of 8 * 8 * 8, and behind it what those outside the box have; the other arrays are null.
struct Volume {
    vec3 size, per_size, origin; // of a voxel; one over it; where voxel (0, 0, 0) lies
    int nx, ny, nz;
    float *floats;
    vec3 *vectors;
    int *integers;
};
//: volume_place
__device__ inline int volume_place(const Volume &v, int i, int j, int k)
{
    if (i < 0 || i >= v.nx || j < 0 || j >= v.ny || k < 0 || k >= v.nz)
        return v.nx * v.ny * v.nz;
    const int block = (i / 8 * (v.ny / 8) + j / 8) * (v.nz / 8) + k / 8;
    return block * 512 + i % 8 * 64 + j % 8 * 8 + k % 8;
}
//: volume_lookup_f
__device__ inline float volume_lookup_f(unsigned long long id, int i, int j, int k)
{
    const Volume &v = *(const Volume *)id;
    return v.floats ? v.floats[volume_place(v, i, j, k)] : 0.0f;
}
//: volume_lookup_v
__device__ inline vec3 volume_lookup_v(unsigned long long id, int i, int j, int k)
{
    const Volume &v = *(const Volume *)id;
    return v.vectors ? v.vectors[volume_place(v, i, j, k)] : vec3{};
}
//: volume_lookup_i
__device__ inline int volume_lookup_i(unsigned long long id, int i, int j, int k)
{
    const Volume &v = *(const Volume *)id;
    return v.integers ? v.integers[volume_place(v, i, j, k)] : 0;
}
//: volume_lookup_index
// The number of a voxel; those outside have none.
__device__ inline int volume_lookup_index(unsigned long long id, int i, int j, int k)
{
    const Volume &v = *(const Volume *)id;
    const int place = volume_place(v, i, j, k);
    return place < v.nx * v.ny * v.nz ? place : -1;
}
//: volume_store_f
// Voxels outside the box stay as they are.
__device__ inline void volume_store_f(unsigned long long id, int i, int j, int k, float value)
{
    const Volume &v = *(const Volume *)id;
    const int place = volume_place(v, i, j, k);
    if (v.floats && place < v.nx * v.ny * v.nz)
        v.floats[place] = value;
}
//: volume_store_v
// Voxels outside the box stay as they are.
__device__ inline void volume_store_v(unsigned long long id, int i, int j, int k, vec3 value)
{
    const Volume &v = *(const Volume *)id;
    const int place = volume_place(v, i, j, k);
    if (v.vectors && place < v.nx * v.ny * v.nz)
        v.vectors[place] = value;
}
//: volume_store_i
// Voxels outside the box stay as they are.
__device__ inline void volume_store_i(unsigned long long id, int i, int j, int k, int value)
{
    const Volume &v = *(const Volume *)id;
    const int place = volume_place(v, i, j, k);
    if (v.integers && place < v.nx * v.ny * v.nz)
        v.integers[place] = value;
}
//: volume_voxel_count
__device__ inline int volume_voxel_count(unsigned long long id)
{
    const Volume &v = *(const Volume *)id;
    return v.nx * v.ny * v.nz;
}
//: VolumeCorner
// One of the eight voxels around a point: its weight, and how that changes along x, y, z.
struct VolumeCorner {
    int i, j, k;
    float weight;
    vec3 slope;
};
//: volume_corner
__device__ inline VolumeCorner volume_corner(vec3 p, int n)
{
    const int a = n / 4, b = n / 2 % 2, c = n % 2;
    const float x = floorf(p.x), y = floorf(p.y), z = floorf(p.z);
    const float u = a ? p.x - x : 1.0f - (p.x - x), du = a ? 1.0f : -1.0f;
    const float v = b ? p.y - y : 1.0f - (p.y - y), dv = b ? 1.0f : -1.0f;
    const float w = c ? p.z - z : 1.0f - (p.z - z), dw = c ? 1.0f : -1.0f;
    return VolumeCorner{(int)x + a, (int)y + b, (int)z + c, u * v * w,
                        vec3{du * v * w, dv * u * w, dw * u * v}};
}
//: volume_sample_f
// The nearest voxel, or by mode 1 between eight of them.
__device__ inline float volume_sample_f(unsigned long long id, vec3 p, int mode)
{
    float sum = 0.0f;
    if (mode == 0)
        return volume_lookup_f(id, (int)roundf(p.x), (int)roundf(p.y), (int)roundf(p.z));
    for (int n = 0; n < 8 && mode == 1; n++) {
        const VolumeCorner c = volume_corner(p, n);
        sum += c.weight * volume_lookup_f(id, c.i, c.j, c.k);
    }
    return sum;
}
//: volume_sample_v + *
__device__ inline vec3 volume_sample_v(unsigned long long id, vec3 p, int mode)
{
    vec3 sum = {};
    if (mode == 0)
        return volume_lookup_v(id, (int)roundf(p.x), (int)roundf(p.y), (int)roundf(p.z));
    for (int n = 0; n < 8 && mode == 1; n++) {
        const VolumeCorner c = volume_corner(p, n);
        sum = sum + volume_lookup_v(id, c.i, c.j, c.k) * c.weight;
    }
    return sum;
}
//: volume_sample_i
__device__ inline int volume_sample_i(unsigned long long id, vec3 p)
{
    return volume_lookup_i(id, (int)roundf(p.x), (int)roundf(p.y), (int)roundf(p.z));
}
//: volume_slope_f + *
// The derivatives of volume_sample_f by x, y, z.
__device__ inline vec3 volume_slope_f(unsigned long long id, vec3 p, int mode)
{
    vec3 sum = {};
    for (int n = 0; n < 8 && mode == 1; n++) {
        const VolumeCorner c = volume_corner(p, n);
        sum = sum + c.slope * volume_lookup_f(id, c.i, c.j, c.k);
    }
    return sum;
}
//: volume_pull_v + *
// The derivatives of dot(d, volume_sample_v) by x, y, z.
__device__ inline vec3 volume_pull_v(unsigned long long id, vec3 p, int mode, vec3 d)
{
    vec3 sum = {};
    for (int n = 0; n < 8 && mode == 1; n++) {
        const VolumeCorner c = volume_corner(p, n);
        sum = sum + c.slope * dot(volume_lookup_v(id, c.i, c.j, c.k), d);
    }
    return sum;
}
//: volume_bend_f + *
// How the slope along d changes with x, y, z.
__device__ inline vec3 volume_bend_f(unsigned long long id, vec3 p, int mode, vec3 d)
{
    vec3 sum = {};
    for (int n = 0; n < 8 && mode == 1; n++) {
        const int a = n / 4, b = n / 2 % 2, c = n % 2;
        const float x = p.x - floorf(p.x), y = p.y - floorf(p.y), z = p.z - floorf(p.z);
        const float u = a ? x : 1.0f - x, v = b ? y : 1.0f - y, w = c ? z : 1.0f - z;
        const float uv = a == b ? w : -w, uw = a == c ? v : -v, vw = b == c ? u : -u;
        const vec3 bend = {d.y * uv + d.z * uw, d.x * uv + d.z * vw, d.x * uw + d.y * vw};
        const VolumeCorner corner = volume_corner(p, n);
        sum = sum + bend * volume_lookup_f(id, corner.i, corner.j, corner.k);
    }
    return sum;
}
//: volume_index_to_world_dir
__device__ inline vec3 volume_index_to_world_dir(unsigned long long id, vec3 d)
{
    const vec3 s = ((const Volume *)id)->size;
    return vec3{d.x * s.x, d.y * s.y, d.z * s.z};
}
//: volume_world_to_index_dir
__device__ inline vec3 volume_world_to_index_dir(unsigned long long id, vec3 d)
{
    const vec3 s = ((const Volume *)id)->per_size;
    return vec3{d.x * s.x, d.y * s.y, d.z * s.z};
}
//: volume_index_to_world +
__device__ inline vec3 volume_index_to_world(unsigned long long id, vec3 p)
{
    return volume_index_to_world_dir(id, p) + ((const Volume *)id)->origin;
}
//: volume_world_to_index -
__device__ inline vec3 volume_world_to_index(unsigned long long id, vec3 p)
{
    return volume_world_to_index_dir(id, p - ((const Volume *)id)->origin);
}
