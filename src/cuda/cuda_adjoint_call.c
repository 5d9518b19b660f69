/* SPDX-License-Identifier: Apache-2.0 */
/* Adjoints of builtins from the rules (cudarule_call.h). Operands are passed to the rules as
 * placeholders (cudarule_template.h), and come back as holes of the texts that a rule writes. A
 * rule's sums and branches become statements of the tree, so that passes can work on them;
 * statements of other kinds stay one text (CX_TEXT). As --dump r prints them:
 *
 *     wp.sin(v)              ->  adj_v%14 += `cosf($0) * $1`(v%4, adj_%18)
 *     wp.abs(x[i])           ->  if `$0 < 0.0f`(%5) {
 *                                    adj_%9 -= adj_%10
 *                                } else {
 *                                    adj_%9 += adj_%10
 *                                }
 *     wp.svd3(x[i], U, s, V) ->  `svd3_adjoint($0, $1, $2, $3, $4, $5, $6); `(U%3, s%5, V%4,
 *                                adj_%16, adj_U%13, adj_s%15, adj_V%14) changes adj_%16, ... */
#include "base/assert.h"
#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_call.h"

/* Placeholders of one call. A call with more operands has no standalone form. */
enum { MOST = 132 };

/* One adjoint call on its way through the rules. */
typedef struct adj_call {
    const adj_reader *r;
    cx *operand[MOST]; /* by placeholder: values, adjoints, the result, its adjoint */
    uint32_t n;        /* placeholders so far */
    uint32_t from;     /* variable of the result's adjoint, for cs.from; or CUDA_NO_VAR */
    cuda_uses uses;    /* definitions that the rule's texts need */
} adj_call;

/* A placeholder for e; of NULL, an adjoint that is not wanted, an empty text. */
static cuda_expr placeholder(adj_call *a, cx *e)
{
    WEFT_ASSERT(a->n < MOST);
    a->operand[a->n++] = e;
    if (e)
        return cuda_placeholder(a->r->f->job->defs, a->n - 1, e->type);
    return cuda_expr_of((str){NULL, 0}, NULL, CUDA_PRIMARY);
}

/* A CX_TEXT whose operands are those that the template has holes for. */
static cx *template_node(const adj_call *a, const cuda_template *text, const type *t)
{
    cx *e = cx_new(a->r->f, CX_TEXT, t, text->noperands);
    e->text = text;
    for (uint32_t k = 0; k < text->noperands; k++) {
        WEFT_ASSERT(text->operands[k] < a->n);
        e->args[k] = a->operand[text->operands[k]];
    }
    return e;
}

/* The rule's expression as a node of type t: a placeholder alone is the operand itself, anything
 * else a text. */
static cx *value_of(adj_call *a, const cuda_expr *e, const type *t)
{
    WEFT_ASSERT(e->operand <= a->n);
    if (e->operand)
        return a->operand[e->operand - 1];
    return template_node(a, cuda_template_of(a->r->f->job->defs, e, a->uses), t);
}

/* Are all statements sums into whole operands, or branches of such? */
static bool only_sums(const cuda_codes *codes)
{
    for (uint32_t i = 0; i < codes->n; i++) {
        const cuda_code *c = &codes->v[i];
        if (c->kind == CUDA_CODE_IF ? !only_sums(&c->body) || !only_sums(&c->orelse)
                                    : c->kind != CUDA_CODE_SUM || !c->to.operand)
            return false;
    }
    return true;
}

/* to += -(a + b) becomes to -= a + b, so that no parentheses are printed. */
static void put_sum(adj_call *a, const adj_reader *r, const cuda_code *c)
{
    cx *to = a->operand[c->to.operand - 1];
    const cuda_expr *opposite = cuda_in_parentheses(&c->e);
    cx *e = value_of(a, opposite ? opposite : &c->e, to->type);
    cuda_accumulate(r, to, e, c->minus != (opposite != NULL));
}

/* A condition "!(...)" is a CX_NOT of what is in the parentheses: passes invert conditions. */
static cx *condition_of(adj_call *a, const cuda_expr *e)
{
    const type *t = type_scalar(a->r->f->c, TYPE_BOOL);
    const cuda_expr *opposite = cuda_in_parentheses(e);
    return opposite ? cx_unary(a->r->f, CX_NOT, t, value_of(a, opposite, t)) : value_of(a, e, t);
}

/* The statements of the rule as those of a tree. Needs: only_sums. */
static void put_codes(adj_call *a, const cuda_codes *codes, cs_list *out)
{
    for (uint32_t i = 0; i < codes->n; i++) {
        const cuda_code *c = &codes->v[i];
        adj_reader r = *a->r;
        r.out = out;
        if (c->kind == CUDA_CODE_SUM) {
            put_sum(a, &r, c);
            continue;
        }
        WEFT_ASSERT(c->kind == CUDA_CODE_IF);
        cs *s = cs_put(r.f, out, CS_IF);
        s->e = condition_of(a, &c->e);
        put_codes(a, &c->body, &s->body);
        put_codes(a, &c->orelse, &s->orelse);
    }
}

