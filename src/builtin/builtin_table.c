/* SPDX-License-Identifier: Apache-2.0 */
/* The table of builtins, expanded from rows_*.def, one row per add_builtin of Warp 1.19. Columns:
 *
 *     RULED(signature, result rule, flags)
 *     TYPED(signature with "-> result", or without: no result; flags)
 *     RULED_AS(signature, result rule, dispatch rule, native name, flags)
 *     TYPED_AS(signature, dispatch rule, native name, flags)
 *
 * - signature: a text that builtin_sig.c reads: name, parameters with types and defaults.
 * - result rule: NAME of rule_NAME in rule_*.c, which computes the result's type from the
 *   arguments. TYPED rows state it instead.
 * - dispatch rule: NAME of dispatch_NAME, which orders the C++ arguments; `plain`, or none given:
 *   all of them in order.
 * - native name: the C++ function or class, if it is not the Python name; else "".
 * - flags: enum row_flag in rule.h, for example NODIFF for a function without adjoint.
 *
 * Example: RULED("clamp(x: Scalar, low: Scalar, high: Scalar)", same, 0) makes wp.clamp(s, 0.0,
 * 1.0) the call wp::clamp(var_s, var_11, var_12) of the common type. The other files that a
 * builtin appears in are listed in builtin.h.
 *
 * Rows of one name are in Warp's order, which decides between overloads. tools/check_builtins.py
 * compares the table with warp-lang's live registry. */
#include "base/assert.h"
#include "builtin/rule.h"
#include "builtin/rules.h"
#include "builtin/table.h"

/* A row as it is written, before its signature is read. */
typedef struct row_text {
    const char *signature;
    const result_rule *result;
    dispatch_rule *dispatch;
    const char *native;
    uint8_t flags;
} row_text;

