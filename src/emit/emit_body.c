/* Bodies of functions and kernels: declarations, then the forward, replay and reverse lists (Warp
 * 1.19 codegen_func_forward and codegen_func_reverse). Every statement and declaration is formatted
 * once per unit (emit_prepare_unit) and then copied to where it stands. */
#include "emit/emitter.h"

/* Runs past the end of a line by up to this much when it is copied in steps. */
enum { STEP = 32 };

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

static void end_line(emitter *e, emit_line *line)
{
    sb_char(&e->lines, '\n');
    line->len = (uint32_t)e->lines.n - line->at;
}

static void put_primal(strbuf *b, const ir_var *v, bool backward)
{
    if (v->constant)
        emit_put(b, "const ", 6);
    emit_str(b, v->type->cname);
    emit_put(b, " var_", 5);
    emit_str(b, v->label);
    if (v->constant) {
        emit_put(b, " = ", 3);
        value_emit(b, v->constant);
    } else if (emit_is_tile(v->type)) {
        emit_put(b, " = ", 3);
        emit_tile_init(b, v->type, backward);
    }
    sb_char(b, ';');
}

static void put_dual(strbuf *b, const ir_var *v)
{
    if (emit_is_tile(v->type)) {
        emit_tile_dual(b, v);
        return;
    }
    emit_str(b, type_strip_ref(v->type)->cname);
    emit_put(b, " adj_", 5);
    emit_str(b, v->label);
    emit_put(b, " = {};", 6);
}

/* All primal declarations. True: some of them are tiles. */
static bool put_primals(emitter *e, const ir_unit *u, bool backward)
{
    bool tiles = false;
    for (uint32_t i = 0; i < u->declared.n; i++) {
        const ir_var *v = &u->vars.v[u->declared.v[i]];
        emit_line *line = add_line(e);
        put_primal(&e->lines, v, backward);
        end_line(e, line);
        tiles |= emit_is_tile(v->type);
    }
    return tiles;
}

void emit_prepare_unit(emitter *e, const ir_unit *u, bool backward)
{
    strbuf *b = &e->lines;
    e->nlines = 0;
    b->n = 0;
    for (uint32_t i = 0; i < u->stmts.n; i++) {
        emit_line *line = add_line(e);
        emit_stmt(e, b, u, &u->stmts.v[i]);
        end_line(e, line);
    }
    e->first_primal = e->first_backward = e->nlines;
    const bool tiles = put_primals(e, u, false);
    if (tiles && backward) {
        e->first_backward = e->nlines;
        put_primals(e, u, true);
    }
    e->first_dual = e->nlines;
    for (uint32_t i = 0; backward && i < u->declared.n; i++) {
        emit_line *line = add_line(e);
        put_dual(b, &u->vars.v[u->declared.v[i]]);
        end_line(e, line);
    }
    if (b->cap - b->n < STEP)
        sb_grow(b, STEP);
}

/* Copies line i behind `indent` spaces. Text is moved in steps of a fixed size: both buffers have
 * room for the bytes too many. */
static void copy_line(emitter *e, strbuf *out, uint32_t i, size_t indent)
{
    const emit_line line = e->line[i];
    const size_t room = indent + line.len + 2 * STEP;
    if (out->cap - out->n < room)
        sb_grow(out, room);
    char *to = out->p + out->n;
    for (size_t k = 0; k < indent; k += STEP)
        memset(to + k, ' ', STEP);
    to += indent;
    const char *from = e->lines.p + line.at;
    for (size_t k = 0; k < line.len; k += STEP)
        memcpy(to + k, from + k, STEP);
    out->n += indent + line.len;
}

static void put_title(strbuf *out, size_t indent, const char *title)
{
    sb_repeat(out, ' ', indent);
    SB_LIT(out, "//---------\n");
    sb_repeat(out, ' ', indent);
    SB_LIT(out, "// ");
    sb_c(out, title);
    sb_char(out, '\n');
}

static size_t indent_of(emit_body_form form)
{
    return form.device == EMIT_CUDA && form.is_kernel ? 8 : 4;
}

/* Within a grid-stride loop a thread goes on with its next index. */
static bool leaves_by_continue(emit_body_form form)
{
    return form.grid_stride && form.is_kernel && form.device == EMIT_CUDA;
}

static void put_list(emitter *e, strbuf *out, const ir_unit *u, const ir_list *list, size_t indent,
                     bool return_continues)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_entry entry = list->v[i];
        const size_t depth = indent + 4u * entry.depth;
        if (return_continues && u->stmts.v[entry.stmt].op == IR_RETURN) {
            sb_repeat(out, ' ', depth);
            SB_LIT(out, "continue;\n");
        } else if (entry.commented) {
            sb_repeat(out, ' ', depth);
            SB_LIT(out, "// ");
            copy_line(e, out, entry.stmt, 0);
        } else {
            copy_line(e, out, entry.stmt, depth);
        }
    }
}

static void put_arguments(strbuf *out, const ir_unit *u, bool adjoint)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        SB_LIT(out, "    ");
        emit_str(out, v->type->cname);
        sb_c(out, adjoint ? " adj_" : " var_");
        emit_str(out, v->label);
        sb_c(out, adjoint ? " = _wp_adj_args->" : " = _wp_args->");
        emit_str(out, v->label);
        SB_LIT(out, ";\n");
    }
}

static void put_declarations(emitter *e, strbuf *out, const ir_unit *u, size_t indent,
                             const char *title, uint32_t first)
{
    put_title(out, indent, title);
    for (uint32_t i = 0; i < u->declared.n; i++)
        copy_line(e, out, first + i, indent);
}

void emit_forward_body(emitter *e, strbuf *out, const ir_unit *u, emit_body_form form)
{
    const size_t indent = indent_of(form);
    if (form.device == EMIT_CPU && form.is_kernel) {
        put_title(out, indent, "argument vars");
        put_arguments(out, u, false);
    }
    put_declarations(e, out, u, indent, "primal vars", e->first_primal);
    put_title(out, indent, "forward");
    put_list(e, out, u, &u->forward, indent, leaves_by_continue(form));
}

void emit_reverse_body(emitter *e, strbuf *out, const ir_unit *u, emit_body_form form)
{
    const size_t indent = indent_of(form);
    if (form.device == EMIT_CPU && form.is_kernel) {
        put_title(out, indent, "argument vars");
        put_arguments(out, u, false);
        put_arguments(out, u, true);
    }
    put_declarations(e, out, u, indent, "primal vars", e->first_backward);
    put_declarations(e, out, u, indent, "dual vars", e->first_dual);
    put_title(out, indent, "forward");
    put_list(e, out, u, &u->replay, indent, false);
    put_title(out, indent, "reverse");
    put_list(e, out, u, &u->reverse, indent, false);
    sb_repeat(out, ' ', indent);
    sb_c(out, leaves_by_continue(form) ? "continue;\n" : "return;\n");
}
