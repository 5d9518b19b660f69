/* SPDX-License-Identifier: Apache-2.0 */
/* The host's part of a program around main: helpers, and functions that launch the kernels on
 * copies of their arrays in device memory. An example of a launcher:
 *
 *     static float launch_saxpy(const float *x, float *y, float a, int n, size_t x_count,
 *                               size_t y_count)
 *     {
 *         float *d_x = to_device(x, x_count);
 *         float *d_y = to_device(y, y_count);
 *         const dim3 threads(256);
 *         const dim3 blocks((n + threads.x - 1) / threads.x);
 *         ... saxpy<<<blocks, threads>>>(d_x, d_y, a, n); ...
 *         to_host(y, d_y, y_count);
 *         CHECK(cudaFree(d_x));
 *         CHECK(cudaFree(d_y));
 *         return milliseconds;
 *     }
 *
 * Names that the launcher declares avoid those of the kernel's parameters (sa_free_name). */
#include "standalone/standalone_internal.h"

/* Every program has it, for the launchers call the runtime. */
static const char *const check_text =
    "// Errors of the CUDA runtime end the program, with the place of the call.\n"
    "#define CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)\n"
    "\n"
    "static void check_cuda(cudaError_t error, const char *call, const char *file, int line)\n"
    "{\n"
    "    if (error == cudaSuccess)\n"
    "        return;\n"
    "    fprintf(stderr, \"%s:%d: %s: %s\\n\", file, line, call, cudaGetErrorString(error));\n"
    "    exit(2);\n"
    "}\n";

static const char *const copy_text =
    "\n"
    "// A copy of an array in device memory.\n"
    "template <class T> static T *to_device(const T *from, size_t count)\n"
    "{\n"
    "    T *to = nullptr;\n"
    "    CHECK(cudaMalloc(&to, count * sizeof(T)));\n"
    "    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));\n"
    "    return to;\n"
    "}\n";

static const char *const back_text =
    "\n"
    "template <class T> static void to_host(T *to, const T *from, size_t count)\n"
    "{\n"
    "    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));\n"
    "}\n";

/* In reverse order, with lists of indices in reverse order, an indexed array is the same: so a
 * kernel that does not look its indices up gives other results. */
static const char *const turned_text =
    "\n"
    "// n - 1, ..., 1, 0: the indices of a dimension that is stored from its end.\n"
    "static void fill_turned(int *to, int n)\n"
    "{\n"
    "    for (int i = 0; i < n; i++)\n"
    "        to[i] = n - 1 - i;\n"
    "}\n"
    "\n"
    "// Copies of an indexed array, which lies in device memory from its end to its beginning.\n"
    "template <class T> static T *to_device_turned(const T *from, size_t count)\n"
    "{\n"
    "    T *turned = (T *)calloc(count + 1, sizeof(T));\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        turned[i] = from[count - 1 - i];\n"
    "    T *to = to_device(turned, count);\n"
    "    free(turned);\n"
    "    return to;\n"
    "}\n"
    "\n"
    "template <class T> static void to_host_turned(T *to, const T *from, size_t count)\n"
    "{\n"
    "    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));\n"
    "    for (size_t i = 0; i < count / 2; i++) {\n"
    "        const T first = to[i];\n"
    "        to[i] = to[count - 1 - i];\n"
    "        to[count - 1 - i] = first;\n"
    "    }\n"
    "}\n";

/* The function inputs_hash of inputs_fill.c in CUDA: both must give the same numbers. */
static const char *const hash_text =
    "\n"
    "// Number i of stream s: inputs are the same on every machine.\n"
    "static unsigned int hash(unsigned int s, unsigned int i)\n"
    "{\n"
    "    unsigned int x = s * 0x9e3779b9u + i;\n"
    "    x = (x ^ x >> 16) * 0x7feb352du;\n"
    "    x = (x ^ x >> 15) * 0x846ca68bu;\n"
    "    return x ^ x >> 16;\n"
    "}\n";

