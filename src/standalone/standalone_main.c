/* SPDX-License-Identifier: Apache-2.0 */
/* main: sizes, inputs, the launches, and the comparison with what is expected. An example:
 *
 *     const float a = -0.25976562f;
 *     const int n = 277;
 *     static float x[277];
 *     fill_floats(x, 277, 1u, 1024, 2.0);
 *     ...
 *     const float time = launch_saxpy(x, y, a, n, 277, 277);
 *     ...
 *     passed &= compare_floats("y", y, 277, 5, expected_y, 6.4e-05, 1, &largest);
 *
 * What is compared and how is in standalone_column.c. */
#include "standalone/standalone_internal.h"

/* --- variables ------------------------------------------------------------------------------- */

static void put_int(strbuf *b, int64_t x)
{
    sb_int(b, x);
}

/* Length of an array's dimension, from the Python shape of its parameter. */
static int64_t size_of(const sa_text *t, uint32_t arg, uint32_t dim)
{
    WEFT_ASSERT(dim < LAUNCH_DIMS);
    return t->run->plan.args[arg].shape[dim];
}

/* In elements, as the CUDA text counts: arrays lie in C order without gaps. */
static int64_t stride_of(const sa_text *t, uint32_t arg, int ndim, uint32_t dim)
{
    int64_t stride = 1;
    for (int d = ndim - 1; d > (int)dim; d--)
        stride *= size_of(t, arg, (uint32_t)d);
    return stride;
}

/* "const int n = 277;", or "s.n = 277;" for a struct's member. */
static void put_scalar_line(sa_text *t, const cuda_param *p, const char *indent, str owner,
                            int64_t x)
{
    sb_c(t->b, indent);
    if (owner.n)
        sa_put(t->b, "$.$ = ", owner, p->name);
    else
        sa_put(t->b, "const $ $ = ", p->type_text, p->name);
    put_int(t->b, x);
    SB_LIT(t->b, ";\n");
}

/* Rank of the Python array that a pointer belongs to. */
static int rank_of(const type *array)
{
    return array && array->kind == TYPE_ARRAY ? array->ndim : 1;
}

/* Is a member of the parameter's struct the id of an object, which is made later? */
static bool is_id(const sa_text *t, uint32_t arg, const cuda_struct *s, const cuda_param *m)
{
    const sa_object *o = sa_object_of(t->run, arg);
    return o && o->in_struct && m->arg == o->field && s->def == t->run->args[arg].type->st;
}

/* A struct's members line by line: sizes and strides of its arrays, and the values of the run.
 * Pointers are set by put_inputs:
 *
 *     model.x_n = 277;
 *     model.scale = 0.5f; */
static void put_value_members(sa_text *t, const cuda_struct *s, str host, const uint8_t *bytes,
                              uint32_t arg)
{
    for (uint32_t i = 0; i < s->nmembers; i++) {
        const cuda_param *m = &s->members[i];
        const type *field = s->def->fields[m->arg].type;
        const uint8_t *at = bytes + layout_field(s->def, m->arg);
        if (m->kind == CUDA_PARAM_SIZE) {
            put_scalar_line(t, m, "    ", host, size_of(t, arg, m->dim));
        } else if (m->kind == CUDA_PARAM_STRIDE) {
            put_scalar_line(t, m, "    ", host, stride_of(t, arg, rank_of(field), m->dim));
        } else if (m->kind == CUDA_PARAM_VALUE && field->kind == TYPE_STRUCT) {
            const cuda_struct *inner = sa_struct_of(t, field);
            if (inner)
                put_value_members(t, inner, sa_form(t->c, "$.$", host, m->name), at, arg);
        } else if (m->kind == CUDA_PARAM_VALUE && texture_axes(field)) {
            sa_put_texture(t, false, sa_form(t->c, "$.$", host, m->name), at);
        } else if (m->kind == CUDA_PARAM_VALUE && !is_id(t, arg, s, m)) {
            sa_put(t->b, "    $.$ = ", host, m->name);
            sa_put_value(t->b, field, at);
            SB_LIT(t->b, ";\n");
        }
    }
}

/* A value's bytes; scalars are held as numbers and stored first. */
static const uint8_t *bytes_of(sa_text *t, const rvalue *v)
{
    WEFT_ASSERT(v->type != NULL);
    if (!type_is_scalar(v->type))
        return v->bytes;
    uint8_t *bytes = arena_zero(&t->c->module, 8);
    num_store((type_kind)v->type->kind, bytes, v->n);
    return bytes;
}

