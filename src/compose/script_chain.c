/* SPDX-License-Identifier: Apache-2.0 */
/* Draws kernels that belong together. The first is any composed kernel; a further one takes an
 * array that the one before it writes: the same quantity, of the same elements. What two kernels
 * take alike, positions or a time step, is one variable of main().
 *
 *     compute_density(positions, masses, h, density)
 *     update_pressure(density, stiffness, pressure)        density: what kernel 1 wrote
 */
#include "base/ascii.h"
#include "compose/script_internal.h"

enum {
    FIRSTS = 400, /* draws of a first kernel, */
    NEXTS = 60,   /* and of a further one behind it */
    THIRDS = 35   /* percent of scripts that have a third composed kernel, if there is one */
};

/* --- what an array is ------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Could both be one variable? */
static bool is_alike(const plan_arg *a, const plan_arg *b)
{
    if (a->role != b->role)
        return false;
    switch (a->role) {
    case ROLE_QUANTITY:
        return a->of == b->of && a->axis == b->axis && a->adjective == b->adjective &&
               same_text(a->shape, b->shape) && same_text(a->values, b->values);
    case ROLE_BINDING: return a->binding == b->binding && a->axis == b->axis;
    case ROLE_COUNT: return a->dim == b->dim;
    default: return true;
    }
}

/* Is it an array with an entry for each element? */
static bool is_of_elements(const plan_arg *a)
{
    return a->role == ROLE_QUANTITY && a->axis == AXIS_ELEMENT && !a->shape && !a->values;
}

typedef struct read_count {
    const sym *name;
    uint32_t n;
} read_count;

static bool is_name(const node *n, const sym *name)
{
    return n->kind == AST_Name && AST(Name, n)->id == name;
}

/* out[i] and what is added to it do not read it; its length is no part of it. */
static bool is_no_read(const node *n, const sym *name)
{
    if (n->kind == AST_Attribute)
        return is_name(AST(Attribute, n)->value, name);
    if (n->kind != AST_Call || !AST(Call, n)->args.n || !is_name(AST(Call, n)->args.v[0], name))
        return false;
    const node *f = AST(Call, n)->func;
    const str called = f->kind == AST_Attribute ? sym_str(AST(Attribute, f)->attr) : STR("");
    return str_eq(called, STR("atomic_add")) || str_eq(called, STR("atomic_sub"));
}

static void count_reads(void *arg, const node *n)
{
    read_count *r = arg;
    if (is_name(n, r->name))
        r->n++;
    if (is_no_read(n, r->name)) { /* but its other arguments may */
        for (uint32_t i = 1; n->kind == AST_Call && i < AST(Call, n)->args.n; i++)
            count_reads(arg, AST(Call, n)->args.v[i]);
        return;
    }
    const node *target = n->kind == AST_Assign      ? AST(Assign, n)->targets.v[0]
                         : n->kind == AST_AugAssign ? AST(AugAssign, n)->target
                                                    : NULL;
    if (target && target->kind == AST_Subscript &&
        is_name(AST(Subscript, target)->value, r->name)) {
        count_reads(arg, AST(Subscript, target)->slice);
        count_reads(arg, n->kind == AST_Assign ? AST(Assign, n)->value : AST(AugAssign, n)->value);
        return;
    }
    ast_each_child(n, count_reads, arg);
}

/* Does what is computed depend on what the written array held before? */
static bool reads_output(const plan *p, const plan_arg *a)
{
    read_count r = {a->template_name, 0};
    for (uint32_t i = 0; p->algorithm && i < p->algorithm->nbody; i++)
        count_reads(&r, p->algorithm->body[i]);
    return r.n;
}

/* --- what may follow -------------------------------------------------------------------------- */

static bool takes(const lib_param *params, uint32_t n, const lib_field *f, const lib_quantity *q)
{
    const bool same = str_eq(f->other.one, f->element.one);
    for (uint32_t i = 0; i < n; i++)
        if (params[i].of == q && !params[i].shape &&
            (params[i].place == PLACE_ELEMENT || (same && params[i].place == PLACE_OTHER)))
            return true;
    return false;
}

static bool fits_field(const plan *p, const lib_field *f)
{
    return str_eq(f->element.one, p->field->element.one) && f->dims == p->field->dims;
}

