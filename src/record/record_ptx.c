/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of PTX in a record's metadata (generate --with-ptx): compiles the CUDA texts and
 * counts what their PTX consists of. Every row has the same keys (ptx_field.def):
 *
 *     "ptx": {"compiler": ..., "arch": ..., "forward": {"sha256": ..., "bytes": ..., ...}} */
#include "record/record_ptx.h"

#include "base/json.h"
#include "base/sha256.h"
#include "emit/emit.h"
#include "record/record_field.h"

/* Threads of a block that the header lines assume, Warp's default. */
enum { RECORD_BLOCK_DIM = 256 };

static uint64_t registers_of(const ptx_function *f, const char *kind)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->registers.n; i++)
        if (str_eq(f->registers.v[i].type, str_c(kind)))
            n += f->registers.v[i].n;
    return n;
}

/* The kernel of this plain name; without one, the first. */
static const ptx_function *kernel_of(const ptx_module *m, str name)
{
    for (uint32_t i = 0; i < m->functions.n; i++)
        if (m->functions.v[i].is_kernel &&
            (!name.n || str_eq(ptx_plain_name(m->functions.v[i].name), name)))
            return &m->functions.v[i];
    return NULL;
}

/* The members of the object of one kernel: hash and size of its PTX, then those of
 * ptx_field.def. */
static void put_kernel_fields(strbuf *b, record_field object, str ptx, const ptx_function *f)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    const bool forward = object == FIELD_PTX_FORWARD;
    sha256_of(ptx.p, ptx.n, digest);
    sha256_hex(digest, hex);
    record_field_put_key(b, forward ? FIELD_PTX_FORWARD_SHA256 : FIELD_PTX_BACKWARD_SHA256, true);
    json_string(b, (str){hex, SHA256_HEX});
    record_field_put_key(b, forward ? FIELD_PTX_FORWARD_BYTES : FIELD_PTX_BACKWARD_BYTES, false);
    sb_uint(b, ptx.n);
#define PTX_FIELD(ID, name, value, what)                                                           \
    json_key(b, name, false);                                                                      \
    sb_uint(b, value);
#include "record/ptx_field.def"
#undef PTX_FIELD
}

typedef struct compiled_ptx {
    str text;
    ptx_module m;
} compiled_ptx;

/* What the compiler says is cut at 400 bytes: it goes into a message. */
static bool compile(arena *a, const ptx_tools *tools, const ptx_source *src, compiled_ptx *out,
                    const char **why)
{
    const ptx_arch arch = {PTX_DEFAULT_ARCH_NAME};
    uint32_t line;
    const nvrtc_result r = ptx_make(tools, a, src, &arch);
    if (!r.good) {
        *why = arena_printf(a, "the compiler refuses its CUDA text: %.*s",
                            (int)(r.log.n < 400 ? r.log.n : 400), r.log.p);
        return false;
    }
    const char *wrong = ptx_read(a, r.ptx, &out->m, &line);
    if (wrong)
        *why = arena_printf(a, "line %u of its PTX: %s", line, wrong);
    out->text = r.ptx;
    return !wrong;
}

/* "forward": {...}, or "backward". False: the PTX has no such kernel. */
static bool put_kernel(strbuf *b, arena *a, record_field object, const compiled_ptx *c, str name,
                       const char **why)
{
    const ptx_function *f = kernel_of(&c->m, name);
    if (!f) {
        *why = arena_printf(a, "its PTX has no %s kernel", record_fields[object].name);
        return false;
    }
    record_field_put_key(b, object, false);
    SB_LIT(b, "{");
    put_kernel_fields(b, object, c->text, f);
    SB_LIT(b, "}");
    return true;
}

/* The text may come from a file, so only the text itself can say which overloads it needs. */
ptx_source record_ptx_source(arena *a, const char *name, str text)
{
    strbuf head;
    ptx_source s = {.name = name, .text = text, .dialect = ptx_dialect_of(text)};
    if (s.dialect != PTX_WARP_PART)
        return s;
    sb_init(&head, a->m);
    /* The CUDA header is that of every release. */
    emit_header(&head, WARP_DEFAULT, EMIT_CUDA, RECORD_BLOCK_DIM,
                ptx_contains(text, STR("wp::bfloat16")), NULL);
    s.prelude = (str){arena_dup(a, head.p, head.n), head.n};
    sb_clear(&head);
    return s;
}

static bool put_part(strbuf *b, arena *a, const ptx_tools *tools, record_field object, str text,
                     const char **why)
{
    compiled_ptx c;
    const ptx_source src = record_ptx_source(a, record_fields[object].name, text);
    return compile(a, tools, &src, &c, why) && put_kernel(b, a, object, &c, (str){0}, why);
}

static void put_head(strbuf *b, arena *a, const ptx_tools *tools, const ptx_source *src)
{
    record_field_put_key(b, FIELD_PTX_COMPILER, true);
    json_string(b, str_c(ptx_compiler_of(tools, a, src)));
    record_field_put_key(b, FIELD_PTX_ARCH, false);
    SB_LIT(b, "\"" PTX_DEFAULT_ARCH "\"");
}

/* Warp's texts are parts of one module; forward and backward are compiled apart, as a record holds
 * them, so that each hash is that of the PTX of one text. */
bool record_put_ptx(strbuf *b, arena *a, const ptx_tools *tools, const record_texts *t,
                    const char **why)
{
    const str backward = t->backward[EMIT_CUDA];
    const ptx_source part = {.dialect = PTX_WARP_PART};
    put_head(b, a, tools, &part);
    if (!put_part(b, a, tools, FIELD_PTX_FORWARD, t->forward[EMIT_CUDA], why) ||
        (backward.n && !put_part(b, a, tools, FIELD_PTX_BACKWARD, backward, why)))
        return false;
    return true;
}

/* A program is compiled whole, once; its kernels are found by their names. */
bool record_put_program_ptx(strbuf *b, arena *a, const ptx_tools *tools,
                            const standalone_program *p, const char **why)
{
    compiled_ptx c;
    const ptx_source src = {.name = "its program", .text = p->cu, .dialect = PTX_PLAIN};
    put_head(b, a, tools, &src);
    if (!compile(a, tools, &src, &c, why) ||
        !put_kernel(b, a, FIELD_PTX_FORWARD, &c, p->forward_name, why) ||
        (p->backward && !put_kernel(b, a, FIELD_PTX_BACKWARD, &c, p->backward_name, why)))
        return false;
    return true;
}

/* --- reading --------------------------------------------------------------------------------- */

/* Keys and types only: PTX depends on the compiler, so figures cannot be computed again. A backward
 * object is there if and only if the record has a backward text. */
bool record_read_ptx(const json_value *object, bool backward, strbuf *why)
{
    const unsigned certain = TRAIT_PTX | TRAIT_PROGRAM, possible = certain | TRAIT_ADJOINT;
    const json_value *v[FIELDS];
    if (!record_field_read(object, FIELD_PTX, certain, possible, v, why) ||
        !record_field_read(v[FIELD_PTX_FORWARD], FIELD_PTX_FORWARD, certain, certain, v, why))
        return false;
    const json_value *adjoint = v[FIELD_PTX_BACKWARD];
    if (backward != (adjoint != NULL)) {
        record_field_put_path(why, FIELD_PTX_BACKWARD);
        sb_c(why, backward ? " is missing" : " is there, but the record has no backward text");
        return false;
    }
    return !backward || record_field_read(adjoint, FIELD_PTX_BACKWARD, possible, possible, v, why);
}