/* A struct starts as zeros and gets its members line by line; all else is one initializer. */
static void put_value(sa_text *t, const cuda_param *p)
{
    const rvalue *v = &t->run->args[p->arg];
    const cuda_struct *s = sa_struct_of(t, v->type);
    if (s) {
        sa_put(t->b, "    $ $ = {};\n", p->type_text, p->name);
        put_value_members(t, s, p->name, bytes_of(t, v), p->arg);
        return;
    }
    if (texture_axes(v->type)) {
        sa_put_texture(t, true, p->name, bytes_of(t, v));
        return;
    }
    sa_put(t->b, "    const $ $ = ", p->type_text, p->name);
    sa_put_value(t->b, v->type, bytes_of(t, v));
    SB_LIT(t->b, ";\n");
}

/* Is it a parameter of the forward kernel too, and so declared by then? */
static bool is_forward(const sa_text *t, str name)
{
    for (uint32_t i = 0; i < t->k->forward_params.n; i++)
        if (str_eq(t->k->forward_params.v[i].name, name))
            return true;
    return false;
}

/* The list of a wp.indexedarray's dimension: "static int x_indices[277];" and its numbers. An array
 * without elements has none. */
static void put_indices(sa_text *t, const cuda_param *p)
{
    const int64_t n = size_of(t, p->arg, p->dim);
    if (t->run->plan.args[p->arg].absent || n < 1) {
        sa_put(t->b, "    int *const $ = nullptr;\n", p->name);
        return;
    }
    sa_put(t->b, "    static int $[$];\n    fill_turned($, $);\n", p->name,
           sa_uint(t->c, (uint32_t)n), p->name, sa_uint(t->c, (uint32_t)n));
    t->helpers |= SA_HELPER_TURNED | SA_TO_DEVICE;
}

/* Launch sizes, arrays' sizes and strides, and what is passed by value, in the order of the
 * parameters. Backward declares only what forward has not. */
static void put_sizes(sa_text *t, const cuda_param *params, uint32_t n, bool backward)
{
    for (uint32_t i = 0; i < n; i++) {
        const cuda_param *p = &params[i];
        if (backward && is_forward(t, p->name))
            continue;
        switch (p->kind) {
        case CUDA_PARAM_LAUNCH:
            put_scalar_line(t, p, "    ", STR(""), t->run->plan.dim[p->dim]);
            break;
        case CUDA_PARAM_SIZE:
            put_scalar_line(t, p, "    ", STR(""), size_of(t, p->arg, p->dim));
            break;
        case CUDA_PARAM_STRIDE:
            put_scalar_line(
                t, p, "    ", STR(""),
                stride_of(t, p->arg, rank_of(t->s->kernel->code.params[p->arg].type), p->dim));
            break;
        case CUDA_PARAM_INDICES: put_indices(t, p); break;
        case CUDA_PARAM_VALUE:
            if (!sa_object_of(t->run, p->arg) || sa_object_of(t->run, p->arg)->in_struct)
                put_value(t, p);
            break;
        default: break;
        }
    }
}

/* Arrays of textures, and textures in the structs of arrays. */
static void put_textures(sa_text *t, const cuda_param *params, uint32_t n, bool backward)
{
    for (uint32_t i = 0; i < n; i++)
        if (params[i].kind == CUDA_PARAM_POINTER && !(backward && is_forward(t, params[i].name)) &&
            t->run->args[params[i].arg].type->kind == TYPE_ARRAY)
            sa_put_textures(t, params[i].item, params[i].name, t->run->args[params[i].arg].array);
}

/* --- inputs ---------------------------------------------------------------------------------- */

/* The arguments behind the count: stream, range, and in a loop over structs where the numbers
 * begin. */