/* number_at of standalone_input.c, in the three forms that fills have. */
static const char *const fill_floats_text =
    "\n"
    "// Odd multiples of largest / steps, between -largest and largest: exact, and never zero.\n"
    "template <class T>\n"
    "static void fill_floats(T *to, size_t count, unsigned int stream, int steps, double largest,\n"
    "                        size_t first = 0)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        const int step = (int)(hash(stream, (unsigned int)(first + i)) % (unsigned "
    "int)steps);\n"
    "        to[i] = T((2 * step + 1 - steps) * (largest / steps));\n"
    "    }\n"
    "}\n";

static const char *const fill_positive_text =
    "\n"
    "// Odd multiples of largest / steps / 2, between 0 and largest: exact, and never zero.\n"
    "template <class T>\n"
    "static void fill_positive(T *to, size_t count, unsigned int stream, int steps, double "
    "largest,\n"
    "                          size_t first = 0)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        const int step = (int)(hash(stream, (unsigned int)(first + i)) % (unsigned "
    "int)steps);\n"
    "        to[i] = T((2 * step + 1) * (largest / steps));\n"
    "    }\n"
    "}\n";

static const char *const fill_integers_text =
    "\n"
    "// least, least + 1, ..., one of `range` integers.\n"
    "template <class T>\n"
    "static void fill_integers(T *to, size_t count, unsigned int stream, int least, int range,\n"
    "                          size_t first = 0)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        to[i] = T(least + (int)(hash(stream, (unsigned int)(first + i)) % (unsigned "
    "int)range));\n"
    "}\n";

static const char *const fill_bits_text =
    "\n"
    "// The same, with bits of `mask` turned over by chance: those that the kernel tests.\n"
    "template <class T>\n"
    "static void fill_bits(T *to, size_t count, unsigned int stream, int least, int range,\n"
    "                      unsigned int turns, unsigned int mask, size_t first = 0)\n"
    "{\n"
    "    for (size_t k = 0; k < count; k++) {\n"
    "        const unsigned int i = (unsigned int)(first + k);\n"
    "        const unsigned int x = hash(stream, i) % (unsigned int)range;\n"
    "        to[k] = T((int)(((unsigned int)least + x) ^ (hash(turns, i) & mask)));\n"
    "    }\n"
    "}\n";

static const char *const fill_offsets_text =
    "\n"
    "// Rising integers: `rise` more for each, give or take as much.\n"
    "template <class T>\n"
    "static void fill_offsets(T *to, size_t count, unsigned int stream, int rise, size_t first = "
    "0)\n"
    "{\n"
    "    for (size_t i = first; i < first + count; i++)\n"
    "        to[i - first] = T(rise * (int)i + (int)(hash(stream, (unsigned int)i) % (unsigned "
    "int)(rise + 1)));\n"
    "}\n";

static const char *const fill_sentinel_text =
    "\n"
    "// 0, 1, ..., one of `range` integers, or `none`: one of eight.\n"
    "template <class T>\n"
    "static void fill_sentinel(T *to, size_t count, unsigned int stream, unsigned int range, int "
    "none,\n"
    "                          size_t first = 0)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        const unsigned int x = hash(stream, (unsigned int)(first + i));\n"
    "        to[i] = x / range % 8 == 0 ? T(none) : T(x % range);\n"
    "    }\n"
    "}\n";

static const char *const fill_lattice_text =
    "\n"
    "// By the number of its group and its place in it: triangles of a strip, say.\n"
    "template <class T>\n"
    "static void fill_lattice(T *to, size_t count, int group, int of_group, int of_item, int "
    "least,\n"
    "                         int range, size_t first = 0)\n"
    "{\n"
    "    for (size_t k = 0; k < count; k++) {\n"
    "        const unsigned int i = (unsigned int)(first + k);\n"
    "        to[k] = T(least + (int)((of_group * (i / group) + of_item * (i % group)) % range));\n"
    "    }\n"
    "}\n";

