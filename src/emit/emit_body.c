/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of functions and kernels: declarations, then the forward, replay and reverse lists (Warp
 * 1.19 codegen_func_forward and codegen_func_reverse). An example, the forward body of `return x *
 * x`:
 *
 *     //---------
 *     // primal vars
 *     wp::float32 var_0;
 *     //---------
 *     // forward
 *     // return x * x                                                                       <L 9>
 *     var_0 = wp::mul(var_x, var_x);
 *     return var_0;
 *
 * Every statement and declaration is formatted once per unit (emit_prepare) and then copied to
 * where it stands. */
#include "emit/emitter.h"

/* Copying in steps of a fixed size may write and read past the end of a line by up to this much. */
enum { STEP = 32 };
#define SPACES "                             " /* with "// " before it: STEP bytes */
_Static_assert(sizeof("// " SPACES) > STEP, "one step may be read");

/* Begins a line at the end of e->lines. The pointer is valid until the next line begins. */
static emit_line *add_line(emitter *e)
{
    if (e->nlines == e->line_cap) {
        const uint32_t cap = e->line_cap ? e->line_cap * 2 : 256;
        e->line = mem_resize(e->lines.m, e->line, mem_mul(e->lines.m, cap, sizeof *e->line));
        e->line_cap = cap;
    }
    emit_line *line = &e->line[e->nlines++];
    line->at = (uint32_t)e->lines.n;
    return line;
}

/* Ends the line that add_line began. */
static void end_line(emitter *e, emit_line *line)
{
    WEFT_ASSERT(e->lines.n >= line->at);
    sb_char(&e->lines, '\n');
    line->len = (uint32_t)e->lines.n - line->at;
}

/* The declaration of a variable: constants are const and have their value, tiles an initializer
 * that depends on the pass, others none. `backward`: in the function that has the adjoints. */
static void put_primal(strbuf *b, const ir_var *v, str label, bool backward)
{
    if (v->constant)
        emit_put(b, "const ", 6);
    emit_str(b, v->type->cname);
    emit_put(b, " var_", 5);
    emit_str(b, label);
    /* Constants need their value even where no statement reads them: Warp declares them all. */
    if (v->constant) {
        emit_put(b, " = ", 3);
        value_emit(b, v->constant);
    } else if (emit_is_tile(v->type)) {
        emit_put(b, " = ", 3);
        type_tile_emit_init(b, v->type, backward);
    }
    sb_char(b, ';');
}

/* The declaration of a variable's adjoint, which starts at zero. That of a reference is one of its
 * target. */
static void put_dual(strbuf *b, const ir_var *v, str label)
{
    if (emit_is_tile(v->type)) {
        emit_tile_dual(b, v->type, label);
        return;
    }
    emit_str(b, type_strip_ref(v->type)->cname);
    emit_put(b, " adj_", 5);
    emit_str(b, label);
    emit_put(b, " = {};", 6);
}

/* All primal declarations. True: some of them are tiles, which are declared otherwise in the
 * backward pass. */
static bool put_primals(emitter *e, const ir_unit *u, bool backward)
{
    bool tiles = false;
    for (uint32_t i = 0; i < u->declared.n; i++) {
        const ir_var *v = &u->vars.v[u->declared.v[i]];
        /* The line's length is known once its text is there. */
        emit_line *line = add_line(e);
        put_primal(&e->lines, v, emit_label(&e->names[u->declared.v[i]]), backward);
        end_line(e, line);
        tiles |= emit_is_tile(v->type);
    }
    return tiles;
}

/* Formats the unit: statements by number, primal declarations, again those of the backward pass if
 * there are tiles, adjoints. Line numbers are relative to e->line. */
