/* SPDX-License-Identifier: Apache-2.0 */
/* States plans of inputs (src/inputs) as texts:
 *
 *     launch of 9 threads                     "n", a letter: each set of inputs has another size
 *     of 61, or 257, which comparisons want   "n=61", "n=257"
 *     x: as long as the launch                shape "n"
 *     idx: drawn from 0 .. 8, indexes of x    values "0:n"
 *     tri: a strip of triangles               values "0:n by 3,1,1"
 *     before: the same as now                 values "same now"
 *
 * Letters stand for sizes that are the launch's in the plan; all else is a number. */
#include "prove/proof_plan.h"

#include "base/format.h"
#include "cuda/cuda_tile.h"

/* PLAN_LETTERS: the size of trials for whose launches letters stand. */
enum { PLAN_LETTERS = 2, GROWTHS = 60 };

static const char letters[] = "nmpq";

/* --- plans --------------------------------------------------------------------------------- */

void plan_init(proof_plan *p, ctx *c, const compiled_kernel *k)
{
    const inputs_trial first = {.size = PLAN_LETTERS, .roles = true};
    WEFT_ASSERT(k->kernel->code.nparams <= SAMPLE_ARGS_MAX);
    *p = (proof_plan){.c = c};
    inputs_kernel_init(&p->k, &c->module, k->ir, k->kernel);
    if (cuda_shares_tiles(k->ir->kernel)) {
        p->k.blocks = cuda_tile_blocks(c, k->ir->kernel);
        p->k.tile_extent = cuda_tile_extent(k->ir->kernel);
    }
    plan_set(p, 0, &first);
    memcpy(p->usual, p->of[0].dim, sizeof p->usual);
}

void plan_set(proof_plan *p, uint32_t at, const inputs_trial *trial)
{
    WEFT_ASSERT(at <= p->alternatives && at < PLAN_ALTERNATIVES);
    inputs_plan_make(&p->c->module, &p->k, trial, &p->of[at]);
    p->alternatives = at == p->alternatives ? at + 1 : p->alternatives;
}

bool plan_grow(proof_plan *p, uint32_t set, const interp_outside *o)
{
    const uint32_t n = p->k.kernel->code.nparams;
    inputs_plan *of = &p->of[set % p->alternatives];
    if (!o->array || p->growths++ >= GROWTHS)
        return false;
    const inputs_arg *before = of->args;
    of->args = ARENA_ARRAY(&p->c->module, inputs_arg, n + 1);
    memcpy(of->args, before, n * sizeof *before);
    return inputs_plan_grow(&p->k, o, of);
}

/* --- sizes --------------------------------------------------------------------------------- */

static str text(const proof_plan *p, const char *form, long long a, long long b)
{
    return str_c(arena_printf(&p->c->module, form, a, b));
}

/* Does a letter stand for the size of the array's dimension? */
static bool is_letter(const proof_plan *p, const inputs_plan *of, int d, int64_t size)
{
    WEFT_ASSERT(d >= 0 && d < LAUNCH_DIMS);
    return size == (d < p->k.ndim ? of->dim[d] : inputs_other_sizes[d ? d - 1 : 0]);
}

static str shape_text(const proof_plan *p, const inputs_plan *of, const inputs_arg *a, int rank)
{
    char b[LAUNCH_DIMS * 8];
    size_t n = 0;
    for (int d = 0; d < rank; d++) {
        if (a->absent || is_letter(p, of, d, a->shape[d]))
            n += (size_t)format_text(b + n, sizeof b - n, d ? ",%c" : "%c", letters[d]);
        else
            n += (size_t)format_text(b + n, sizeof b - n, d ? ",%lld" : "%lld",
                                     (long long)a->shape[d]);
    }
    return (str){arena_dup(&p->c->module, b, n), n};
}

/* The arrays of a struct are as long as the launch, unless they have grown. */
static str arg_shape(const proof_plan *p, const inputs_plan *of, uint32_t i)
{
    const type *t = p->k.kernel->code.params[i].type;
    const inputs_arg *a = &of->args[i];
    if (t->kind == TYPE_ARRAY)
        return shape_text(p, of, a, t->ndim);
    inputs_arg usual = *a;
    inputs_shape_alike(of, t, &usual);
    if (t->kind != TYPE_STRUCT || memcmp(usual.shape, a->shape, sizeof usual.shape) == 0)
        return STR("");
    return shape_text(p, of, a, LAUNCH_DIMS);
}

