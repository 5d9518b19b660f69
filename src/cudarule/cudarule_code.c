/* Lists of statements, and their text: four columns for each step, braces around branches and
 * around what a loop repeats if that is more than one line. */
#include "cudarule/cudarule_code.h"

#include "cudarule/cudarule_def.h"

enum { STEP = 4 };

cuda_code *cuda_add_code(cuda_defs *n, cuda_codes *to, cuda_code_kind kind)
{
    const cuda_code c = {.kind = (uint8_t)kind};
    VEC_PUSH(n->a, to, c);
    return &to->v[to->n - 1];
}

void cuda_add_line(cuda_defs *n, cuda_codes *to, str text)
{
    cuda_add_code(n, to, CUDA_CODE_LINE)->text = text;
}

void cuda_add_sum(cuda_defs *n, cuda_codes *list, const cuda_expr *to, const cuda_expr *e,
                  bool minus)
{
    cuda_code *c = cuda_add_code(n, list, CUDA_CODE_SUM);
    c->to = *to;
    c->e = *e;
    c->minus = minus;
}

typedef struct code_printer {
    strbuf *out;
    str indent;
    uint32_t depth;
} code_printer;

static void start_line(const code_printer *p)
{
    sb_str(p->out, p->indent);
    sb_repeat(p->out, ' ', STEP * p->depth);
}

static void print_list(code_printer *p, const cuda_codes *list);

static void print_inner(code_printer *p, const cuda_codes *list)
{
    p->depth++;
    print_list(p, list);
    p->depth--;
}

static void print_if(code_printer *p, const cuda_code *c)
{
    SB_LIT(p->out, "if (");
    sb_str(p->out, c->e.text);
    SB_LIT(p->out, ") {\n");
    print_inner(p, &c->body);
    start_line(p);
    SB_LIT(p->out, "}");
    if (c->orelse.n == 1 && c->orelse.v[0].kind == CUDA_CODE_IF) {
        SB_LIT(p->out, " else ");
        print_if(p, &c->orelse.v[0]);
        return;
    }
    if (c->orelse.n) {
        SB_LIT(p->out, " else {\n");
        print_inner(p, &c->orelse);
        start_line(p);
        SB_LIT(p->out, "}");
    }
    sb_char(p->out, '\n');
}

/* Is it more than one line? */
static bool is_long(const cuda_codes *list)
{
    return list->n > 1 || (list->n == 1 && list->v[0].kind > CUDA_CODE_SUM);
}

static void print_block(code_printer *p, const cuda_codes *list)
{
    SB_LIT(p->out, "{\n");
    print_inner(p, list);
    start_line(p);
    SB_LIT(p->out, "}\n");
}

static void print_loop(code_printer *p, const cuda_code *c)
{
    sb_str(p->out, c->text);
    if (!c->outer && is_long(&c->body)) {
        sb_char(p->out, ' ');
        print_block(p, &c->body);
        return;
    }
    sb_char(p->out, '\n');
    print_inner(p, &c->body);
}

static void print_code(code_printer *p, const cuda_code *c)
{
    start_line(p);
    switch ((cuda_code_kind)c->kind) {
    case CUDA_CODE_LINE:
        sb_str(p->out, c->text);
        SB_LIT(p->out, ";\n");
        return;
    case CUDA_CODE_SUM:
        sb_str(p->out, c->to.text);
        sb_c(p->out, c->minus ? " -= " : " += ");
        sb_str(p->out, c->e.text);
        SB_LIT(p->out, ";\n");
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

void cuda_print_codes(strbuf *out, const cuda_codes *list, str indent)
{
    code_printer p = {out, indent, 0};
    print_list(&p, list);
}
