/* SPDX-License-Identifier: Apache-2.0 */
/* Reads PTX (ISA 9.0, chapters 4 to 11): a list of directives, functions and instructions, each
 * ended by a semicolon or a brace. Operands do not matter but for the module's shared variables,
 * which are counted for each function that names them.
 *
 *     .visible .entry axpy(.param .f32 axpy_param_0)   ->   a kernel, 4 bytes of parameters
 *     .reg .b64 %rd<8>;                                ->   8 registers of b64, %rd0 to %rd7
 *     @%p1 bra $L__BB0_2;                              ->   control, a conditional branch
 *     ld.global.f32 %f2, [%rd5];                       ->   memory, a load from global
 *
 * The text may come from anybody. Every loop takes a token or ends at the end of the text, so that
 * any input is read in linear time; nesting costs a counter, not the stack. */
#include "gpu/ptx_stats.h"

#include "base/assert.h"

/* A shared array of the module: a kernel needs its bytes if its body names it. */
typedef struct shared_variable {
    str name;
    uint64_t bytes;
    bool met; /* the body in work names it */
} shared_variable;

typedef struct reader {
    arena *a;
    const char *p, *end, *from; /* where it reads; the text's end and start */
    ptx_module *m;
    ptx_function *f; /* whose body is read, or NULL */
    VEC(shared_variable) shared;
    const char *wrong; /* ends the reading: what is wrong at p; a constant */
} reader;

/* --- tokens ---------------------------------------------------------------------------------- */

/* Directives (.reg), registers (%rd1), labels ($L__BB0_2) and instructions (ld.global.f32) are one
 * token each: their dots, % and $ belong to names. */
static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

static void skip_block_comment(reader *r)
{
    r->p += 2;
    while (r->end - r->p >= 2 && !(r->p[0] == '*' && r->p[1] == '/'))
        r->p++;
    r->p = r->end - r->p >= 2 ? r->p + 2 : r->end;
}

/* Spaces and comments of both kinds. A block comment without an end takes the rest. */
static void skip_space(reader *r)
{
    while (r->p < r->end) {
        const bool pair = r->end - r->p >= 2 && r->p[0] == '/';
        if (pair && r->p[1] == '/') {
            while (r->p < r->end && *r->p != '\n')
                r->p++;
        } else if (pair && r->p[1] == '*') {
            skip_block_comment(r);
        } else if (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r') {
            r->p++;
        } else {
            return;
        }
    }
}

/* "::", which stands within names of operations: ld.shared::cta.u32 */
static bool is_scope(const reader *r)
{
    return r->end - r->p > 2 && r->p[0] == ':' && r->p[1] == ':' && is_name_char(r->p[2]);
}

/* A name with its dots, a string, or a single character; empty at the end. */
static str next(reader *r)
{
    WEFT_ASSERT(r->p <= r->end);
    skip_space(r);
    const char *from = r->p;
    if (r->p == r->end)
        return (str){from, 0};
    if (*r->p == '"') {
        for (r->p++; r->p < r->end && *r->p != '"' && *r->p != '\n'; r->p++)
            ;
        r->p += r->p < r->end;
    } else if (is_name_char(*r->p)) {
        while (r->p < r->end && (is_name_char(*r->p) || is_scope(r)))
            r->p += *r->p == ':' ? 2 : 1;
    } else {
        r->p++;
    }
    return (str){from, (size_t)(r->p - from)};
}

static bool is(str s, const char *word)
{
    return str_eq(s, str_c(word));
}

/* The token that `next` will give. */
static str peek(reader *r)
{
    const char *p = r->p;
    const str s = next(r);
    r->p = p;
    return s;
}

/* Up to and with the semicolon, or up to a brace. */
static void skip_statement(reader *r)
{
    for (;;) {
        const str s = peek(r);
        if (!s.n || is(s, "{") || is(s, "}"))
            return;
        next(r);
        if (is(s, ";"))
            return;
    }
}

/* -1: no digit of this base. */
static int digit_of(char c, int base)
{
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : base;
    return digit < base ? digit : -1;
}

/* "16", "0x10" */
static uint64_t number_of(str s)
{
    const bool hex = s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X');
    const int base = hex ? 16 : 10;
    uint64_t x = 0;
    for (size_t i = hex ? 2 : 0; i < s.n && digit_of(s.p[i], base) >= 0 && x < UINT32_MAX; i++)
        x = x * (uint64_t)base + (uint64_t)digit_of(s.p[i], base);
    return x;
}

