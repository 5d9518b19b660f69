/* SPDX-License-Identifier: Apache-2.0 */
/* Productions that a syntax tree shows: branches, loops, what stands in them, forms of range. Once
 * a sample has been parsed, its tree decides which of these it has; the notes that the generator
 * makes serve only to reach a target while it writes. Texts of idioms have branches and loops that
 * no cover() stands beside.
 *
 *     for k in range(0, n):        statements/range with a start, statements/if, statements/break,
 *         if x[k] < 0.0:      ->   nesting/if in a loop, nesting/loop depth 1
 *             break
 *
 * All functions of the file count, since the record has their text; loop depth is the kernel's,
 * as in metadata.counts. */
#include "gen/gen_coverage.h"
#include "gen/gen_state.h"
#include "syntax/ast.h"

/* What the tree alone decides. Their bits are cleared before the tree is read. */
static const uint16_t shown[] = {
    THING_IF,         THING_ELIF,       THING_ELSE,   THING_RETURN,     THING_BREAK,
    THING_CONTINUE,   THING_WHILE,      THING_PASS,   THING_ASSERT,     THING_RANGE_START,
    THING_RANGE_STEP, THING_RANGE_DOWN, THING_AND,    THING_OR,         THING_NOT,
    THING_LOOP_1,     THING_LOOP_2,     THING_LOOP_3, THING_IF_IN_LOOP, THING_IF_IN_IF,
    THING_DOCSTRING};

/* Where in a function a node stands. */
typedef struct place {
    gen *g;
    uint32_t loops, arms; /* around it */
    bool is_elif;         /* an If that is the `elif` of the one above */
} place;

static void walk(void *arg, const node *n);

static void walk_list(const place *p, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        walk((void *)p, list->v[i]);
}

/* "elif" is an If alone in the `orelse` of another, and begins where that one does. */
static const node *elif_of(const ast_If *n)
{
    const node *only = n->orelse.n == 1 ? n->orelse.v[0] : NULL;
    return only && only->kind == AST_If && only->col == n->base.col ? only : NULL;
}

static void walk_if(const place *p, const ast_If *n)
{
    const node *elif = elif_of(n);
    place arm = *p, next = *p;
    cover(p->g, p->is_elif ? THING_ELIF : THING_IF);
    if (p->loops)
        cover(p->g, THING_IF_IN_LOOP);
    if (p->arms && !p->is_elif)
        cover(p->g, THING_IF_IN_IF);
    arm.is_elif = false;
    walk(&arm, n->test);
    arm.arms++;
    walk_list(&arm, &n->body);
    if (elif) {
        next.is_elif = true;
        walk(&next, elif);
    } else if (n->orelse.n) {
        cover(p->g, THING_ELSE);
        walk_list(&arm, &n->orelse);
    }
}

/* range(n), range(a, n), range(a, n, 2), range(n, -1, -1) */
static void cover_range(gen *g, const ast_Call *call)
{
    const node *step = call->args.n == 3 ? call->args.v[2] : NULL;
    if (call->args.n == 2)
        cover(g, THING_RANGE_START);
    else if (step && step->kind == AST_UnaryOp && AST(UnaryOp, step)->op == OP_USub)
        cover(g, THING_RANGE_DOWN);
    else if (step)
        cover(g, THING_RANGE_STEP);
}

static bool is_range(const node *iter)
{
    return iter->kind == AST_Call && AST(Call, iter)->func->kind == AST_Name &&
           str_eq(sym_str(AST(Name, AST(Call, iter)->func)->id), STR("range"));
}

/* A call of wp.atomic_add and the like. */
static bool is_atomic(const node *n)
{
    const node *f = n->kind == AST_Call ? AST(Call, n)->func : NULL;
    return f && f->kind == AST_Attribute && str_starts(sym_str(AST(Attribute, f)->attr), "atomic_");
}

/* The thing that a node of this kind is, whatever it holds; THING_COUNT: none. */
static gen_thing thing_of(const node *n)
{
    switch (n->kind) {
    case AST_Return: return THING_RETURN;
    case AST_Break: return THING_BREAK;
    case AST_Continue: return THING_CONTINUE;
    case AST_While: return THING_WHILE;
    case AST_Pass: return THING_PASS;
    case AST_Assert: return THING_ASSERT;
    case AST_BoolOp: return AST(BoolOp, n)->op == OP_And ? THING_AND : THING_OR;
    case AST_UnaryOp: return AST(UnaryOp, n)->op == OP_Not ? THING_NOT : THING_COUNT;
    default: return THING_COUNT;
    }
}

static void walk(void *arg, const node *n)
{
    place p = *(const place *)arg;
    const gen_thing thing = thing_of(n);
    if (n->kind == AST_If) {
        walk_if(&p, AST(If, n));
        return;
    }
    if (thing != THING_COUNT)
        cover(p.g, thing);
    if (p.arms && is_atomic(n))
        cover(p.g, THING_ATOMIC_IN_IF);
    if (n->kind == AST_For && is_range(AST(For, n)->iter))
        cover_range(p.g, AST(Call, AST(For, n)->iter));
    p.loops += n->kind == AST_For || n->kind == AST_While;
    ast_each_child(n, walk, &p);
}

static bool has_docstring(const ast_FunctionDef *f)
{
    const node *first = f->body.n ? f->body.v[0] : NULL;
    if (!first || first->kind != AST_Expr || AST(Expr, first)->value->kind != AST_Constant)
        return false;
    return AST(Constant, AST(Expr, first)->value)->value.kind == CONST_STR;
}

static void clear(gen *g, gen_thing thing)
{
    const uint32_t production = g->productions.first[thing];
    WEFT_ASSERT(thing_rows[thing].class == CLASS_ONE);
    g->coverage.had.bits[production >> 6] &= ~(UINT64_C(1) << (production & 63));
}

void gen_read_tree(gen *g, const ast_Module *tree, uint32_t loop_depth)
{
    static const gen_thing depths[] = {THING_LOOP_1, THING_LOOP_2, THING_LOOP_3};
    const place top = {.g = g};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        clear(g, (gen_thing)shown[i]);
    if (loop_depth)
        cover(g, depths[(loop_depth < 3 ? loop_depth : 3) - 1]);
    for (uint32_t i = 0; i < tree->body.n; i++) {
        const node *n = tree->body.v[i];
        if (n->kind != AST_FunctionDef)
            continue;
        if (has_docstring(AST(FunctionDef, n)))
            cover(g, THING_DOCSTRING);
        walk_list(&top, &AST(FunctionDef, n)->body);
    }
}