static void put_fill_range(strbuf *b, const sa_fill *f, bool in_loop, int lanes)
{
    sb_printf(b, f->kind == INPUTS_FILL_LATTICE ? ", " : ", %uu, ", f->stream);
    if (f->kind == INPUTS_FILL_LATTICE) {
        sb_printf(b, "%u, %u, %u, ", f->lattice.group, f->lattice.of_group, f->lattice.of_item);
        put_int(b, f->least);
        sb_printf(b, ", %u", f->steps);
    } else if (f->kind == INPUTS_FILL_OFFSETS) {
        sb_uint(b, f->steps);
    } else if (f->kind == INPUTS_FILL_SENTINEL) {
        sb_printf(b, "%u, ", f->steps);
        put_int(b, f->least);
    } else if (f->scalar < TYPE_FLOAT16) {
        put_int(b, f->least);
        sb_printf(b, ", %u", f->steps);
        if (f->mask)
            sb_printf(b, ", %uu, %uu", sa_stream_turned(f), f->mask);
    } else {
        sb_printf(b, "%u, ", f->steps);
        sb_float(b, f->largest);
    }
    if (in_loop && lanes > 1)
        sb_printf(b, ", %d * i", lanes);
    else if (in_loop)
        SB_LIT(b, ", i");
    SB_LIT(b, ");\n");
}

/* The name of the helper that fills, which the program then has. */
static str fill_name(sa_text *t, const sa_fill *f)
{
    if (f->kind == INPUTS_FILL_LATTICE) {
        t->helpers |= SA_HELPER_LATTICE;
        return STR("fill_lattice");
    }
    if (f->kind != INPUTS_FILL_DRAWN) {
        const bool offsets = f->kind == INPUTS_FILL_OFFSETS;
        t->helpers |= offsets ? SA_HELPER_OFFSETS : SA_HELPER_SENTINEL;
        return offsets ? STR("fill_offsets") : STR("fill_sentinel");
    }
    if (f->mask) {
        t->helpers |= SA_HELPER_BITS;
        return STR("fill_bits");
    }
    if (f->scalar < TYPE_FLOAT16) {
        t->helpers |= SA_FILL_INTEGERS;
        return STR("fill_integers");
    }
    t->helpers |= f->positive ? SA_FILL_POSITIVE : SA_FILL_FLOATS;
    return f->positive ? STR("fill_positive") : STR("fill_floats");
}

/* What becomes of some floats of an array: zero, NaN or infinite. */
static void put_special(sa_text *t, const sa_slot *s, const sa_fill *f)
{
    strbuf *b = t->b;
    const str array = sa_numbers_of(t, s, s->array->flat);
    if (f->turn) {
        sa_put(b, "    turn_some($, ", array);
        sb_uint(b, s->column->count);
        sb_printf(b, ", %uu);\n", f->turn);
        t->helpers |= SA_HELPER_TURN;
    }
    if (f->columns) {
        sa_put(b, "    add_to_diagonals($, ", array);
        sb_uint(b, s->column->count);
        sb_printf(b, ", %u, %u, ", f->rows, f->columns);
        sa_put_number(b, TYPE_FLOAT64, (num){.f = f->largest * f->columns});
        SB_LIT(b, ");\n");
        t->helpers |= SA_HELPER_DIAGONAL;
    }
    if (f->zeros) {
        sa_put(b, "    clear_some($, ", array);
        sb_uint(b, s->column->count);
        sb_printf(b, ", %uu, %u, %d);\n", f->stream, f->steps, f->zeros);
        t->helpers |= SA_HELPER_CLEAR;
    }
    if (f->odd) {
        sa_put(b, "    spoil_some($, ", array);
        sb_uint(b, s->column->count);
        sb_printf(b, ", %uu, %u, %u);\n", f->stream, f->steps, f->odd);
        t->helpers |= SA_HELPER_ODD;
    }
}

/* A call that fills a column:
 *
 *     fill_floats(x, 277, 1u, 1024, 2.0);
 *
 * An array of structs is filled field by field: fields lie apart, so each element is a call. */
static void put_fill(sa_text *t, const sa_slot *s, const sa_fill *f)
{
    strbuf *b = t->b;
    const int lanes = lane_count(s->column->type);
    const str fill = fill_name(t, f), array = s->array->flat;
    if (!s->member.n) {
        sa_put(b, "    $($, ", fill, sa_numbers_of(t, s, array));
        sb_uint(b, s->column->count);
        put_fill_range(b, f, false, lanes);
        put_special(t, s, f);
        return;
    }
    SB_LIT(b, "    for (int i = 0; i < ");
    sb_uint(b, s->column->count / (size_t)lanes);
    SB_LIT(b, "; i++)\n        ");
    sa_put(b, "$(", fill);
    if (lanes > 1)
        sa_put(b, "($ *)", str_c(sa_scalar_name(s->column->scalar)));
    sa_put(b, "&$[i].$, ", array, s->member);
    sb_int(b, lanes);
    put_fill_range(b, f, true, lanes);
}