/* Statements that are no sums stay a text; the adjoints in it are read and written. Operands `from`
 * to `to` are the adjoints. */
static void keep_text(adj_call *a, const cuda_codes *codes, uint32_t from, uint32_t to)
{
    WEFT_ASSERT(from <= to && to <= a->n);
    cuda_fn *f = a->r->f;
    cs *s = cs_put(f, a->r->out, CS_CALL);
    s->e = template_node(a, cuda_template_of_codes(f->job->defs, codes, a->uses), NULL);
    s->outputs = ARENA_ARRAY(&f->c->module, uint32_t, to - from + 1);
    for (uint32_t i = from; i < to; i++) {
        const uint32_t v = a->operand[i] ? cx_place_root(f, a->operand[i]) : CUDA_NO_VAR;
        if (v != CUDA_NO_VAR)
            s->outputs[s->noutputs++] = v;
    }
    s->updates = true;
    s->from = a->from;
}

/* Did the rule make variables of its own for adjoints that are not wanted (CUDA_CODE_BLOCK)? */
static bool has_unwanted(const cuda_codes *codes)
{
    for (uint32_t i = 0; i < codes->n; i++)
        if (codes->v[i].kind == CUDA_CODE_BLOCK)
            return true;
    return false;
}

/* Operands of the reverse statement: the n values, sometimes the result's value, the adjoints of
 * the values, and that of the result. A builtin that writes arguments (svd3) has neither result nor
 * its adjoint, and one that sets variables (mesh_query_point) none that counts. Does nothing if no
 * adjoint is wanted.
 *
 * Where a rule would need a dummy variable for an adjoint that is not wanted, the call is made
 * again with all adjoints (r->all): the sums into inactive ones are variables that cuda_remove_dead
 * drops, which is shorter than the block. The same holds for a builtin that sets its last argument
 * besides its result: the adjoint of either may be the only one. */
void cuda_adjoint_call(const adj_reader *r)
{
    cuda_fn *f = r->f;
    adj_call a = {.r = r};
    if (!r->all && cuda_writes_last(r->name)) {
        adj_reader more = *r;
        more.all = true;
        cuda_adjoint_call(&more);
        return;
    }
    /* as many values as adjoints: the last value is the result's; constructors give none */
    const bool writes = cuda_writes_arguments(r->name);
    const bool valued = !writes && !r->list && r->nargs == r->nadj && r->nargs > 1;
    const uint32_t n = valued ? r->nargs - 1 : r->nargs;
    if (2 * n + 2 > MOST || r->nadj < n) {
        cuda_unsupported(f, "an operation of so many operands");
        return;
    }
    cuda_expr *args = ARENA_ARRAY(&f->c->module, cuda_expr, 2 * n + 1), *adj = args + n;
    cuda_template_begin(f->job->defs);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        cx *e = ir_is_callee(r->args[i]) ? NULL : cuda_operand_value(f, r->args[i]);
        args[i] = placeholder(&a, e);
    }
    for (uint32_t i = 0; i < n; i++) {
        cx *e = cuda_wanted(r, i);
        any |= e != NULL;
        adj[i] = placeholder(&a, e);
    }
    cx *from = r->nadj > n && !writes ? cuda_wanted(r, r->nadj - 1) : NULL;
    if (!any || (!from && !writes && !cuda_sets_variables(r->name, n)))
        return;
    const cuda_expr result = placeholder(&a, valued ? cuda_operand_value(f, r->args[n]) : NULL);
    const cuda_expr adj_result = placeholder(&a, from ? cuda_value_of(f, from) : NULL);
    a.from = from ? cuda_adjoint_in(f, cuda_value_of(f, from)) : CUDA_NO_VAR;
    cuda_codes codes = {0};
    const uint32_t begin = cuda_uses_begin(f->job->defs);
    const uint32_t passed = n - (n && cuda_is_default_level(f, r->name, r->args[n - 1]));
    if (!cuda_adj_call(f->job->defs, &codes, r->name, from ? from->type : NULL, args, passed, adj,
                       &result, &adj_result)) {
        cuda_unsupported_call(f, r->name, true);
        return;
    }
    a.uses = cuda_uses_end(f->job->defs, begin);
    if (cuda_template_overflow(f->job->defs)) {
        cuda_unsupported(f, "an operation of so many operands");
        return;
    }
    if (!r->all && has_unwanted(&codes)) {
        adj_reader more = *r;
        more.all = true;
        cuda_adjoint_call(&more);
    } else if (only_sums(&codes)) {
        put_codes(&a, &codes, r->out);
    } else {
        keep_text(&a, &codes, n, 2 * n);
    }
}