static const char *const clear_some_text =
    "\n"
    "// Of eight numbers so many become zero.\n"
    "template <class T>\n"
    "static void clear_some(T *to, size_t count, unsigned int stream, int steps, int of_eight)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        if (hash(stream, (unsigned int)i) / (unsigned int)steps % 8 < (unsigned "
    "int)of_eight)\n"
    "            to[i] = T(0.0);\n"
    "}\n";

static const char *const diagonal_text =
    "\n"
    "// Matrices one after another, or one: their diagonals become large.\n"
    "template <class T>\n"
    "static void add_to_diagonals(T *to, size_t count, size_t rows, size_t columns, double what)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        if (i / columns % rows == i % columns)\n"
    "            to[i] = T((double)to[i] + what);\n"
    "}\n";

static const char *const turn_some_text =
    "\n"
    "// One of eight numbers gets the other sign.\n"
    "template <class T> static void turn_some(T *to, size_t count, unsigned int stream)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        if (hash(stream, (unsigned int)i) % 8 == 0)\n"
    "            to[i] = T(-to[i]);\n"
    "}\n";

static const char *const spoil_some_text =
    "\n"
    "// One of so many numbers becomes NaN or infinite: the kernel tests for such.\n"
    "template <class T>\n"
    "static void spoil_some(T *to, size_t count, unsigned int stream, int steps, int one_of)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        const unsigned int x = hash(stream, (unsigned int)i) / (unsigned int)steps;\n"
    "        const unsigned int kind = x / (unsigned int)one_of;\n"
    "        if (x % (unsigned int)one_of == (unsigned int)one_of - 1)\n"
    "            to[i] = T(kind % 2 ? (double)NAN : kind / 2 % 2 ? -(double)INFINITY : "
    "(double)INFINITY);\n"
    "    }\n"
    "}\n";

static const char *const grid_text =
    "\n"
    "// Sorts the points by their cells; gives the address of the grid on the device.\n"
    "static unsigned long long make_hash_grid(const vec3 *points, int n, float width, int nx, int "
    "ny,\n"
    "                                         int nz)\n"
    "{\n"
    "    const size_t cells = (size_t)nx * ny * nz;\n"
    "    HashGrid grid = {};\n"
    "    grid.per_width = 1.0f / width;\n"
    "    grid.nx = nx;\n"
    "    grid.ny = ny;\n"
    "    grid.nz = nz;\n"
    "    int *cell = (int *)calloc(n + 1, sizeof(int)), *sorted = (int *)calloc(n + 1, "
    "sizeof(int));\n"
    "    int *starts = (int *)calloc(cells, sizeof(int)), *stops = (int *)calloc(cells, "
    "sizeof(int));\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        cell[i] = grid_cell(grid, grid_coordinate(points[i].x * grid.per_width),\n"
    "                            grid_coordinate(points[i].y * grid.per_width),\n"
    "                            grid_coordinate(points[i].z * grid.per_width));\n"
    "        stops[cell[i]]++;\n"
    "    }\n"
    "    int before = 0;\n"
    "    for (size_t k = 0; k < cells; k++) {\n"
    "        const int count = stops[k];\n"
    "        starts[k] = stops[k] = before;\n"
    "        before += count;\n"
    "    }\n"
    "    for (int i = 0; i < n; i++)\n"
    "        sorted[stops[cell[i]]++] = i;\n"
    "    grid.points = to_device(sorted, n);\n"
    "    grid.starts = to_device(starts, cells);\n"
    "    grid.stops = to_device(stops, cells);\n"
    "    free(cell);\n"
    "    free(sorted);\n"
    "    free(starts);\n"
    "    free(stops);\n"
    "    return (unsigned long long)to_device(&grid, 1);\n"
    "}\n";

static const char *const gather_text =
    "\n"
    "// One field of an array of structs: `lanes` numbers at `offset` in each.\n"
    "template <class T, class S>\n"
    "static void gather(T *to, const S *from, size_t count, size_t offset, size_t lanes)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        memcpy(to + i * lanes, (const char *)(from + i) + offset, lanes * sizeof(T));\n"
    "}\n";