/* Does the forward kernel take this argument's array or arrays? The backward kernel may read arrays
 * that forward only writes, or the other way round. */
static bool has_array(const sa_text *t, uint32_t arg)
{
    for (uint32_t i = 0; i < t->k->forward_params.n; i++) {
        const cuda_param *p = &t->k->forward_params.v[i];
        if (p->arg == arg && (p->kind == CUDA_PARAM_POINTER || p->kind == CUDA_PARAM_VALUE))
            return true;
    }
    return false;
}

/* "static float x[277];", or where the run has none "float *const x = nullptr;" */
static void put_array(const sa_text *t, const sa_slot *s)
{
    if (!s->column->count) {
        sa_put(t->b, "    $ *const $ = nullptr;\n", s->array->element, s->array->flat);
        return;
    }
    sa_put(t->b, "    static $ $[", s->array->element, s->array->flat);
    sb_uint(t->b, sa_elements_of(s));
    SB_LIT(t->b, "];\n");
}

/* Declares and fills the arrays. Backward declares only what forward has not: the same arrays serve
 * both. Last, pointers of structs are set. */
static void put_inputs(sa_text *t, const sa_arrays *arrays, bool backward)
{
    sa_slots all;
    const sa_array *last = NULL;
    sa_slots_of(t, arrays, false, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const sa_slot *s = &all.v[i];
        const sa_fill *f = sa_fill_find(&t->run->inputs, str_c(s->column->path));
        if (backward && has_array(t, s->array->root))
            continue;
        if (s->array != last)
            put_array(t, s);
        /* The columns of one array follow each other, so it is declared once. */
        last = s->array;
        const sa_object *o = sa_object_of(t->run, s->array->root);
        if (f && s->column->count && (!o || o->in_struct))
            put_fill(t, s, f);
    }
    for (uint32_t i = 0; i < arrays->n; i++) {
        const sa_array *a = &arrays->v[i];
        if (!a->adjoint && !str_eq(a->host, a->flat) && !(backward && has_array(t, a->root)))
            sa_put(t->b, "    $ = $;\n", a->host, a->flat);
    }
}

/* "grids", of an array of ids, has the object's id in each item. */
static void put_ids(sa_text *t, const sa_arrays *arrays, const sa_object *o)
{
    sa_slots all;
    sa_slots_of(t, arrays, false, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const sa_slot *s = &all.v[i];
        if (s->array->root != o->arg || !s->column->count)
            continue;
        const str id = sa_free_name(t, sa_form(t->c, "$_item", s->array->flat).p);
        sa_put_object(t, o, id);
        sa_put(t->b, "    for (int i = 0; i < $; i++)\n        $[i] = $;\n",
               sa_uint(t->c, (uint32_t)s->column->count), s->array->flat, id);
    }
}

/* "mesh.id = mesh_id;" */
static void put_member_id(sa_text *t, const cuda_param *p, const sa_object *o)
{
    const cuda_struct *s = sa_struct_of(t, t->run->args[p->arg].type);
    for (uint32_t i = 0; s && i < s->nmembers; i++) {
        const cuda_param *m = &s->members[i];
        if (m->arg != o->field || m->kind != CUDA_PARAM_VALUE)
            continue;
        const str id = sa_free_name(t, sa_form(t->c, "$_$", p->name, m->name).p);
        sa_put_object(t, o, id);
        sa_put(t->b, "    $.$ = $;\n", p->name, m->name, id);
    }
}

/* Geometry objects, which may be made of the arrays. */
static void put_objects(sa_text *t, const sa_arrays *arrays, const cuda_param *params, uint32_t n,
                        bool backward)
{
    for (uint32_t i = 0; i < n; i++) {
        const sa_object *o = sa_object_of(t->run, params[i].arg);
        if (!o || (backward && is_forward(t, params[i].name)))
            continue;
        if (params[i].kind == CUDA_PARAM_VALUE && o->in_struct)
            put_member_id(t, &params[i], o);
        else if (params[i].kind == CUDA_PARAM_VALUE)
            sa_put_object(t, o, params[i].name);
        else if (params[i].kind == CUDA_PARAM_POINTER)
            put_ids(t, arrays, o);
    }
}