/* "plain" and the other names of rules become pointers; NULL is what rows without a rule have. */
#define dispatch_plain NULL
#define RULED_AS(sig, result, dispatch, native, flags)                                             \
    {sig, &rule_##result, dispatch_##dispatch, native, flags},
#define TYPED_AS(sig, dispatch, native, flags) {sig, NULL, dispatch_##dispatch, native, flags},
#define RULED(sig, result, flags)              {sig, &rule_##result, NULL, "", flags},
#define TYPED(sig, flags)                      {sig, NULL, NULL, "", flags},
static const row_text texts[] = {
#include "builtin/rows_array.def"
#include "builtin/rows_element.def"
#include "builtin/rows_geometry.def"
#include "builtin/rows_operator.def"
#include "builtin/rows_quat.def"
#include "builtin/rows_random.def"
#include "builtin/rows_scalar.def"
#include "builtin/rows_spatial.def"
#include "builtin/rows_tile.def"
#include "builtin/rows_transform.def"
#include "builtin/rows_utility.def"
#include "builtin/rows_vector.def"
#include "builtin/rows_volume.def"
};
#undef RULED
#undef TYPED
#undef RULED_AS
#undef TYPED_AS

enum { NROWS = sizeof texts / sizeof *texts };

/* A row of rows_release.def. */
typedef struct release_row {
    warp_release release;
    const char *signature;
    const char *native; /* CHANGED; NULL: not */
    const char *before; /* SIGNED; NULL: not */
    uint8_t flags;
} release_row;

static const release_row release_rows[] = {
#define ADDED(since, sig)                  {WARP_##since, sig, NULL, NULL, 0},
#define SIGNED(until, sig, before)         {WARP_##until, sig, NULL, before, 0},
#define CHANGED(until, sig, native, flags) {WARP_##until, sig, native, NULL, flags},
#include "builtin/rows_release.def"
#undef ADDED
#undef SIGNED
#undef CHANGED
};

enum { NRELEASE_ROWS = sizeof release_rows / sizeof *release_rows };

/* Changes a row to what it is in the context's release. False: it is not there yet. Counts the rows
 * of the release table that speak of it. */
static bool adapt(warp_release warp, row_text *t, uint32_t *used)
{
    bool is_there = true, changed = false;
    const char *ours = t->signature;
    for (uint32_t i = 0; i < NRELEASE_ROWS; i++) {
        const release_row *r = &release_rows[i];
        if (strcmp(r->signature, ours) != 0)
            continue;
        ++*used;
        is_there &= r->native || r->before || warp >= r->release;
        if (r->before && warp <= r->release)
            t->signature = r->before;
        if (r->native && warp <= r->release && !changed) {
            t->native = r->native;
            t->flags = r->flags;
            changed = true;
        }
    }
    return is_there;
}

/* Appends `before`, s and `after` to one text in the arena; a NUL follows. */
static str join(arena *in, const char *before, str s, const char *after)
{
    const size_t nb = strlen(before), na = strlen(after);
    char *p = arena_alloc(in, nb + s.n + na + 1);
    memcpy(p, before, nb);
    memcpy(p + nb, s.p, s.n);
    memcpy(p + nb + s.n, after, na + 1);
    return (str){p, nb + s.n + na};
}

/* Sets the results that the row states, or how many its rule gives. */
static void set_results(ctx *c, builtin_row *r, const signature *sig)
{
    if (r->result) {
        r->noutputs = r->result->outputs;
        return;
    }
    const type **types = ARENA_ARRAY(&c->perm, const type *, sig->nresults);
    memcpy(types, sig->results, sig->nresults * sizeof *types);
    r->types = types;
    r->ntypes = sig->nresults;
    r->noutputs = sig->nresults > 1 ? (uint8_t)sig->nresults : 0;
}

/* Is it the conversion float64(x), int64(x) or uint64(x)? Warp 1.19 add_call: constants given to
 * these keep all of their digits. */
static bool is_cast64(const signature *sig)
{
    if (sig->nresults != 1 || sig->nparams != 1)
        return false;
    type_kind k = sig->results[0]->kind;
    return (k == TYPE_FLOAT64 || k == TYPE_INT64 || k == TYPE_UINT64) &&
           str_eq(sig->name, sig->results[0]->pyname);
}

/* Makes a row of its text. What resolution needs to look up often (where dtype and shape are,
 * *args) is found here, once per context. */
static void make_row(ctx *c, builtin_row *r, const row_text *t, const signature *sig)
{
    *r = (builtin_row){.result = t->result, .dispatch = t->dispatch, .flags = t->flags};
    WEFT_ASSERT(sig->nparams <= PARAM_MAX);
    row_param *params = ARENA_ARRAY(&c->perm, row_param, sig->nparams);
    memcpy(params, sig->params, sig->nparams * sizeof *params);
    r->params = params;
    r->nparams = (uint8_t)sig->nparams;
    r->dtype_at = r->size_at = r->nparams;
    r->variadic = t->flags & VARIADIC;
    for (uint8_t i = 0; i < r->nparams; i++) {
        const char *name = params[i].name->s;
        /* *args, or a flag for rows whose rule looks at the types itself. */
        r->variadic |= params[i].kind == PARAM_VARARGS;
        if (strcmp(name, "dtype") == 0)
            r->dtype_at = i;
        if (strcmp(name, "length") == 0 || strcmp(name, "shape") == 0)
            r->size_at = i;
    }
    r->is_cast64 = is_cast64(sig);
    r->signature = str_c(t->signature);
    r->native = join(&c->perm, "", *t->native ? str_c(t->native) : sig->name, "");
    set_results(c, r, sig);
}

/* The builtin of a name, new or there already; the flags of its first row say whether Python sees
 * it. */
static builtin *find_or_add(ctx *c, const sym *name, uint8_t flags)
{
    builtin_table *tab = c->builtins;
    if (name->id < tab->nids && tab->by_id[name->id])
        return tab->by_id[name->id];
    if (name->id >= tab->nids) {
        /* Names are interned early, so ids are small. */
        uint32_t n = name->id * 2 + 256;
        builtin **v = arena_zero(&c->perm, mem_mul(&c->mem, n, sizeof *v));
        if (tab->nids)
            memcpy(v, tab->by_id, tab->nids * sizeof *v);
        tab->by_id = v;
        tab->nids = n;
    }
    builtin *b = ARENA_NEW(&c->perm, builtin);
    b->name = name;
    b->kernel_only = flags & KERNEL_ONLY;
    tab->by_id[name->id] = b;
    tab->nnames++;
    return b;
}

/* Makes rows of one name neighbours, variadic ones last: Warp 1.19 Function.add_overload. The
 * first loop counts, the second passes over the table twice, for ordinary and for variadic rows. */
static void place_rows(ctx *c, const builtin_row *rows, builtin *const *owner, uint32_t nrows)
{
    for (uint32_t i = 0; i < nrows; i++)
        owner[i]->nrows++;
    for (uint32_t n = 0; n < 2 * nrows; n++) {
        uint32_t i = n % nrows;
        builtin *b = owner[i];
        /* First round: the others; second round: the variadic ones. */
        if (rows[i].variadic != (n >= nrows))
            continue;
        if (!b->rows) {
            b->rows = ARENA_ARRAY(&c->perm, builtin_row, b->nrows);
            /* Counted already; from here on it is the number of rows placed. */
            b->nrows = 0;
        }
        builtin_row *r = (builtin_row *)(uintptr_t)&b->rows[b->nrows++];
        *r = rows[i];
        r->fn = b;
    }
    WEFT_ASSERT(!nrows || owner[0]->rows);
}

/* All signatures are read, once for each context. Rows are gathered in scratch memory first, since
 * a name's rows need not be neighbours in the files. */
void builtins_init(ctx *c)
{
    c->builtins = ARENA_NEW(&c->perm, builtin_table);
    arena_mark mark = arena_save(&c->scratch);
    builtin_row *rows = ARENA_ARRAY(&c->scratch, builtin_row, NROWS);
    builtin **owner = ARENA_ARRAY(&c->scratch, builtin *, NROWS);
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < NROWS; i++) {
        signature sig;
        row_text text = texts[i];
        if (!adapt(c->warp, &text, &used))
            continue;
        /* The assertion disappears in release builds, the parsing must not. */
        const bool is_signature = sig_parse(c, text.signature, &sig);
        WEFT_ASSERT(is_signature);
        (void)is_signature;
        make_row(c, &rows[n], &text, &sig);
        owner[n++] = find_or_add(c, sym_intern(&c->syms, sig.name.p, sig.name.n), text.flags);
    }
    WEFT_ASSERT(used == NRELEASE_ROWS); /* else a signature there is none of here */
    place_rows(c, rows, owner, n);
    arena_rewind(&c->scratch, mark);
}