static const char *const double_text = "\n"
                                       "static double as_double(double x)\n"
                                       "{\n"
                                       "    return x;\n"
                                       "}\n";

static const char *const half_text = "static double as_double(__half x)\n"
                                     "{\n"
                                     "    return (double)(float)x;\n"
                                     "}\n";

static const char *const bfloat16_text = "static double as_double(__nv_bfloat16 x)\n"
                                         "{\n"
                                         "    return (double)(float)x;\n"
                                         "}\n";

/* tolerance_error of launch/tolerance.c, with its floor as `least`. */
static const char *const error_text =
    "\n"
    "// Relative to what was expected, to `least` where that is smaller.\n"
    "static double error_of(double got, double want, double least)\n"
    "{\n"
    "    if (got == want || (isnan(got) && isnan(want)))\n"
    "        return 0;\n"
    "    const double error = fabs(got - want) / fmax(least, fabs(want));\n"
    "    return isnan(error) ? INFINITY : error;\n"
    "}\n";

static const char *const compare_text =
    "\n"
    "// Every step-th number, the last one among them, against those expected. The largest\n"
    "// error is kept for the last line.\n"
    "template <class T, class E>\n"
    "static bool compare_floats(const char *name, const T *got, size_t count, size_t step,\n"
    "                           const E *expected, double tolerance, double least,\n"
    "                           double *largest)\n"
    "{\n"
    "    double most = 0;\n"
    "    size_t worst = 0;\n"
    "    for (size_t i = (count - 1) % step; i < count; i += step) {\n"
    "        const double error =\n"
    "            error_of(as_double(got[i]), as_double(expected[i / step]), least);\n"
    "        if (error > most) {\n"
    "            most = error;\n"
    "            worst = i;\n"
    "        }\n"
    "    }\n"
    "    printf(\"%-24s largest error %.3g of %.3g allowed\", name, most, tolerance);\n"
    "    if (most > tolerance)\n"
    "        printf(\": number %zu is %.9g, expected %.9g\", worst, as_double(got[worst]),\n"
    "               as_double(expected[worst / step]));\n"
    "    printf(\"\\n\");\n"
    "    *largest = fmax(*largest, most);\n"
    "    return most <= tolerance;\n"
    "}\n";

static const char *const compare_integers_text =
    "\n"
    "// Every step-th number, the last one among them: integers have to be equal.\n"
    "template <class T, class E>\n"
    "static bool compare_integers(const char *name, const T *got, size_t count, size_t step,\n"
    "                             const E *expected)\n"
    "{\n"
    "    size_t wrong = 0, first = 0;\n"
    "    for (size_t i = (count - 1) % step; i < count; i += step) {\n"
    "        if (got[i] != expected[i / step] && wrong++ == 0)\n"
    "            first = i;\n"
    "    }\n"
    "    printf(\"%-24s %zu of %zu numbers differ\", name, wrong, (count + step - 1) / step);\n"
    "    if (wrong)\n"
    "        printf(\": number %zu is %lld, expected %lld\", first, (long long)got[first],\n"
    "               (long long)expected[first / step]);\n"
    "    printf(\"\\n\");\n"
    "    return wrong == 0;\n"
    "}\n";

static const char *const compare_hash_text =
    "\n"
    "// A hash of all integers, those that are not listed above included.\n"
    "template <class T>\n"
    "static bool compare_hash(const char *name, const T *got, size_t count,\n"
    "                         unsigned long long expected)\n"
    "{\n"
    "    unsigned long long hash = 0;\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        hash = 31 * hash + (unsigned long long)got[i];\n"
    "    if (hash != expected)\n"
    "        printf(\"%-24s some of all %zu numbers differ\\n\", name, count);\n"
    "    return hash == expected;\n"
    "}\n";

