/* Statistics of PTX in records: the same keys in every row. */
#include "record/record_ptx.h"

#include "base/json.h"
#include "base/sha256.h"
#include "emit/emit.h"

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

static void put_text(strbuf *b, const char *key, str ptx, const ptx_function *f)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(ptx.p, ptx.n, digest);
    sha256_hex(digest, hex);
    json_key(b, key, false);
    SB_LIT(b, "{\"sha256\": \"");
    sb_put(b, hex, SHA256_HEX);
    SB_LIT(b, "\", \"bytes\": ");
    sb_uint(b, ptx.n);
#define PTX_FIELD(name, value, what)                                                               \
    json_key(b, name, false);                                                                      \
    sb_uint(b, value);
#include "record/ptx_field.def"
#undef PTX_FIELD
    SB_LIT(b, "}");
}

typedef struct compiled_ptx {
    str text;
    ptx_module m;
} compiled_ptx;

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

static bool put_kernel(strbuf *b, arena *a, const char *key, const compiled_ptx *c, str name,
                       const char **why)
{
    const ptx_function *f = kernel_of(&c->m, name);
    if (f)
        put_text(b, key, c->text, f);
    else
        *why = arena_printf(a, "its PTX has no %s kernel", key);
    return f != NULL;
}

ptx_source record_ptx_source(arena *a, const char *name, str text)
{
    strbuf head;
    ptx_source s = {.name = name, .text = text, .dialect = ptx_dialect_of(text)};
    if (s.dialect != PTX_WARP_PART)
        return s;
    sb_init(&head, a->m);
    emit_header(&head, EMIT_CUDA, RECORD_BLOCK_DIM, ptx_contains(text, STR("wp::bfloat16")));
    s.prelude = (str){arena_dup(a, head.p, head.n), head.n};
    sb_clear(&head);
    return s;
}

static bool put_part(strbuf *b, arena *a, const ptx_tools *tools, const char *key, str text,
                     const char **why)
{
    compiled_ptx c;
    const ptx_source src = record_ptx_source(a, key, text);
    return compile(a, tools, &src, &c, why) && put_kernel(b, a, key, &c, (str){0}, why);
}

static void put_head(strbuf *b, arena *a, const ptx_tools *tools, const ptx_source *src)
{
    json_key(b, "ptx", false);
    SB_LIT(b, "{\"compiler\": \"");
    sb_c(b, ptx_compiler_of(tools, a, src));
    SB_LIT(b, "\", \"arch\": \"" PTX_DEFAULT_ARCH "\"");
}

bool record_put_ptx(strbuf *b, arena *a, const ptx_tools *tools, const record_texts *t,
                    const char **why)
{
    const str backward = t->backward[EMIT_CUDA];
    const ptx_source part = {.dialect = PTX_WARP_PART};
    put_head(b, a, tools, &part);
    if (!put_part(b, a, tools, "forward", t->forward[EMIT_CUDA], why) ||
        (backward.n && !put_part(b, a, tools, "backward", backward, why)))
        return false;
    SB_LIT(b, "}");
    return true;
}

bool record_put_program_ptx(strbuf *b, arena *a, const ptx_tools *tools,
                            const standalone_program *p, const char **why)
{
    compiled_ptx c;
    const ptx_source src = {.name = "its program", .text = p->cu, .dialect = PTX_PLAIN};
    put_head(b, a, tools, &src);
    if (!compile(a, tools, &src, &c, why) ||
        !put_kernel(b, a, "forward", &c, p->forward_name, why) ||
        (p->backward && !put_kernel(b, a, "backward", &c, p->backward_name, why)))
        return false;
    SB_LIT(b, "}");
    return true;
}

/* --- reading --------------------------------------------------------------------------------- */

static const json_field text_fields[] = {
    {"sha256", JSON_STRING, false},
    {"bytes", JSON_COUNT, false},
#define PTX_FIELD(name, value, what) {name, JSON_COUNT, false},
#include "record/ptx_field.def"
#undef PTX_FIELD
};
enum { TEXT_FIELDS = sizeof text_fields / sizeof *text_fields };

static const json_field ptx_fields[] = {
    {"compiler", JSON_STRING, false},
    {"arch", JSON_STRING, false},
    {"forward", JSON_OBJECT, false},
    {"backward", JSON_OBJECT, true},
};
enum { P_COMPILER, P_ARCH, P_FORWARD, P_BACKWARD, PTX_FIELDS };

bool record_read_ptx(const json_value *object, bool backward, strbuf *why)
{
    const json_value *v[PTX_FIELDS], *text[TEXT_FIELDS];
    if (!json_fields(object, ptx_fields, PTX_FIELDS, true, "metadata.ptx.", v, why) ||
        !json_fields(v[P_FORWARD], text_fields, TEXT_FIELDS, true, "metadata.ptx.forward.", text,
                     why))
        return false;
    if (backward != (v[P_BACKWARD] != NULL)) {
        sb_c(why, backward ? "metadata.ptx.backward is missing"
                           : "metadata.ptx.backward is told of no text");
        return false;
    }
    return !backward || json_fields(v[P_BACKWARD], text_fields, TEXT_FIELDS, true,
                                    "metadata.ptx.backward.", text, why);
}
