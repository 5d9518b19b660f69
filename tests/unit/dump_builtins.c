/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table of builtins, or answers calls read from stdin with the statements that Warp's
 * Adjoint.add_call would add. For tools/check_builtins.py, which knows what warp-lang answers.
 *   dump_builtins rows [RELEASE]   one row per line: signature, native name, flags; then lines
 *                             "kernel_only NAME" of the names that Python does not see
 *   dump_builtins calls [RELEASE]  request lines as tools/builtin_calls.py writes them */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "builtin/rule.h"
#include "builtin/table.h"

enum { VARS_MAX = 256 };

/* A function among the arguments: FUNCTION | index in the plan. */
#define FUNCTION 0x80000000u

typedef struct state {
    ctx c;
    int argc;
    char **argv;
    strbuf out;
    const type *var_types[VARS_MAX]; /* of the request's variables and those made by the call */
    value var_constants[VARS_MAX];
    uint32_t nvars, nargs;
    const call_plan *plan; /* of the answer being written */
} state;

/* ---- types: array2[T], fixedarray1[T], ref[T], slice[0,2,1], tuple[T, T], else sig_parse's ----
 */

static const type *read_type(state *s, const char *text);

static const char *inner(const char *text, char *buf, size_t size)
{
    const char *open = strchr(text, '[');
    snprintf(buf, size, "%.*s", (int)strlen(open) - 2, open + 1);
    return buf;
}

static const type *read_array(state *s, const char *text, const char *elem)
{
    static const char *const names[] = {"array", "indexedarray", "fabricarray",
                                        "indexedfabricarray", "fixedarray"};
    for (int cls = 0; cls < 5; cls++) {
        size_t n = strlen(names[cls]);
        if (strncmp(text, names[cls], n) != 0 || !isdigit((unsigned char)text[n]))
            continue;
        int ndim = text[n] - '0';
        const type *t = read_type(s, elem);
        return cls == ARRAY_FIXED ? type_fixed_array(&s->c, t, ndim, 12)
                                  : type_array(&s->c, (array_class)cls, t, ndim);
    }
    return NULL;
}

/* registertile[4x8]T, sharedtile[4]T, stack[8]T */
static const type *read_tile(state *s, const char *text)
{
    int64_t shape[TYPE_DIMS_MAX];
    tile_layout l = {.shape = shape, .shared = *text == 's'};
    const char *p = strchr(text, '[');
    do
        shape[l.ndim++] = strtoll(p + 1, (char **)&p, 10);
    while (*p == 'x');
    const type *elem = read_type(s, p + 1);
    return strncmp(text, "stack", 5) == 0 ? type_stack(&s->c, elem, (int)shape[0])
                                          : type_tile(&s->c, elem, &l);
}

static const type *read_type(state *s, const char *text)
{
    char buf[256];
    signature sig;
    if (strncmp(text, "registertile", 12) == 0 || strncmp(text, "sharedtile", 10) == 0 ||
        strncmp(text, "stack", 5) == 0)
        return read_tile(s, text);
    if (strchr(text, '[')) {
        const char *in = inner(text, buf, sizeof buf);
        const type *arr = read_array(s, text, in);
        if (arr)
            return arr;
        if (strncmp(text, "ref[", 4) == 0)
            return type_ref(&s->c, read_type(s, in));
        long long b[3];
        if (sscanf(text, "slice[%lld,%lld,%lld]", &b[0], &b[1], &b[2]) == 3)
            return type_slice(&s->c, (int64_t[]){b[0], b[1], b[2]});
    }
    snprintf(buf, sizeof buf, "f(x: %s)", text);
    sig_parse(&s->c, buf, &sig);
    return sig.params[0].type;
}

/* ---- arguments: v:T i:3 f:0.5 b:1 w:float64:0.5 t:T p:float s:text x:5 u:add (a&b) ---- */

static value read_number(const char *text)
{
    bool is_float = strpbrk(text, ".en") != NULL;
    return is_float ? value_float(strtod(text, NULL)) : value_int(strtoll(text, NULL, 10));
}

static void add_constant(state *s, call_arg *a, value v, const type *t)
{
    s->var_constants[s->nvars] = v;
    s->var_types[s->nvars] = t;
    *a = (call_arg){.kind = ARG_VAR, .type = t, .var = s->nvars};
    a->constant = &s->var_constants[s->nvars++];
}