/* "b32" -> 4, from its last digits; "pred" -> 1. */
static uint64_t bytes_of_type(str type)
{
    WEFT_ASSERT(type.n);
    if (type.n > 2 && memcmp(type.p + type.n - 2, "x2", 2) == 0)
        return 4;
    size_t at = type.n;
    while (at && type.p[at - 1] >= '0' && type.p[at - 1] <= '9')
        at--;
    const uint64_t bits = number_of((str){type.p + at, type.n - at});
    return bits >= 8 ? bits / 8 : 1;
}

/* The fundamental types of section 5.2, with the dot, and the packed ones. */
static bool is_type(str s)
{
    static const char *const types[] = {".b32",  ".b64",  ".b8",    ".b16", ".b128", ".pred",
                                        ".f32",  ".f64",  ".f16",   ".u32", ".s32",  ".u64",
                                        ".s64",  ".u8",   ".s8",    ".u16", ".s16",  ".f16x2",
                                        ".bf16", ".tf32", ".bf16x2"};
    return STR_IS_IN(s, types);
}

/* --- variables and parameters ---------------------------------------------------------------- */

/* Used for parameters and for variables of all spaces.
 * [.align N] .TYPE [.ptr ... .align N] NAME [N]...: what follows the space; stops before , ; ) and
 * the like. What a pointer points to has an alignment of its own. */
static ptx_param read_variable(reader *r)
{
    ptx_param v = {.align = 0, .bytes = 0};
    uint64_t vector = 1;
    bool pointee = false;
    for (;;) {
        const str s = peek(r);
        if (!s.n || is(s, ",") || is(s, ";") || is(s, ")") || is(s, "{") || is(s, "}") ||
            is(s, "="))
            break;
        next(r);
        if (is(s, ".align")) {
            const uint64_t align = number_of(next(r));
            v.align = pointee ? v.align : align;
        } else if (is(s, ".ptr")) {
            pointee = true;
        } else if (is(s, ".v2") || is(s, ".v4")) {
            vector = s.p[2] == '2' ? 2 : 4;
        } else if (is_type(s)) {
            v.type = (str){s.p + 1, s.n - 1};
            v.bytes = bytes_of_type(s);
        } else if (is(s, "[")) {
            const str n = next(r);
            v.bytes *= is(n, "]") ? 0 : number_of(n);
            if (!is(n, "]"))
                next(r);
        } else if (s.p[0] != '.' && is_name_char(s.p[0])) {
            v.name = s;
        }
    }
    const uint64_t unit = (v.type.n ? bytes_of_type(v.type) : 1) * vector;
    v.bytes *= vector;
    v.align = v.align ? v.align : unit;
    return v;
}

/* ".reg .b32 %r<59>, %q;": %r<59> declares the 59 registers %r0 to %r58, and %q is one more.
 * Directives of one type add up; a vector of two or four counts as so many registers. */
static void read_registers(reader *r)
{
    str type = {0};
    uint64_t n = 0, vector = 1;
    for (;;) {
        const str s = next(r);
        if (!s.n || is(s, ";"))
            break;
        if (is(s, ".v2") || is(s, ".v4")) {
            vector = s.p[2] == '2' ? 2 : 4;
        } else if (is_type(s)) {
            type = (str){s.p + 1, s.n - 1};
        } else if (is(s, "<")) {
            n += number_of(next(r)) - 1;
        } else if (s.p[0] != '.' && is_name_char(s.p[0])) {
            n++;
        }
    }
    ptx_function *f = r->f;
    if (!f || !type.n)
        return;
    for (uint32_t i = 0; i < f->registers.n; i++)
        if (str_eq(f->registers.v[i].type, type)) {
            f->registers.v[i].n += n * vector;
            return;
        }
    const ptx_registers row = {type, n * vector};
    VEC_PUSH(r->a, &f->registers, row);
}

/* Of a function: it needs the bytes. Of the module: whoever names the variable does. */
static void read_shared(reader *r)
{
    const ptx_param v = read_variable(r);
    const shared_variable s = {v.name, v.bytes, false};
    if (r->f)
        r->f->shared += v.bytes;
    else
        VEC_PUSH(r->a, &r->shared, s);
    skip_statement(r);
}