emit_prepared emit_prepare(emitter *e, const ir_unit *u, bool backward)
{
    WEFT_ASSERT(e->nlines <= e->line_cap);
    strbuf *b = &e->lines;
    emit_prepared r = {.stmts = e->nlines};
    emit_name_vars(e, u);
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        emit_line *line = add_line(e);
        emit_stmt(e, b, u, &u->stmts.v[i]);
        end_line(e, line);
    }
    r.primal = r.replayed_primal = e->nlines;
    /* Where no tile is declared, both passes share the lines. */
    const bool tiles = put_primals(e, u, false);
    if (tiles && backward) {
        r.replayed_primal = e->nlines;
        put_primals(e, u, true);
    }
    r.dual = e->nlines;
    for (uint32_t i = 0; backward && i < u->declared.n; i++) {
        emit_line *line = add_line(e);
        const uint32_t v = u->declared.v[i];
        put_dual(b, &u->vars.v[v], emit_label(&e->names[v]));
        end_line(e, line);
    }
    /* copy_line reads whole steps. */
    if (b->cap - b->n < STEP)
        sb_grow(b, STEP);
    return r;
}

/* Room for n bytes and for what copying in steps writes beyond them. */
static char *reserve(strbuf *out, size_t n)
{
    n += 4 * STEP;
    if (out->cap - out->n < n)
        sb_grow(out, n);
    return out->p + out->n;
}

/* Copies a line behind `indent` spaces, in steps of a fixed size; returns its end. The caller has
 * reserved room for the last steps. */
static inline char *copy_line(char *to, const char *from, size_t n, size_t indent)
{
    for (size_t k = 0; k < indent; k += STEP)
        memset(to + k, ' ', STEP);
    to += indent;
    for (size_t k = 0; k < n; k += STEP)
        memcpy(to + k, from + k, STEP);
    return to + n;
}

/* The comment above a section of a body: "//---------" and "// forward". */
static void put_title(strbuf *out, size_t indent, const char *title)
{
    sb_repeat(out, ' ', indent);
    SB_LIT(out, "//---------\n");
    sb_repeat(out, ' ', indent);
    SB_LIT(out, "// ");
    sb_c(out, title);
    sb_char(out, '\n');
}

/* Kernels for CUDA are indented as if a loop over indices were around them, also without one. */
static size_t indent_of(emit_body_form form)
{
    return form.device == EMIT_CUDA && form.is_kernel ? 8 : 4;
}

/* Within a grid-stride loop a thread goes on with its next index, so `return` becomes `continue`;
 * the loop exists on CUDA alone. */
static bool leaves_by_continue(emit_body_form form)
{
    return form.grid_stride && form.is_kernel && form.device == EMIT_CUDA;
}

/* An upper bound of the bytes that put_list writes, with "// " before every line. */
static size_t list_size(const emit_line *lines, const ir_list *list, size_t indent)
{
    size_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        n += lines[list->v[i].stmt].len + indent + 4u * list->v[i].depth + 3;
    return n;
}

/* Copies the statements of a list. Those that must not run twice are commented out in the replay.
 */
static void copy_list(emitter *e, strbuf *out, const emit_prepared *p, const ir_list *list,
                      size_t indent)
{
    const emit_line *lines = e->line + p->stmts;
    char *to = reserve(out, list_size(lines, list, indent));
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_entry entry = list->v[i];
        const emit_line line = lines[entry.stmt];
        size_t depth = indent + 4u * entry.depth;
        if (entry.commented) {
            to = copy_line(to, "// " SPACES, 3, depth);
            /* The comment sign carries the indentation. */
            depth = 0;
        }
        to = copy_line(to, e->lines.p + line.at, line.len, depth);
    }
    out->n = (size_t)(to - out->p);
}

/* copy_list, with the directives of the lines. */
static void put_list(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                     const ir_list *list, size_t indent)
{
    if (!u->line_directives) {
        copy_list(e, out, p, list, indent);
        return;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_list one = {&list->v[i], 1, 1};
        emit_line_directive(out, u, list->v[i].line);
        copy_list(e, out, p, &one, indent);
    }
}

/* The forward list of a kernel whose threads loop: "return" goes on with the next index. */
static void put_looping_list(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                             size_t indent)
{
    const ir_list *all = &u->forward;
    for (uint32_t from = 0, to; from < all->n; from = to + 1) {
        /* A stretch without a return is copied in one piece. */
        for (to = from; to < all->n && u->stmts.v[all->v[to].stmt].op != IR_RETURN;)
            to++;
        const ir_list part = {all->v + from, to - from, to - from};
        put_list(e, out, u, p, &part, indent);
        if (to == all->n)
            return;
        emit_line_directive(out, u, all->v[to].line);
        sb_repeat(out, ' ', indent + 4u * all->v[to].depth);
        SB_LIT(out, "continue;\n");
    }
}

