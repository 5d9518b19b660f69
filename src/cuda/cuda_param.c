/* Parameters: which ones a text needs, their types and names; structs with arrays in them. */
#include "cuda/cuda_tree.h"

static const cv *primal_of(const cuda_fn *f, uint32_t var)
{
    return &f->vars.v[var >= f->u->vars.n && var < 2 * f->u->vars.n ? var - f->u->vars.n : var];
}

void cuda_note_use(cuda_fn *f, const cx *array, uint32_t dim, bool stride)
{
    cv *v = (cv *)(uintptr_t)primal_of(f, array->var);
    if (stride)
        v->strides |= (uint8_t)(1u << dim);
    else
        v->sizes |= (uint8_t)(1u << dim);
}

static void say(void *arg, uint32_t var)
{
    cuda_fn *f = arg;
    f->vars.v[var].said = true;
}

/* Variables that the expression names: of an array whose size is asked for, its size alone. */
static void say_expr(cuda_fn *f, const cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_VAR)
        say(f, e->var);
    uint32_t first = 0;
    if (e->kind == CX_SHAPE) {
        for (e = e->args[0]; e->kind == CX_VIEW; e = e->args[0])
            for (uint32_t i = 1; i < e->nargs; i++)
                say_expr(f, e->args[i]);
        first = e->kind == CX_VAR;
    }
    for (uint32_t i = first; i < e->nargs; i++)
        say_expr(f, e->args[i]);
}

/* The array that a place lies in is written to; what a local reference stands for, too. */
static void note_written(cuda_fn *f, const cx *place)
{
    while (place->nargs && place->kind != CX_VAR)
        place = place->args[0];
    if (place->kind != CX_VAR)
        return;
    cv *v = &f->vars.v[place->var];
    const bool again = v->written;
    v->written = true;
    if (!v->bound || again)
        return;
    const cx *root = v->origin;
    while (root->nargs && root->kind != CX_VAR)
        root = root->args[0];
    if (root->kind == CX_VAR)
        f->vars.v[root->var].aliased = true;
    note_written(f, v->origin);
}

/* Arrays that a call writes to. */
static void note_passed(cuda_fn *f, const cx *e)
{
    const cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    for (uint32_t i = 0, k = 0; i < form->ninputs && k < e->nargs; i++) {
        const type *t = e->callee->vars.v[e->callee->params[i]].type;
        if (t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE)
            continue;
        if (form->params && form->params[i].written) {
            uint32_t var;
            note_written(f, e->args[k]);
            if (cx_is_var(e->args[k], &var))
                f->vars.v[var].aliased = true;
        }
        k++;
    }
}

static bool is_gradient(const cuda_fn *f, const cx *array)
{
    while (array->nargs && array->kind != CX_VAR)
        array = array->args[0];
    return array->kind == CX_VAR && array->var >= f->u->vars.n;
}

static void note_expr(cuda_fn *f, const cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_ATOMIC)
        note_written(f, e->args[0]);
    for (uint32_t i = 0; e->kind == CX_STRUCT && i < e->nargs; i++)
        if (e->args[i]->type->kind == TYPE_ARRAY)
            note_written(f, e->args[i]);
    if (e->kind == CX_USER)
        note_passed(f, e);
    if (e->kind == CX_USER && e->adjoint)
        for (uint32_t i = 0; i < e->nargs; i++)
            if (e->args[i]->kind != CX_LOAD && is_gradient(f, e->args[i]))
                note_written(f, e->args[i]);
    for (uint32_t i = 0; i < e->nargs; i++)
        note_expr(f, e->args[i]);
}

/* Does the statement say what a local reference refers to? It is the first to set it. */
static bool binds(cuda_fn *f, const cs *s)
{
    uint32_t var;
    if (!cx_is_var(s->to, &var) || f->vars.v[var].type->kind != TYPE_REF || f->vars.v[var].param ||
        f->vars.v[var].bound)
        return false;
    f->vars.v[var].bound = true;
    f->vars.v[var].origin = s->e;
    return true;
}