/* What the forward run wrote gets its inputs again. */
static void put_inputs_again(sa_text *t, const sa_arrays *arrays)
{
    sa_slots all;
    sa_slots_of(t, arrays, false, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const sa_fill *f = sa_fill_find(&t->run->inputs, str_c(all.v[i].column->path));
        if (f && all.v[i].column->changed && has_array(t, all.v[i].array->root))
            put_fill(t, &all.v[i], f);
    }
}

/* Static arrays begin at zero; what the forward run wrote gets seeds. A struct of adjoints begins
 * as a copy of the struct, and then gets its own pointers. */
static void put_gradients(sa_text *t, const sa_arrays *arrays)
{
    sa_slots all;
    const sa_array *last = NULL;
    sa_slots_of(t, arrays, true, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const sa_slot *s = &all.v[i];
        if (s->array != last)
            put_array(t, s);
        last = s->array;
        if (t->run->good && s->column->seeded)
            put_fill(t, s, &s->column->seed);
    }
    for (uint32_t i = 0; i < t->k->backward_params.n; i++) {
        const cuda_param *p = &t->k->backward_params.v[i];
        /* Only structs have adjoints of values that the host declares. */
        if (p->kind != CUDA_PARAM_ADJ_VALUE)
            continue;
        for (uint32_t j = 0; j < t->k->forward_params.n; j++)
            if (t->k->forward_params.v[j].arg == p->arg &&
                t->k->forward_params.v[j].kind == CUDA_PARAM_VALUE)
                sa_put(t->b, "    $ $ = $;\n", p->type_text, p->name,
                       t->k->forward_params.v[j].name);
    }
    for (uint32_t i = 0; i < arrays->n; i++) {
        const sa_array *a = &arrays->v[i];
        if (a->adjoint && !str_eq(a->host, a->flat))
            sa_put(t->b, "    $ = $;\n", a->host, a->flat);
    }
}

/* The number of elements, for an array whose count is a parameter of the launcher. */
static void put_count(sa_text *t, sa_list *items, const sa_array *a)
{
    const bool list = a->p->kind == CUDA_PARAM_INDICES;
    int64_t n = list ? size_of(t, a->root, a->p->dim) : 1;
    strbuf b;
    for (int d = 0; !list && d < a->ndim; d++)
        n *= size_of(t, a->root, (uint32_t)d);
    sb_init(&b, &t->c->mem);
    sb_int(&b, n);
    sa_list_item(items, sb_view(&b));
    sb_clear(&b);
}

/* Launches, keeps the time in a variable and prints it: "saxpy took 0.006 ms". */
static void put_launch(sa_text *t, bool backward, const sa_arrays *arrays)
{
    const cuda_kernel *k = t->k;
    const str called = backward ? k->backward_name : k->forward_name;
    const uint32_t n = backward ? k->backward_params.n : k->forward_params.n;
    const cuda_param *params = backward ? k->backward_params.v : k->forward_params.v;
    const str time = sa_free_name(t, backward ? "backward_time" : "time");
    sa_put(t->b, "    const float $ = launch_$(", time, called);
    sa_list list = sa_list_begin(t->b);
    for (uint32_t i = 0; i < n; i++)
        sa_list_item(&list, params[i].name);
    for (uint32_t i = 0; i < arrays->n; i++)
        /* In the order of the launcher's parameters. */
        if (arrays->v[i].counted)
            put_count(t, &list, &arrays->v[i]);
    sa_put(t->b, ");\n    printf(\"$ took %.3f ms\\n\", (double)$);\n", called, time);
}

/* Does one of the runs compare gradients? */
static bool any_gradients(sa_text *t)
{
    const sa_run *first = t->run;
    bool any = false;
    for (const sa_run *r = first; r && !any; r = r->next) {
        t->run = r;
        any = sa_has_gradients(t);
    }
    t->run = first;
    return any;
}

/* Are gradients left out? Then *but says which. */
static bool without_gradients(sa_text *t, str *but)
{
    const char *odd = sa_not_finite(t->c, t->run, true);
    if (odd)
        *but = sa_form(t->c, "not compared, since they are not finite: gradients of $", str_c(odd));
    else if (t->formless)
        *but = STR("no gradient is compared, as the head of this file says");
    else if (!t->s->launch.n && t->k->backward_params.n && !any_gradients(t))
        *but = STR("no gradient is compared");
    return but->n > 0;
}

static str launched(const sa_text *t)
{
    return t->k->tile_extent ? STR("block") : STR("thread");
}