/* Copies of a CPU kernel's arguments: "wp::int32 var_n = _wp_args->n;". The body then uses the same
 * names as a CUDA kernel, whose arguments are parameters. */
static void put_arguments(strbuf *out, const ir_unit *u, bool adjoint)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        SB_LIT(out, "    ");
        emit_str(out, v->type->cname);
        sb_c(out, adjoint ? " adj_" : " var_");
        emit_str(out, ir_param_name(u, i));
        sb_c(out, adjoint ? " = _wp_adj_args->" : " = _wp_args->");
        emit_str(out, ir_param_name(u, i));
        SB_LIT(out, ";\n");
    }
}

/* A section of declarations, with the directives of their lines. */
static void put_lined_declarations(emitter *e, strbuf *out, const ir_unit *u, size_t indent,
                                   const char *title, uint32_t first)
{
    put_title(out, indent, title);
    for (uint32_t i = 0; i < u->declared.n; i++) {
        const emit_line line = e->line[first + i];
        emit_line_directive(out, u, u->vars.v[u->declared.v[i]].line);
        sb_repeat(out, ' ', indent);
        sb_put(out, e->lines.p + line.at, line.len);
    }
}

/* A section of declarations, as prepared from line `first` on. They are consecutive in e->lines. */
static void put_declarations(emitter *e, strbuf *out, const ir_unit *u, size_t indent,
                             const char *title, uint32_t first)
{
    WEFT_ASSERT(u->declared.n == 0 || first + u->declared.n <= e->nlines);
    if (u->line_directives) {
        put_lined_declarations(e, out, u, indent, title, first);
        return;
    }
    put_title(out, indent, title);
    const emit_line *lines = e->line + first;
    const uint32_t n = u->declared.n;
    if (!n)
        return;
    /* The lines follow each other, so one subtraction gives their size. */
    const size_t size = lines[n - 1].at + lines[n - 1].len - lines[0].at;
    char *to = reserve(out, size + n * indent);
    for (uint32_t i = 0; i < n; i++)
        to = copy_line(to, e->lines.p + lines[i].at, lines[i].len, indent);
    out->n = (size_t)(to - out->p);
}

/* Everything between the braces of a forward function or kernel. */
void emit_forward_body(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                       emit_body_form form)
{
    const size_t indent = indent_of(form);
    /* CUDA kernels have their arguments as parameters, under the same names. */
    if (form.device == EMIT_CPU && form.is_kernel) {
        put_title(out, indent, "argument vars");
        put_arguments(out, u, false);
    }
    put_declarations(e, out, u, indent, "primal vars", p->primal);
    put_title(out, indent, "forward");
    if (leaves_by_continue(form))
        put_looping_list(e, out, u, p, indent);
    else
        put_list(e, out, u, p, &u->forward, indent);
}

/* Everything between the braces of an adjoint: the forward pass again, whose values the adjoints
 * need, then the reverse list. Needs: emit_prepare with `backward`. */
void emit_reverse_body(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                       emit_body_form form)
{
    const size_t indent = indent_of(form);
    if (form.device == EMIT_CPU && form.is_kernel) {
        put_title(out, indent, "argument vars");
        put_arguments(out, u, false);
        put_arguments(out, u, true);
    }
    put_declarations(e, out, u, indent, "primal vars", p->replayed_primal);
    put_declarations(e, out, u, indent, "dual vars", p->dual);
    put_title(out, indent, "forward");
    put_list(e, out, u, p, &u->replay, indent);
    put_title(out, indent, "reverse");
    put_list(e, out, u, p, &u->reverse, indent);
    /* Warp ends every adjoint with a return of its own. */
    sb_repeat(out, ' ', indent);
    sb_c(out, leaves_by_continue(form) ? "continue;\n" : "return;\n");
}
