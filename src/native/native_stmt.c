/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of snippets: read, and run.
 *
 *     for (int k = 0; k < n; k++) sum += x[k];   first: declares k; value: k < n; step: k++; body
 */
#include "native/native_internal.h"

static nstmt *statement(nreader *r);
static nstmt *scope(nreader *r);
static nstmt *loop_body(nreader *r);
static nstmt *block(nreader *r);

static nstmt *stmt_new(nreader *r, nexec_fn *exec)
{
    nstmt *s = ARENA_NEW(r->a, nstmt);
    s->exec = exec;
    s->line = native_peek(r, 0)->line;
    return s;
}

nflow native_exec(native_fn *f, nstmt *s)
{
    for (; s; s = s->next) {
        native_spend(f, NULL, 1);
        const nflow flow = s->exec(f, s);
        if (flow != NFLOW_NEXT)
            return flow;
    }
    return NFLOW_NEXT;
}

/* A place is found, but not read. */
static void effect(native_fn *f, nnode *n)
{
    if (n && n->find)
        native_find(f, n);
    else if (n)
        native_eval(f, n);
}

static nflow exec_value(native_fn *f, nstmt *s)
{
    effect(f, s->value);
    return NFLOW_NEXT;
}

/* Variables of a block end to live with it. */
static void finish(native_fn *f, const nstmt *s)
{
    for (uint32_t i = 0; i < s->ends.n; i++)
        native_finish(f, s->ends.v[i]);
}

static nflow exec_block(native_fn *f, nstmt *s)
{
    const nflow flow = native_exec(f, s->body);
    finish(f, s);
    return flow;
}

static nflow exec_break(native_fn *f, nstmt *s)
{
    (void)f;
    (void)s;
    return NFLOW_BREAK;
}

static nflow exec_continue(native_fn *f, nstmt *s)
{
    (void)f;
    (void)s;
    return NFLOW_CONTINUE;
}

static nflow exec_return(native_fn *f, nstmt *s)
{
    if (s->value) {
        const void *p = native_eval(f, s->value);
        memcpy(f->out, p, native_size(s->value->type));
    }
    return NFLOW_RETURN;
}

static bool holds(native_fn *f, nnode *n)
{
    return !n || native_number(f, n).i != 0;
}

static nflow exec_if(native_fn *f, nstmt *s)
{
    return native_exec(f, holds(f, s->value) ? s->body : s->orelse);
}

/* for, while and do; orelse: the body of do comes first. */
static nflow exec_loop(native_fn *f, nstmt *s)
{
    nflow flow = native_exec(f, s->first);
    for (bool started = s->orelse != NULL; started || holds(f, s->value); started = false) {
        native_spend(f, s->value, 1);
        flow = native_exec(f, s->body);
        if (flow == NFLOW_RETURN || flow == NFLOW_BREAK)
            break;
        effect(f, s->step);
    }
    finish(f, s);
    return flow == NFLOW_RETURN ? flow : NFLOW_NEXT;
}

/* Without an initializer, numbers have no value, and Warp's vectors are zero. Elements that an
 * initializer leaves out are zero. */
static nflow exec_declare(native_fn *f, nstmt *s)
{
    nvar *v = s->var;
    const ntype one = {.t = v->type.t, .ptr = v->type.ptr};
    const bool zeros = s->items || (!v->type.ptr && type_is_composite(v->type.t));
    native_begin(f, v, zeros);
    nptr p = {v->object, f->objects.v[v->object].life, 0};
    if (s->value)
        native_store(f, s->value, p, one, native_eval(f, s->value));
    for (uint32_t i = 0; i < s->nitems; i++) {
        native_store(f, s->items[i], p, one, native_eval(f, s->items[i]));
        p.at += (int64_t)native_size(one);
    }
    return NFLOW_NEXT;
}

/* T &r = place; */
static nflow exec_bind(native_fn *f, nstmt *s)
{
    s->var->bound = native_find(f, s->value);
    return NFLOW_NEXT;
}