static void note_list(cuda_fn *f, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        say_expr(f, s->to);
        say_expr(f, s->e);
        say_expr(f, s->start);
        say_expr(f, s->stop);
        say_expr(f, s->step);
        cs_writes(s, say, f);
        if (s->to && !binds(f, s))
            note_written(f, s->to);
        if (s->to && s->to->kind == CX_FIELD && s->e->type && s->e->type->kind == TYPE_ARRAY)
            note_written(f, s->e); /* a struct's pointers are for writing, too */
        note_expr(f, s->to);
        note_expr(f, s->e);
        note_list(f, &s->body);
        note_list(f, &s->orelse);
    }
}

void cuda_note_uses(cuda_fn *f)
{
    note_list(f, &f->body);
}

static str unique(cuda_fn *f, str name)
{
    str s = cuda_cpp_name(f, name);
    for (uint32_t i = 0; i < f->taken.n; i++)
        if (str_eq(f->taken.v[i], s) || cuda_is_reserved(f, s)) {
            s = cuda_sprintf(f, "%.*s_", (int)s.n, s.p);
            i = UINT32_MAX;
        }
    VEC_PUSH(&f->c->module, &f->taken, s);
    return s;
}

/* Sizes and strides have names made of the array's: no other variable may have them. */
static void take_array_names(cuda_fn *f, str name, const type *t)
{
    for (uint32_t d = 0; d < (uint32_t)t->ndim; d++) {
        VEC_PUSH(&f->c->module, &f->taken, cuda_size_name(f, name, d, (uint32_t)t->ndim));
        VEC_PUSH(&f->c->module, &f->taken, cuda_stride_name(f, name, d, (uint32_t)t->ndim));
    }
}

void cuda_name_params(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const uint32_t v = u->params[i];
        cv *p = &f->vars.v[v], *adjoint = &f->vars.v[u->vars.n + v];
        p->param = true;
        p->out = !u->kernel && p->type->kind == TYPE_REF;
        p->name = unique(f, u->vars.v[v].label);
        if (p->type->kind == TYPE_ARRAY)
            take_array_names(f, p->name, p->type);
        if (u->kernel && p->type->kind != TYPE_ARRAY && p->type->kind != TYPE_STRUCT)
            continue;
        adjoint->name = unique(f, cuda_sprintf(f, "adj_%.*s", (int)p->name.n, p->name.p));
    }
}

str cuda_type_text(cuda_fn *f, const type *t)
{
    if (t->kind == TYPE_STRUCT) {
        const cuda_struct *st = cuda_struct_of(f, t->st);
        return st ? st->name : STR("int");
    }
    const str s = cuda_type_name(f->job->needs, t);
    if (!s.n)
        cuda_refuse_str(f, cuda_sprintf(f, "the type %.*s", (int)t->pyname.n, t->pyname.p));
    return s;
}

static void add_param(cuda_fn *f, cuda_params *out, cuda_param p)
{
    VEC_PUSH(&f->c->module, out, p);
}

static void add_array(cuda_fn *f, cuda_params *out, uint32_t arg, const cv *v, const cv *adjoint)
{
    const type *elem = v->type->elem;
    const str t = cuda_type_text(f, elem);
    const uint32_t ndim = (uint32_t)v->type->ndim;
    cuda_param p = {.arg = arg, .type = elem};
    if (v->said) {
        p.kind = CUDA_PARAM_POINTER;
        p.is_const = !v->written;
        p.name = v->name;
        p.type_text = cuda_sprintf(f, "%s%.*s *", p.is_const ? "const " : "", (int)t.n, t.p);
        add_param(f, out, p);
    }
    if (adjoint && adjoint->said) {
        p.kind = CUDA_PARAM_ADJ_POINTER;
        p.is_const = !adjoint->written;
        p.name = adjoint->name;
        p.type_text = cuda_sprintf(f, "%s%.*s *", p.is_const ? "const " : "", (int)t.n, t.p);
        add_param(f, out, p);
    }
    p = (cuda_param){.arg = arg, .type_text = STR("int")};
    for (p.dim = 0; p.dim < ndim; p.dim++) {
        p.kind = CUDA_PARAM_SIZE;
        p.name = cuda_size_name(f, v->name, p.dim, ndim);
        if (v->sizes >> p.dim & 1)
            add_param(f, out, p);
    }
    for (p.dim = 0; p.dim + 1 < ndim; p.dim++) {
        p.kind = CUDA_PARAM_STRIDE;
        p.name = cuda_stride_name(f, v->name, p.dim, ndim);
        if (v->strides >> p.dim & 1)
            add_param(f, out, p);
    }
}

