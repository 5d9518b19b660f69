/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as arguments: a user function with wp.Function parameters is lowered once per set of
 * functions given (Warp 1.19 get_callable_arg_values, specialize_callable_func).
 *
 *     apply(square, x)   ->   a call of a copy of apply in which the parameter stands for square,
 *                             named by apply's native name, "_callable_" and 12 hex digits
 *
 * With `def ap(f: wp.Function, x: float): return f(x)`, the call `ap(sq, y[1])` becomes
 *
 *     func ap_0_callable_5d2a68568e9d   forward:  CALL %0, @sq_0, %x
 *                                                 RETURN_VALUE %0
 *     kernel k                          forward:  CALL %2, @ap_0_callable_5d2a68568e9d, %3
 *
 * The function is no argument of the C++ call any more. */
#include "base/sha256.h"
#include "ir/lower.h"

static str key_of(const value *v)
{
    WEFT_ASSERT(v->kind == VALUE_BUILTIN || v->kind == VALUE_FUNC);
    return v->kind == VALUE_BUILTIN ? sym_str(builtin_name(v->p)) : ((const func *)v->p)->key;
}

static str native_of(const value *v)
{
    return v->kind == VALUE_BUILTIN ? sym_str(builtin_name(v->p))
                                    : ((const func *)v->p)->native_name;
}

/* The digits are the first of SHA-256 over the names of the function, its parameters and the
 * functions given. */
static str specialized_name(lower *l, const func *f, const value *const *functions)
{
    strbuf text;
    sb_init(&text, &l->c->mem);
    sb_str(&text, f->native_name);
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        if (!functions[i])
            continue;
        sb_str(&text, sym_str(f->code.params[i].name));
        sb_str(&text, key_of(functions[i]));
        sb_str(&text, native_of(functions[i]));
    }
    uint8_t digest[SHA256_SIZE];
    sha256_of(text.p, text.n, digest);
    text.n = 0;
    sb_str(&text, f->native_name);
    SB_LIT(&text, "_callable_");
    for (int i = 0; i < 6; i++)
        sb_hex(&text, digest[i], 2);
    const str name = {arena_dup(&l->c->module, text.p, text.n), text.n};
    sb_clear(&text);
    return name;
}

/* Functions are compared by identity: one name may have several definitions. */
static bool same_functions(const specialization *s, const func *f, const value *const *functions)
{
    if (s->original != f)
        return false;
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        const value *a = s->functions[i], *b = functions[i];
        if ((a != NULL) != (b != NULL) || (a && a->p != b->p))
            return false;
    }
    return true;
}

/* The copy shares the syntax tree with the original, but it is a function of its own, without
 * further overloads: the choice among them has been made. It outlives the intermediate form, since
 * code_instance_of remembers the address of a function that is given. */
static specialization *add_specialization(lower *l, const func *f, const value *const *functions)
{
    WEFT_ASSERT(!specialization_of(l->job, f));
    specialization *s = ARENA_NEW(&l->c->ir, specialization);
    func *copy = ARENA_NEW(&l->c->module, func);
    *copy = *f;
    copy->native_name = specialized_name(l, f, functions);
    copy->head = copy;
    copy->next = NULL;
    *s = (specialization){f, copy, functions};
    VEC_PUSH(&l->c->ir, &l->job->specializations, s);
    return s;
}

/* `args` are one per parameter of f. Functions with a custom gradient or replay are refused. */
const func *specialize(lower *l, const node *at, const func *f, const call_arg *args)
{
    const value **functions = ARENA_ARRAY(&l->c->ir, const value *, f->code.nparams + 1);
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        functions[i] = is_function_type(f->code.params[i].type) ? args[i].constant : NULL;
        const value *v = functions[i];
        if (v && v->kind == VALUE_BUILTIN && !builtin_is_plain_function(v->p))
            lower_error(l, at, FUNCTION_ARGUMENT, builtin_name(v->p)->s);
    }
    if (f->custom_grad || f->custom_replay)
        lower_error(l, at, FUNCTION_PARAMETER, f->code.name->s);
    for (uint32_t i = 0; i < l->job->specializations.n; i++)
        if (same_functions(l->job->specializations.v[i], f, functions))
            return l->job->specializations.v[i]->func;
    return add_specialization(l, f, functions)->func;
}

/* NULL: f is no such copy. */
const specialization *specialization_of(const lower_job *job, const func *f)
{
    for (uint32_t i = 0; i < job->specializations.n; i++)
        if (job->specializations.v[i]->func == f)
            return job->specializations.v[i];
    return NULL;
}
