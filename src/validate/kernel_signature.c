/* SPDX-License-Identifier: Apache-2.0 */
/* Reads signatures of kernels from metadata: of a record, of a program, and of the metadata.json
 * beside a .cu file, which may be either.
 *
 *     {"kernel_name": "clamp", "arguments": [{"name": "x"}, {"name": "lo"}]}
 *     ->  clamp_cuda_kernel_forward(dim, var_x, var_lo)
 *         clamp_cuda_kernel_backward(dim, var_x, var_lo, adj_x, adj_lo)
 *
 *     {"standalone": {"kernels": [{"name": "clamp", "parameters":
 *      [{"name": "x", "type": "const float *"}, {"name": "n", "type": "int"}]}]}}
 *     ->  clamp(const float *x, int n)
 *
 * JSON is read by peeks (base/json_peek.h), which own no memory: when memory runs out in the
 * middle, nothing is left to free. */
#include "validate/kernel_signature.h"

#include "base/json_peek.h"
#include "base/json_tree.h"

typedef VEC(lint_param) param_list;

/* "var_" and "b_new" -> the parameter var_b_new, of any type. */
static lint_param joined(arena *a, const char *start, str name)
{
    const char *p = arena_printf(a, "%s%.*s", start, (int)name.n, name.p);
    return (lint_param){str_c(p), {0}};
}

lint_signature kernel_signature_of_text(arena *a, str kernel, const str *args, uint32_t nargs,
                                        bool backward)
{
    lint_param *params = ARENA_ARRAY(a, lint_param, 2 * (size_t)nargs + 1);
    uint32_t n = 0;
    params[n++] = (lint_param){STR("dim"), {0}};
    for (uint32_t i = 0; i < nargs; i++)
        params[n++] = joined(a, "var_", args[i]);
    for (uint32_t i = 0; backward && i < nargs; i++)
        params[n++] = joined(a, "adj_", args[i]);
    const char *name = arena_printf(a, "%.*s_cuda_kernel_%s", (int)kernel.n, kernel.p,
                                    backward ? "backward" : "forward");
    WEFT_ASSERT(n == 1 + (backward ? 2 : 1) * nargs);
    return (lint_signature){str_c(name), params, n, false};
}

/* A member that is a string, in a. */
static bool take_string(arena *a, str object, const char *key, str *out)
{
    str value;
    strbuf b;
    if (!json_peek(object, key, &value))
        return false;
    sb_init(&b, a->m);
    const bool good = json_peek_string(value, &b);
    *out = (str){arena_dup(a, b.n ? b.p : "", b.n), b.n};
    sb_clear(&b);
    return good;
}

static bool is_array(str value)
{
    return value.n && value.p[0] == '[';
}

/* --- programs -------------------------------------------------------------------------------- */

/* {"name": "step_kernel", "parameters": [{"name": "n", "type": "int"}, ...]} */
static bool take_kernel(arena *a, str kernel, lint_signature *out)
{
    str list, item;
    size_t at = 0;
    param_list params = {0};
    if (!take_string(a, kernel, "name", &out->kernel) || !json_peek(kernel, "parameters", &list) ||
        !is_array(list))
        return false;
    while (json_peek_element(list, &at, &item)) {
        lint_param p;
        if (!take_string(a, item, "name", &p.name) || !take_string(a, item, "type", &p.type))
            return false;
        VEC_PUSH(a, &params, p);
    }
    out->params = params.v;
    out->nparams = params.n;
    return true;
}

bool kernel_signatures_of_program(arena *a, str standalone, signature_list *out)
{
    str list, item;
    size_t at = 0;
    if (!json_peek(standalone, "kernels", &list) || !is_array(list))
        return false;
    while (json_peek_element(list, &at, &item)) {
        lint_signature s = {.optional = false};
        if (!take_kernel(a, item, &s))
            return false;
        VEC_PUSH(a, out, s);
    }
    return true;
}

/* --- Warp's texts ---------------------------------------------------------------------------- */

bool kernel_signatures_of_record(arena *a, str metadata, signature_list *out)
{
    str kernel, list, item;
    size_t at = 0;
    VEC(str) names = {0};
    if (!take_string(a, metadata, "kernel_name", &kernel) ||
        !json_peek(metadata, "arguments", &list) || !is_array(list))
        return false;
    while (json_peek_element(list, &at, &item)) {
        str name;
        if (!take_string(a, item, "name", &name))
            return false;
        VEC_PUSH(a, &names, name);
    }
    for (int backward = 0; backward < 2; backward++) {
        lint_signature s = kernel_signature_of_text(a, kernel, names.v, names.n, backward);
        s.optional = true;
        VEC_PUSH(a, out, s);
    }
    return true;
}

/* --- metadata.json --------------------------------------------------------------------------- */

/* Reports a DIAG_BAD_METADATA at a byte of the file, as line and column. */
static bool say_line(ctx *c, const source *src, size_t at, const char *cu, const char *wrong)
{
    WEFT_ASSERT(at <= src->text.n);
    uint32_t line = 1, col = 0;
    for (size_t i = 0; i < at && i < src->text.n; i++) {
        col = src->text.p[i] == '\n' ? 0 : col + 1;
        line += src->text.p[i] == '\n';
    }
    return diag_error(c, (span){src, line, col, line, col + 1}, DIAG_BAD_METADATA, cu, wrong);
}

/* Is it JSON? Its tree is not kept. */
static bool is_json(ctx *c, const source *src, const char *cu)
{
    const char *wrong;
    size_t at;
    return json_parse(&c->module, src->text, JSON_LINE, &wrong, &at) ||
           say_line(c, src, at, cu, src->text.n ? wrong : "it is empty");
}

/* Three forms of metadata.json: of a program ("standalone"), of a record ("metadata" inside), or
 * the metadata alone. A file without any of them promises nothing, which is no error. */
bool kernel_signatures_beside(ctx *c, const source *metadata, const char *cu, signature_list *out)
{
    const str root = metadata->text;
    const char *slash = strrchr(cu, '/');
    str file, object, value;
    if (!is_json(c, metadata, cu))
        return false;
    if (take_string(&c->module, root, "files.cuda", &file) &&
        !str_eq(file, str_c(slash ? slash + 1 : cu)))
        return true;
    if (json_peek(root, "standalone", &object))
        return !json_peek(object, "kernels", &value) ||
               kernel_signatures_of_program(&c->module, object, out) ||
               say_line(c, metadata, (size_t)(value.p - root.p), cu,
                        "standalone.kernels is no list of kernels with names and parameters");
    if (!json_peek(root, "metadata", &object))
        object = root;
    if (json_peek(object, "kernel_name", &value) && json_peek(object, "arguments", &value))
        return kernel_signatures_of_record(&c->module, object, out) ||
               say_line(c, metadata, (size_t)(value.p - root.p), cu,
                        "kernel_name and arguments do not name a kernel and its arguments");
    return true;
}
