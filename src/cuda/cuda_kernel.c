/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel as plain CUDA C++: lowers it, makes its functions, and puts together the signature, the
 * guard and the body of the forward and the backward kernel. Of a kernel with "i = wp.tid()" and
 * one of four dimensions the text begins with:
 *
 *     const int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n) return;
 *
 *     int index = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (index >= n0 * n1 * n2 * n3) return;
 *     const int l = index % n3;
 *     index /= n3;
 *
 * The order of work: definitions of types and functions are collected while texts are made;
 * functions before the kernels that call them; and the text of structs and functions last, when it
 * is known which of them are used.
 *
 * Loops stay loops where the program lowered without unrolling means the same (cuda_reroll.c). */
#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_func.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_param.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_reroll.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tile_place.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cuda/cuda_varname.h"
#include "cudarule/cudarule_call.h"
#include "cudarule/cudarule_object.h"

/* The limit of work (ctx_spend) for the passes over all functions of a kernel; a step takes some
 * ten nanoseconds. */
enum { MILLION_STEPS = 200 };

/* Is it a name of the program: of a struct, a field, a function, a kernel, or a variable of one of
 * them? */
static bool is_source_name(const cuda_job *job, str name)
{
    for (uint32_t i = 0; i < job->m->structs.n; i++) {
        const struct_def *st = job->m->structs.v[i];
        for (uint32_t k = 0; k < st->nfields; k++)
            if (str_eq(sym_str(st->fields[k].name), name))
                return true;
        if (str_eq(sym_str(st->name), name))
            return true;
    }
    for (uint32_t i = 0; i < job->m->funcs.n; i++)
        if (cuda_is_source_name(job->m->funcs.v[i], name))
            return true;
    for (uint32_t i = 0; i < job->kernels.n; i++)
        if (str_eq(job->kernels.v[i], name))
            return true;
    return cuda_is_source_name(job->m->kernel, name);
}

/* Is it such a name, or what one of them becomes because it is taken: a variable `component` of a
 * kernel with a mesh is component_? Definitions must not take those (cuda_defs_make). */
static bool is_program_name(const void *arg, str name)
{
    const cuda_job *job = arg;
    const str shorter = {name.p, name.n ? name.n - 1 : 0};
    return is_source_name(job, name) ||
           (shorter.n && name.p[shorter.n] == '_' && str_map_get(&job->taken, shorter) &&
            is_source_name(job, shorter));
}

/* Of thread indexes that the program does not name. */
static const char *const index_names[4] = {"i", "j", "k", "l"};

/* The name, or one like it that the function does not use. */
static str free_name(cuda_fn *f, const char *name)
{
    return cuda_free_var(f, str_c(name));
}

/* Names the thread's indices and the launch sizes. The program may have named some indices ("i, j =
 * wp.tid()"); a dimension that it does not read has a variable all the same, for the guard. The
 * size of one dimension is n, unless the program has that name. */
static void name_indexes(cuda_fn *f, str sizes[4])
{
    /* By number of dimensions, outermost first. */
    static const char *const names[4][4] = {
        {"n"}, {"ny", "nx"}, {"nz", "ny", "nx"}, {"n0", "n1", "n2", "n3"}};
    const int dims = f->u->launch_dim;
    WEFT_ASSERT(dims >= 1 && dims <= 4);
    for (int d = 0; d < dims; d++) {
        if (f->tid[d] == CUDA_NO_VAR) {
            f->tid[d] = cv_new(f, cuda_int(f), (str){NULL, 0});
            f->vars.v[f->tid[d]].param = true;
            f->vars.v[f->tid[d]].name = free_name(f, index_names[d]);
        } else {
            cv *v = &f->vars.v[f->tid[d]];
            v->name = cuda_cpp_name(f, v->python ? v->hint : str_c(index_names[d]));
            /* Python's name may be one of C++, or a parameter's. */
            while (cuda_is_taken(f, v->name))
                v->name = cuda_next_name(f, v->name);
            str_map_set(&f->c->module, &f->taken, v->name, 1);
        }
        const char *name = names[dims - 1][d];
        const bool free = !cuda_is_taken(f, str_c(name)) && !cuda_is_source_name(f->u, str_c(name));
        sizes[d] = free_name(f, free || dims > 1 ? name : "num_threads");
    }
}

