/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose body is a native snippet (wp.func_native). Warp's text holds the user's C++ as it
 * is, within parameters by Python's names:
 *
 *     static CUDA_CALLABLE wp::uint32 flip_0(
 *         wp::float32 f)
 *     {
 *     uint32_t i = reinterpret_cast<uint32_t&>(f);
 *     return i >> 31;}
 *
 * The body is one instruction, do_native, which src/native executes; in CUDA text with
 * __CUDA_ARCH__ defined. */
#include <stdio.h>

#include "base/assert.h"
#include "native/native.h"
#include "textvm/vm_read.h"

typedef struct native_info {
    native_fn *fn;
    uint32_t n; /* parameters: operands; the result is behind them */
} native_info;

/* Operands: the parameters, then the result. */
static const ins *do_native(const ins *i, machine *m)
{
    const native_info *info = i->aux;
    native_problem why = {{0}, 0};
    const int64_t left = m->fuel + m->fuel_rest;
    const uint64_t given = left < 0 ? 0 : (uint64_t)left;
    uint64_t steps = given;
    const native_end end = native_run(info->fn, i->v, i->v[info->n], &steps, &why);
    m->fuel -= (int64_t)(given - steps);
    switch (end) {
    case NATIVE_FAULT: return vm_fault(m, i, TEXTVM_FAULT, "%s", why.text);
    case NATIVE_UNSPECIFIED: return vm_fault(m, i, TEXTVM_UNSPECIFIED, "%s", why.text);
    case NATIVE_CANNOT: return vm_fault(m, i, TEXTVM_MISSING, "%s", why.text);
    case NATIVE_FUEL:
        return vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    default: break;
    }
    if (m->fuel < 0 && !vm_refuel(m))
        return vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    return i + 1;
}

/* Is the text CUDA's? The kernel, whose head says so, comes behind all functions. */
static bool has_global(const char *p, const char *end)
{
    static const char word[] = "__global__";
    for (; (size_t)(end - p) >= sizeof word - 1; p++) {
        p = memchr(p, '_', (size_t)(end - p));
        if (!p || (size_t)(end - p) < sizeof word - 1)
            return false;
        if (memcmp(p, word, sizeof word - 1) == 0)
            return true;
    }
    return false;
}

/* Looked for once, as there may be many functions. */
static bool is_cuda(reader *r)
{
    if (r->device == DEVICE_UNKNOWN)
        r->device = has_global(r->p, r->end) ? DEVICE_CUDA : DEVICE_CPU;
    return r->device == DEVICE_CUDA;
}

/* "var_x", "adj_x", "ret_0": names of the code that Warp generates. */
static bool is_generated(str s)
{
    return (str_starts(s, "var_") || str_starts(s, "adj_") || str_starts(s, "ret_")) &&
           !str_starts(s, "adj_var_");
}

/* Does the body that follows, whose brace is the next token, belong to a snippet? One of its
 * parameters has a name that Warp does not generate, or there is none, and no comment begins it. */
bool native_starts(const reader *r, const vm_func *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i]->name.n && !is_generated(f->params[i]->name))
            return true;
    const char *p = r->p;
    while (p < r->end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    return !f->nparams && !(r->end - p > 1 && p[0] == '/' && p[1] == '/');
}

/* Takes the body with its closing brace. */
static str body_text(reader *r)
{
    const str rest = {r->p, (size_t)(r->end - r->p)};
    const size_t n = native_body_length(rest);
    if (r->tok.kind != '{' || n == SIZE_MAX)
        read_fail(r, "the body of %.*s does not end", (int)r->f->name.n, r->f->name.p);
    for (size_t i = 0; i < n; i++)
        r->line += rest.p[i] == '\n';
    r->p += n;
    tok_next(r);
    tok_expect(r, '}');
    return (str){rest.p, n};
}

static const native_param *params_of(reader *r, const vm_func *f)
{
    native_param *params = ARENA_ARRAY(r->a, native_param, f->nparams + 1);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const var *v = f->params[i];
        if (vt_is_fixed(v->type))
            read_missing(r, f->name);
        params[i] = (native_param){v->name, v->type.t, v->ref >= 0, v->type.ptr};
    }
    return params;
}

/* The body, from its brace on, which is the next token. */
void native_body_read(reader *r, vm_func *f)
{
    native_info *info = ARENA_NEW(r->a, native_info);
    native_problem why = {{0}, 0};
    const bool cuda = is_cuda(r);
    const native_source text = {.params = params_of(r, f),
                                .nparams = f->nparams,
                                .result = f->result.t,
                                .text = body_text(r),
                                .cuda = cuda};
    info->n = f->nparams;
    info->fn = native_read(r->c, r->a, &text, &why);
    if (!info->fn) {
        char said[240];
        const int n = snprintf(said, sizeof said, "%s in the native code of %.*s", why.text,
                               (int)(f->name.n < 40 ? f->name.n : 40), f->name.p);
        WEFT_ASSERT(n > 0 && (size_t)n < sizeof said);
        read_missing(r, (str){said, (size_t)n});
    }
    var *result = f->result.t ? var_temp(r, f->result) : NULL;
    code_emit(r, do_native, f->nparams + 1)->aux = info;
    ins *i = &r->code.v[r->code.n - 1];
    for (uint32_t k = 0; k < f->nparams; k++)
        code_operand(r, i, k, f->params[k], 0);
    if (result)
        code_operand(r, i, f->nparams, result, 0);
    else
        i->n = f->nparams;
    for (uint32_t k = 0; k < f->nparams; k++)
        if (f->params[k]->ref >= 0 && !f->params[k]->is_const)
            var_define(r, f->params[k]);
    if (!result) {
        code_emit(r, do_return, 0);
        return;
    }
    var_define(r, result);
    i = code_emit(r, do_return_value, 1);
    i->size = vm_size(result->type);
    code_operand(r, i, 0, result, 0);
}
