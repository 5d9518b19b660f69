/* SPDX-License-Identifier: Apache-2.0 */
/* Types by name, and what arrays and structs consist of: an array is a pointer, sizes and strides;
 * a Python struct becomes a struct, in which each array is several members:
 *
 *     class Body:                              struct Body {
 *         w: wp.array2d(dtype=float)               float *w;
 *         m: float                        ->       int w_rows;
 *                                                  int w_cols;
 *                                                  int w_stride;
 *                                                  float m;
 *                                              };
 *
 * A struct is made when its name is first needed, inner ones first. Definitions that its members
 * need are noted apart (job->member_uses), since they belong to no function's text. */
#include "cuda/cuda_layout.h"

#include "base/assert.h"
#include "cuda/cuda_flow.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_unsupported.h"
#include "cuda/cuda_varname.h"
#include "cudarule/cudarule_type.h"

static const cuda_struct *cuda_struct_of(cuda_fn *f, const struct_def *st);

/* "x_n" of one dimension, "x_rows" and "x_cols" of two, "x_n0" to "x_n3" of more. */
str cuda_size_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim)
{
    const char *const of_matrix[] = {"rows", "cols"};
    WEFT_ASSERT(dim < ndim);
    if (ndim == 1)
        return cuda_sprintf(f, "%.*s_n", (int)array.n, array.p);
    if (ndim == 2)
        return cuda_sprintf(f, "%.*s_%s", (int)array.n, array.p, of_matrix[dim]);
    return cuda_sprintf(f, "%.*s_n%u", (int)array.n, array.p, dim);
}

/* "x_stride" of two dimensions, "x_stride0" and so on of more. The last dimension needs none. */
str cuda_stride_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim)
{
    WEFT_ASSERT(dim < ndim);
    if (ndim == 2)
        return cuda_sprintf(f, "%.*s_stride", (int)array.n, array.p);
    return cuda_sprintf(f, "%.*s_stride%u", (int)array.n, array.p, dim);
}

/* "x_indices" of one dimension, "x_indices0" and so on of more. */
str cuda_indices_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim)
{
    WEFT_ASSERT(dim < ndim);
    if (ndim == 1)
        return cuda_sprintf(f, "%.*s_indices", (int)array.n, array.p);
    return cuda_sprintf(f, "%.*s_indices%u", (int)array.n, array.p, dim);
}

typedef VEC(cuda_param) cuda_members;

/* A type without a plain CUDA form is an error, and "int" or an empty text stands for it. */
str cuda_type_text(cuda_fn *f, const type *t)
{
    if (t->kind == TYPE_STRUCT) {
        const cuda_struct *st = cuda_struct_of(f, t->st);
        return st ? st->name : STR("int");
    }
    const str s = cuda_type_name(f->job->defs, t);
    if (!s.n)
        cuda_unsupported_str(f, cuda_sprintf(f, "the type %.*s", (int)t->pyname.n, t->pyname.p));
    return s;
}

/* Names of a struct's members so far, and those of sizes and strides that follow from them. */
typedef struct member_set {
    str_map names, derived;
} member_set;

/* Called with a name of the struct; true ends the visit. */
typedef bool name_visit(cuda_fn *f, member_set *set, str name);

/* Is it the name of a member so far? */
static bool is_member(cuda_fn *f, member_set *set, str name)
{
    (void)f;
    return str_map_get(&set->names, name) != 0;
}

/* The name is one of sizes or strides from now on. */
static bool add_derived(cuda_fn *f, member_set *set, str name)
{
    str_map_set(&f->c->module, &set->derived, name, 1);
    return false;
}

/* Calls fn for the names of an array's sizes and strides, until it gives true. Of all dimensions,
 * though the last has no stride in the text: a name too many is reserved, none is taken twice. */
static bool visit_derived(cuda_fn *f, member_set *set, const type *t, str array, name_visit *fn)
{
    for (uint32_t d = 0; t->kind == TYPE_ARRAY && d < (uint32_t)t->ndim; d++)
        if (fn(f, set, cuda_size_name(f, array, d, (uint32_t)t->ndim)) ||
            fn(f, set, cuda_stride_name(f, array, d, (uint32_t)t->ndim)))
            return true;
    return false;
}

/* A name for the field: its own, with underscores behind it until neither it nor the sizes and
 * strides that follow from it are names of others. */
