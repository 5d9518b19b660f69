/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of emit/: the emitter's state and what its files share.
 *
 *     emit_module.c   the order of the parts       emit_stmt.c     one statement
 *     emit_kernel.c   heads of kernels             emit_pattern.c  its pattern, cut into pieces
 *     emit_func.c     heads of functions           emit_place.c    names and places in it
 *     emit_body.c     declarations and lists       emit_struct.c, emit_tile.c, emit_snippet.c
 *     emit_entry.c    headers and CPU entry points
 *     emit_deterministic.c  what deterministic mode adds
 *
 * A unit's statements and declarations are formatted once (emit_prepare) into `lines` and then
 * copied wherever they stand: the forward list, its replay in the backward function, and both
 * devices. */
#ifndef WEFT_EMIT_EMITTER_H
#define WEFT_EMIT_EMITTER_H

#include "emit/emit.h"

/* PIECES_PER_OP, PIECE_TEXT: limits that the patterns of ir_op.def keep (asserted). EMIT_NAME_TEXT:
 * labels up to this length are copied in one step of fixed size. */
enum { PIECE_END = UINT8_MAX, PIECES_PER_OP = 8, PIECE_TEXT = 40, EMIT_NAME_TEXT = 16 };

/* A stretch of literal text and the operand that follows it. */
typedef struct emit_piece {
    char text[PIECE_TEXT]; /* all of it may be copied */
    uint8_t len;
    uint8_t operand; /* PIECE_END: no operand, the statement ends here */
    bool rest;       /* all operands from `operand` on, joined by ", " */
} emit_piece;

/* A variable's label at hand: what follows "var_" and "adj_". */
typedef struct emit_name {
    char text[EMIT_NAME_TEXT]; /* the label, if it is no longer than this; all may be copied */
    const char *label;         /* else */
    uint32_t len;
    bool bare; /* no "var_" or "adj_" before it */
} emit_name;

/* The label, wherever it is kept. */
static inline str emit_label(const emit_name *n)
{
    WEFT_ASSERT(n->len <= EMIT_NAME_TEXT || n->label != NULL);
    return (str){n->len <= EMIT_NAME_TEXT ? n->text : n->label, n->len};
}

/* A formatted line: its first byte and its length, the end of line included, in emitter.lines. */
typedef struct emit_line {
    uint32_t at, len; /* in emitter.lines */
} emit_line;

/* Of one unit, the first line of each kind in emitter.line. */
typedef struct emit_prepared {
    uint32_t stmts; /* by statement */
    uint32_t primal;
    uint32_t replayed_primal; /* in the backward pass; others than `primal` if there are tiles */
    uint32_t dual;
} emit_prepared;

/* Buffers and tables, kept between kernels so that emission seldom allocates. */
struct emitter {
    ctx *c;
    emit_piece pieces[IR_OP_COUNT][PIECES_PER_OP];
    strbuf lines; /* statements and declarations of the units that are prepared, each once */
    /* Where each line begins and how long it is; nlines of them, room for line_cap. */
    emit_line *line;
    uint32_t nlines, line_cap;
    emit_name *names; /* of the variables of the unit that is being prepared */
    uint32_t name_cap;
    strbuf name;             /* one of them in the making */
    emit_prepared *prepared; /* by function of the module */
    uint32_t prepared_cap;
    strbuf body; /* a function's body: it is the same for all devices */
    /* The text of each device. emit_module_text emits one device and uses the other's buffer for
     * the header. */
    strbuf out[EMIT_DEVICES];
};

/* emit_pattern.c: the tables of the statement printer */
void emit_compile_patterns(emitter *e);

/* emit_place.c */
/* Fills e->names; needed before the unit's statements are printed. */
void emit_name_vars(emitter *e, const ir_unit *u);
void emit_place(const emitter *e, strbuf *out, const ir_unit *u, uint32_t place);

/* emit_line.c */
/* "#line N "FILE"" on a line of its own; nothing for line 0. */
void emit_line_directive(strbuf *out, const ir_unit *u, uint32_t line);
/* The line of the def statement; nothing for a unit without directives. */
void emit_def_directive(strbuf *out, const ir_unit *u);
/* Whole lines, each behind that directive, but for blank ones, comments and braces that open. */
void emit_lined(strbuf *out, const ir_unit *u, const char *text);

/* emit_deterministic.c: what deterministic mode adds; nothing to units that are not in it. */
void emit_det_name(strbuf *out, const ir_unit *u, uint32_t operand);
void emit_det_offset(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p);
void emit_det_func_params(strbuf *out, const ir_unit *u, bool *first);
void emit_det_kernel_params(strbuf *out, const ir_unit *u);
/* The same one by one. */
uint32_t emit_det_kernel_param_count(const ir_unit *u);
void emit_det_kernel_param_type(strbuf *out, const ir_unit *u, uint32_t i);
void emit_det_kernel_param_name(strbuf *out, const ir_unit *u, uint32_t i);
void emit_det_locals(strbuf *out, const ir_unit *u, emit_device device);

/* emit_stmt.c */
void emit_stmt(const emitter *e, strbuf *out, const ir_unit *u, const ir_stmt *s);

/* Where a body stands; zero for a @wp.func, whose body is the same on both devices. */
typedef struct emit_body_form {
    emit_device device;
    bool is_kernel;
    bool grid_stride;
} emit_body_form;

