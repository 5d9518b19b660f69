// SPDX-License-Identifier: Apache-2.0
// Device functions of textures, in blocks as those of geometry.cuh: a program of its own gets the blocks that it uses.
//: Texture
// Texels by depth, height, width and channel; further levels follow, each half as wide. Coordinates
// are in texels, and beyond its edges a texture begins again. tex2D is no choice here: it rounds
// its weights to 8 bits, where Warp's CPU device does not, and needs a GPU.
struct Texture {
    const float *texels;
    int width, height, depth; // 1: there is no such axis
    int channels, levels;
};
//: TextureLevel
struct TextureLevel {
    const float *texels;
    int width, height, depth;
};
//: texture_level
__device__ inline TextureLevel texture_level(const Texture &t, int level)
{
    TextureLevel l = {t.texels, t.width, t.height, t.depth};
    for (int i = 0; i < level; i++) {
        l.texels += l.width * l.height * l.depth * t.channels;
        l.width = l.width > 1 ? l.width / 2 : 1;
        l.height = l.height > 1 ? l.height / 2 : 1;
        l.depth = l.depth > 1 ? l.depth / 2 : 1;
    }
    return l;
}
//: TexturePlace
// A place between two texels of an axis: their indexes, and the second one's weight.
struct TexturePlace {
    int first, second;
    float weight;
};
//: texture_place
// The place of a coordinate: an axis has `base` texels, and `size` of them in the level.
__device__ inline TexturePlace texture_place(float x, int base, int size)
{
    const float turn = fmodf(x, (float)base);
    const float place = (turn < 0.0f ? turn + base : turn) / base * size - 0.5f;
    const float below = floorf(place);
    const int first = ((int)below + size) % size;
    return TexturePlace{first, (first + 1) % size, place - below};
}
//: texture_texel
__device__ inline float texture_texel(const Texture &t, const TextureLevel &l, int i, int j, int k,
                                      int channel)
{
    if (channel >= t.channels)
        return 0.0f;
    return l.texels[((k * l.height + j) * l.width + i) * t.channels + channel];
}
//: texture_in_row
__device__ inline float texture_in_row(const Texture &t, const TextureLevel &l, TexturePlace x,
                                       int j, int k, int channel)
{
    return texture_texel(t, l, x.first, j, k, channel) * (1.0f - x.weight) +
           texture_texel(t, l, x.second, j, k, channel) * x.weight;
}
//: texture_in_layer
__device__ inline float texture_in_layer(const Texture &t, const TextureLevel &l, TexturePlace x,
                                         TexturePlace y, int k, int channel)
{
    if (l.height == 1)
        return texture_in_row(t, l, x, 0, k, channel);
    return texture_in_row(t, l, x, y.first, k, channel) * (1.0f - y.weight) +
           texture_in_row(t, l, x, y.second, k, channel) * y.weight;
}
//: texture_between
// A channel between the texels around a place of a level.
__device__ inline float texture_between(const Texture &t, int level, float u, float v, float w,
                                        int channel)
{
    const TextureLevel l = texture_level(t, level);
    const TexturePlace x = texture_place(u, t.width, l.width);
    const TexturePlace y = texture_place(v, t.height, l.height);
    const TexturePlace z = texture_place(w, t.depth, l.depth);
    if (l.depth == 1)
        return texture_in_layer(t, l, x, y, 0, channel);
    return texture_in_layer(t, l, x, y, z.first, channel) * (1.0f - z.weight) +
           texture_in_layer(t, l, x, y, z.second, channel) * z.weight;
}
//: texture_mixed
// The same between two levels.
__device__ inline float texture_mixed(const Texture &t, float lod, float u, float v, float w,
                                      int channel)
{
    const float last = (float)(t.levels - 1);
    const float level = lod < 0.0f ? 0.0f : lod > last ? last : lod;
    const int first = (int)level;
    const float rest = level - first;
    const float value = texture_between(t, first, u, v, w, channel);
    if (rest == 0.0f)
        return value;
    return value * (1.0f - rest) + texture_between(t, first + 1, u, v, w, channel) * rest;
}
//: texture_1d
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_1d(const Texture &t, float u)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_between(t, 0, u, 0.0f, 0.0f, i);
    return out;
}
//: texture_2d
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_2d(const Texture &t, vec2 p)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_between(t, 0, p.x, p.y, 0.0f, i);
    return out;
}
//: texture_3d
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_3d(const Texture &t, vec3 p)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_between(t, 0, p.x, p.y, p.z, i);
    return out;
}
//: texture_1d_lod
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_1d_lod(const Texture &t, float u, float lod)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_mixed(t, lod, u, 0.0f, 0.0f, i);
    return out;
}
//: texture_2d_lod
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_2d_lod(const Texture &t, vec2 p, float lod)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_mixed(t, lod, p.x, p.y, 0.0f, i);
    return out;
}
//: texture_3d_lod
// As many channels as T has: float, vec2 or vec4.
template <class T> __device__ T texture_3d_lod(const Texture &t, vec3 p, float lod)
{
    T out;
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++)
        ((float *)&out)[i] = texture_mixed(t, lod, p.x, p.y, p.z, i);
    return out;
}
//: TextureSlope
// Derivatives by the coordinates and the level of detail.
struct TextureSlope {
    float u, v, w, lod;
};
//: texture_slope
// Adds those of a channel of a level, times a weight.
__device__ inline void texture_slope(const Texture &t, int level, float u, float v, float w,
                                     int channel, float weight, TextureSlope &sum)
{
    const TextureLevel l = texture_level(t, level);
    const TexturePlace x = texture_place(u, t.width, l.width);
    const TexturePlace y = texture_place(v, t.height, l.height);
    const TexturePlace z = texture_place(w, t.depth, l.depth);
    for (int corner = 0; corner < 8; corner++) {
        const bool right = corner & 1, up = corner & 2, far = corner & 4;
        const float a = right ? x.weight : 1.0f - x.weight;
        const float b = l.height == 1 ? !up : up ? y.weight : 1.0f - y.weight;
        const float c = l.depth == 1 ? !far : far ? z.weight : 1.0f - z.weight;
        const float texel = weight * texture_texel(t, l, right ? x.second : x.first,
                                                   up ? y.second : y.first,
                                                   far ? z.second : z.first, channel);
        sum.u += (right ? texel : -texel) * b * c * l.width / t.width;
        if (l.height > 1)
            sum.v += (up ? texel : -texel) * a * c * l.height / t.height;
        if (l.depth > 1)
            sum.w += (far ? texel : -texel) * a * b * l.depth / t.depth;
    }
}
//: texture_pull
// The derivatives of dot(d, sample), without a level of detail where lod is below 0.
template <class T>
__device__ TextureSlope texture_pull(const Texture &t, float u, float v, float w, float lod, T d)
{
    const float last = (float)(t.levels - 1);
    const float level = lod < 0.0f ? 0.0f : lod > last ? last : lod;
    const int first = (int)level;
    const float rest = level - first;
    TextureSlope sum = {};
    for (int i = 0; i < (int)(sizeof(T) / sizeof(float)); i++) {
        const float by = ((const float *)&d)[i];
        texture_slope(t, first, u, v, w, i, by * (1.0f - rest), sum);
        if (rest > 0.0f)
            texture_slope(t, first + 1, u, v, w, i, by * rest, sum);
        if (lod >= 0.0f && lod < last)
            sum.lod += by * (texture_between(t, first + 1, u, v, w, i) -
                             texture_between(t, first, u, v, w, i));
    }
    return sum;
}
//: texture_pull_1d
template <class T> __device__ float texture_pull_1d(const Texture &t, float u, T d)
{
    return texture_pull(t, u, 0.0f, 0.0f, -1.0f, d).u;
}
//: texture_pull_2d
template <class T> __device__ vec2 texture_pull_2d(const Texture &t, vec2 p, T d)
{
    const TextureSlope s = texture_pull(t, p.x, p.y, 0.0f, -1.0f, d);
    return vec2{s.u, s.v};
}
//: texture_pull_3d
template <class T> __device__ vec3 texture_pull_3d(const Texture &t, vec3 p, T d)
{
    const TextureSlope s = texture_pull(t, p.x, p.y, p.z, -1.0f, d);
    return vec3{s.u, s.v, s.w};
}
//: texture_pull_1d_lod
// By the coordinate, then the level of detail.
template <class T> __device__ vec2 texture_pull_1d_lod(const Texture &t, float u, float lod, T d)
{
    const TextureSlope s = texture_pull(t, u, 0.0f, 0.0f, lod, d);
    return vec2{s.u, s.lod};
}
//: texture_pull_2d_lod
// By the coordinates, then the level of detail.
template <class T> __device__ vec3 texture_pull_2d_lod(const Texture &t, vec2 p, float lod, T d)
{
    const TextureSlope s = texture_pull(t, p.x, p.y, 0.0f, lod, d);
    return vec3{s.u, s.v, s.lod};
}
//: texture_pull_3d_lod
// By the coordinates, then the level of detail.
template <class T> __device__ vec4 texture_pull_3d_lod(const Texture &t, vec3 p, float lod, T d)
{
    const TextureSlope s = texture_pull(t, p.x, p.y, p.z, lod, d);
    return vec4{s.u, s.v, s.w, s.lod};
}