/* {a, b, c} of a local array; count 0: as many as there are. */
static void items_read(nreader *r, nstmt *s, ntype t, uint32_t *count)
{
    VEC(nnode *) items = {0};
    native_expect(r, "{");
    while (!native_accept(r, "}")) {
        nnode *n = native_convert(r, native_assignment(r), t);
        VEC_PUSH(r->a, &items, n);
        if (!native_is(r, "}"))
            native_expect(r, ",");
    }
    if (!*count)
        *count = items.n;
    if (!*count || items.n > *count)
        native_refuse(r, "this local array");
    VEC_PUSH(r->a, &items, NULL); /* {} is an initializer too */
    s->items = items.v;
    s->nitems = items.n - 1;
}

/* [n] behind a name; 0: of unknown size. */
static uint32_t count_read(nreader *r)
{
    uint32_t n = 0;
    const ntoken *t = native_peek(r, 0);
    if (t->kind == NT_INT && t->text.n < 5 && (t->text.n == 1 || t->text.p[0] != '0')) {
        for (size_t i = 0; i < t->text.n; i++) {
            if (t->text.p[i] < '0' || t->text.p[i] > '9')
                native_refuse(r, "this size of a local array");
            n = n * 10 + (uint32_t)(t->text.p[i] - '0');
        }
        r->at++;
        if (!n)
            native_refuse(r, "this size of a local array");
    }
    native_expect(r, "]");
    if (n > NATIVE_ELEMENTS || native_is(r, "["))
        native_refuse(r, "this local array");
    return n;
}

/* T name[n], from behind the bracket on. */
static nstmt *array_read(nreader *r, nstmt *s, str name, ntype t)
{
    uint32_t count = count_read(r);
    if (t.ptr || !native_is_plain(t.t))
        native_refuse(r, "this local array");
    if (native_accept(r, "=") || native_is(r, "{"))
        items_read(r, s, t, &count);
    if (!count)
        native_refuse(r, "this local array");
    t.count = count;
    s->var = native_declare(r, name, t, false);
    return s;
}

/* T name(a, b) or T name{a, b}; from the sign on. */
static nnode *arguments_read(nreader *r, ntype t)
{
    nnode *args[NATIVE_ARGS];
    uint32_t n = 0;
    const char *end = native_is(r, "(") ? ")" : "}";
    r->at++;
    while (!native_accept(r, end)) {
        if (n == NATIVE_ARGS)
            native_refuse(r, "so many arguments");
        args[n++] = native_value(r, native_assignment(r));
        if (!native_is(r, end))
            native_expect(r, ",");
    }
    if (t.ptr && n == 1)
        return native_convert(r, args[0], t);
    if (t.ptr)
        native_refuse(r, "this initializer");
    return native_construct(r, t.t, args, n);
}

/* T &r = place; a constant reference to a value is the value. */
static nstmt *reference_read(nreader *r, nstmt *s, str name, ntype t, bool is_const)
{
    native_expect(r, "=");
    nnode *n = native_assignment(r);
    if (!t.t)
        t = n->type;
    if (!t.t)
        native_refuse(r, "a reference to this");
    if (!n->find && is_const) {
        s->exec = exec_declare;
        s->value = native_convert(r, n, t);
    } else if (!n->find || !native_same_type(n->type, t)) {
        native_refuse(r, "a reference to this");
    } else {
        s->value = n;
    }
    s->var = native_declare(r, name, t, s->exec == exec_bind);
    s->var->sealed = n->sealed;
    return s;
}

/* What stands before names that are declared. */
typedef struct declared_as {
    ntype t; /* without t: auto */
    bool is_const, is_reference;
} declared_as;

