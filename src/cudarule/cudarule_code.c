/* SPDX-License-Identifier: Apache-2.0 */
/* Prints lists of statements (cudarule_code.h). For the bodies of device functions
 * (cudarule_apply.c) and for templates of adjoints (cudarule_template.c).
 *
 *     IF cond "a < 0.0f"          ->   if (a < 0.0f) {
 *       SUM to "da", e "d", minus          da -= d;
 *                                      }
 *
 * Four columns for each step; braces around branches, and around what a loop repeats if that is
 * more than one line. */
#include "cudarule/cudarule_code.h"

#include "base/assert.h"
#include "cudarule/cudarule_def.h"

enum { STEP = 4 };

/* Returns the statement that was added. The pointer is valid until the next one is added to the
 * list. */
cuda_code *cuda_add_code(cuda_defs *n, cuda_codes *to, cuda_code_kind kind)
{
    const cuda_code c = {.kind = (uint8_t)kind};
    VEC_PUSH(n->a, to, c);
    return &to->v[to->n - 1];
}

/* A statement that is only text, without its semicolon. */
void cuda_add_line(cuda_defs *n, cuda_codes *to, str text)
{
    cuda_add_code(n, to, CUDA_CODE_LINE)->text = text;
}

/* to += e; with `minus` to -= e. */
void cuda_add_sum(cuda_defs *n, cuda_codes *list, const cuda_expr *to, const cuda_expr *e,
                  bool minus)
{
    WEFT_ASSERT(to->text.n && e->text.n);
    cuda_code *c = cuda_add_code(n, list, CUDA_CODE_SUM);
    c->to = *to;
    c->e = *e;
    c->minus = minus;
}

/* Prints into `line`, and passes each line to `fn` when it is complete. */
typedef struct code_printer {
    cuda_line_fn *fn;
    void *arg;
    strbuf line;
    uint32_t depth; /* of blocks around the line */
    uint32_t loops; /* around it */
} code_printer;

/* The indent of the block. */
static void start_line(code_printer *p)
{
    sb_repeat(&p->line, ' ', STEP * p->depth);
}

/* Passes the line on and begins the next one. */
static void end_line(code_printer *p)
{
    p->fn(p->arg, sb_view(&p->line), p->loops > 0);
    p->line.n = 0;
}

static void print_list(code_printer *p, const cuda_codes *list);

/* The statements of a block, one step deeper. */
static void print_inner(code_printer *p, const cuda_codes *list)
{
    p->depth++;
    print_list(p, list);
    p->depth--;
}

/* An else branch that is one IF continues the chain: "} else if (...) {". */
static void print_if(code_printer *p, const cuda_code *c)
{
    SB_LIT(&p->line, "if (");
    sb_str(&p->line, c->e.text);
    SB_LIT(&p->line, ") {");
    end_line(p);
    print_inner(p, &c->body);
    start_line(p);
    SB_LIT(&p->line, "}");
    if (c->orelse.n == 1 && c->orelse.v[0].kind == CUDA_CODE_IF) {
        SB_LIT(&p->line, " else ");
        print_if(p, &c->orelse.v[0]);
        return;
    }
    if (c->orelse.n) {
        SB_LIT(&p->line, " else {");
        end_line(p);
        print_inner(p, &c->orelse);
        start_line(p);
        SB_LIT(&p->line, "}");
    }
    end_line(p);
}

/* Is it more than one line? */
static bool is_long(const cuda_codes *list)
{
    return list->n > 1 || (list->n == 1 && list->v[0].kind > CUDA_CODE_SUM);
}

/* Braces and what is in them. */
static void print_block(code_printer *p, const cuda_codes *list)
{
    SB_LIT(&p->line, "{");
    end_line(p);
    print_inner(p, list);
    start_line(p);
    SB_LIT(&p->line, "}");
    end_line(p);
}

/* A loop over rows whose body is the loop over columns has no braces (`outer`). */
static void print_loop(code_printer *p, const cuda_code *c)
{
    sb_str(&p->line, c->text);
    p->loops++;
    if (!c->outer && is_long(&c->body)) {
        sb_char(&p->line, ' ');
        print_block(p, &c->body);
    } else {
        end_line(p);
        print_inner(p, &c->body);
    }
    p->loops--;
}

/* One statement, with the lines of what is in it. */
static void print_code(code_printer *p, const cuda_code *c)
{
    start_line(p);
    switch ((cuda_code_kind)c->kind) {
    case CUDA_CODE_LINE:
        sb_str(&p->line, c->text);
        SB_LIT(&p->line, ";");
        end_line(p);
        return;
    case CUDA_CODE_SUM:
        sb_str(&p->line, c->to.text);
        sb_c(&p->line, c->minus ? " -= " : " += ");
        sb_str(&p->line, c->e.text);
        SB_LIT(&p->line, ";");
        end_line(p);
        return;
    case CUDA_CODE_IF: print_if(p, c); return;
    case CUDA_CODE_LOOP: print_loop(p, c); return;
    case CUDA_CODE_BLOCK: print_block(p, &c->body); return;
    }
}

static void print_list(code_printer *p, const cuda_codes *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        print_code(p, &list->v[i]);
}

/* The one place that turns statements into text. */
void cuda_each_line(mem *m, const cuda_codes *list, cuda_line_fn *fn, void *arg)
{
    code_printer p = {.fn = fn, .arg = arg};
    sb_init(&p.line, m);
    print_list(&p, list);
    WEFT_ASSERT(!p.line.n && !p.depth && !p.loops);
    sb_clear(&p.line);
}

/* Where cuda_print_codes puts lines, and what stands before each. */
typedef struct line_list {
    strbuf *out;
    str indent;
} line_list;

/* Appends a line with the caller's indent. */
static void put_line(void *arg, str line, bool in_loop)
{
    const line_list *l = arg;
    (void)in_loop;
    sb_str(l->out, l->indent);
    sb_str(l->out, line);
    sb_char(l->out, '\n');
}

/* As text: for the body of a device function. */
void cuda_print_codes(strbuf *out, const cuda_codes *list, str indent)
{
    line_list l = {out, indent};
    cuda_each_line(out->m, list, put_line, &l);
}
