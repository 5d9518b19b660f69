/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of PTX as JSON, for `weft ptx --json` and weft_ptx_text, and the report of `ptxas -v`:
 *
 *     ptxas info    : Compiling entry function 'axpy' for 'sm_75'
 *         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     ptxas info    : Used 10 registers, used 0 barriers, 380 bytes cmem[0]
 *
 *     ->   {"arch": "sm_75", "registers": 10, "stack_bytes": 0, ..., "constant_bytes": 380} */
#include "base/json.h"
#include "base/sha256.h"
#include "gpu/ptx_stats.h"

/* Keys of the JSON, by ptx_class and ptx_space. */
static const char *const class_names[PTX_CLASSES] = {"integer", "float",       "logic",  "compare",
                                                     "convert", "move",        "memory", "atomic",
                                                     "control", "synchronize", "other"};
static const char *const space_names[PTX_SPACES] = {"param", "global", "shared",
                                                    "local", "const",  "generic"};

/* --- ptxas ----------------------------------------------------------------------------------- */

/* The text between the first `from` of the line that has a `to` behind it, and that `to`; nothing
 * (p is NULL) where there is no such pair. */
static str between(str line, const char *from, const char *to)
{
    const size_t n = strlen(from), m = strlen(to);
    for (size_t i = 0; i + n <= line.n; i++) {
        if (memcmp(line.p + i, from, n) != 0)
            continue;
        const size_t start = i + n;
        for (size_t j = start; j + m <= line.n; j++)
            if (memcmp(line.p + j, to, m) == 0)
                return (str){line.p + start, j - start};
    }
    return (str){0};
}

/* The number that stands before a mark; 0 where it does not. */
static uint64_t number_before(str line, const char *mark)
{
    const size_t n = strlen(mark);
    for (size_t i = 0; i + n <= line.n; i++) {
        if (memcmp(line.p + i, mark, n) != 0)
            continue;
        size_t at = i;
        while (at && line.p[at - 1] >= '0' && line.p[at - 1] <= '9')
            at--;
        uint64_t x = 0;
        for (; at < i && x < UINT32_MAX; at++)
            x = x * 10 + (uint64_t)(line.p[at] - '0');
        return x;
    }
    return 0;
}

/* By the name that the PTX has, mangled as it is. */
static ptx_function *find_function(ptx_module *m, str name)
{
    for (uint32_t i = 0; i < m->functions.n; i++)
        if (str_eq(m->functions.v[i].name, name))
            return &m->functions.v[i];
    return NULL;
}

/* Lines about a function follow the one that names it; those about functions that the module does
 * not have, the runtime's own, are passed over. No line of ptxas is needed: figures that it does
 * not print stay 0. */
void ptx_add_assembled(arena *a, ptx_module *m, str printed)
{
    ptx_assembled *row = NULL;
    while (printed.n) {
        const char *end = memchr(printed.p, '\n', printed.n);
        const str line = {printed.p, end ? (size_t)(end - printed.p) : printed.n};
        printed = (str){line.p + line.n + (end != NULL), printed.n - line.n - (end != NULL)};
        const str name = between(line, "Compiling entry function '", "'");
        if (name.p) {
            ptx_function *f = find_function(m, name);
            const ptx_assembled fresh = {.arch = between(line, "' for '", "'")};
            row = NULL;
            if (f) {
                VEC_PUSH(a, &f->assembled, fresh);
                row = &f->assembled.v[f->assembled.n - 1];
            }
        } else if (row && between(line, "bytes stack frame", ",").p) {
            row->stack = number_before(line, " bytes stack frame");
            row->spill_stores = number_before(line, " bytes spill stores");
            row->spill_loads = number_before(line, " bytes spill loads");
        } else if (row && between(line, "Used ", " registers").p) {
            row->registers = number_before(line, " registers");
            row->shared = number_before(line, " bytes smem");
            row->constant = number_before(line, " bytes cmem[0]");
        }
    }
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void put_count(strbuf *out, const char *key, uint64_t n, bool first)
{
    json_key(out, key, first);
    sb_uint(out, n);
}

/* {"param": 3, "global": 2, ...}: all spaces, also those with 0. */
static void put_spaces(strbuf *out, const char *key, const uint64_t counts[PTX_SPACES])
{
    json_key(out, key, false);
    SB_LIT(out, "{");
    for (int i = 0; i < PTX_SPACES; i++)
        put_count(out, space_names[i], counts[i], i == 0);
    SB_LIT(out, "}");
}

/* Each parameter with its type, and how many bytes all take as they are aligned. */
static void put_params(strbuf *out, const ptx_function *f)
{
    json_key(out, "parameters", false);
    SB_LIT(out, "[");
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ptx_param *p = &f->params.v[i];
        sb_c(out, i ? ", {" : "{");
        json_key(out, "name", true);
        json_string(out, p->name);
        json_key(out, "type", false);
        json_string(out, p->type);
        put_count(out, "bytes", p->bytes, false);
        SB_LIT(out, "}");
    }
    SB_LIT(out, "]");
    put_count(out, "parameter_bytes", f->param_bytes, false);
}