/* "const int i = "; without const where the program changes its index. */
static void put_const(cuda_fn *f, strbuf *b, uint32_t var)
{
    /* The head defines it once, which defs does not count. */
    sb_c(b, f->vars.v[var].defs ? "    int " : "    const int ");
    sb_str(b, f->vars.v[var].name);
    SB_LIT(b, " = ");
}

/* An index: of the grid, of the block, or of the thread within its block. */
static void put_index(strbuf *b, cuda_blocks blocks, int dims, int d)
{
    static const char *const axes[] = {"x", "y", "z"};
    const bool lanes = blocks == CUDA_BLOCKS_LANES;
    const char *axis = axes[dims - 1 - d - (lanes && d < dims - 1)];
    if (blocks == CUDA_BLOCKS_TILED || (lanes && d < dims - 1))
        sb_printf(b, "blockIdx.%s;\n", axis);
    else if (lanes)
        SB_LIT(b, "threadIdx.x;\n");
    else
        sb_printf(b, "blockIdx.%s * blockDim.%s + threadIdx.%s;\n", axis, axis, axis);
}

/* Up to three dimensions: the last one is the grid's x, so that neighbouring threads read
 * neighbouring elements. */
static void put_guard(cuda_fn *f, strbuf *b, const str sizes[4])
{
    const int dims = f->u->launch_dim;
    WEFT_ASSERT(dims <= 3);
    for (int d = 0; d < dims; d++) {
        put_const(f, b, f->tid[d]);
        put_index(b, f->job->out->blocks, dims, d);
    }
    SB_LIT(b, "    if (");
    for (int d = 0; d < dims; d++) {
        if (d)
            SB_LIT(b, " || ");
        sb_str(b, f->vars.v[f->tid[d]].name);
        SB_LIT(b, " >= ");
        sb_str(b, sizes[d]);
    }
    SB_LIT(b, ") return;\n\n");
}

/* The guard of four dimensions: one index along x is divided up, the last dimension fastest.
 * Indexes that the text does not mention are left out, but not the division for those before them.
 */
static void put_linear_guard(cuda_fn *f, strbuf *b, const str sizes[4])
{
    WEFT_ASSERT(f->u->launch_dim == 4);
    const str index = free_name(f, "index");
    sb_printf(b, "    int %.*s = blockIdx.x * blockDim.x + threadIdx.x;\n    if (%.*s >= ",
              (int)index.n, index.p, (int)index.n, index.p);
    for (int d = 0; d < 4; d++) {
        if (d)
            SB_LIT(b, " * ");
        sb_str(b, sizes[d]);
    }
    SB_LIT(b, ") return;\n");
    for (int d = 3; d >= 0; d--) {
        const bool said = f->vars.v[f->tid[d]].mentioned;
        if (said) {
            put_const(f, b, f->tid[d]);
            sb_str(b, index);
        }
        if (said && d) {
            SB_LIT(b, " % ");
            sb_str(b, sizes[d]);
        }
        sb_c(b, said ? ";\n" : "");
        if (d)
            sb_printf(b, "    %.*s /= %.*s;\n", (int)index.n, index.p, (int)sizes[d].n, sizes[d].p);
    }
    sb_char(b, '\n');
}