/* Has one of the program's launches one thread, since more would race? */
static bool any_alone(const sa_run *r)
{
    bool any = false;
    for (; r; r = r->next)
        any |= r->plan.alone;
    return any;
}

/* What the last line says where all numbers are as expected, and in *but why it is no more:
 *
 *     PASS             the inputs tell a changed kernel from the right one, gradients are compared
 *     PASS (forward)   the inputs tell, but there are no gradients to compare with
 *     RAN              the inputs do not tell, so equal numbers prove little */
static str best_word(sa_text *t, str *but)
{
    const inputs_mutants *m = &t->run->mutants;
    *but = STR("");
    const char *odd = sa_not_finite(t->c, t->run, false);
    if (odd) {
        *but =
            sa_form(t->c, "$: NaN or infinity, which the kernel itself does not write", str_c(odd));
        return STR("RAN");
    }
    odd = sa_racing(t->c, t->run);
    if (odd) {
        *but =
            sa_form(t->c, "not compared, since it depends on the order of threads: $", str_c(odd));
        return STR("RAN");
    }
    if (t->s->launch.n) /* promised inputs have been judged by whoever promises them */
        return without_gradients(t, but) ? STR("PASS (forward)") : STR("PASS");
    if (any_alone(t->run) && sa_reads_tid(t->s->ir)) {
        *but = sa_form(t->c, "by one $ alone, since the results of more depend on their order",
                       launched(t));
        return STR("RAN");
    }
    if (!t->run->judged) {
        *but = STR("changed kernels cannot be executed, so nobody knows whether these inputs tell");
        return STR("RAN");
    }
    if (!inputs_tell(m)) {
        *but = sa_form(t->c, "these inputs tell only $ of $ changed kernels from this one",
                       sa_uint(t->c, m->killed), sa_uint(t->c, m->n));
        return STR("RAN");
    }
    const inputs_mutants *b = &t->run->adjoint_mutants;
    if (!sa_pass(t->run)) {
        *but = sa_form(t->c, "of changed backward kernels these inputs tell only $ of $",
                       sa_uint(t->c, b->killed), sa_uint(t->c, b->n));
        return STR("PASS (forward)");
    }
    return without_gradients(t, but) ? STR("PASS (forward)") : STR("PASS");
}

/* The last line: PASS, FAIL or RAN. A rounding that can send a thread another way makes PASS weak
 * and FAIL uncertain: the last line says so. */
static void put_end(sa_text *t, str passed, str largest)
{
    str but;
    if (!t->expected) {
        const char *odd = sa_racing(t->c, t->run);
        sa_put(t->b,
               "    printf(\"RAN: there is nothing to compare with$$\\n\");\n    return 0;\n}\n",
               odd ? STR(", since it depends on the order of threads: ") : STR(""),
               str_c(odd ? odd : ""));
        return;
    }
    const str word = best_word(t, &but);
    if (t->hangs)
        sa_put(
            t->b,
            "    // Inputs a last place off move what is marked (hangs) further than is allowed.\n"
            "    printf(\"%s: largest error %.3g; arrays marked (hangs) hang on rounding, so this "
            "%s\\n\",\n"
            "           $ ? \"$\" : \"FAIL\", $,\n"
            "           $ ? \"proves little of them\" : \"may fail without a fault\");\n",
            passed, word, largest, passed);
    else if (but.n)
        sa_put(t->b,
               "    printf(\"%s: largest error %.3g%s\\n\", $ ? \"$\" : \"FAIL\", $,\n"
               "           $ ? \"; $\" : \"\");\n",
               passed, word, largest, passed, but);
    else
        sa_put(t->b, "    printf(\"%s: largest error %.3g\\n\", $ ? \"PASS\" : \"FAIL\", $);\n",
               passed, largest);
    sa_put(t->b, "    return $ ? 0 : 1;\n}\n", passed);
}

/* A kernel without a good run may leave its arrays, so it is not launched without an argument. The
 * program then exits with status 2, as for an error of CUDA. */
static void put_main_head(sa_text *t)
{
    if (t->run->good) {
        SB_LIT(t->b, "\nint main()\n{\n");
        return;
    }
    SB_LIT(t->b, "\nint main(int argc, char **)\n{\n"
                 "    if (argc < 2) {\n"
                 "        printf(\"NOT RUN: no inputs are known that suit the kernel, as the head "
                 "of this \"\n"
                 "               \"file says; any argument runs it all the same\\n\");\n"
                 "        return 2;\n"
                 "    }\n");
}