/* A formula or an algorithm that takes what the plan writes, as a target of a request; 0: none. */
static uint32_t draw_target(composer *c, const plan *p)
{
    const library *l = c->l;
    uint32_t found = 0, n = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (!p->args[i].written || !is_of_elements(&p->args[i]))
            continue;
        const lib_quantity *q = p->args[i].of;
        for (uint32_t k = 0; k < l->formulas.n; k++) {
            const lib_formula *f = l->formulas.v[k];
            if (fits_field(p, f->field) && takes(f->params, f->nparams, f->field, q) &&
                below(c, ++n) == 0)
                found = k + 1;
        }
        for (uint32_t k = 0; k < l->algorithms.n; k++) {
            const lib_algorithm *a = l->algorithms.v[k];
            if (a != p->algorithm && fits_field(p, a->field) &&
                takes(a->params, a->nparams, a->field, q) && below(c, ++n) == 0)
                found = l->formulas.n + k + 1;
        }
    }
    return found;
}

static bool has_axis(const plan *p, plan_axis axis)
{
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].axis == axis)
            return true;
    return axis == AXIS_LINK && p->over == LIB_OVER_LINKS;
}

/* Of what both have, do both mean the same things? And do both reach others in one way? */
static bool same_things(const plan *a, const plan *b)
{
    static const lib_binding ways[] = {BIND_ROW_OFFSETS,  BIND_NEIGHBOR_TABLE, BIND_GRID,
                                       BIND_BVH,          BIND_MESH,           BIND_LINK_ENDS,
                                       BIND_WORLD_STARTS, BIND_BUCKET_STARTS};
    const lib_field *f = a->field, *g = b->field;
    bool one_way = true, way[2] = {false, false};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const bool in_a = plan_has_binding(a, ways[i]), in_b = plan_has_binding(b, ways[i]);
        way[0] |= in_a;
        way[1] |= in_b;
        one_way &= in_a == in_b;
    }
    return (one_way || !way[0] || !way[1]) &&
           (!has_axis(a, AXIS_OTHER) || !has_axis(b, AXIS_OTHER) ||
            str_eq(f->other.one, g->other.one)) &&
           (!has_axis(a, AXIS_LINK) || !has_axis(b, AXIS_LINK) ||
            str_eq(f->link.one, g->link.one)) &&
           (!has_axis(a, AXIS_GROUP) || !has_axis(b, AXIS_GROUP) ||
            str_eq(f->group.one, g->group.one));
}

/* Does it compute what an earlier kernel computes already? */
static bool repeats_kernel(const plan *a, const plan *b)
{
    for (uint8_t i = 0; i < a->nsteps; i++)
        for (uint8_t k = 0; k < b->nsteps; k++)
            if (a->steps[i].f == b->steps[k].f ||
                a->steps[i].f->undoes == b->steps[k].f->def->name ||
                b->steps[k].f->undoes == a->steps[i].f->def->name)
                return true;
    return a->algorithm && a->algorithm == b->algorithm;
}

/* Variables of scripts have numbers of 4 bytes. */
static bool is_usual(const plan *p)
{
    bool wide = false;
    for (uint8_t i = 0; i < p->nargs; i++)
        wide |=
            p->args[i].of && p->args[i].of->type >= LIB_INT64 && p->args[i].of->type <= LIB_VEC3I;
    return !wide && !p->one && p->over < LIB_OVER_WORLDS && !plan_has_tiles(p) &&
           !plan_has_binding(p, BIND_LINK_OR_NONE);
}

/* --- variables -------------------------------------------------------------------------------- */

str script_name(scripter *s, str name)
{
    str found = name;
    for (uint32_t k = 1;; k++) {
        if (k > 1)
            found = str_c(arena_printf(&s->c->text, "%.*s%u", (int)name.n, name.p, k));
        bool taken = false;
        for (uint32_t i = 0; i < s->nnames; i++)
            taken |= str_eq(s->names[i], found);
        if (!taken)
            break;
    }
    WEFT_ASSERT(s->nnames < SCRIPT_NAMES);
    return s->names[s->nnames++] = found;
}

