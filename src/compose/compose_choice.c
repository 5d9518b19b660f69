/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas that return early, written at their place instead of as a function: with branches, or as
 * one expression.
 *
 *     if x > 0.0:               if x > 0.0:
 *         return x       ->         y = x
 *     return a * x              else:                 ->   y = x if x > 0.0 else a * x
 *                                   y = a * x
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

static bool is_return(const node *n)
{
    return n->kind == AST_Return && AST(Return, n)->value &&
           AST(Return, n)->value->kind != AST_Tuple;
}

static void count_returns(void *arg, const node *n)
{
    *(uint32_t *)arg += n->kind == AST_Return;
    ast_each_child(n, count_returns, arg);
}

static uint32_t returns_of(const node *n)
{
    uint32_t returns = 0;
    count_returns(&returns, n);
    return returns;
}

/* Does it return where it ends, and nowhere else? */
static bool ends_in_return(const ast_If *s)
{
    return !s->orelse.n && is_return(s->body.v[s->body.n - 1]) && returns_of(&s->base) == 1;
}

bool choice_splits(const lib_formula *f)
{
    bool splits = f->traits.early && is_return(f->body[f->nbody - 1]);
    for (uint32_t i = 0; splits && i + 1 < f->nbody; i++)
        splits = !returns_of(f->body[i]) ||
                 (f->body[i]->kind == AST_If && ends_in_return(AST(If, f->body[i])));
    return splits;
}

/* Is it safe to compute where the test says otherwise: is all that comes of it a number, and its
 * gradient, too? */
static void find_unsafe(void *arg, const node *n)
{
    static const char *const names[] = {"sqrt",  "log",   "normalize", "length",      "pow",
                                        "acos",  "asin",  "exp",       "tan",         "inverse",
                                        "log2",  "sinh",  "cosh",      "atan2",       "randf",
                                        "randi", "randn", "log10",     "quat_inverse"};
    if (n->kind == AST_BinOp)
        *(bool *)arg |= AST(BinOp, n)->op == OP_Div || AST(BinOp, n)->op == OP_Pow;
    if (n->kind == AST_Attribute)
        *(bool *)arg |= STR_IS_IN(sym_str(AST(Attribute, n)->attr), names);
    if (n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name)
        *(bool *)arg = true; /* a function, which may do all of this */
    ast_each_child(n, find_unsafe, arg);
}

/* Where both values are computed, and one is taken. */
bool choice_is_one(const lib_formula *f)
{
    if (f->nbody != 2 || !choice_splits(f) || AST(If, f->body[0])->body.n != 1)
        return false;
    bool unsafe = false;
    find_unsafe(&unsafe, AST(If, f->body[0])->body.v[0]);
    find_unsafe(&unsafe, f->body[1]);
    return !unsafe;
}

uint64_t choice_features(const lib_formula *f, step_choice as)
{
    const uint64_t branches = UINT64_C(1) << PROFILE_BRANCH | UINT64_C(1) << PROFILE_ELSE,
                   guard = UINT64_C(1) << PROFILE_GUARD, where = UINT64_C(1) << PROFILE_WHERE;
    const uint64_t all = f->facts.features & ~guard;
    return as == CHOICE_SPLIT ? all | branches : (all & ~branches) | where;
}

/* What of the formula the wish would have at its place. */
step_choice choice_draw(composer *c, const lib_formula *f)
{
    enum { WISHED = 80 }; /* percent */
    const bool one = wish_names(c, PROFILE_WHERE) || wish_names(c, PROFILE_TERNARY);
    if (!f->traits.early || (!one && !wish_names(c, PROFILE_ELSE)) || !chance(c, WISHED))
        return CHOICE_NONE;
    return one && f->is_one                           ? CHOICE_ONE
           : wish_names(c, PROFILE_ELSE) && f->splits ? CHOICE_SPLIT
                                                      : CHOICE_NONE;
}

/* --- written --------------------------------------------------------------------------------- */

/* A local that is a constant in each branch would be none behind them. */
static void put_value(composer *c, str name, const node *value, bool plain)
{
    const node *of = value->kind == AST_UnaryOp ? AST(UnaryOp, value)->operand : value;
    str text = expr_text(c, value);
    const bool element = plain || memchr(name.p, '[', name.n) != NULL;
    const const_kind kind =
        of->kind == AST_Constant && !element ? AST(Constant, of)->value.kind : CONST_NONE;
    if (kind == CONST_FLOAT && !generic_is(c, LIB_FLOAT))
        text = str_c(arena_printf(&c->text, "float(%.*s)", (int)text.n, text.p));
    if (kind == CONST_INT)
        text = str_c(arena_printf(&c->text, "int(%.*s)", (int)text.n, text.p));
    step_put_assign(c, name, text);
}

static void put_test(composer *c, const char *word, str test)
{
    line_begin(c);
    sb_c(&c->body, word);
    sb_str(&c->body, test);
    SB_LIT(&c->body, ":\n");
}

static void put_branch(composer *c, str name, const node *value, bool plain)
{
    c->indent++;
    put_value(c, name, value, plain);
    c->indent--;
}

static bool is_number(const node *value)
{
    return (value->kind == AST_UnaryOp ? AST(UnaryOp, value)->operand : value)->kind ==
           AST_Constant;
}