/* In the order of the run: sizes, inputs, forward, its comparisons, then backward on what forward
 * left. Declares *passed and *largest where anything is compared. */
static void put_run(sa_text *t, str *passed, str *largest)
{
    sa_arrays arrays, backward;
    strbuf *b = t->b;
    sa_arrays_of(t, t->k->forward_params.v, t->k->forward_params.n, &arrays);
    sa_arrays_of(t, t->k->backward_params.v, t->k->backward_params.n, &backward);
    t->stored.n = 0;
    if (t->run->plan.alone)
        sa_put(b, "    // One $: with more, what comes out depends on which runs first.\n",
               launched(t));
    put_sizes(t, t->k->forward_params.v, t->k->forward_params.n, false);
    put_inputs(t, &arrays, false);
    put_textures(t, t->k->forward_params.v, t->k->forward_params.n, false);
    put_objects(t, &arrays, t->k->forward_params.v, t->k->forward_params.n, false);
    SB_LIT(b, "\n");
    put_launch(t, false, &arrays);
    *passed = sa_free_name(t, "passed");
    *largest = sa_free_name(t, "largest");
    if (t->expected && !t->number)
        SB_LIT(
            b,
            "\n    // Errors: fused multiply-adds, CUDA's mathematical functions and the order of\n"
            "    // atomics round otherwise; what is allowed grows with the functions called.\n");
    if (t->expected)
        sa_put(b, "    bool $ = true;\n    double $ = 0;\n", *passed, *largest);
    sa_put_stored(t);
    sa_put_comparisons(t, &arrays, false, *passed, *largest);
    if (!t->k->backward_params.n || t->run->forward_only)
        return;
    SB_LIT(b, "\n    // Gradients of what was written are given, all others begin at zero.\n");
    if (t->run->afresh) {
        SB_LIT(b, "    // The backward pass runs on the inputs, where it does more than on "
                  "what forward left.\n");
        put_inputs_again(t, &backward);
    }
    put_sizes(t, t->k->backward_params.v, t->k->backward_params.n, true);
    put_inputs(t, &backward, true);
    put_textures(t, t->k->backward_params.v, t->k->backward_params.n, true);
    put_objects(t, &backward, t->k->backward_params.v, t->k->backward_params.n, true);
    put_gradients(t, &backward);
    put_launch(t, true, &backward);
    if (t->s->differs)
        sa_put(b,
               "    // Warp's own backward pass, which this one equals, is not the derivative "
               "here:\n    // $.\n",
               str_c(t->s->differs));
    sa_put_comparisons(t, &backward, true, *passed, *largest);
}

/* The name of the function that runs the kernel on other inputs: "other_inputs_2". */
static str other_name(const sa_text *t, uint32_t number)
{
    return sa_form(t->c, "other_inputs_$", sa_uint(t->c, number));
}

/* Expected values and a function, for a further run of the kernel:
 *
 *     static bool other_inputs_2(double *most) { ... return passed; } */
static void put_other(sa_text *t)
{
    str passed, largest;
    sa_put_expected(t);
    t->taken.n = 0; /* the function declares names of its own */
    const str most = sa_free_name(t, "most");
    sa_put(t->b,
           "\n// Other inputs, which tell changed kernels that those of main do not.\n"
           "static bool $(double *$)\n{\n    printf(\"other inputs:\\n\");\n",
           other_name(t, t->number), most);
    put_run(t, &passed, &largest);
    sa_put(t->b, "    *$ = fmax(*$, $);\n    return $;\n}\n", most, most, largest, passed);
}

/* Expected values and main; before it a function for each further run. */
void sa_put_main(sa_text *t)
{
    const sa_run *first = t->run;
    str passed, largest;
    uint32_t runs = 1;
    sa_put_expected(t);
    for (const sa_run *r = first->next; r; r = r->next) {
        t->run = r;
        t->number = ++runs;
        put_other(t);
    }
    t->run = first;
    t->number = 0;
    t->taken.n = 0; /* whatever the launchers took */
    put_main_head(t);
    put_run(t, &passed, &largest);
    SB_LIT(t->b, "\n");
    for (uint32_t i = 2; i <= runs; i++)
        sa_put(t->b, "    $ &= $(&$);\n", passed, other_name(t, i), largest);
    put_end(t, passed, largest);
}