static void read_arg(state *s, char *text, call_arg *a);

static void read_group(state *s, char *text, call_arg *a)
{
    call_arg *items = ARENA_ARRAY(&s->c.module, call_arg, 16);
    *a = (call_arg){.kind = ARG_VARS, .items = items};
    text[strlen(text) - 1] = 0;
    for (char *part = strtok(text + 1, "&"); part && a->n < 16; part = strtok(NULL, "&"))
        read_arg(s, part, &items[a->n++]);
}

static void read_value(state *s, call_arg *a, value v)
{
    value *copy = ARENA_NEW(&s->c.module, value);
    *copy = v;
    *a = (call_arg){.kind = ARG_VALUE, .constant = copy};
}

static void read_arg(state *s, char *text, call_arg *a)
{
    const sym *name = sym_c(&s->c.syms, text + 2);
    value v = *text == 'i' || *text == 'f' || *text == 'b' || *text == 'x' ? read_number(text + 2)
                                                                           : (value){0};
    switch (*text) {
    case '(': read_group(s, text, a); return;
    case 'v':
        s->var_types[s->nvars] = read_type(s, text + 2);
        *a = (call_arg){.kind = ARG_VAR, .type = s->var_types[s->nvars], .var = s->nvars};
        s->nvars++;
        return;
    case 'b': v = value_bool(v.i); /* fall through */
    case 'i':
    case 'f': add_constant(s, a, v, value_var_type(&s->c, &v)); return;
    case 'w': {
        char *colon = strchr(text + 2, ':');
        *colon = 0;
        v = read_number(colon + 1);
        const type *t = read_type(s, text + 2);
        add_constant(s, a, value_scalar(t, &v), t);
        return;
    }
    case 's':
        add_constant(s, a, (value){.kind = VALUE_STR, .s = name}, read_type(s, "str"));
        return;
    case 't': read_value(s, a, value_type(read_type(s, text + 2))); return;
    case 'u':
        read_value(s, a, (value){.kind = VALUE_BUILTIN, .p = builtin_find(&s->c, name)});
        return;
    case 'p': read_value(s, a, (value){.kind = VALUE_PYTYPE, .s = name}); return;
    default: read_value(s, a, v); return;
    }
}

/* ---- answers ---- */

static uint32_t new_var(state *s, const type *t, value constant)
{
    s->var_types[s->nvars] = t;
    s->var_constants[s->nvars] = constant;
    return s->nvars++;
}

static void put_var(state *s, const char *prefix, uint32_t var)
{
    sb_c(&s->out, prefix);
    sb_uint(&s->out, var);
}

/* "wp::add", or "wp::adj_add" where adjoints are listed. */
static void put_function(state *s, const char *prefix, uint32_t index)
{
    const native_arg *a = &s->plan->args[index & ~FUNCTION];
    if (a->kind == NATIVE_TOKEN) {
        sb_c(&s->out, a->token);
        return;
    }
    const builtin *b = a->arg.constant->p;
    const native_callee f = {.name = b->rows[0].native, .in_wp = true};
    builtin_put_callee(&s->out, &f, *prefix != 'v');
}

static void put_list(state *s, const char *prefix, const uint32_t *vars, uint32_t n, bool *first)
{
    for (uint32_t i = 0; i < n; i++) {
        sb_c(&s->out, *first ? "" : ", ");
        if (vars[i] & FUNCTION)
            put_function(s, prefix, vars[i]);
        else
            put_var(s, prefix, vars[i]);
        *first = false;
    }
}

typedef struct emitted {
    uint32_t results[8], nresults;
    uint32_t in[40], adj[40], nin; /* variables as given to the call; as named in the adjoint */
} emitted;

/* Loads references as Adjoint.load does. */
static uint32_t load(state *s, const native_arg *a)
{
    if (a->kind != NATIVE_VAR || a->arg.type->kind != TYPE_REF)
        return a->arg.var;
    uint32_t v = new_var(s, a->arg.type->elem, (value){0});
    put_var(s, "var_", v);
    put_var(s, " = wp::load(var_", a->arg.var);
    SB_LIT(&s->out, ");|");
    return v;
}