void choice_write_where(composer *c, str name, str test, const node_list *args)
{
    put_test(c, "if ", test);
    /* One of two is a number: the local is none, all the same. */
    const bool plain = !is_number(args->v[1]) || !is_number(args->v[2]);
    put_branch(c, name, args->v[1], plain);
    line_begin(c);
    SB_LIT(&c->body, "else:\n");
    put_branch(c, name, args->v[2], plain);
}

/* Statements whose returns assign the name; `chained`: they stand behind an `if` alone. */
static void put_split(composer *c, str name, const node *const *v, uint32_t n, bool chained)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!returns_of(v[i])) {
            block_write(c, (node *const *)&v[i], 1);
            continue;
        }
        if (v[i]->kind == AST_Return) {
            put_value(c, name, AST(Return, v[i])->value, false);
            return;
        }
        const ast_If *s = AST(If, v[i]);
        put_test(c, chained && !i ? "elif " : "if ", expr_text(c, s->test));
        c->indent++;
        block_write(c, s->body.v, s->body.n - 1);
        put_value(c, name, AST(Return, s->body.v[s->body.n - 1])->value, false);
        c->indent--;
        const bool chain = v[i + 1]->kind == AST_If && returns_of(v[i + 1]);
        if (chain) {
            put_split(c, name, v + i + 1, n - i - 1, true);
            return;
        }
        line_begin(c);
        SB_LIT(&c->body, "else:\n");
        c->indent++;
        put_split(c, name, v + i + 1, n - i - 1, false);
        c->indent--;
        return;
    }
}

void choice_write_split(composer *c, const lib_formula *f, str name)
{
    put_split(c, name, f->body, f->nbody, false);
}

/* wp.where(c, a, b), or a if c else b */
str choice_one(composer *c, const lib_formula *f, unparse_prec *prec)
{
    const ast_If *s = AST(If, f->body[0]);
    const node *then = AST(Return, s->body.v[0])->value, *other = AST(Return, f->body[1])->value;
    strbuf b;
    sb_init(&b, c->m);
    *prec = c->form.ternaries ? UNPARSE_TERNARY : UNPARSE_ATOM;
    if (c->form.ternaries) {
        expr_put(c, &b, then, UNPARSE_OR);
        SB_LIT(&b, " if ");
        expr_put(c, &b, s->test, UNPARSE_OR);
        SB_LIT(&b, " else ");
        expr_put(c, &b, other, UNPARSE_TERNARY);
    } else {
        SB_LIT(&b, "wp.where(");
        expr_put(c, &b, s->test, UNPARSE_TERNARY);
        SB_LIT(&b, ", ");
        expr_put(c, &b, then, UNPARSE_TERNARY);
        SB_LIT(&b, ", ");
        expr_put(c, &b, other, UNPARSE_TERNARY);
        SB_LIT(&b, ")");
    }
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* --- filters ---------------------------------------------------------------------------------- */

/* The opposite of a comparison; OP_COUNT: it has none here. */
static ast_op opposite(ast_op op)
{
    switch (op) {
    case OP_Eq: return OP_NotEq;
    case OP_NotEq: return OP_Eq;
    case OP_Lt: return OP_GtE;
    case OP_GtE: return OP_Lt;
    case OP_Gt: return OP_LtE;
    case OP_LtE: return OP_Gt;
    default: return OP_COUNT;
    }
}

static bool has_opposite(const node *n)
{
    if (n->kind == AST_Compare)
        return AST(Compare, n)->ops.n == 1 &&
               opposite((ast_op)AST(Compare, n)->ops.v[0]) != OP_COUNT;
    bool all = n->kind == AST_BoolOp;
    for (uint32_t i = 0; all && i < AST(BoolOp, n)->values.n; i++)
        all = AST(BoolOp, n)->values.v[i]->kind == AST_Compare &&
              has_opposite(AST(BoolOp, n)->values.v[i]);
    return all;
}

/* a < b or c != d   ->   a >= b and c == d */
static void put_opposite(composer *c, const node *n)
{
    if (n->kind == AST_BoolOp) {
        const ast_BoolOp *b = AST(BoolOp, n);
        for (uint32_t i = 0; i < b->values.n; i++) {
            sb_c(&c->body, !i ? "" : b->op == OP_Or ? " and " : " or ");
            put_opposite(c, b->values.v[i]);
        }
        return;
    }
    const ast_Compare *k = AST(Compare, n);
    expr_put(c, &c->body, k->left, UNPARSE_BIT_OR);
    sb_char(&c->body, ' ');
    sb_c(&c->body, unparse_op(opposite((ast_op)k->ops.v[0])));
    sb_char(&c->body, ' ');
    expr_put(c, &c->body, k->comparators.v[0], UNPARSE_BIT_OR);
}

/* One test whose branch does nothing but return. */
bool choice_nests(const lib_part *filter)
{
    const node *n = filter->nbody == 1 ? filter->body[0] : NULL;
    return n && n->kind == AST_If && !AST(If, n)->orelse.n && AST(If, n)->body.n == 1 &&
           AST(If, n)->body.v[0]->kind == AST_Return && has_opposite(AST(If, n)->test);
}

void choice_write_nested(composer *c, const lib_part *filter)
{
    line_begin(c);
    SB_LIT(&c->body, "if ");
    put_opposite(c, AST(If, filter->body[0])->test);
    SB_LIT(&c->body, ":\n");
}