static const char *const sort_text =
    "\n"
    "// The items, of `lanes` numbers each, in rising order: threads put them into any places.\n"
    "template <class T>\n"
    "static void sort_items(T *to, const T *from, size_t count, size_t lanes)\n"
    "{\n"
    "    for (size_t i = 0; i < count; i += lanes) {\n"
    "        size_t at = i;\n"
    "        for (; at > 0; at -= lanes) {\n"
    "            const T *before = &to[at - lanes];\n"
    "            size_t k = 0;\n"
    "            while (k + 1 < lanes && from[i + k] == before[k])\n"
    "                k++;\n"
    "            if (!(from[i + k] < before[k]))\n"
    "                break;\n"
    "            memcpy(&to[at], before, lanes * sizeof(T));\n"
    "        }\n"
    "        memcpy(&to[at], &from[i], lanes * sizeof(T));\n"
    "    }\n"
    "}\n";

/* as_double for the narrow types, where a comparison needs it. */
static void put_other_doubles(sa_text *t)
{
    if (t->compares_half)
        sb_c(t->b, half_text);
    if (t->compares_bfloat16)
        sb_c(t->b, bfloat16_text);
}

/* Those that the launchers and main call, in the order of their own calls. */
void sa_put_helpers(sa_text *t)
{
    enum { FILLS = SA_FILL_FLOATS | SA_FILL_POSITIVE | SA_FILL_INTEGERS };
    static const struct {
        unsigned of; /* sa_helper bits: any of them needs the text */
        const char *const *text;
    } helpers[] = {{SA_TO_DEVICE, &copy_text},
                   {SA_TO_HOST, &back_text},
                   {SA_HELPER_TURNED, &turned_text},
                   {FILLS, &hash_text},
                   {SA_FILL_FLOATS, &fill_floats_text},
                   {SA_FILL_POSITIVE, &fill_positive_text},
                   {SA_FILL_INTEGERS, &fill_integers_text},
                   {SA_HELPER_BITS, &fill_bits_text},
                   {SA_HELPER_OFFSETS, &fill_offsets_text},
                   {SA_HELPER_SENTINEL, &fill_sentinel_text},
                   {SA_HELPER_LATTICE, &fill_lattice_text},
                   {SA_HELPER_CLEAR, &clear_some_text},
                   {SA_HELPER_TURN, &turn_some_text},
                   {SA_HELPER_DIAGONAL, &diagonal_text},
                   {SA_HELPER_ODD, &spoil_some_text},
                   {SA_HELPER_GRID, &grid_text},
                   {SA_GATHER, &gather_text},
                   {SA_HELPER_SORT, &sort_text},
                   {SA_COMPARE_FLOATS, &double_text},
                   {SA_COMPARE_FLOATS, &error_text},
                   {SA_COMPARE_FLOATS, &compare_text},
                   {SA_COMPARE_INTEGERS, &compare_integers_text},
                   {SA_COMPARE_HASH, &compare_hash_text}};
    sb_c(t->b, check_text);
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (t->helpers & helpers[i].of) {
            sb_c(t->b, *helpers[i].text);
            /* The overloads for narrow types stand behind the one for double. */
            if (helpers[i].text == &double_text)
                put_other_doubles(t);
        }
}

/* --- launchers ------------------------------------------------------------------------------- */

/* The parameters of the forward or backward kernel; *n of them. */
static const cuda_param *params_of(const sa_text *t, bool backward, uint32_t *n)
{
    *n = backward ? t->k->backward_params.n : t->k->forward_params.n;
    return backward ? t->k->backward_params.v : t->k->forward_params.v;
}

/* The parameter that holds a launch size; "1" if the kernel takes none for it. */
static str launch_name(const sa_text *t, uint32_t dim)
{
    WEFT_ASSERT(dim < LAUNCH_DIMS);
    for (uint32_t i = 0; i < t->k->forward_params.n; i++) {
        const cuda_param *p = &t->k->forward_params.v[i];
        if (p->kind == CUDA_PARAM_LAUNCH && p->dim == dim)
            return p->name;
    }
    return STR("1");
}