static void put_reverse(state *s, const call_plan *p, const emitted *e)
{
    bool first = true, list = p->initializer_list;
    if (!p->differentiable || !p->nargs)
        return;
    builtin_put_callee(&s->out, &p->callee, true);
    sb_char(&s->out, '(');
    if (list) {
        sb_char(&s->out, '{');
        put_list(s, "var_", e->in, e->nin, &first);
        SB_LIT(&s->out, "}, {");
        first = true;
        put_list(s, "&adj_", e->adj, e->nin, &first);
        sb_char(&s->out, '}');
    } else {
        put_list(s, "var_", e->in, e->nin, &first);
        if (p->needs_output_arg || e->nresults > 1)
            put_list(s, "var_", e->results, e->nresults, &first);
        put_list(s, "adj_", e->adj, e->nin, &first);
    }
    put_list(s, "adj_", e->results, e->nresults, &first);
    SB_LIT(&s->out, ");");
}

static void put_forward(state *s, const call_plan *p, const emitted *e)
{
    bool first = true;
    if (e->nresults == 1) {
        put_var(s, "var_", e->results[0]);
        SB_LIT(&s->out, " = ");
    }
    builtin_put_callee(&s->out, &p->callee, false);
    sb_c(&s->out, p->initializer_list ? "({" : "(");
    put_list(s, "var_", e->in, e->nin, &first);
    if (e->nresults > 1)
        put_list(s, "var_", e->results, e->nresults, &first);
    sb_c(&s->out, p->initializer_list ? "});" : ");");
}

static void put_new_vars(state *s)
{
    for (uint32_t i = s->nargs; i < s->nvars; i++) {
        SB_LIT(&s->out, " ");
        sb_str(&s->out, s->var_types[i]->cname);
        if (s->var_constants[i].kind != VALUE_UNKNOWN) {
            sb_char(&s->out, '=');
            value_emit(&s->out, &s->var_constants[i]);
        }
    }
    for (uint32_t i = 0; i < s->nargs; i++)
        if (s->var_types[i]->kind == TYPE_TILE) {
            SB_LIT(&s->out, " @");
            sb_str(&s->out, s->var_types[i]->cname);
        }
}

static uint32_t new_constant(state *s, value v)
{
    return new_var(s, value_var_type(&s->c, &v), v);
}

/* Adjoint.add_call: a 64-bit cast of a constant repurposes the constant's variable. */
static bool answer_cast64(state *s, const call_request *r, const call_plan *p)
{
    const value *v = r->nargs ? r->args[0].constant : r->kwargs[0].arg.constant;
    if (!p->is_scalar_cast64 || !v || v->kind == VALUE_BOOL)
        return false;
    value cast = value_scalar(p->result_types[0], v);
    SB_LIT(&s->out, "var_0 = ");
    value_emit(&s->out, &cast);
    SB_LIT(&s->out, "; ; ; ;");
    return true;
}

/* The variable of an argument, or FUNCTION and its index where a name stands for it. */
static uint32_t argument_of(state *s, const emitted *e, uint32_t i)
{
    const native_arg *a = &s->plan->args[i];
    switch (a->kind) {
    case NATIVE_CONST: return new_constant(s, a->constant);
    case NATIVE_FUNC:
    case NATIVE_TOKEN: return FUNCTION | i;
    case NATIVE_RESULT: return e->results[0];
    default: return a->arg.var;
    }
}

static void answer(state *s, const call_request *r, const call_plan *p)
{
    emitted e = {0};
    s->plan = p;
    if (answer_cast64(s, r, p))
        return;
    if (p->result == RESULT_VALUES) {
        for (uint32_t i = 0; i < p->nresults; i++)
            if (p->results[i].kind == NATIVE_CONST)
                new_constant(s, p->results[i].constant);
        SB_LIT(&s->out, "constant ;");
        put_new_vars(s);
        return;
    }
    for (uint32_t i = 0; i < p->nresults; i++)
        e.results[e.nresults++] = new_var(s, p->result_types[i], (value){0});
    for (uint32_t i = 0; i < p->nargs; i++)
        e.adj[i] = argument_of(s, &e, i);
    for (uint32_t i = 0; i < p->nargs; i++)
        e.in[e.nin++] = p->args[i].kind >= NATIVE_CONST ? e.adj[i] : load(s, &p->args[i]);
    put_forward(s, p, &e);
    sb_c(&s->out, p->skip_replay ? " ; // ; " : " ; ; ");
    put_reverse(s, p, &e);
    SB_LIT(&s->out, " ;");
    put_new_vars(s);
}