/* Launch sizes come last in the signature, outermost first. */
static void add_launch_params(cuda_fn *f, cuda_params *params, const str sizes[4])
{
    for (int d = 0; d < f->u->launch_dim; d++) {
        const cuda_param p = {.kind = CUDA_PARAM_LAUNCH,
                              .dim = (uint32_t)d,
                              .type_text = STR("int"),
                              .name = sizes[d]};
        VEC_PUSH(&f->c->module, params, p);
    }
}

/* Functions that a kernel calls are part of the text. */
static void mark_calls(const cuda_fn *f)
{
    for (uint32_t i = 0; i < f->calls.n; i++)
        f->calls.v[i]->used = true;
}

/* A kernel in the making: its name goes in, its text and parameters come out. */
typedef struct kernel_making {
    str name, text;
    cuda_params params;
} kernel_making;

/* Called with the tree as it was read and simplified. The body is printed before the signature, as
 * it decides which parameters there are. */
static void make_kernel_text(cuda_fn *f, void *arg)
{
    kernel_making *x = arg;
    str sizes[4];
    if (f->u->launch_dim == 4 && f->job->out->blocks != CUDA_BLOCKS_COVER) {
        cuda_unsupported(f, "a kernel with four thread indexes and tiles in shared memory");
        return;
    }
    name_indexes(f, sizes);
    cuda_run_passes(f);
    strbuf body, b;
    sb_init(&body, &f->c->mem);
    sb_init(&b, &f->c->mem);
    cuda_print_body(f, &body, 1);
    x->params = (cuda_params){0};
    cuda_list_params(f, &x->params);
    add_launch_params(f, &x->params, sizes);
    cuda_put_signature(f, &b, "__global__ void ", x->name, &x->params, (str){NULL, 0});
    SB_LIT(&b, "\n{\n");
    const size_t start = b.n;
    cuda_tile_declare(f, &b);
    if (b.n > start)
        sb_char(&b, '\n');
    cuda_count(f);
    /* cuda_count has counted what writes to the indices, for put_const. */
    if (!body.n)
        SB_LIT(&b, "    // There is nothing to do: no gradient flows through the kernel.\n");
    else if (f->u->launch_dim == 4)
        put_linear_guard(f, &b, sizes);
    else
        put_guard(f, &b, sizes);
    sb_str(&b, sb_view(&body));
    SB_LIT(&b, "}\n");
    sb_clear(&body);
    mark_calls(f);
    x->text = cuda_keep(f, &b);
}

/* The forward or the backward kernel. Empty after errors. */
static str make_kernel(cuda_job *job, bool reverse, str name, cuda_params *params)
{
    kernel_making x = {.name = name};
    const cuda_maker maker = {NULL, make_kernel_text, &x};
    cuda_make_unit(job, job->m->kernel, reverse, &maker);
    *params = x.params;
    return job->failed ? (str){NULL, 0} : x.text;
}

/* "struct Body { float *w; int w_rows; ... };" A pointer's type ends with its asterisk. */
static void put_struct(strbuf *b, const cuda_struct *st)
{
    SB_LIT(b, "struct ");
    sb_str(b, st->name);
    SB_LIT(b, " {\n");
    for (uint32_t i = 0; i < st->nmembers; i++) {
        const str t = st->members[i].type_text;
        WEFT_ASSERT(t.n > 0 && st->members[i].name.n > 0);
        SB_LIT(b, "    ");
        sb_str(b, t);
        if (t.p[t.n - 1] != '*')
            sb_char(b, ' ');
        sb_str(b, st->members[i].name);
        SB_LIT(b, ";\n");
    }
    SB_LIT(b, "};\n\n");
}

/* Structs, then the functions that are called, each after those that it calls. Going backwards
 * through job->made marks what used functions call, so functions of functions are marked before
 * they are looked at. */