/* A launcher in work, and what it calls things. */
typedef struct launcher {
    sa_text *t;
    const cuda_param *params;
    uint32_t n;
    bool backward;
    sa_arrays arrays;
    str *device;  /* of each array: its copy in device memory */
    str *structs; /* of each parameter: its copy with pointers of the device, or empty */
    str threads, blocks, start, stop, time;
} launcher;

/* A block for each index, or for each but the last, which is the thread's:
 *
 *     const dim3 threads(256);
 *     const dim3 blocks(nx, ny); */
static void put_tile_configuration(const launcher *l)
{
    sa_text *t = l->t;
    const int dims = t->k->launch_dim;
    const bool lanes = t->k->blocks == CUDA_BLOCKS_LANES;
    WEFT_ASSERT(dims > lanes && dims <= 3);
    sa_put(t->b, "    const dim3 $($);\n    const dim3 $(", l->threads,
           lanes ? launch_name(t, (uint32_t)(dims - 1)) : STR("256"), l->blocks);
    sa_list list = sa_list_begin(t->b);
    for (int d = dims - lanes; d-- > 0;)
        sa_list_item(&list, launch_name(t, (uint32_t)d));
    SB_LIT(t->b, ");\n");
}

/* Threads of a block along x, y and z, and enough blocks to cover the launch:
 *
 *     const dim3 threads(16, 16);
 *     const dim3 blocks((m + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
 *
 * The last dimension of the launch is x, as in the kernels. A launch of four dimensions is counted
 * along x. */
static void put_configuration(launcher *l)
{
    if (l->t->k->tile_extent && l->t->k->blocks != CUDA_BLOCKS_COVER) {
        put_tile_configuration(l);
        return;
    }
    WEFT_ASSERT(l->t->k->launch_dim >= 1 && l->t->k->launch_dim <= LAUNCH_DIMS);
    static const char *const threads[] = {"256", "16, 16", "8, 8, 4"};
    static const char *const axes[] = {"x", "y", "z"};
    sa_text *t = l->t;
    const int all = t->k->launch_dim, dims = all > 3 ? 1 : all;
    strbuf *b = t->b;
    sa_put(b, "    const dim3 $($);\n", l->threads, str_c(threads[dims - 1]));
    str total = launch_name(t, 0);
    /* A grid has three dimensions at most. */
    if (all > 3) {
        total = sa_free_name(t, "total");
        sa_put(b, "    const int $ = ", total);
        for (int i = 0; i < all; i++)
            sa_put(b, i ? " * $" : "$", launch_name(t, (uint32_t)i));
        SB_LIT(b, ";\n");
    }
    sa_put(b, "    const dim3 $(", l->blocks);
    sa_list list = sa_list_begin(b);
    for (int i = 0; i < dims; i++) {
        const str size = dims > 1 ? launch_name(t, (uint32_t)(dims - 1 - i)) : total;
        const str axis = str_c(axes[i]);
        sa_list_item(
            &list, sa_form(t->c, "($ + $.$ - 1) / $.$", size, l->threads, axis, l->threads, axis));
    }
    SB_LIT(b, ");\n");
}

/* The arguments of the kernel: pointers of the device in place of the host's. */
static void put_arguments(const launcher *l, sa_list *list)
{
    for (uint32_t i = 0; i < l->n; i++) {
        str name = l->structs[i].n ? l->structs[i] : l->params[i].name;
        for (uint32_t j = 0; j < l->arrays.n; j++)
            /* Members of structs are other parameters, so they never match. */
            if (l->arrays.v[j].p == &l->params[i])
                name = l->device[j];
        sa_list_item(list, name);
    }
}

/* The host's struct holds host pointers: the copy gets those of the device. Structs without arrays
 * are passed as they are. An example:
 *
 *     Model d_model = model;
 *     d_model.x = to_device(model.x, model.x_n); */
