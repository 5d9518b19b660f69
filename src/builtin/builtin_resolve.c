/* SPDX-License-Identifier: Apache-2.0 */
/* Overload resolution: from a name and arguments to the plan of a C++ call. Examples:
 *
 *     wp.dot(v, u)  of two vec3f      wp::dot(var_2, var_6), gives float32
 *     wp.vec3(1.0, s, 3.0)            wp::vec_t<3, wp::float32>(var_4, var_s, var_5)
 *     len(v)        of a vec3f        no call: the constant 3
 *
 * The first row, in Warp's order, that the arguments fit is taken. If none fits exactly, query
 * objects may stand for their erased parents (Warp 1.19 resolve_func tries twice as well). Then
 * the row's result rule computes what the call gives, and its dispatch rule what the C++ function
 * gets.
 *
 * Kernels repeat few combinations of argument types, so the row that they lead to is remembered in
 * a direct-mapped table (memo). A rule that looks at types alone is marked pure, and its result is
 * remembered too. Types that live in c->module are never remembered: they die before the memo. */
#include "base/assert.h"
#include "builtin/rule.h"
#include "builtin/table.h"

bool rule_matches(ctx *c, const row_param *p, const call_arg *a, bool erase)
{
    const type *t = rule_arg_type(c, a), *want = p->type;
    if (!t)
        return false;
    if (t == want || want->kind == TYPE_ANY)
        return true;
    /* each_scalar includes bool, Scalar does not. */
    if (p->each && want->kind == TYPE_SCALAR)
        return type_is_scalar(t);
    if (want->kind == TYPE_CALLABLE)
        return t->kind == TYPE_FUNCTION;
    if (want->kind == TYPE_ARRAY && t->kind == TYPE_ARRAY) {
        bool class_fits = p->each || t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_FIXED;
        return class_fits && type_matches(want->elem, t->elem);
    }
    if (type_matches(want, t))
        return true;
    return erase && t->kind == TYPE_NATIVE && t->native->erased == want;
}

/* Does the row take the arguments (Warp 1.19 func_match_args)? Leaves them bound in k->arg. A
 * variadic row checks types in its rule. A default must fit its parameter as well, since Warp
 * passes it like an argument. */
static bool row_fits(rule_call *k, bool erase)
{
    const builtin_row *row = k->row;
    bool bound = rule_bind(k);
    if (row->variadic)
        return bound;
    if (!bound)
        return false;
    for (uint32_t i = 0; i < row->nparams; i++) {
        const row_param *p = &row->params[i];
        if (k->arg[i]) {
            if (!rule_matches(k->c, p, k->arg[i], erase))
                return false;
        } else if (p->default_value.kind != VALUE_NONE) {
            call_arg a = {.kind = ARG_VALUE, .constant = &p->default_value};
            if (!rule_matches(k->c, p, &a, erase))
                return false;
        }
    }
    return true;
}

/* Sets k->row, with its arguments bound. A call whose result is unpacked into several targets takes
 * only rows with that many results (Warp 1.19 min_outputs). */
static bool find_row(rule_call *k)
{
    WEFT_ASSERT(k->r->fn->nrows > 0);
    const call_request *r = k->r;
    /* All rows exactly, then all rows with erasure. */
    for (int erase = 0; erase < 2; erase++)
        for (uint32_t i = 0; i < r->fn->nrows; i++) {
            k->row = &r->fn->rows[i];
            if (r->min_outputs && k->row->noutputs != r->min_outputs)
                continue;
            if (row_fits(k, erase))
                return true;
        }
    return false;
}

/* The memo's slot for the request, with its key filled in; NULL: a call that is not kept. Kept are
 * calls of few variables, whose types last as long as the context. */
static memo *memo_slot(ctx *c, const call_request *r, memo *key)
{
    if (r->nargs > MEMO_ARGS || r->nkwargs || r->constructs || r->min_outputs)
        return NULL;
    uint32_t h = r->fn->name->id * 0x9e3779b1u;
    key->nargs = r->nargs;
    for (uint32_t i = 0; i < r->nargs; i++) {
        const call_arg *a = &r->args[i];
        /* Values decide in ways that types do not: shapes, dtypes, functions. */
        if (a->kind != ARG_VAR)
            return NULL;
        const type *t = type_strip_ref(a->type);
        /* Its id will be given to another type. */
        if (t->in_module)
            return NULL;
        key->ids[i] = t->id;
        h = (h ^ t->id) * 0x85ebca6bu;
        h ^= h >> 15;
    }
    return &c->builtins->memos[h & (MEMO_SIZE - 1)];
}

/* The slot is found by a hash, so the whole key is compared. */
static bool memo_hit(const memo *m, const memo *key, const builtin *fn)
{
    return m->row && m->row->fn == fn && m->nargs == key->nargs &&
           memcmp(m->ids, key->ids, key->nargs * sizeof *m->ids) == 0;
}