/* "n,m=257". Blocks of tiles are as many as the arrays have tiles for. */
static str launch_text(const proof_plan *p, const inputs_plan *of)
{
    char b[LAUNCH_DIMS * 16];
    size_t n = 0;
    const bool blocks = p->k.tile_extent && p->k.blocks != CUDA_BLOCKS_COVER;
    for (int d = 0; d < of->ndim; d++) {
        const bool lanes = p->k.blocks == CUDA_BLOCKS_LANES && d == of->ndim - 1;
        n += (size_t)format_text(b + n, sizeof b - n, d ? ",%c" : "%c", letters[d]);
        if (of->dim[d] != p->usual[d] || (blocks && !lanes))
            n += (size_t)format_text(b + n, sizeof b - n, "=%lld", (long long)of->dim[d]);
    }
    if (p->k.blocks == CUDA_BLOCKS_TILED && of->ndim < LAUNCH_DIMS)
        n += (size_t)format_text(b + n, sizeof b - n, ",256");
    return (str){arena_dup(&p->c->module, b, n), n};
}

/* --- numbers ------------------------------------------------------------------------------- */

/* An integer that is passed by value: around a size of the launch, or one of its range. */
static str value_text(const proof_plan *p, const inputs_plan *of, const inputs_arg *a)
{
    if (a->is_size)
        return STR("n:n+1");
    if (!a->planned)
        return STR("4:5");
    for (int d = 0; a->sized && d < of->ndim; d++) {
        const long long less = of->dim[d] - a->least;
        if (a->sized == INPUTS_SIZED_BOUND && d == (int)a->of)
            return str_c(arena_printf(&p->c->module, "%c-1:%c+1", letters[d], letters[d]));
        if (less == 0)
            return str_c(arena_printf(&p->c->module, "%c:%c+1", letters[d], letters[d]));
        if (less == 1)
            return str_c(arena_printf(&p->c->module, "%c-1:%c", letters[d], letters[d]));
    }
    return a->width ? text(p, "%lld:%lld", a->low, a->low + a->width)
                    : text(p, "%lld:%lld", a->least, a->least + 1);
}

/* Where the range of an array's integers ends: a letter, where they index a dimension of that
 * size; '-1' follows it where they begin below zero. */
static str end_text(const proof_plan *p, const inputs_plan *of, uint32_t i)
{
    const inputs_role *r = &p->k.roles[i];
    const inputs_arg *a = &of->args[i];
    const int64_t least = a->kind == INPUTS_FILL_SENTINEL ? 0 : a->least;
    for (uint32_t k = 0; k < r->ntargets; k++) {
        const inputs_arg *target = &of->args[r->targets[k].param];
        const int d = (int)r->targets[k].dim;
        if (d < LAUNCH_DIMS && target->shape[d] == a->steps && !target->absent &&
            is_letter(p, of, d, a->steps) && least <= 0 && least >= -1)
            return str_c(arena_printf(&p->c->module, least ? "%c-1" : "%c", letters[d]));
    }
    return text(p, "%lld", least + a->steps, 0);
}

/* The integers of an array. */
static str items_text(const proof_plan *p, const inputs_plan *of, uint32_t i)
{
    const inputs_arg *a = &of->args[i];
    arena *in = &p->c->module;
    if (a->kind == INPUTS_FILL_OFFSETS)
        return text(p, "rising:%lld", a->steps, 0);
    const str end = end_text(p, of, i);
    const long long least = a->least;
    if (a->kind == INPUTS_FILL_SENTINEL)
        return str_c(arena_printf(in, "0:%.*s or %lld", (int)end.n, end.p, least));
    if (a->kind == INPUTS_FILL_LATTICE)
        return str_c(arena_printf(in, "%lld:%.*s by %u,%u,%u", least, (int)end.n, end.p,
                                  a->lattice.group, a->lattice.of_group, a->lattice.of_item));
    if (a->mask)
        return str_c(arena_printf(in, "%lld:%.*s bits %u", least, (int)end.n, end.p, a->mask));
    return str_c(arena_printf(in, "%lld:%.*s", least, (int)end.n, end.p));
}

/* The integers among the fields of a struct: by their use, or few, by the number of a mix. */
static str fields_text(const proof_plan *p, const inputs_plan *of, uint32_t i)
{
    static const uint8_t ends[] = {4, 2, 3, 8, 29};
    const inputs_arg *a = &of->args[i];
    if (!a->steps)
        return STR("0:4");
    if (a->mix && inputs_hash(a->mix, i) % 2)
        return text(p, "0:%lld", ends[inputs_hash(a->mix + 1, i) % sizeof ends], 0);
    return items_text(p, of, i);
}