static void put_struct_copy(launcher *l, uint32_t i)
{
    WEFT_ASSERT(i < l->n);
    const cuda_param *p = &l->params[i];
    l->structs[i] = STR("");
    if ((p->kind != CUDA_PARAM_VALUE && p->kind != CUDA_PARAM_ADJ_VALUE) ||
        !type_has_array(p->type))
        return;
    l->structs[i] = sa_free_name(l->t, sa_form(l->t->c, "d_$", p->name).p);
    sa_put(l->t->b, "    $ $ = $;\n", p->type_text, l->structs[i], p->name);
}

/* The copy of the struct that holds an array; empty: it is no member. Needs: put_struct_copy of
 * every parameter. */
static str owner_of(const launcher *l, const sa_array *a)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (a->holder == &l->params[i])
            return l->structs[i];
    return STR("");
}

/* Is the array missing in one of the runs? */
static bool may_lack(const launcher *l, const sa_array *a)
{
    bool any = false;
    for (const sa_run *r = l->t->run; r; r = r->next)
        any |= r->plan.args[a->root].absent;
    return any;
}

/* Each array is copied to the device, into its struct's copy or a variable of its own. */
static void put_copies(launcher *l)
{
    ctx *c = l->t->c;
    strbuf *b = l->t->b;
    for (uint32_t i = 0; i < l->n; i++)
        put_struct_copy(l, i);
    for (uint32_t j = 0; j < l->arrays.n; j++) {
        const sa_array *a = &l->arrays.v[j];
        const str owner = owner_of(l, a);
        SB_LIT(b, "    ");
        if (owner.n) {
            l->device[j] = sa_form(c, "$$", owner, a->members);
        } else {
            l->device[j] = sa_free_name(l->t, sa_form(c, "d_$", a->flat).p);
            sa_put(b, "$ *", a->element);
        }
        const str copy = a->turned ? STR("to_device_turned") : STR("to_device");
        l->t->helpers |= SA_TO_DEVICE | (a->turned ? SA_HELPER_TURNED : 0);
        if (may_lack(l, a))
            sa_put(b, "$ = $ ? $($, $) : nullptr;\n", l->device[j], a->host, copy, a->host,
                   a->count);
        else
            sa_put(b, "$ = $($, $);\n", l->device[j], copy, a->host, a->count);
    }
}

/* The kernel's name, qualified where a parameter hides it. */
static str kernel_name(const launcher *l)
{
    const cuda_kernel *k = l->t->k;
    const str name = l->backward ? k->backward_name : k->forward_name;
    for (uint32_t i = 0; i < l->n; i++)
        if (str_eq(l->params[i].name, name))
            return sa_form(l->t->c, "::$", name);
    return name;
}

/* Events of the CUDA runtime around the launch; the shim has them too. Both ways to run are in the
 * text: nvcc takes <<<>>>, a C++ compiler run_grid of cuda_on_cpu.h, or run_blocks if threads of a
 * block wait for each other. */
static void put_timed_launch(const launcher *l)
{
    strbuf *b = l->t->b;
    const str called = kernel_name(l);
    sa_put(b, "\n    cudaEvent_t $, $;\n    CHECK(cudaEventCreate(&$));\n", l->start, l->stop,
           l->start);
    sa_put(b, "    CHECK(cudaEventCreate(&$));\n    CHECK(cudaEventRecord($));\n", l->stop,
           l->start);
    sa_put(b, "#ifdef __CUDACC__\n    $<<<$, $>>>(", called, l->blocks, l->threads);
    sa_list launched = sa_list_begin(b);
    put_arguments(l, &launched);
    sa_put(b, ");\n#else\n    $(", l->t->k->meets ? STR("run_blocks") : STR("run_grid"));
    sa_list on_cpu = sa_list_begin(b);
    sa_list_item(&on_cpu, called);
    sa_list_item(&on_cpu, l->blocks);
    sa_list_item(&on_cpu, l->threads);
    put_arguments(l, &on_cpu);
    sa_put(b, ");\n#endif\n    CHECK(cudaGetLastError());\n    CHECK(cudaEventRecord($));\n",
           l->stop);
    sa_put(b, "    CHECK(cudaEventSynchronize($));\n    float $ = 0;\n", l->stop, l->time);
    sa_put(b, "    CHECK(cudaEventElapsedTime(&$, $, $));\n", l->time, l->start, l->stop);
    sa_put(b, "    CHECK(cudaEventDestroy($));\n    CHECK(cudaEventDestroy($));\n\n", l->start,
           l->stop);
}