/* "( .param .u64 a, .param .b32 b )"; parameters of a device function are no bytes of a kernel. */
static void read_params(reader *r, bool keep)
{
    if (!is(peek(r), "("))
        return;
    next(r);
    while (peek(r).n && !is(peek(r), ")") && !is(peek(r), "{") && !is(peek(r), "}")) {
        const str s = next(r);
        if (!is(s, ".param"))
            continue;
        const ptx_param v = read_variable(r);
        if (!keep)
            continue;
        WEFT_ASSERT(r->f);
        const uint64_t align = v.align ? v.align : 1;
        r->f->param_bytes = (r->f->param_bytes + align - 1) / align * align + v.bytes;
        VEC_PUSH(r->a, &r->f->params, v);
    }
    if (is(peek(r), ")"))
        next(r);
}

/* --- instructions ---------------------------------------------------------------------------- */

/* Part i of "ld.global.f32", or nothing. */
static str part_of(str op, uint32_t i)
{
    const char *p = op.p, *end = op.p + op.n;
    for (;; i--) {
        const char *dot = p;
        while (dot < end && *dot != '.')
            dot++;
        if (!i)
            return (str){p, (size_t)(dot - p)};
        if (dot == end)
            return (str){0};
        p = dot + 1;
    }
}

/* Does the instruction compute with floats? By its type suffixes, .f16 to .f64, .f16x2 and .bf16:
 * part 0 is the name itself and is left out. Of several one is enough: cvt.f32.s32 has one,
 * mul.wide.s32 has none. */
static bool has_float_type(str op)
{
    str part;
    bool is_float = false;
    for (uint32_t i = 1; (part = part_of(op, i)).p; i++)
        if (part.n >= 3 && part.p[0] == 'f' && part.p[1] >= '0' && part.p[1] <= '9')
            is_float = true;
        else if (part.n >= 4 && memcmp(part.p, "bf16", 4) == 0)
            is_float = true;
    return is_float;
}

/* By ptx_opcode.def; what is not listed there, of a later ISA, is PTX_OTHER. */
static ptx_class class_of(str op)
{
    enum { PTX_ARITHMETIC = PTX_CLASSES };
    static const struct {
        const char *name;
        int class;
    } rows[] = {
#define OPCODE(name, class) {name, PTX_##class},
#include "gpu/ptx_opcode.def"
#undef OPCODE
    };
    const str name = part_of(op, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(name, rows[i].name)) {
            if (rows[i].class != PTX_ARITHMETIC)
                return (ptx_class)rows[i].class;
            return has_float_type(op) ? PTX_FLOAT : PTX_INTEGER;
        }
    return PTX_OTHER;
}

/* The first part that begins with the name of a space: "shared::cta" is shared. Without one the
 * address is generic. */
static ptx_space space_of(str op)
{
    static const char *const names[PTX_SPACES] = {"param", "global", "shared",
                                                  "local", "const",  ""};
    str part;
    for (uint32_t i = 1; (part = part_of(op, i)).p; i++)
        for (int s = 0; s < PTX_GENERIC; s++)
            if (part.n >= strlen(names[s]) && memcmp(part.p, names[s], strlen(names[s])) == 0)
                return (ptx_space)s;
    return PTX_GENERIC;
}

/* `guarded`: a predicate stands before it, "@%p1". */
static void count_instruction(ptx_function *f, str op, bool guarded)
{
    WEFT_ASSERT(f && op.n);
    const str name = part_of(op, 0);
    f->instructions++;
    f->of_class[class_of(op)]++;
    if (is(name, "ld") || is(name, "ldu"))
        f->loads[space_of(op)]++;
    else if (is(name, "st"))
        f->stores[space_of(op)]++;
    else if (is(name, "call"))
        f->calls++;
    if (is(name, "bra") || is(name, "brx")) {
        f->branches++;
        f->conditional += guarded;
    }
}

/* The operands of an instruction, up to its semicolon: only names of shared variables matter.
 * Vectors stand in braces, ld.v2.f32 {%f1, %f2}, [%rd1], so a brace ends a body only at depth 0. */
static void read_operands(reader *r)
{
    int depth = 0;
    for (;;) {
        const str s = peek(r);
        if (!s.n || (is(s, "}") && !depth))
            return;
        next(r);
        depth += is(s, "{");
        depth -= is(s, "}");
        WEFT_ASSERT(depth >= 0);
        if (is(s, ";"))
            return;
        for (uint32_t i = 0; i < r->shared.n; i++)
            if (str_eq(r->shared.v[i].name, s))
                r->shared.v[i].met = true;
    }
}

/* A directive within a body: declarations of registers and of shared and local memory count, others
 * are passed over. All but .loc and .file end with a semicolon. */
