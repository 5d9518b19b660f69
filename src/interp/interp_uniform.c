/* SPDX-License-Identifier: Apache-2.0 */
/* Do all lanes of a block compute the same, so that one may run for all?
 *
 *     i = wp.tid()                              launched for (n, 256): every lane has the same i,
 *     t = wp.tile_load(x, 16, offset=16 * i)    the offset too, and the tile is the block's
 *     y[i] = 1.0                                a store: 256 of them may be what is wrong
 *
 * They do where the kernel takes no coordinate that tells lanes apart, and consists of assignments
 * to names, branches, loops and builtins that are known here. What it leaves to functions of its
 * own, or does to memory but by operations on tiles, counts as telling lanes apart. */
#include "interp/interp_tile.h"

/* Builtins that read at most, or that a block executes once and that give all lanes the same. */
static const char *const known[] = {"abs",
                                    "block_dim",
                                    "ceil",
                                    "clamp",
                                    "cos",
                                    "cross",
                                    "dot",
                                    "exp",
                                    "floor",
                                    "len",
                                    "length",
                                    "length_sq",
                                    "log",
                                    "max",
                                    "min",
                                    "normalize",
                                    "pow",
                                    "sign",
                                    "sin",
                                    "sqrt",
                                    "tanh",
                                    "tile",
                                    "tile_arange",
                                    "tile_atomic_add",
                                    "tile_full",
                                    "tile_load",
                                    "tile_broadcast",
                                    "tile_extract",
                                    "tile_lower_solve",
                                    "tile_map",
                                    "tile_max",
                                    "tile_matmul",
                                    "tile_min",
                                    "tile_cholesky",
                                    "tile_ones",
                                    "tile_sum",
                                    "tile_reduce",
                                    "tile_reshape",
                                    "tile_cholesky_solve",
                                    "tile_squeeze",
                                    "tile_view",
                                    "tile_store",
                                    "tile_zeros",
                                    "tile_transpose",
                                    "where"};

typedef struct search {
    prepare scope; /* the kernel's module */
    uint32_t tids; /* calls of wp.tid that no assignment takes apart */
    int dims;      /* coordinates that it takes */
    bool uniform;
} search;

/* The builtin that is called; NULL: a type is, such as float or range, or something else. */
static const char *called(search *s, const ast_Call *n, bool *is_type)
{
    value v;
    *is_type = false;
    if (!prepare_static(&s->scope, n->func, &v))
        return NULL;
    *is_type = v.kind == VALUE_TYPE || v.kind == VALUE_PYTYPE;
    return v.kind == VALUE_BUILTIN ? builtin_name(v.p)->s : NULL;
}

static void see_call(search *s, const ast_Call *n)
{
    bool is_type;
    const char *name = called(s, n, &is_type);
    if (name && strcmp(name, "tid") == 0) {
        s->tids++;
        return;
    }
    bool found = is_type;
    for (size_t i = 0; name && !found && i < sizeof known / sizeof *known; i++)
        found = strcmp(name, known[i]) == 0;
    s->uniform &= found;
}

/* i, j = wp.tid() */
static void see_assignment(search *s, const ast_Assign *n)
{
    bool is_type;
    const node *target = n->targets.v[0];
    const int count = target->kind == AST_Tuple ? (int)AST(Tuple, target)->elts.n : 1;
    s->uniform &= n->targets.n == 1;
    if (n->value->kind != AST_Call)
        return;
    const char *name = called(s, AST(Call, n->value), &is_type);
    if (!name || strcmp(name, "tid") != 0)
        return;
    s->tids--;
    s->dims = count > s->dims ? count : s->dims;
}

static void see(void *arg, const node *n)
{
    search *s = arg;
    switch (n->kind) {
    case AST_Call: see_call(s, AST(Call, n)); break;
    case AST_Assign: see_assignment(s, AST(Assign, n)); break;
    case AST_AugAssign: s->uniform &= AST(AugAssign, n)->target->kind == AST_Name; break;
    case AST_Subscript: s->uniform &= AST(Subscript, n)->ctx == CTX_Load; break;
    case AST_Attribute: s->uniform &= AST(Attribute, n)->ctx == CTX_Load; break;
    case AST_Name:
    case AST_Constant:
    case AST_Tuple:
    case AST_Slice:
    case AST_keyword:
    case AST_BinOp:
    case AST_UnaryOp:
    case AST_BoolOp:
    case AST_Compare:
    case AST_IfExp:
    case AST_Expr:
    case AST_If:
    case AST_For:
    case AST_While:
    case AST_Break:
    case AST_Continue:
    case AST_Pass:
    case AST_Return: break;
    default: s->uniform = false;
    }
    if (s->uniform)
        ast_each_child(n, see, s);
}

/* How many coordinates a kernel takes whose lanes are alike but for these; -1: they are not. */
static int coordinates_of(interp *in)
{
    const code *k = in->kernel->code;
    search s = {.scope = {.in = in, .code = k}, .uniform = true};
    for (uint32_t i = 0; i < k->def->body.n && s.uniform; i++)
        see(&s, k->def->body.v[i]);
    return s.uniform && !s.tids ? s.dims : -1;
}

bool interp_is_uniform(interp *in, uint64_t width)
{
    const interp_launch *l = in->launch;
    struct lane_group *g = in->group;
    uint64_t alike = 1; /* threads in a row that have the same coordinates */
    if (!g->searched)
        g->coordinates = coordinates_of(in);
    g->searched = true;
    for (int d = g->coordinates; d >= 0 && d < l->ndim; d++)
        alike *= (uint64_t)l->dim[d];
    return g->coordinates >= 0 && g->coordinates < l->ndim && alike % width == 0 && !in->apart;
}