/* Symbols that are newer than the table have larger ids. */
const builtin *builtin_find(const ctx *c, const sym *name)
{
    WEFT_ASSERT(c->builtins && name);
    return name->id < c->builtins->nids ? c->builtins->by_id[name->id] : NULL;
}

/* The rows of a name are added together, so any of them tells. */
warp_release builtin_since(const ctx *c, const sym *name)
{
    WEFT_ASSERT(name && !builtin_find(c, name));
    (void)c; /* asserted */
    const size_t n = strlen(name->s);
    for (uint32_t i = 0; i < NRELEASE_ROWS; i++) {
        const release_row *r = &release_rows[i];
        if (!r->native && !r->before && strncmp(r->signature, name->s, n) == 0 &&
            r->signature[n] == '(')
            return r->release;
    }
    return WARP_ANY;
}

const sym *builtin_name(const builtin *b)
{
    return b->name;
}

bool builtin_is_kernel_only(const builtin *b)
{
    return b->kernel_only;
}

/* In the order of the names' symbol ids. */
const builtin *builtin_next(const ctx *c, uint32_t *at)
{
    while (*at < c->builtins->nids) {
        const builtin *b = c->builtins->by_id[(*at)++];
        if (b)
            return b;
    }
    return NULL;
}

bool builtin_signature(const builtin *b, uint32_t index, str *out)
{
    if (index >= b->nrows)
        return false;
    const builtin_row *row = &b->rows[index];
    *out = row->flags & HIDDEN || b->name->s[0] == '_' ? (str){0} : row->signature;
    return true;
}

/* Warp 1.19 is_regular_builtin_callable_target. */
bool builtin_is_plain_function(const builtin *b)
{
    for (uint32_t i = 0; i < b->nrows; i++)
        if (b->rows[i].variadic || b->rows[i].dispatch || b->rows[i].flags & SKIP_REPLAY)
            return false;
    return true;
}

/* What messages call a builtin that the source does not name: "'*'" for mul, "indexing" for
 * extract, "'wp.load'". */
static const char *unnamed_display(ctx *c, const builtin *b)
{
    WEFT_ASSERT(b && b->name);
    static const char *const operators[][2] = {
        {"add", "'+'"},
        {"sub", "'-'"},
        {"mul", "'*'"},
        {"div", "'/'"},
        {"mod", "'%'"},
        {"floordiv", "'//'"},
        {"pow", "'**'"},
        {"neg", "'-'"},
        {"pos", "'+'"},
        {"invert", "'~'"},
        {"unot", "'not'"},
        {"bit_and", "'&'"},
        {"bit_or", "'|'"},
        {"bit_xor", "'^'"},
        {"lshift", "'<<'"},
        {"rshift", "'>>'"},
        {"extract", "indexing"},
        {"address", "array indexing"},
        {"view", "array indexing"},
        {"array_store", "array assignment"},
        {"assign_inplace", "component assignment"},
        {"assign_copy", "component assignment"},
        {"add_inplace", "'+='"},
        {"sub_inplace", "'-='"},
        {"vector", "a vector"},
        {"matrix", "a matrix"},
        {"quaternion", "a quaternion"},
        {"transformation", "a transform"},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(operators[i][0], b->name->s) == 0)
            return operators[i][1];
    str s = join(&c->scratch, "'wp.", sym_str(b->name), "'");
    return s.p;
}

const char *call_display(ctx *c, const call_request *r)
{
    if (r->called)
        return join(&c->scratch, r->has_prefix ? "'wp." : "'", sym_str(r->called), "'").p;
    if (r->is_matmul)
        return r->is_update ? "'@='" : "'@'";
    const char *sign = unnamed_display(c, r->fn);
    if (!r->is_update || sign[0] != '\'' || strchr(sign, '='))
        return sign;
    return join(&c->scratch, "", (str){sign, strlen(sign) - 1}, "='").p; /* '+' becomes '+=' */
}