static void add_value(cuda_fn *f, cuda_params *out, uint32_t arg, const cv *v, cuda_param_kind kind)
{
    const type *t = type_strip_ref(v->type);
    const str text = cuda_type_text(f, t);
    const bool ref = v->out || v->type->kind == TYPE_REF;
    add_param(
        f, out,
        (cuda_param){.kind = kind,
                     .arg = arg,
                     .type = t,
                     .name = v->name,
                     .type_text = cuda_sprintf(f, "%.*s%s", (int)text.n, text.p, ref ? " &" : "")});
}

void cuda_list_params(cuda_fn *f, cuda_params *out)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const uint32_t var = u->params[i];
        const cv *v = &f->vars.v[var], *adjoint = &f->vars.v[u->vars.n + var];
        if (v->type->kind == TYPE_FUNCTION || v->type->kind == TYPE_CALLABLE)
            continue;
        if (v->type->kind == TYPE_ARRAY) {
            add_array(f, out, i, v, adjoint);
            continue;
        }
        if (v->said)
            add_value(f, out, i, v, CUDA_PARAM_VALUE);
        if (adjoint->said && (adjoint->out || adjoint->param))
            add_value(f, out, i, adjoint, CUDA_PARAM_ADJ_VALUE);
    }
}

/* "void f(a, b)", broken behind column 100. */
void cuda_put_signature(cuda_fn *f, strbuf *out, const char *before, str name,
                        const cuda_params *params, str more)
{
    (void)f;
    sb_c(out, before);
    sb_str(out, name);
    sb_char(out, '(');
    const size_t column = strlen(before) + name.n + 1, indent = column < 48 ? column : 8;
    size_t at = column;
    for (uint32_t i = 0; i <= params->n; i++) {
        const cuda_param *p = i < params->n ? &params->v[i] : NULL;
        const str kind = p ? p->type_text : more, last = p ? p->name : (str){NULL, 0};
        if (!kind.n)
            break;
        const size_t width = kind.n + last.n + 2;
        if (i && at + width > 99) {
            SB_LIT(out, ",\n");
            sb_repeat(out, ' ', indent);
            at = indent;
        } else if (i) {
            SB_LIT(out, ", ");
        }
        at += width + 1;
        sb_str(out, kind);
        if (p && kind.p[kind.n - 1] != '*' && kind.p[kind.n - 1] != '&')
            sb_char(out, ' ');
        sb_str(out, last);
    }
    sb_char(out, ')');
}

/* Do sizes or strides of an array have the other name? */
static bool gives_name(cuda_fn *f, const type *t, str array, str name)
{
    for (uint32_t d = 0; t->kind == TYPE_ARRAY && d < (uint32_t)t->ndim; d++)
        if (str_eq(cuda_size_name(f, array, d, (uint32_t)t->ndim), name) ||
            str_eq(cuda_stride_name(f, array, d, (uint32_t)t->ndim), name))
            return true;
    return false;
}