static bool is_script_name(const scripter *s, str name)
{
    for (uint32_t i = 0; i < s->nnames; i++)
        if (str_eq(s->names[i], name))
            return true;
    return false;
}

/* How many arguments before are alike. */
static uint8_t number_of(const plan *p, uint8_t at)
{
    uint8_t n = 0;
    for (uint8_t i = 0; i < at; i++)
        n = (uint8_t)(n + (!p->args[i].written && is_alike(&p->args[i], &p->args[at])));
    return n;
}

/* The variables that exist and are arguments of the kernel; NO_VAR: a new one is needed. False: it
 * takes nothing that a kernel before it wrote. */
static bool resolve(scripter *s, script_kernel *k)
{
    const plan *p = &k->p;
    bool used[SCRIPT_VARS] = {false}, linked = false;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        k->params[i] = NO_VAR;
        if (a->written && !reads_output(p, a))
            continue;
        const uint8_t nth = number_of(p, i);
        uint8_t found = NO_VAR;
        for (uint8_t v = 0; v < s->nvars; v++) {
            const script_var *var = &s->vars[v];
            if (used[v] || !is_alike(&var->arg, a))
                continue;
            if (nth == 0 && var->written && is_of_elements(a))
                found = v; /* the last one */
            else if (!var->written && var->nth == nth && found == NO_VAR)
                found = v;
        }
        if (found == NO_VAR)
            continue;
        used[found] = true;
        k->params[i] = found;
        linked |= s->vars[found].written > 0;
    }
    return linked;
}

static void give_names(scripter *s, script_kernel *k)
{
    plan *p = &s->c->p;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const script_var *v = k->params[i] != NO_VAR ? &s->vars[k->params[i]] : NULL;
        p->args[i].given = !v ? STR("") : v->arg.field.n ? v->arg.field : v->name;
    }
}

static void shape_element(const composer *c, script_var *v, lib_type t)
{
    static const struct {
        type_kind scalar;
        uint8_t rows, cols;
    } of[LIB_TYPES] = {[LIB_FLOAT] = {TYPE_FLOAT32, 1, 0},  [LIB_INT] = {TYPE_INT32, 1, 0},
                       [LIB_UINT] = {TYPE_UINT32, 1, 0},    [LIB_INT64] = {TYPE_INT64, 1, 0},
                       [LIB_VEC] = {TYPE_FLOAT32, 0, 1},    [LIB_VEC2] = {TYPE_FLOAT32, 2, 1},
                       [LIB_VEC3] = {TYPE_FLOAT32, 3, 1},   [LIB_VEC4] = {TYPE_FLOAT32, 4, 1},
                       [LIB_MAT22] = {TYPE_FLOAT32, 2, 2},  [LIB_MAT33] = {TYPE_FLOAT32, 3, 3},
                       [LIB_QUAT] = {TYPE_FLOAT32, 4, 1},   [LIB_TRANSFORM] = {TYPE_FLOAT32, 7, 1},
                       [LIB_SPATIAL] = {TYPE_FLOAT32, 6, 1}};
    v->scalar = of[t].scalar;
    v->rows = t == LIB_VEC ? c->p.plane : of[t].rows;
    v->cols = of[t].cols;
}

static var_kind kind_of(const plan_arg *a)
{
    if (a->role == ROLE_COUNT)
        return VAR_SIZE;
    if (a->role == ROLE_BINDING)
        return a->binding == BIND_MESH                                             ? VAR_MESH
               : a->binding == BIND_BVH                                            ? VAR_BVH
               : a->binding == BIND_GRID                                           ? VAR_GRID
               : a->binding == BIND_WINDOW_RADIUS || a->binding == BIND_LINK_LIMIT ? VAR_SCALAR
                                                                                   : VAR_ARRAY;
    return a->axis == AXIS_NONE ? VAR_SCALAR : VAR_ARRAY;
}