static void read_directive(reader *r, str s)
{
    if (is(s, ".reg")) {
        read_registers(r);
    } else if (is(s, ".shared")) {
        read_shared(r);
    } else if (is(s, ".local")) {
        r->f->local += read_variable(r).bytes;
        skip_statement(r);
    } else if (is(s, ".loc") || is(s, ".file")) { /* these end with their line */
        while (r->p < r->end && *r->p != '\n')
            r->p++;
    } else {
        skip_statement(r);
    }
}

/* Behind the opening brace, up to and with the closing one. */
static void read_body(reader *r)
{
    WEFT_ASSERT(r->f);
    int depth = 1;
    bool guarded = false;
    while (depth) {
        const str s = next(r);
        if (!s.n) {
            r->wrong = "the text ends within a function";
            return;
        }
        if (is(s, "{") || is(s, "}")) {
            depth += s.p[0] == '{' ? 1 : -1;
        } else if (is(s, "@")) {
            guarded = true;
            if (is(peek(r), "!"))
                next(r);
            next(r);
            continue;
        } else if (s.p[0] == '.') {
            read_directive(r, s);
        } else if (is(peek(r), ":")) {
            next(r);
        } else if (is_name_char(s.p[0])) {
            count_instruction(r->f, s, guarded);
            read_operands(r);
        } else if (!is(s, ";")) {
            r->wrong = "no instruction begins like this";
            return;
        }
        guarded = false;
    }
    for (uint32_t i = 0; i < r->shared.n; i++) {
        if (r->shared.v[i].met)
            r->f->shared += r->shared.v[i].bytes;
        r->shared.v[i].met = false;
    }
}

/* Behind .entry or .func: a declaration without a body is passed over. */
static void read_function(reader *r, bool is_kernel)
{
    ptx_function f = {.is_kernel = is_kernel};
    r->f = &f;
    read_params(r, false); /* the result of a device function */
    f.name = next(r);
    read_params(r, true);
    while (peek(r).n && !is(peek(r), "{") && !is(peek(r), ";") && !is(peek(r), "}"))
        next(r); /* .maxntid and the like */
    const str s = next(r);
    if (is(s, "{")) {
        read_body(r);
        VEC_PUSH(r->a, &r->m->functions, f);
    } else if (!is(s, ";")) {
        r->wrong = "a function without a body";
    }
    r->f = NULL;
}

/* "= { 1, 2 };": initial values have braces too. A section ends with its own. */
static void skip_variable(reader *r, bool section)
{
    int depth = 0;
    for (;;) {
        const str s = next(r);
        depth += is(s, "{");
        depth -= is(s, "}");
        if (!s.n || (depth <= 0 && is(s, section ? "}" : ";")))
            return;
    }
}

/* Directives of a module that no figure comes from. */
static bool is_skipped(str s)
{
    static const char *const words[] = {".global", ".const", ".local", ".tex", ".pragma", ".alias"};
    return STR_IS_IN(s, words);
}

/* The outermost level. .target may name options behind the architecture: "sm_80, debug". */
static void read_module(reader *r)
{
    for (str s; !r->wrong && (s = next(r)).n;) {
        if (is(s, ".version")) {
            r->m->version = next(r);
        } else if (is(s, ".target")) {
            r->m->target = next(r);
            while (is(peek(r), ",")) {
                next(r);
                next(r);
            }
        } else if (is(s, ".address_size")) {
            next(r);
        } else if (is(s, ".entry") || is(s, ".func")) {
            read_function(r, s.p[1] == 'e');
        } else if (is(s, ".shared")) {
            read_shared(r);
        } else if (is_skipped(s) || is(s, ".section")) {
            skip_variable(r, is(s, ".section"));
        } else if (is(s, ".loc") || is(s, ".file")) {
            read_directive(r, s);
        } else if (s.p[0] != '.' && !is(s, ";")) {
            r->wrong = "no directive of PTX begins like this";
        }
    }
}

/* The line is that of r.p, counted only for an error. An empty text has no .version. */
const char *ptx_read(arena *a, str text, ptx_module *m, uint32_t *line)
{
    reader r = {.a = a, .p = text.p, .from = text.p, .end = text.p + text.n, .m = m};
    *m = (ptx_module){0};
    WEFT_ASSERT(text.p || !text.n);
    read_module(&r);
    WEFT_ASSERT(r.wrong || r.p == r.end);
    if (!r.wrong && !m->version.n)
        r.wrong = "the text is no PTX: it has no .version";
    *line = 1;
    for (const char *p = r.from; r.wrong && p + 1 < r.p; p++)
        *line += *p == '\n';
    return r.wrong;
}
