/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of snippets: read, and run.
 *
 *     for (int k = 0; k < n; k++) sum += x[k];   first: declares k; value: k < n; step: k++; body
 */
#include "native/native_internal.h"

static nstmt *statement(nreader *r);
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
        native_step(f, NULL);
        const nflow flow = s->exec(f, s);
        if (flow != NFLOW_NEXT)
            return flow;
    }
    return NFLOW_NEXT;
}

static nflow exec_value(native_fn *f, nstmt *s)
{
    if (s->value)
        native_eval(f, s->value);
    return NFLOW_NEXT;
}

static nflow exec_block(native_fn *f, nstmt *s)
{
    return native_exec(f, s->body);
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
    native_exec(f, s->first);
    for (bool started = s->orelse != NULL; started || holds(f, s->value); started = false) {
        native_step(f, s->value);
        const nflow flow = native_exec(f, s->body);
        if (flow == NFLOW_RETURN)
            return flow;
        if (flow == NFLOW_BREAK)
            break;
        if (s->step)
            native_eval(f, s->step);
    }
    return NFLOW_NEXT;
}

/* Elements without an initializer are zero where others have one. */
static nflow exec_declare(native_fn *f, nstmt *s)
{
    nvar *v = s->var;
    v->set = s->value || s->nitems || v->count;
    memset(v->room, 0, v->size);
    if (s->value) {
        const void *p = native_eval(f, s->value);
        memmove(v->room, p, v->size);
    }
    const size_t size = native_size(v->type);
    for (uint32_t i = 0; i < s->nitems; i++) {
        const void *p = native_eval(f, s->items[i]);
        memcpy(v->room + i * size, p, size);
    }
    return NFLOW_NEXT;
}

/* T &r = place; */
static nflow exec_bind(native_fn *f, nstmt *s)
{
    s->var->at = native_eval(f, s->value);
    s->var->set = true;
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
    s->items = items.v;
    s->nitems = items.n;
    if (!*count)
        *count = items.n;
    if (!*count || items.n > *count)
        native_refuse(r, "this local array");
}

/* [n] behind a name; 0: of unknown size. */
static uint32_t count_read(nreader *r)
{
    uint32_t n = 0;
    const ntoken *t = native_peek(r, 0);
    if (t->kind == NT_INT && t->text.n < 5) {
        for (size_t i = 0; i < t->text.n; i++) {
            if (t->text.p[i] < '0' || t->text.p[i] > '9')
                native_refuse(r, "this size of a local array");
            n = n * 10 + (uint32_t)(t->text.p[i] - '0');
        }
        r->at++;
    }
    native_expect(r, "]");
    if (n > NATIVE_ELEMENTS || native_is(r, "["))
        native_refuse(r, "this local array");
    return n;
}

/* A name with its initializer; `is_auto`: the type is the initializer's. */
static nstmt *declarator(nreader *r, ntype t, bool is_auto, bool is_reference)
{
    nstmt *s = stmt_new(r, is_reference ? exec_bind : exec_declare);
    const ntoken *name = native_peek(r, 0);
    uint32_t count = 0;
    bool is_array = false;
    if (name->kind != NT_NAME)
        native_refuse(r, "this declaration");
    r->at++;
    if (native_accept(r, "[")) {
        is_array = true;
        count = count_read(r);
    }
    if (is_array && !is_auto && !is_reference) {
        if (native_accept(r, "="))
            items_read(r, s, t, &count);
        if (!count || t.ptr)
            native_refuse(r, "this local array");
        s->var = native_declare(r, name->text, t, count);
        return s;
    }
    const bool paren = !is_reference && !is_auto && native_is(r, "(");
    if (paren || native_is(r, "{")) {
        VEC(nnode *) args = {0};
        const char *end = paren ? ")" : "}";
        r->at++;
        while (!native_accept(r, end)) {
            nnode *n = native_assignment(r);
            VEC_PUSH(r->a, &args, n);
            if (!native_is(r, end))
                native_expect(r, ",");
        }
        if (is_auto || is_reference || t.ptr)
            native_refuse(r, "this initializer");
        s->value = native_construct(r, t.t, args.v, args.n);
    } else if (native_accept(r, "=")) {
        s->value = native_assignment(r);
    } else if (is_auto || is_reference) {
        native_refuse(r, "this declaration");
    }
    if (is_auto)
        t = s->value->type;
    if (!t.t)
        native_refuse(r, "a variable of this type");
    if (s->value && is_reference)
        s->value = native_to_place(r, s->value);
    else if (s->value)
        s->value = native_convert(r, s->value, t);
    if (is_reference && (s->value->type.t != t.t || s->value->type.ptr != t.ptr))
        native_refuse(r, "a reference to another type");
    s->var = native_declare(r, name->text, t, 0);
    return s;
}