/* Takes the slot, whatever was in it. */
static void remember(memo *m, const memo *key, const rule_call *k)
{
    const call_plan *p = k->plan;
    *m = *key;
    m->row = k->row;
    m->result = p->result == RESULT_VARS ? p->result_types[0] : NULL;
    m->pure = (!k->row->result || k->row->result->pure) && p->nresults <= 1 &&
              (!m->result || !m->result->in_module);
}

/* Sets the C++ name and copies the template arguments; rules for constructors have set
 * callee.constructs. */
static void name_call(rule_call *k)
{
    WEFT_ASSERT(k->ntmpl <= TEMPLATE_MAX);
    const builtin_row *row = k->row;
    native_callee *f = &k->plan->callee;
    f->name = row->native;
    f->in_wp = !(row->flags & GLOBAL);
    f->adj_templates = row->flags & ADJ_TEMPLATES;
    f->ntemplates = (uint8_t)k->ntmpl;
    if (!k->ntmpl)
        return;
    value *kept = ARENA_ARRAY(&k->c->scratch, value, k->ntmpl);
    memcpy(kept, k->tmpl, k->ntmpl * sizeof *kept);
    f->templates = kept;
}

/* A template argument as C++ spells it: 3, true, wp::float32, float. */
static void put_template(strbuf *out, const value *v)
{
    if (v->kind == VALUE_TYPE)
        sb_str(out, v->type->cname);
    else if (v->kind == VALUE_PYTYPE)
        sb_str(out, sym_str(v->s));
    else
        value_emit(out, v);
}

/* Adjoint functions have no template arguments but where Warp declares so: adj_zeros of zeros<4,
 * wp::float32>. */
void builtin_put_callee(strbuf *out, const native_callee *f, bool adjoint)
{
    if (f->constructs && !adjoint) {
        sb_str(out, f->constructs->cname);
        return;
    }
    if (f->in_wp)
        SB_LIT(out, "wp::");
    if (adjoint)
        SB_LIT(out, "adj_");
    sb_str(out, f->name);
    const uint32_t n = adjoint && !f->adj_templates ? 0 : f->ntemplates;
    for (uint32_t i = 0; i < n; i++) {
        sb_c(out, i ? ", " : "<");
        put_template(out, &f->templates[i]);
    }
    if (n)
        sb_char(out, '>');
}

/* Copies the flags that the caller needs. */
static void set_flags(call_plan *p, const builtin_row *row)
{
    p->differentiable = !(row->flags & NODIFF);
    p->skip_replay = row->flags & SKIP_REPLAY;
    p->needs_output_arg = row->flags & NEEDS_OUTPUT;
    p->is_scalar_cast64 = row->is_cast64;
}

/* Runs the result rule, or takes the types that the row states. */
static bool set_result(rule_call *k)
{
    const builtin_row *row = k->row;
    return row->result ? row->result->fn(k) : rule_gives_all(k, row->types, row->ntypes);
}

/* The row is chosen and its arguments are bound: fills the plan, results first, then C++
 * arguments. known: the memo of the same types, or NULL. */
static bool apply_row(rule_call *k, const memo *known)
{
    WEFT_ASSERT(k->row->fn == k->r->fn && (!known || known->row == k->row));
    *k->plan = (call_plan){0};
    set_flags(k->plan, k->row);
    if (!rule_bind_rest(k))
        return false;
    if (known && known->pure ? !rule_gives(k, known->result) : !set_result(k))
        return false;
    /* No call is emitted, so nothing is passed. */
    if (k->plan->result == RESULT_VALUES) {
        name_call(k);
        return true;
    }
    if (k->row->dispatch) {
        if (!k->row->dispatch(k))
            return false;
    } else {
        rule_pass_all(k);
    }
    if (k->misplaced)
        return REFUSE(k, DIAG_NOT_AN_ARGUMENT, rule_display(k));
    name_call(k);
    return true;
}

/* quiet: no diagnostics, for builtin_accepts. */
static bool resolve(ctx *c, const call_request *r, call_plan *plan, bool quiet)
{
    WEFT_ASSERT(r->fn && (r->args || !r->nargs));
    rule_call k; /* the arrays are filled as far as they are used */
    k.c = c;
    k.r = r;
    k.quiet = quiet;
    k.misplaced = false;
    k.plan = plan;
    k.out = NULL;
    k.cap = k.ntmpl = 0;
    memo key = {0}, *m = memo_slot(c, r, &key);
    /* The arguments fit this row, since others of the same types did. */
    if (m && memo_hit(m, &key, r->fn)) {
        k.row = m->row;
        rule_bind(&k);
        return apply_row(&k, m);
    }
    if (!find_row(&k))
        return !quiet && builtin_refuse(c, r);
    if (!apply_row(&k, NULL))
        return false;
    if (m)
        remember(m, &key, &k);
    return true;
}

bool builtin_resolve(ctx *c, const call_request *r, call_plan *plan)
{
    return resolve(c, r, plan, false);
}

/* What the plan takes in scratch memory is given back. */
bool builtin_accepts(ctx *c, const call_request *r)
{
    arena_mark mark = arena_save(&c->scratch);
    call_plan plan;
    bool ok = resolve(c, r, &plan, true);
    arena_rewind(&c->scratch, mark);
    return ok;
}