/* Names of the members that a struct's fields become: arrays first, which have several. */
static const str *member_names(cuda_fn *f, const struct_def *st)
{
    str *names = arena_zero(&f->c->module, (st->nfields + 1) * sizeof *names);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < st->nfields; i++) {
            const type *t = st->fields[i].type;
            if ((t->kind == TYPE_ARRAY) == pass)
                continue;
            str name = cuda_cpp_name(f, sym_str(st->fields[i].name));
            for (uint32_t k = 0; k < st->nfields; k++)
                if (names[k].n && (str_eq(names[k], name) || gives_name(f, t, name, names[k]) ||
                                   gives_name(f, st->fields[k].type, names[k], name))) {
                    name = cuda_sprintf(f, "%.*s_", (int)name.n, name.p);
                    k = UINT32_MAX;
                }
            names[i] = name;
        }
    return names;
}

static void add_member(cuda_fn *f, cuda_params *out, uint32_t i, const struct_field *field,
                       str name)
{
    const type *t = field->type;
    cuda_param p = {.arg = i, .type = t, .kind = CUDA_PARAM_VALUE, .name = name};
    if (t->kind != TYPE_ARRAY) {
        p.type_text = cuda_type_text(f, t);
        add_param(f, out, p);
        return;
    }
    if (t->array_class != ARRAY_PLAIN)
        cuda_refuse(f, "an array of another kind than wp.array");
    const str elem = cuda_type_text(f, t->elem);
    const uint32_t ndim = (uint32_t)t->ndim;
    p.kind = CUDA_PARAM_POINTER;
    p.type = t->elem;
    p.type_text = cuda_sprintf(f, "%.*s *", (int)elem.n, elem.p);
    add_param(f, out, p);
    p.type = NULL;
    p.type_text = STR("int");
    p.kind = CUDA_PARAM_SIZE;
    for (p.dim = 0; p.dim < ndim; p.dim++) {
        p.name = cuda_size_name(f, name, p.dim, ndim);
        add_param(f, out, p);
    }
    p.kind = CUDA_PARAM_STRIDE;
    for (p.dim = 0; p.dim + 1 < ndim; p.dim++) {
        p.name = cuda_stride_name(f, name, p.dim, ndim);
        add_param(f, out, p);
    }
}

const cuda_struct *cuda_struct_of(cuda_fn *f, const struct_def *st)
{
    cuda_kernel *k = f->job->out;
    for (uint32_t i = 0; i < k->structs.n; i++)
        if (k->structs.v[i]->def == st)
            return k->structs.v[i];
    cuda_struct *made = ARENA_NEW(&f->c->module, cuda_struct);
    cuda_params members = {0};
    const uint32_t begin = cuda_uses_begin(f->job->needs);
    const str *names = member_names(f, st);
    for (uint32_t i = 0; i < st->nfields; i++)
        add_member(f, &members, i, &st->fields[i], names[i]);
    made->def = st;
    made->name = cuda_global_name(f->job, sym_str(st->name));
    made->members = members.v;
    made->nmembers = members.n;
    const cuda_uses uses = cuda_uses_end(f->job->needs, begin);
    VEC_PUSH(&f->c->module, &f->job->member_uses, uses);
    VEC_PUSH(&f->c->module, &k->structs, made);
    VEC_PUSH(&f->c->module, &f->job->taken, made->name);
    return made;
}

str cuda_member_name(cuda_fn *f, const type *t, str field)
{
    const cuda_struct *made = t->kind == TYPE_STRUCT ? cuda_struct_of(f, t->st) : NULL;
    for (uint32_t i = 0; made && i < made->nmembers; i++) {
        const cuda_param *m = &made->members[i];
        if (str_eq(sym_str(t->st->fields[m->arg].name), field))
            return m->name;
    }
    return field;
}

void cuda_put_array(cuda_fn *f, strbuf *b, const cx *array, const char *separator)
{
    (void)separator;
    const uint32_t ndim = (uint32_t)array->type->ndim;
    sb_str(b, cuda_pointer_text(f, array));
    for (uint32_t d = 0; d < ndim; d++) {
        SB_LIT(b, ", ");
        sb_str(b, cuda_size_text(f, array, d));
    }
    for (uint32_t d = 0; d + 1 < ndim; d++) {
        SB_LIT(b, ", ");
        sb_str(b, cuda_stride_text(f, array, d));
    }
}
