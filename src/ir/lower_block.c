/* SPDX-License-Identifier: Apache-2.0 */
/* Variables, statements and blocks: Warp 1.19 Adjoint.add_var, add_forward, add_reverse,
 * begin_block, end_block, set_lineno. A statement is stored once; the lists of the innermost block
 * refer to it. The functions and the lists that they add to:
 *
 *     add_forward              forward: S    replay: S
 *     add_forward_no_replay    forward: S    replay: -
 *     add_forward_replay       forward: S    replay: R      return: GOTO_LABEL 0
 *     add_forward_commented    forward: S    replay: # R    stores, atomics
 *     add_reverse              reverse: S
 */
#include "ir/lower.h"

/* Keeps `info` as long as the unit's table of variables. */
static void grow_info(lower *l)
{
    while (l->info.n < l->u->vars.n)
        VEC_PUSH(&l->c->ir, &l->info, ((var_info){.origin = NO_PLACE}));
}

/* Warp 1.19 Adjoint.get_line_directive: the line that is lowered, in the file; 0: no directive. */
static uint32_t directive_line(const lower *l)
{
    return l->u->line_directives && l->line ? l->line - l->code->first_line + l->u->first_line : 0;
}

uint32_t add_var(lower *l, const type *t)
{
    WEFT_ASSERT(t);
    uint32_t v = ir_declare(l->c, l->u, t, NULL);
    l->u->vars.v[v].line = directive_line(l);
    grow_info(l);
    VEC_PUSH(&l->c->ir, &innermost(l)->vars, v);
    return v;
}

const value *keep_value(lower *l, value v)
{
    value *kept = arena_alloc(&l->c->ir, sizeof *kept);
    *kept = v;
    return kept;
}

/* A constant is a declared variable, too: it takes a number, and C++ declares it "const" with its
 * value. */
uint32_t add_constant(lower *l, value v)
{
    uint32_t var = add_var(l, value_var_type(l->c, &v));
    l->u->vars.v[var].constant = keep_value(l, v);
    return var;
}

uint32_t add_named(lower *l, ir_var v)
{
    const uint32_t var = ir_add_var(l->c, l->u, v);
    grow_info(l);
    return var;
}

uint32_t add_part(lower *l, uint32_t whole, const struct_field *f)
{
    WEFT_ASSERT(whole < l->u->vars.n && f);
    return add_named(
        l, (ir_var){.kind = IR_VAR_PART, .type = f->type, .index = whole, .field = f->name});
}

str finish_text(lower *l, strbuf *b)
{
    str s = {arena_dup(&l->c->ir, b->p ? b->p : "", b->n), b->n};
    sb_clear(b);
    return s;
}

block *innermost(lower *l)
{
    WEFT_ASSERT(l->blocks.n > 0);
    return l->blocks.v[l->blocks.n - 1];
}

void push_entry(lower *l, ir_list *list, ir_entry e)
{
    WEFT_ASSERT(e.stmt < l->u->stmts.n);
    VEC_PUSH(&l->c->ir, list, e);
}

void append_list(lower *l, ir_list *to, const ir_list *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        push_entry(l, to, from->v[i]);
}

/* At the depth of now. Comments have no directive. */
static ir_entry entry(const lower *l, uint32_t stmt)
{
    const uint16_t op = l->u->stmts.v[stmt].op;
    const bool is_comment = op == IR_LINE || op == IR_ADJ_LINE;
    return (ir_entry){stmt, l->depth, false, is_comment ? 0 : directive_line(l)};
}

void add_forward(lower *l, ir_op op, const ir_arg *args, uint32_t n)
{
    const ir_entry e = entry(l, ir_add_stmt(l->c, l->u, op, args, n));
    push_entry(l, &innermost(l)->forward, e);
    push_entry(l, &innermost(l)->replay, e);
}

void add_forward_no_replay(lower *l, ir_op op, const ir_arg *args, uint32_t n)
{
    push_entry(l, &innermost(l)->forward, entry(l, ir_add_stmt(l->c, l->u, op, args, n)));
}

void add_forward_replay(lower *l, uint32_t stmt, uint32_t replay)
{
    push_entry(l, &innermost(l)->forward, entry(l, stmt));
    push_entry(l, &innermost(l)->replay, entry(l, replay));
}

void add_forward_commented(lower *l, uint32_t stmt, uint32_t replay)
{
    ir_entry second = entry(l, replay);
    second.commented = true;
    push_entry(l, &innermost(l)->forward, entry(l, stmt));
    push_entry(l, &innermost(l)->replay, second);
}

void add_reverse(lower *l, ir_op op, const ir_arg *args, uint32_t n)
{
    push_entry(l, &innermost(l)->reverse, entry(l, ir_add_stmt(l->c, l->u, op, args, n)));
}

/* Every block takes a label, though only loops print it: Warp counts so, and labels of returns come
 * from the same counter. */
block *begin_block(lower *l, block_kind kind)
{
    block *b = ARENA_NEW(&l->c->ir, block);
    b->kind = kind;
    b->label = l->labels++;
    VEC_PUSH(&l->c->ir, &l->blocks, b);
    return b;
}

/* The block stays readable: its lists go where the caller puts them. */
block *end_block(lower *l)
{
    WEFT_ASSERT(l->blocks.n > 1);
    return l->blocks.v[--l->blocks.n];
}

/* The line's text without white space around it. */
static str source_line(const source *src, uint32_t line)
{
    if (line == 0 || line > src->nlines)
        return (str){0};
    size_t from = src->lines[line - 1];
    size_t to = line < src->nlines ? src->lines[line] : src->text.n;
    const char *p = src->text.p;
    while (from < to && (p[from] == ' ' || (p[from] >= '\t' && p[from] <= '\r')))
        from++;
    while (from < to && (p[to - 1] == ' ' || (p[to - 1] >= '\t' && p[to - 1] <= '\r')))
        to--;
    return (str){p + from, to - from};
}

/* Warp 1.19 Adjoint.set_lineno: a comment in both lists wherever the source line changes. Nodes
 * that lowering makes have line 0 and change nothing. */
void set_line(lower *l, const node *n)
{
    if (!n->line || n->line == l->line)
        return;
    l->line = n->line;
    WEFT_ASSERT(n->line >= l->code->first_line);
    ir_arg args[] = {ir_arg_text(l->c, l->u, source_line(l->code->src, n->line)), arg_int(l->depth),
                     arg_int(n->line - l->code->first_line + l->u->first_line)};
    add_forward(l, IR_LINE, args, 3);
    add_reverse(l, IR_ADJ_LINE, args, 3);
}