/* Formats the unit's statements and declarations, those of the adjoints if `backward`. */
emit_prepared emit_prepare(emitter *e, const ir_unit *u, bool backward);
/* Warp 1.19 codegen_func_forward and codegen_func_reverse. */
void emit_forward_body(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                       emit_body_form form);
void emit_reverse_body(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                       emit_body_form form);

/* emit_struct.c, emit_func.c, emit_snippet.c, emit_kernel.c: one definition each */
/* in_tile: some tile holds it, so that it needs arithmetic. */
void emit_struct(strbuf *out, const struct_def *st, bool in_tile);
bool emit_accumulates(const struct_field *f); /* wp.atomic_add knows its type */
bool emit_lives_in_wp(const type *t);         /* its functions stand in namespace wp */

/* emit_tile.c */
bool emit_is_tile(const type *t); /* a tile or a stack of one */
/* The declaration of a tile variable's adjoint. */
void emit_tile_dual(strbuf *out, const type *t, str label);
void emit_tile_template(strbuf *out, const ir_unit *u);
/* Parameter i, a tile, in a list of parameters: "tile_x& var_x". Its class is the template's
 * parameter that is named after it, so any storage and layout may be passed. */
void emit_tile_param(strbuf *out, bool *first, const ir_unit *u, uint32_t i, const char *before,
                     str name);
bool emit_unit_tiles_struct(const ir_unit *u, const struct_def *st);
void emit_struct_tile_members(strbuf *out, const struct_def *st);
void emit_struct_tile_helpers(strbuf *out, const struct_def *st);

typedef enum emit_half { EMIT_FORWARD, EMIT_REVERSE } emit_half;
/* Functions as Warp 1.19 codegen_func writes them: head and end differ between devices, arguments
 * and body do not. `all` is searched for the function that a custom gradient belongs to. */
bool emit_func_has(const ir_unit *u, emit_half half);
void emit_func_head(strbuf *out, const ir_unit *u, emit_half half, emit_device device);
void emit_func_rest(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                    ir_unit *const *all, uint32_t nall, emit_half half);
void emit_func_end(strbuf *out, const ir_unit *u, emit_device device);
void emit_snippet(emitter *e, strbuf *out, const ir_unit *u, emit_half half);
/* Appends ",\n    " to all but the first of a list. */
void emit_separator(strbuf *out, bool *first);
/* "// FILE:LINE" of a function. */
void emit_source_line(strbuf *out, const ir_unit *u);
const type *emit_gradient_type(emitter *e, const type *t);

void emit_args_struct(strbuf *out, const ir_unit *u);
void emit_forward_kernel(emitter *e, strbuf *out, const ir_module *m, const emit_prepared *p,
                         emit_device device);
void emit_backward_kernel(emitter *e, strbuf *out, const ir_module *m, const emit_prepared *p,
                          emit_device device);
/* Warp 1.19 cpu_linear_contiguous_specialization_candidate. */
bool emit_is_linear(const ir_module *m);
bool emit_is_plain_vector(const type *t); /* a plain array of one dimension */

/* What a module consists of. Arrays belong to the ir_modules or to c->module. */
typedef struct emit_parts {
    ir_unit *const *funcs;
    const struct_def *const *structs;
    uint32_t nfuncs, nstructs;
    const ir_module *const *kernels;
    uint32_t nkernels;
} emit_parts;

/* emit_native.c: what C++ has to agree on about the types that the program registers */
void emit_external_types(ctx *c, strbuf *out, const emit_parts *all, emit_device device);

/* emit_entry.c: Warp 1.19 codegen_module, and the headers */
void emit_entry_points(emitter *e, strbuf *out, const ir_module *m);

/* Copies n bytes, without a call if they are few: two overlapping moves of a fixed size cover every
 * length between them. */
static inline void emit_copy(char *to, const char *p, size_t n)
{
    if (n > 32) {
        memcpy(to, p, n);
    } else if (n >= 16) {
        memcpy(to, p, 16);
        memcpy(to + n - 16, p + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, p, 8);
        memcpy(to + n - 8, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, p, 4);
        memcpy(to + n - 4, p + n - 4, 4);
    } else if (n) {
        to[0] = p[0];
        to[n / 2] = p[n / 2];
        to[n - 1] = p[n - 1];
    }
}

/* sb_put without its call, for text of a few bytes. */
static inline void emit_put(strbuf *b, const char *p, size_t n)
{
    if (b->cap - b->n < n)
        sb_grow(b, n);
    emit_copy(b->p + b->n, p, n);
    b->n += n;
}

static inline void emit_str(strbuf *b, str s)
{
    emit_put(b, s.p, s.n);
}

/* The variable of parameter i. */
static inline const ir_var *emit_param(const ir_unit *u, uint32_t i)
{
    WEFT_ASSERT(i < u->nparams);
    return &u->vars.v[u->params[i]];
}

/* Text in a template: "@" stands for the name given. */
static inline void emit_named(strbuf *b, const char *template, str name)
{
    for (const char *at; (at = strchr(template, '@')); template = at + 1) {
        sb_put(b, template, (size_t)(at - template));
        sb_str(b, name);
    }
    sb_c(b, template);
}

#endif