/* A name with its initializer. */
static nstmt *declarator(nreader *r, const declared_as *d)
{
    nstmt *s = stmt_new(r, d->is_reference ? exec_bind : exec_declare);
    const ntoken *name = native_peek(r, 0);
    ntype t = d->t;
    if (name->kind != NT_NAME)
        native_refuse(r, "this declaration");
    r->at++;
    if (d->is_reference)
        return reference_read(r, s, name->text, t, d->is_const);
    if (t.t && native_accept(r, "["))
        return array_read(r, s, name->text, t);
    if (t.t) { /* the initializer knows the name already */
        s->var = native_declare(r, name->text, t, false);
        if (native_is(r, "(") || native_is(r, "{"))
            s->value = arguments_read(r, t);
        else if (native_accept(r, "="))
            s->value = native_is(r, "{") ? arguments_read(r, t)
                                         : native_convert(r, native_assignment(r), t);
        return s;
    }
    native_expect(r, "=");
    s->value = native_value(r, native_assignment(r));
    if (!s->value->type.t)
        native_refuse(r, "a variable of this type");
    s->var = native_declare(r, name->text, s->value->type, false);
    return s;
}

/* T a = 1, *b; */
static nstmt *declaration(nreader *r)
{
    declared_as d = {.is_const = native_is(r, "const") || native_is(r, "constexpr")};
    while (str_eq(native_peek(r, 1)->text, STR("auto")) &&
           (native_accept(r, "const") || native_accept(r, "constexpr")))
        ;
    const bool is_auto = native_accept(r, "auto");
    if (!is_auto)
        d.t = native_type_read(r);
    d.is_const |= native_accept(r, "const");
    d.is_reference = native_accept(r, "&");
    if (is_auto && !d.is_reference)
        native_accept(r, "*");
    nstmt *first = declarator(r, &d), *last = first;
    while (native_accept(r, ",")) {
        if (d.is_reference || d.t.ptr)
            native_refuse(r, "several names in this declaration");
        if (!is_auto && native_accept(r, "*"))
            native_refuse(r, "several names in this declaration");
        last->next = declarator(r, &d);
        last = last->next;
    }
    native_expect(r, ";");
    return first;
}

static bool starts_declaration(nreader *r)
{
    if (native_is(r, "auto") || native_is(r, "const") || native_is(r, "constexpr"))
        return true;
    if (!native_type_starts(r))
        return false;
    /* wp::vec3(...) is an expression */
    return !str_eq(native_peek(r, 1)->text, STR("("));
}

static nnode *condition_read(nreader *r)
{
    native_expect(r, "(");
    nnode *n = native_condition(r, native_expression(r));
    native_expect(r, ")");
    return n;
}

static nstmt *if_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_if);
    native_accept(r, "constexpr");
    s->value = condition_read(r);
    s->body = scope(r);
    if (native_accept(r, "else"))
        s->orelse = scope(r);
    return s;
}

/* The names that are in scope since `kept` end with s. */
static void scope_end(nreader *r, nstmt *s, uint32_t kept)
{
    for (uint32_t i = kept; i < r->vars.n; i++)
        if (!r->vars.v[i]->is_reference)
            VEC_PUSH(r->a, &s->ends, r->vars.v[i]);
    r->vars.n = kept;
}

static nstmt *for_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_loop);
    native_expect(r, "(");
    const uint32_t kept = r->vars.n;
    if (native_accept(r, ";")) {
    } else if (starts_declaration(r)) {
        s->first = declaration(r);
    } else {
        s->first = stmt_new(r, exec_value);
        s->first->value = native_expression(r);
        native_expect(r, ";");
    }
    if (!native_is(r, ";"))
        s->value = native_condition(r, native_expression(r));
    native_expect(r, ";");
    if (!native_is(r, ")"))
        s->step = native_expression(r);
    native_expect(r, ")");
    s->body = loop_body(r);
    scope_end(r, s, kept);
    return s;
}

static nstmt *do_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_loop);
    s->body = loop_body(r);
    s->orelse = s;
    native_expect(r, "while");
    s->value = condition_read(r);
    native_expect(r, ";");
    return s;
}

static nstmt *return_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_return);
    const type *t = r->f->result;
    if (!native_is(r, ";")) {
        if (!t)
            native_refuse(r, "a result that nobody gets");
        s->value = native_convert(r, native_expression(r), (ntype){.t = t});
    } else if (t) {
        native_refuse(r, "a return without result");
    }
    native_expect(r, ";");
    return s;
}