/* Has the type integers anywhere? */
static bool has_integers(const type *t)
{
    const type *item = t->kind == TYPE_ARRAY ? t->elem : t, *scalar = type_scalar_of(item);
    if (scalar)
        return type_is_integer(scalar);
    for (uint32_t i = 0; item->kind == TYPE_STRUCT && i < item->st->nfields; i++)
        if (has_integers(item->st->fields[i].type))
            return true;
    return false;
}

/* One number for a float that is passed by value, as a program has it: up to 2^magnitude. */
static str number_text(const proof_plan *p, const inputs_plan *of, const inputs_arg *a, uint32_t i)
{
    enum { STEPS = 16, MOST = 12 };
    const uint32_t x = inputs_hash(a->mix, i);
    const int mag = a->mag > MOST ? MOST : a->mag < -MOST ? -MOST : a->mag;
    double number = __builtin_ldexp(1 + x / 2 % STEPS, mag) / STEPS;
    if (x & 1 && !a->positive && !of->positive)
        number = -number;
    const char *form = mag < 0 ? "%.9f to %.9f" : "%.4f to %.4f";
    return str_c(arena_printf(&p->c->module, form, number, number));
}

/* Ids of objects: no range of integers is one. Empty: it is none. */
static str object_text(const inputs_role *r)
{
    if (r->uses & INPUTS_VOLUME)
        return r->uses & INPUTS_VECTORS    ? STR("volume.vec3")
               : r->uses & INPUTS_INTEGERS ? STR("volume.int")
                                           : STR("volume");
    return r->uses & INPUTS_MESH   ? STR("mesh")
           : r->uses & INPUTS_BVH  ? STR("bvh")
           : r->uses & INPUTS_GRID ? STR("grid")
                                   : STR("");
}

/* Is the array to be as an earlier one, and can it? One of them may have grown. */
static bool is_twin(const inputs_plan *of, const inputs_arg *a)
{
    return a->twin && memcmp(a->shape, of->args[a->twin - 1].shape, sizeof a->shape) == 0;
}

static str form_text(const proof_plan *p, const inputs_plan *of, uint32_t i)
{
    const type *t = p->k.kernel->code.params[i].type;
    const inputs_arg *a = &of->args[i];
    const str object = object_text(&p->k.roles[i]);
    if (object.n)
        return object;
    if (a->mix && type_is_scalar(t) && type_is_float(t) && !a->zeros)
        return number_text(p, of, a, i);
    if (!has_integers(t))
        return a->zeros ? STR("zeros") : STR("");
    if (type_is_integer(t))
        return value_text(p, of, a);
    if (t->kind != TYPE_ARRAY)
        return fields_text(p, of, i);
    return a->planned ? items_text(p, of, i) : STR("0:4");
}

/* mag: the one that the argument states, which need not stand here. */
static str values_text(const proof_plan *p, const inputs_plan *of, uint32_t i, int mag)
{
    const code *f = &p->k.kernel->code;
    const inputs_arg *a = &of->args[i];
    arena *in = &p->c->module;
    if (a->absent)
        return STR("none");
    if (is_twin(of, a))
        return str_c(arena_printf(in, "same %s", f->params[a->twin - 1].name->s));
    str out = form_text(p, of, i);
    if (a->positive || of->positive)
        out = str_c(arena_printf(in, "%.*s+", (int)out.n, out.p));
    if (a->mag != mag)
        out = str_c(arena_printf(in, "%.*s^%d", (int)out.n, out.p, a->mag));
    return out;
}

/* Texts of all alternatives, "A|B"; only A where all are A. */
static str join(const proof_plan *p, const str *all)
{
    str out = all[0];
    bool same = true;
    for (uint32_t i = 1; i < p->alternatives; i++) {
        same &= str_eq(all[i], all[0]);
        out = str_c(
            arena_printf(&p->c->module, "%.*s|%.*s", (int)out.n, out.p, (int)all[i].n, all[i].p));
    }
    return same ? all[0] : out;
}

str plan_state(const proof_plan *p, check_arg *args)
{
    str all[PLAN_ALTERNATIVES], shapes[PLAN_ALTERNATIVES];
    for (uint32_t i = 0; i < p->k.kernel->code.nparams; i++) {
        const int mag = p->of[0].args[i].mag;
        for (uint32_t a = 0; a < p->alternatives; a++) {
            shapes[a] = arg_shape(p, &p->of[a], i);
            all[a] = values_text(p, &p->of[a], i, mag);
        }
        args[i] = (check_arg){join(p, shapes), mag, join(p, all)};
    }
    for (uint32_t a = 0; a < p->alternatives; a++)
        all[a] = launch_text(p, &p->of[a]);
    return join(p, all);
}