/* The head of a launcher: parameters of the kernel, then counts of arrays whose sizes it does not
 * take. */
static void put_signature(const launcher *l)
{
    const cuda_kernel *k = l->t->k;
    sa_put(
        l->t->b,
        "\n// Launches the kernel on copies of the arrays in device memory, brings back what it\n"
        "// $, and gives the milliseconds that it took.\nstatic float launch_$(",
        l->backward ? STR("added to the gradients") : STR("wrote"),
        l->backward ? k->backward_name : k->forward_name);
    sa_list list = sa_list_begin(l->t->b);
    for (uint32_t i = 0; i < l->n; i++) {
        const cuda_param *p = &l->params[i];
        const bool pointer = p->kind == CUDA_PARAM_POINTER || p->kind == CUDA_PARAM_ADJ_POINTER ||
                             p->kind == CUDA_PARAM_INDICES;
        sa_list_item(&list, sa_form(l->t->c, pointer ? "$$" : "$ $", p->type_text, p->name));
    }
    for (uint32_t j = 0; j < l->arrays.n; j++)
        if (l->arrays.v[j].counted)
            sa_list_item(&list, sa_form(l->t->c, "size_t $", l->arrays.v[j].count));
    SB_LIT(l->t->b, ")\n{\n");
}

/* Forward brings back arrays that it may write, backward the gradients. All copies are freed, so a
 * program may launch again. */
static void put_returns(const launcher *l)
{
    strbuf *b = l->t->b;
    for (uint32_t j = 0; j < l->arrays.n; j++) {
        const sa_array *a = &l->arrays.v[j];
        if (a->p->is_const || a->adjoint != l->backward)
            continue;
        l->t->helpers |= a->turned ? SA_HELPER_TURNED : SA_TO_HOST;
        if (may_lack(l, a))
            sa_put(b, "    if ($)\n    ", a->host);
        sa_put(b, "    $($, $, $);\n", a->turned ? STR("to_host_turned") : STR("to_host"), a->host,
               l->device[j], a->count);
    }
    for (uint32_t j = 0; j < l->arrays.n; j++)
        sa_put(b, "    CHECK(cudaFree($));\n", l->device[j]);
    sa_put(b, "    return $;\n}\n", l->time);
}

/* The function launch_NAME. Names are chosen in the order in which the text declares them. */
void sa_put_launcher(sa_text *t, bool backward)
{
    WEFT_ASSERT(!backward || t->k->backward_params.n > 0);
    launcher l = {.t = t, .backward = backward};
    t->taken.n = 0;
    l.params = params_of(t, backward, &l.n);
    sa_arrays_of(t, l.params, l.n, &l.arrays);
    for (uint32_t i = 0; i < l.arrays.n; i++)
        if (l.arrays.v[i].counted)
            /* Later forms use the parameter's name as the count. */
            l.arrays.v[i].count = sa_free_name(t, sa_form(t->c, "$_count", l.arrays.v[i].flat).p);
    l.device = ARENA_ARRAY(&t->c->module, str, l.arrays.n + 1);
    l.structs = ARENA_ARRAY(&t->c->module, str, l.n + 1);
    l.threads = sa_free_name(t, "threads");
    l.blocks = sa_free_name(t, "blocks");
    l.start = sa_free_name(t, "start");
    l.stop = sa_free_name(t, "stop");
    l.time = sa_free_name(t, "milliseconds");
    put_signature(&l);
    put_copies(&l);
    put_configuration(&l);
    put_timed_launch(&l);
    put_returns(&l);
}