static nstmt *simple(nreader *r)
{
    if (starts_declaration(r))
        return declaration(r);
    if (native_accept(r, "if"))
        return if_read(r);
    if (native_accept(r, "for"))
        return for_read(r);
    if (native_accept(r, "do"))
        return do_read(r);
    if (native_accept(r, "return"))
        return return_read(r);
    if (native_accept(r, "while")) {
        nstmt *s = stmt_new(r, exec_loop);
        s->value = condition_read(r);
        s->body = loop_body(r);
        return s;
    }
    nstmt *s = stmt_new(r, exec_value);
    if ((native_is(r, "break") || native_is(r, "continue")) && !r->loops)
        native_refuse(r, "what leaves no loop");
    if (native_accept(r, "break"))
        s->exec = exec_break;
    else if (native_accept(r, "continue"))
        s->exec = exec_continue;
    else if (!native_is(r, ";"))
        s->value = native_expression(r);
    native_expect(r, ";");
    return s;
}

static nstmt *statement(nreader *r)
{
    if (++r->nesting > NATIVE_NESTING)
        native_refuse(r, "blocks that are nested so deep");
    nstmt *s;
    const uint32_t kept = r->vars.n;
    if (native_accept(r, "{")) {
        s = stmt_new(r, exec_block);
        s->body = block(r);
        scope_end(r, s, kept);
        native_expect(r, "}");
    } else {
        s = simple(r);
    }
    r->nesting--;
    return s;
}

/* The body of an `if` or a loop is a scope of its own, also without braces. */
static nstmt *scope(nreader *r)
{
    if (native_is(r, "{"))
        return statement(r);
    const uint32_t kept = r->vars.n;
    nstmt *s = stmt_new(r, exec_block);
    s->body = statement(r);
    scope_end(r, s, kept);
    return s;
}

static nstmt *loop_body(nreader *r)
{
    r->loops++;
    nstmt *s = scope(r);
    r->loops--;
    return s;
}

/* Statements up to the end, or to the brace that closes them. */
static nstmt *block(nreader *r)
{
    nstmt *first = NULL, **end = &first;
    while (!native_is(r, "}") && native_peek(r, 0)->kind != NT_END) {
        *end = statement(r);
        while (*end)
            end = &(*end)->next;
    }
    return first;
}

/* The text is read into the function; false: *why says what is in the way. */
static bool read_all(nreader *r, const native_source *text)
{
    if (setjmp(r->fail))
        return false;
    native_fn *f = r->f;
    if (f->result && !native_is_plain(f->result))
        native_refuse(r, "such a result");
    native_tokens(r, native_lines(r, text->text, text->cuda));
    for (uint32_t i = 0; i < text->nparams; i++) {
        const type *t = text->params[i].type;
        const bool pointer = text->params[i].pointer;
        if (pointer ? !native_is_plain(t) : !native_is_param(t))
            native_refuse(r, "a parameter such as '%.*s'", (int)text->params[i].name.n,
                          text->params[i].name.p);
        f->params[i] =
            native_declare(r, text->params[i].name, (ntype){.t = t, .ptr = pointer}, false);
        f->objects.v[f->params[i]->object].set = NULL;
    }
    f->body = block(r);
    if (native_peek(r, 0)->kind != NT_END)
        native_refuse(r, "this end");
    f->nvariables = f->objects.n;
    native_reserve(f);
    return true;
}

native_fn *native_read(ctx *c, arena *a, const native_source *text, native_problem *why)
{
    native_fn *f = ARENA_NEW(a, native_fn);
    native_param *declared = ARENA_ARRAY(a, native_param, text->nparams + 1);
    for (uint32_t i = 0; i < text->nparams; i++)
        declared[i] = text->params[i];
    f->c = c;
    f->a = a;
    f->declared = declared;
    f->params = ARENA_ARRAY(a, nvar *, text->nparams + 1);
    f->nparams = text->nparams;
    f->result = text->result;
    f->cuda = text->cuda;
    VEC_PUSH(a, &f->objects, (nobject){0});
    nreader *r = ARENA_NEW(a, nreader);
    r->c = c;
    r->a = a;
    r->f = f;
    r->why = why;
    return read_all(r, text) ? f : NULL;
}