/* One element for each architecture that ptxas was run for; without ptxas the list is empty. */
static void put_assembled(strbuf *out, const ptx_function *f)
{
    json_key(out, "assembled", false);
    SB_LIT(out, "[");
    for (uint32_t i = 0; i < f->assembled.n; i++) {
        const ptx_assembled *s = &f->assembled.v[i];
        sb_c(out, i ? ", {" : "{");
        json_key(out, "arch", true);
        json_string(out, s->arch);
        put_count(out, "registers", s->registers, false);
        put_count(out, "stack_bytes", s->stack, false);
        put_count(out, "spill_store_bytes", s->spill_stores, false);
        put_count(out, "spill_load_bytes", s->spill_loads, false);
        put_count(out, "shared_bytes", s->shared, false);
        put_count(out, "constant_bytes", s->constant, false);
        SB_LIT(out, "}");
    }
    SB_LIT(out, "]");
}

/* The key of the name says whether it is a kernel or a device function. */
static void put_function(strbuf *out, const ptx_function *f)
{
    SB_LIT(out, "{");
    json_key(out, f->is_kernel ? "kernel" : "function", true);
    json_string(out, f->name);
    json_key(out, "registers", false);
    SB_LIT(out, "{");
    for (uint32_t i = 0; i < f->registers.n; i++) {
        sb_c(out, i ? ", " : "");
        json_string(out, f->registers.v[i].type);
        SB_LIT(out, ": ");
        sb_uint(out, f->registers.v[i].n);
    }
    SB_LIT(out, "}");
    json_key(out, "instructions", false);
    SB_LIT(out, "{");
    put_count(out, "total", f->instructions, true);
    for (int i = 0; i < PTX_CLASSES; i++)
        put_count(out, class_names[i], f->of_class[i], false);
    SB_LIT(out, "}");
    put_spaces(out, "loads", f->loads);
    put_spaces(out, "stores", f->stores);
    put_count(out, "branches", f->branches, false);
    put_count(out, "conditional_branches", f->conditional, false);
    put_count(out, "calls", f->calls, false);
    put_count(out, "shared_bytes", f->shared, false);
    put_count(out, "local_bytes", f->local, false);
    put_params(out, f);
    put_assembled(out, f);
    SB_LIT(out, "}");
}

/* The hash is that of the PTX, so that a figure in a data set can be traced to its text. */
void ptx_put_module(strbuf *out, str ptx, const ptx_module *m)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(ptx.p, ptx.n, digest);
    sha256_hex(digest, hex);
    json_key(out, "sha256", true);
    json_string(out, (str){hex, SHA256_HEX});
    json_key(out, "version", false);
    json_string(out, m->version);
    json_key(out, "target", false);
    json_string(out, m->target);
    json_key(out, "kernels", false);
    SB_LIT(out, "[");
    for (uint32_t i = 0; i < m->functions.n; i++) {
        sb_c(out, i ? ", " : "");
        put_function(out, &m->functions.v[i]);
    }
    SB_LIT(out, "]");
}

/* --- names ----------------------------------------------------------------------------------- */

/* "_Z" and the length of a name, as the Itanium ABI mangles a function that is in no namespace;
 * what is mangled otherwise stays as it is. */
str ptx_plain_name(str name)
{
    size_t n = 0, i = 2;
    if (name.n < 3 || memcmp(name.p, "_Z", 2) != 0)
        return name;
    for (; i < name.n && n < name.n && name.p[i] >= '0' && name.p[i] <= '9'; i++)
        n = n * 10 + (size_t)(name.p[i] - '0');
    return n && n <= name.n - i ? (str){name.p + i, n} : name;
}