static str free_member(cuda_fn *f, member_set *set, const type *t, str name)
{
    while (is_member(f, set, name) || str_map_get(&set->derived, name) ||
           visit_derived(f, set, t, name, is_member))
        name = cuda_next_name(f, name);
    str_map_set(&f->c->module, &set->names, name, 1);
    visit_derived(f, set, t, name, add_derived);
    return name;
}

/* Names of the members that a struct's fields become: arrays first, which have several, so that a
 * field "w_rows" beside an array "w" is the one that gets an underscore. */
static const str *member_names(cuda_fn *f, const struct_def *st)
{
    str *names = arena_zero(&f->c->module, (st->nfields + 1) * sizeof *names);
    member_set set = {0};
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < st->nfields; i++) {
            const type *t = st->fields[i].type;
            if ((t->kind == TYPE_ARRAY) == pass)
                continue;
            names[i] = free_member(f, &set, t, cuda_cpp_name(f, sym_str(st->fields[i].name)));
        }
    return names;
}

/* The members for one field, as the example above has them. */
static void add_member(cuda_fn *f, cuda_members *out, uint32_t i, const struct_field *field,
                       str name)
{
    const type *t = field->type;
    cuda_param p = {.arg = i, .type = t, .kind = CUDA_PARAM_VALUE, .name = name};
    if (t->kind != TYPE_ARRAY) {
        p.type_text = cuda_type_text(f, t);
        VEC_PUSH(&f->c->module, out, p);
        return;
    }
    if (t->array_class != ARRAY_PLAIN)
        cuda_unsupported(f, "a struct with an array of another kind than wp.array");
    const str elem = cuda_type_text(f, t->elem);
    const uint32_t ndim = (uint32_t)t->ndim;
    p.kind = CUDA_PARAM_POINTER;
    p.type = t->elem;
    p.type_text = cuda_sprintf(f, "%.*s *", (int)elem.n, elem.p);
    p.item = elem;
    VEC_PUSH(&f->c->module, out, p);
    p.item = (str){0};
    p.type = NULL;
    p.type_text = STR("int");
    p.kind = CUDA_PARAM_SIZE;
    for (p.dim = 0; p.dim < ndim; p.dim++) {
        p.name = cuda_size_name(f, name, p.dim, ndim);
        VEC_PUSH(&f->c->module, out, p);
    }
    p.kind = CUDA_PARAM_STRIDE;
    for (p.dim = 0; p.dim + 1 < ndim; p.dim++) {
        p.name = cuda_stride_name(f, name, p.dim, ndim);
        VEC_PUSH(&f->c->module, out, p);
    }
}

/* The struct that stands for a Python struct. Structs contain each other without cycles, so that
 * the recursion through cuda_type_text ends, and an inner struct is in the list first. */
static const cuda_struct *cuda_struct_of(cuda_fn *f, const struct_def *st)
{
    cuda_kernel *k = f->job->out;
    ctx_spend(f->c, k->structs.n);
    for (uint32_t i = 0; i < k->structs.n; i++)
        if (k->structs.v[i]->def == st)
            return k->structs.v[i];
    cuda_struct *made = ARENA_NEW(&f->c->module, cuda_struct);
    cuda_members members = {0};
    const uint32_t begin = cuda_uses_begin(f->job->defs);
    const str *names = member_names(f, st);
    for (uint32_t i = 0; i < st->nfields; i++)
        add_member(f, &members, i, &st->fields[i], names[i]);
    WEFT_ASSERT(members.n >= st->nfields);
    made->def = st;
    made->name = cuda_global_name(f->job, sym_str(st->name));
    made->members = members.v;
    made->nmembers = members.n;
    const cuda_uses uses = cuda_uses_end(f->job->defs, begin);
    VEC_PUSH(&f->c->module, &f->job->member_uses, uses);
    VEC_PUSH(&f->c->module, &k->structs, made);
    str_map_set(&f->c->module, &f->job->taken, made->name, 1);
    return made;
}

/* The first member that a field became, an array's pointer; of vectors and the like the field
 * itself. */
str cuda_member_name(cuda_fn *f, const type *t, str field)
{
    const cuda_struct *made = t->kind == TYPE_STRUCT ? cuda_struct_of(f, t->st) : NULL;
    ctx_spend(f->c, made ? made->nmembers : 0);
    for (uint32_t i = 0; made && i < made->nmembers; i++) {
        const cuda_param *m = &made->members[i];
        if (str_eq(sym_str(t->st->fields[m->arg].name), field))
            return m->name;
    }
    return field;
}