/* "wp.vec3" */
static str type_text(composer *c, const plan_arg *a)
{
    strbuf b;
    sb_init(&b, c->m);
    if (a->role == ROLE_QUANTITY)
        expr_put_type(c, &b, a->of->type);
    else
        SB_LIT(&b, "int");
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* What main() calls it: a field of a struct by its path. */
static str var_name(scripter *s, const script_var *v, const script_var *whole)
{
    const plan_arg *a = &v->arg;
    if (v->kind == VAR_SIZE)
        return s->letter_names["nml"[a->dim] - 'a'];
    if (!a->field.n)
        return script_name(s, a->name);
    return str_c(arena_printf(&s->c->text, "%.*s.%.*s", (int)whole->name.n, whole->name.p,
                              (int)a->field.n, a->field.p));
}

static script_var *new_var(scripter *s)
{
    WEFT_ASSERT(s->nvars < SCRIPT_VARS);
    script_var *v = &s->vars[s->nvars++];
    *v = (script_var){.kernel = (uint8_t)s->nkernels};
    return v;
}

static uint8_t add_var(scripter *s, uint8_t at, const script_var *whole)
{
    composer *c = s->c;
    const plan_arg *a = &c->p.args[at];
    script_var *v = new_var(s);
    v->kind = kind_of(a);
    v->arg = *a;
    v->is = compose_argument(c, a);
    v->nth = a->written ? 0 : number_of(&c->p, at);
    v->drawn = !a->written || reads_output(&c->p, a);
    v->type = type_text(c, a);
    shape_element(c, v, a->role == ROLE_QUANTITY ? a->of->type : LIB_INT);
    v->name = var_name(s, v, whole);
    return (uint8_t)(s->nvars - 1);
}

/* The struct itself, before its fields. */
static uint8_t add_struct(scripter *s)
{
    const plan *p = &s->c->p;
    script_var *v = new_var(s);
    v->kind = VAR_STRUCT;
    v->name = script_name(s, p->params);
    v->type = p->params_type;
    v->arg.role = ROLE_QUANTITY;
    v->arg.axis = AXIS_NONE;
    v->drawn = true;
    return (uint8_t)(s->nvars - 1);
}

static void add_vars(scripter *s, script_kernel *k)
{
    const plan *p = &s->c->p;
    const uint8_t whole = p->params.n ? add_struct(s) : NO_VAR;
    uint32_t n = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        if (k->params[i] == NO_VAR)
            k->params[i] = add_var(s, i, whole == NO_VAR ? NULL : &s->vars[whole]);
        if (p->args[i].written)
            s->vars[k->params[i]].written = (uint8_t)(s->nkernels + 1);
        if (!p->args[i].field.n)
            k->vars[n++] = k->params[i];
        else if (plan_is_listed(p, &p->args[i]))
            k->vars[n++] = whole;
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

static str word_of(scripter *s, const char *form, str many)
{
    char *text = arena_printf(&s->c->text, form, (int)many.n, many.p);
    for (char *p = text; *p; p++)
        if (*p == ' ' || *p == '-')
            *p = '_';
    return str_c(text);
}

/* What the letters of the library are called; the kernel's own names for sizes come first. */
static void name_sizes(scripter *s)
{
    static const char *const grids[2][3] = {{"height", "width", ""}, {"nx", "ny", "nz"}};
    const plan *p = &s->c->p;
    const lib_field *f = p->field;
    str names[26] = {0};
    for (int d = 0; d < 3; d++)
        if (p->dims > 1)
            names["nml"[d] - 'a'] = str_c(grids[p->dims - 2][d]);
    if (p->dims == 1)
        names['n' - 'a'] = word_of(s, "num_%.*s", f->element.many);
    names['o' - 'a'] = word_of(s, "num_%.*s", f->other.many);
    names['e' - 'a'] = word_of(s, "num_%.*s", f->link.many);
    names['g' - 'a'] = f->group.many.n ? word_of(s, "num_%.*s", f->group.many) : STR("num_groups");
    names['a' - 'a'] = STR("num_active");
    names['t' - 'a'] = STR("table_size");
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].role == ROLE_COUNT)
            names["nml"[p->args[i].dim] - 'a'] = p->args[i].name;
    for (int i = 0; i < 26; i++)
        s->letter_names[i] = names[i].n ? script_name(s, names[i]) : STR("");
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* Names of the file that a further kernel must not take. */
static void keep_names(scripter *s, const script_kernel *k)
{
    composer *c = s->c;
    str names[NAMES_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i <= s->nkernels; i++) {
        names[n++] = s->kernels[i].is.kernel;
        if (s->kernels[i].p.params_type.n)
            names[n++] = s->kernels[i].p.params_type;
    }
    for (uint32_t i = 0; i < c->nemitted && n < NAMES_MAX / 2; i++)
        names[n++] = sym_str(c->emitted[i]->def->name);
    memcpy(c->taken, names, n * sizeof *names);
    c->kept = n;
    script_name(s, k->is.kernel);
    if (k->p.params_type.n)
        script_name(s, k->p.params_type);
}

static void put_prompt(scripter *s)
{
    sb_printf(&s->prompt, "\n## Kernel %u\n\n", s->nkernels + 1);
    sb_str(&s->prompt, sb_view(&s->c->prompt));
}

/* In the letters of the library. */
static str launch_letters(const plan *p)
{
    static const char *const elements[] = {"n", "n,m", "n,m,l"};
    return p->over == LIB_OVER_LINKS    ? STR("e")
           : p->over == LIB_OVER_ACTIVE ? STR("a")
                                        : str_c(elements[p->dims - 1]);
}

/* Writes the kernel of c->p, whose arguments are resolved. */
static void write_kernel(scripter *s, script_kernel *k)
{
    composer *c = s->c;
    write_program(c);
    c->goes_on = true;
    write_prompt(c);
    put_prompt(s);
    compose_describe(c, &k->is);
    k->is.kernel_lines = c->kernel_lines;
    k->dims = launch_letters(&c->p);
    k->p = c->p;
    keep_names(s, k);
    add_vars(s, k);
    s->nkernels++;
}

/* Names are given, so that the kernel can be written. False: its own is taken. */
static bool name_kernel(scripter *s)
{
    name_all(s->c);
    const str name = s->c->kernel;
    return !ascii_is_digit(name.p[name.n - 1]) && !is_script_name(s, name) &&
           !is_script_name(s, s->c->p.params_type);
}

static bool draw_next(scripter *s)
{
    composer *c = s->c;
    const script_kernel *last = &s->kernels[s->nkernels - 1];
    script_kernel *k = &s->kernels[s->nkernels];
    for (int i = 0; i < NEXTS; i++) {
        gen_request q = *s->q;
        q.target = draw_target(c, &last->p);
        if (!q.target)
            return false;
        if (!plan_draw(c, &q) || !is_usual(&c->p) || c->p.plane != last->p.plane)
            continue;
        bool good = fits_field(&last->p, c->p.field);
        for (uint32_t j = 0; j < s->nkernels; j++)
            good = good && same_things(&s->kernels[j].p, &c->p) &&
                   !repeats_kernel(&s->kernels[j].p, &c->p);
        k->p = c->p;
        if (!good || !resolve(s, k) || s->nvars + c->p.nargs + 2 > SCRIPT_VARS)
            continue;
        give_names(s, k);
        if (!name_kernel(s))
            continue;
        write_kernel(s, k);
        return true;
    }
    return false;
}

static bool draw_first(scripter *s)
{
    composer *c = s->c;
    for (int i = 0; i < FIRSTS; i++) {
        if (!plan_draw(c, s->q))
            return false;
        if (is_usual(&c->p) && draw_target(c, &c->p))
            return true;
    }
    return false;
}

bool script_draw(scripter *s)
{
    static const char *const words[] = {"np", "wp", "main", "rng", "tape", "print"};
    composer *c = s->c;
    compose_begin(c, s->q);
    c->numpy = true;
    s->nkernels = s->nvars = s->nnames = 0;
    s->prompt.n = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        script_name(s, str_c(words[i]));
    if (!draw_first(s))
        return script_stop(s, SCRIPT_NONE, "no kernel was found that another one can follow");
    script_kernel *k = &s->kernels[0];
    k->p = c->p;
    resolve(s, k);
    if (!name_kernel(s))
        return script_stop(s, SCRIPT_NONE, "the kernel's name is taken");
    name_sizes(s);
    write_kernel(s, k);
    if (!draw_next(s))
        return script_stop(s, SCRIPT_NONE, "no kernel was found that takes what the first gives");
    if (chance(c, THIRDS))
        draw_next(s);
    script_add_loss(s);
    return true;
}