static str make_functions_text(cuda_job *job)
{
    strbuf b;
    sb_init(&b, &job->c->mem);
    for (uint32_t i = 0; i < job->out->structs.n; i++)
        put_struct(&b, job->out->structs.v[i]);
    for (uint32_t i = 0; i < job->member_uses.n; i++)
        cuda_uses_add(job->defs, job->member_uses.v[i]);
    /* job->made has callees first, so from its end on callers are met before what they call. */
    for (uint32_t i = job->made.n; i-- > 0;) {
        const cuda_form *x = job->made.v[i];
        for (uint32_t k = 0; x->used && k < x->calls.n; k++)
            x->calls.v[k]->used = true;
    }
    for (uint32_t i = 0; i < job->made.n; i++) {
        const cuda_form *x = job->made.v[i];
        if (!x->used)
            continue;
        cuda_uses_add(job->defs, x->uses);
        sb_str(&b, x->text);
        sb_char(&b, '\n');
    }
    const str s = {arena_dup(&job->c->module, b.p ? b.p : "", b.n), b.n};
    sb_clear(&b);
    return s;
}

static void take_name(void *arg, str name)
{
    cuda_job *job = arg;
    str_map_set(&job->c->module, &job->taken, name, 1);
}

/* Definitions of objects have fixed names: a program that calls one has them for nothing else. */
static void take_object_names(cuda_job *job)
{
    for (uint32_t i = 0; i <= job->m->funcs.n; i++) {
        const ir_unit *u = i < job->m->funcs.n ? job->m->funcs.v[i] : job->m->kernel;
        for (uint32_t k = 0; k < u->callees.n; k++)
            if (cuda_is_object_call(u->callees.v[k].native.name)) {
                cuda_object_names(take_name, job);
                return;
            }
    }
}

/* Functions first: their forms say which operands their calls have. */
static void make_all(cuda_job *job, const kernel *k, bool backward)
{
    cuda_kernel *out = job->out;
    out->launch_dim = job->m->kernel->launch_dim;
    if (job->shares_tiles) {
        out->blocks = cuda_tile_blocks(job->c, job->m->kernel);
        out->tile_extent = cuda_tile_extent(job->m->kernel);
    }
    take_object_names(job);
    cuda_name_kernels(job, sym_str(k->code.name), backward);
    cuda_make_functions(job, backward);
    if (!job->failed) {
        cuda_params params = {0};
        out->forward = make_kernel(job, false, out->forward_name, &params);
        out->forward_params.v = params.v;
        out->forward_params.n = params.n;
    }
    if (!job->failed && backward) {
        cuda_params params = {0};
        out->backward = make_kernel(job, true, out->backward_name, &params);
        out->backward_params.v = params.v;
        out->backward_params.n = params.n;
    }
}

/* The arguments of make_guarded. */
typedef struct kernel_job {
    cuda_job *job;
    const program *program;
    const kernel *kernel;
    bool backward;
} kernel_job;

/* Runs under ctx_try: too much work ends it by a jump. The definitions are printed last, when all
 * texts have noted what they use. */
static void make_guarded(void *arg)
{
    const kernel_job *x = arg;
    cuda_job *job = x->job;
    ctx *c = job->c;
    cuda_note_effects(job);
    job->rolled = cuda_lower_rolled(c, x->program, x->kernel, job->m);
    job->out = ARENA_NEW(&c->module, cuda_kernel);
    job->shares_tiles = cuda_shares_tiles(job->m->kernel);
    job->defs = cuda_defs_make(c, &c->module, is_program_name, job);
    make_all(job, x->kernel, x->backward && job->m->options.enable_backward);
    if (job->failed)
        return;
    /* This adds the uses of the functions that are called, which the definitions need. */
    job->out->functions = make_functions_text(job);
    job->out->objects = cuda_objects_used(job->defs);
    strbuf b;
    sb_init(&b, &c->mem);
    cuda_defs_print(job->defs, &b);
    job->out->definitions = (str){arena_dup(&c->module, b.p ? b.p : "", b.n), b.n};
    sb_clear(&b);
    job->out->externs = cuda_defs_externs(job->defs);
}