/* "name<TAB>constructed type<TAB>min_outputs<TAB>arg;arg;kw=arg" */
static void answer_line(state *s, char *line)
{
    call_arg args[48];
    call_kwarg kwargs[8];
    call_request r = {.args = args, .kwargs = kwargs, .backward = true};
    char *fields[4] = {line, "", "", ""};
    for (int i = 1; i < 4; i++) {
        char *tab = strchr(fields[i - 1], '\t');
        *tab = 0;
        fields[i] = tab + 1;
    }
    r.fn = builtin_find(&s->c, sym_c(&s->c.syms, fields[0]));
    if (!r.fn) {
        SB_LIT(&s->out, "unknown");
        return;
    }
    r.constructs = *fields[1] ? read_type(s, fields[1]) : NULL;
    r.min_outputs = (uint32_t)atoi(fields[2]);
    for (char *next = fields[3]; next && *next;) {
        char *part = next, *end = strchr(part, ';');
        next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        char *eq = strchr(part, '=');
        call_arg *a = eq ? &kwargs[r.nkwargs].arg : &args[r.nargs++];
        if (eq) {
            *eq = 0;
            kwargs[r.nkwargs++].name = sym_c(&s->c.syms, part);
        }
        read_arg(s, eq ? eq + 1 : part, a);
    }
    s->nargs = s->nvars;
    call_plan plan;
    if (builtin_resolve(&s->c, &r, &plan))
        answer(s, &r, &plan);
    else if (s->c.diags.n)
        sb_printf(&s->out, "refused %s: %s", diag_name(s->c.diags.v[0].id), s->c.diags.v[0].text);
    else
        SB_LIT(&s->out, "refused in silence");
}

static void answer_calls(state *s)
{
    char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        s->out.n = s->nvars = 0;
        memset(s->var_constants, 0, sizeof s->var_constants);
        answer_line(s, line);
        puts(sb_cstr(&s->out));
        ctx_reset_module(&s->c);
        types_reset(&s->c);
    }
}

static void put_row(state *s, const builtin_row *row)
{
    static const char *const names[] = {"nodiff", "skip_replay", "needs_output",
                                        "hidden", "global",      "adj_templates"};
    s->out.n = 0;
    sb_str(&s->out, row->signature);
    sb_char(&s->out, '\t');
    const native_callee f = {.name = row->native, .in_wp = !(row->flags & GLOBAL)};
    builtin_put_callee(&s->out, &f, false);
    sb_char(&s->out, '\t');
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (row->flags >> i & 1) {
            sb_c(&s->out, names[i]);
            sb_char(&s->out, ' ');
        }
    puts(sb_cstr(&s->out));
}

static void put_rows(state *s)
{
    for (uint32_t id = 0; id < s->c.builtins->nids; id++) {
        const builtin *b = s->c.builtins->by_id[id];
        for (uint32_t i = 0; b && i < b->nrows; i++)
            put_row(s, &b->rows[i]);
    }
    const builtin *b;
    for (uint32_t at = 0; (b = builtin_next(&s->c, &at)) != NULL;)
        if (builtin_is_kernel_only(b))
            printf("kernel_only %s\n", builtin_name(b)->s);
}

static void run(void *p)
{
    state *s = p;
    ctx_init(&s->c);
    if (s->argc > 2)
        s->c.warp = warp_release_named(s->argv[2], strlen(s->argv[2]));
    types_init(&s->c);
    builtins_init(&s->c);
    sb_init(&s->out, &s->c.mem);
    if (s->argc > 1 && strcmp(s->argv[1], "rows") == 0)
        put_rows(s);
    else
        answer_calls(s);
}

int main(int argc, char **argv)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        return 3;
    s->argc = argc;
    s->argv = argv;
    mem_init(&s->c.mem);
    bool ok = mem_try(&s->c.mem, run, s);
    ctx_clear(&s->c);
    free(s);
    return ok ? 0 : 3;
}