/* T a = 1, b; */
static nstmt *declaration(nreader *r)
{
    ntype t = {NULL, false};
    while (native_is(r, "const") && str_eq(native_peek(r, 1)->text, STR("auto")))
        r->at++;
    const bool is_auto = native_accept(r, "auto");
    if (!is_auto)
        t = native_type_read(r);
    const bool is_reference = native_accept(r, "&");
    if (is_auto && !is_reference)
        native_accept(r, "*");
    nstmt *first = declarator(r, t, is_auto, is_reference), *last = first;
    while (native_accept(r, ",")) {
        last->next = declarator(r, t, is_auto, is_reference);
        last = last->next;
    }
    native_expect(r, ";");
    return first;
}

static bool starts_declaration(nreader *r)
{
    if (native_is(r, "auto") || native_is(r, "const"))
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
    s->body = statement(r);
    if (native_accept(r, "else"))
        s->orelse = statement(r);
    return s;
}

static nstmt *for_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_loop);
    native_expect(r, "(");
    const uint32_t kept = r->vars.n;
    r->depth++;
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
    s->body = statement(r);
    r->depth--;
    r->vars.n = kept;
    return s;
}

static nstmt *do_read(nreader *r)
{
    nstmt *s = stmt_new(r, exec_loop);
    s->body = statement(r);
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
        s->value = native_convert(r, native_expression(r), (ntype){t, false});
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
        s->body = statement(r);
        return s;
    }
    nstmt *s = stmt_new(r, exec_value);
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
    if (++r->nesting > NATIVE_DEPTH)
        native_refuse(r, "blocks that are nested so deep");
    nstmt *s;
    if (native_accept(r, "{")) {
        s = stmt_new(r, exec_block);
        s->body = block(r);
        native_expect(r, "}");
    } else {
        s = simple(r);
    }
    r->nesting--;
    return s;
}

/* Statements up to the end, or to the brace that closes them. */
static nstmt *block(nreader *r)
{
    const uint32_t kept = r->vars.n;
    nstmt *first = NULL, **end = &first;
    r->depth++;
    while (!native_is(r, "}") && native_peek(r, 0)->kind != NT_END) {
        *end = statement(r);
        while (*end)
            end = &(*end)->next;
    }
    r->depth--;
    r->vars.n = kept;
    return first;
}

/* The text is read into the function; false: *why says what is in the way. */
static bool read_all(nreader *r, const native_source *text)
{
    if (setjmp(r->fail))
        return false;
    native_fn *f = r->f;
    native_tokens(r, native_lines(r, text->text, text->cuda));
    for (uint32_t i = 0; i < text->nparams; i++) {
        const type *t = text->params[i].type;
        if (!type_is_value(t) && t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY)
            native_refuse(r, "a parameter such as '%.*s'", (int)text->params[i].name.n,
                          text->params[i].name.p);
        f->params[i] =
            native_declare(r, text->params[i].name, (ntype){t, text->params[i].pointer}, 0);
    }
    f->body = block(r);
    if (native_peek(r, 0)->kind != NT_END)
        native_refuse(r, "this end");
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
    nreader *r = ARENA_NEW(a, nreader);
    r->c = c;
    r->a = a;
    r->f = f;
    r->why = why;
    return read_all(r, text) ? f : NULL;
}