/* The kernel without the option `deterministic`, whose order of sums needs a launch by Warp. The
 * plain text adds in any order, as that of other kernels does. */
static const kernel *in_any_order(ctx *c, const kernel *k)
{
    kernel *copy = arena_alloc(&c->module, sizeof *copy);
    *copy = *k;
    copy->code.options.deterministic = 0;
    return copy;
}

/* Makes the text of the kernel, which is lowered first if it is not yet. Too much work is an error
 * at the function that was in work. */
static const cuda_kernel *make(cuda_job *job, ctx *c, const program *p, const kernel *k,
                               const ir_module *lowered, bool backward)
{
    job->c = c;
    job->m = lowered ? lowered : lower_kernel(c, p, k);
    if (job->m && job->m->options.deterministic > 0) {
        k = in_any_order(c, k);
        job->m = lower_kernel(c, p, k);
    }
    if (!job->m)
        return NULL;
    job->making = &k->code;
    kernel_job x = {job, p, k, backward};
    if (!ctx_try(c, MILLION_STEPS * 1000000ull, make_guarded, &x)) {
        const code *f = job->making;
        diag_error(c, node_span(f->src, &f->def->base), DIAG_TOO_MUCH_WORK, f->name->s,
                   "its plain CUDA text", MILLION_STEPS);
        return NULL;
    }
    return job->failed ? NULL : job->out;
}

const cuda_kernel *cuda_kernel_make(ctx *c, const program *p, const kernel *k, bool backward)
{
    return make(ARENA_NEW(&c->module, cuda_job), c, p, k, NULL, backward);
}

const cuda_kernel *cuda_kernel_make_wrapping(ctx *c, const program *p, const kernel *k,
                                             bool backward)
{
    cuda_job *job = ARENA_NEW(&c->module, cuda_job);
    job->wraps = true;
    return make(job, c, p, k, NULL, backward);
}

/* A part without the newlines at its end, behind an empty line. */
static void put_part(strbuf *b, str text)
{
    while (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    if (text.n && b->n)
        sb_char(b, '\n');
    sb_str(b, text);
    if (text.n)
        sb_char(b, '\n');
}

str cuda_plain_source(ctx *c, const program *p, const kernel *k, const ir_module *lowered)
{
    const uint32_t errors = c->diags.n;
    cuda_job *job = ARENA_NEW(&c->module, cuda_job);
    const cuda_kernel *plain = make(job, c, p, k, lowered, false);
    if (!plain) {
        c->diags.n = errors;
        return STR("");
    }
    strbuf b;
    sb_init(&b, &c->mem);
    put_part(&b, plain->definitions);
    put_part(&b, plain->functions);
    put_part(&b, plain->forward);
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

bool cuda_dump_passes(ctx *c, const program *p, const kernel *k, bool backward, const char *letters,
                      strbuf *out)
{
    cuda_job *job = ARENA_NEW(&c->module, cuda_job);
    job->dump = letters;
    job->dump_out = out;
    return make(job, c, p, k, NULL, backward) != NULL;
}

/* NVRTC has no math.h; bits are the same on every GPU. */
void cuda_put_rtc_macros(strbuf *b, const cuda_kernel *k)
{
    static const struct {
        cuda_extern which;
        const char *definition;
    } macros[] = {{CUDA_EXTERN_INFINITY, "INFINITY __int_as_float(0x7f800000)"},
                  {CUDA_EXTERN_NAN, "NAN __int_as_float(0x7fffffff)"},
                  {CUDA_EXTERN_HUGE_VALF, "HUGE_VALF __int_as_float(0x7f800000)"},
                  {CUDA_EXTERN_HUGE_VAL, "HUGE_VAL __longlong_as_double(0x7ff0000000000000)"}};
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (cuda_kernel_uses(k, macros[i].which))
            sb_printf(b, "#define %s\n", macros[i].definition);
}
