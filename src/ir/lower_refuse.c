/* SPDX-License-Identifier: Apache-2.0 */
/* Errors that say what the user wrote and what to write instead: the longer ones, which need a
 * look at the tree or at types. The other lowering files call these where they give up.
 *
 *     for v in a:                a loop in a kernel cannot run over array(ndim=1, dtype=float32)
 *               ^                    hint: write range(a.shape[0]), and read a[i] in the loop
 *
 * Nothing here decides what is an error, and nothing is lowered. */
#include "ir/lower.h"

/* What users call a piece of syntax, and what they can write in its place. */
typedef struct syntax_words {
    node_kind kind;
    const char *name, *instead;
} syntax_words;

static const char loop_instead[] = "write a for loop over range(), with one statement per step";

static const syntax_words syntax_table[] = {
    {AST_JoinedStr, "an f-string",
     "print values one by one, or give a format: wp.printf(\"%f\\n\", x)"},
    {AST_ListComp, "a list comprehension", loop_instead},
    {AST_SetComp, "a set comprehension", loop_instead},
    {AST_DictComp, "a dictionary comprehension", loop_instead},
    {AST_GeneratorExp, "a generator expression", loop_instead},
    {AST_List, "a list", "use a vector, or wp.zeros(shape=n, dtype=...) for a small local array"},
    {AST_Dict, "a dictionary", "use a @wp.struct for named values, or an array argument"},
    {AST_Set, "a set", "use a vector, or an array argument"},
    {AST_Try, "'try'", "kernels raise no exceptions: test the condition with 'if'"},
    {AST_TryStar, "'try'", "kernels raise no exceptions: test the condition with 'if'"},
    {AST_Raise, "'raise'", "write an error code into an array argument, or use 'assert'"},
    {AST_Match, "'match'", "write 'if', 'elif' and 'else'"},
    {AST_Lambda, "'lambda'", "define a function with @wp.func outside of the kernel"},
    {AST_With, "'with'", "use it around the launch, in Python"},
    {AST_AsyncWith, "'async with'", "use it around the launch, in Python"},
    {AST_AsyncFor, "'async for'", "write a for loop over range()"},
    {AST_AsyncFunctionDef, "'async def'", "define a function with @wp.func outside of the kernel"},
    {AST_Await, "'await'", "wait for results in Python, after the launch"},
    {AST_Yield, "'yield'", "write each result into an element of an array argument"},
    {AST_YieldFrom, "'yield from'", "write each result into an element of an array argument"},
    {AST_AnnAssign, "an annotation of a variable",
     "leave it out: the variable has the type of its first value, as in x = float(0)"},
    {AST_NamedExpr, "':='", "assign in a statement of its own, on the line before"},
    {AST_Import, "'import'", "import at the top of the file"},
    {AST_ImportFrom, "'import'", "import at the top of the file"},
    {AST_Global, "'global'", "pass an array, and write to its elements"},
    {AST_Nonlocal, "'nonlocal'", "pass an array, and write to its elements"},
    {AST_Delete, "'del'", "leave it out: local variables end with the kernel"},
    {AST_ClassDef, "'class'", "define a @wp.struct outside of the kernel"},
    {AST_TypeAlias, "'type'", "give the type a name outside of the kernel: Vec = wp.vec3"},
    {AST_Starred, "unpacking with '*'", "write the values one by one"},
};

_Noreturn void refuse_syntax(lower *l, const node *n)
{
    for (size_t i = 0; i < sizeof syntax_table / sizeof *syntax_table; i++)
        if (syntax_table[i].kind == n->kind)
            lower_error(l, n, UNSUPPORTED_SYNTAX, syntax_table[i].name, syntax_table[i].instead);
    lower_error(l, n, UNSUPPORTED_SYNTAX, "this",
                "kernels may use assignments, if, for over range(), while, break, continue, "
                "return and expressions");
}

_Noreturn void refuse_comparison(lower *l, const node *n, ast_op op)
{
    if (op == OP_In || op == OP_NotIn)
        lower_error(l, n, UNSUPPORTED_OPERATOR, op == OP_In ? "in" : "not in",
                    "compare with each value: x == 1 or x == 2");
    lower_error(l, n, UNSUPPORTED_OPERATOR, op == OP_Is ? "is" : "is not",
                op == OP_Is ? "compare values: write ==" : "compare values: write !=");
}

_Noreturn void refuse_constant(lower *l, const node *n, const_kind kind)
{
    if (kind == CONST_NONE)
        lower_error(l, n, UNSUPPORTED_CONSTANT, "None",
                    "every variable has a value of one type: use a number that marks it");
    const char *what = kind == CONST_IMAGINARY  ? "a complex number"
                       : kind == CONST_BYTES    ? "a bytes literal"
                       : kind == CONST_ELLIPSIS ? "'...'"
                                                : "an integer of more than 127 bits";
    lower_error(l, n, UNSUPPORTED_CONSTANT, what, "use integers, floats, True and False");
}

/* The text of an expression on one line; the fallback if it is longer than a message should show.
 */
static str source_or(const lower *l, const node *n, const char *fallback)
{
    enum { SHOWN_MAX = 40 };
    const struct source *src = l->code->src;
    const size_t width = n->end_col - n->col;
    if (!n->line || n->line != n->end_line || width > SHOWN_MAX)
        return (str){fallback, strlen(fallback)};
    return (str){src->text.p + src->lines[n->line - 1] + n->col, width};
}

const char *cast_text(lower *l, const type *t)
{
    return type_is_scalar(t) ? arena_printf(&l->c->ir, "%s(...)", builtin_cast_name(l->c, t))
                             : NULL;
}

_Noreturn void refuse_store(lower *l, const node *at, const type *want, uint32_t v)
{
    const type *t = var_value_type(l, v);
    lower_error(l, at, STORE_TYPE, want->pyname.p, t->pyname.p,
                builtin_conversion(l->c, t, want, var_constant(l, v)));
}

_Noreturn void refuse_rebinding(lower *l, const node *at, const sym *name, const type *old,
                                const type *t)
{
    const char *how = builtin_conversion(l->c, t, old, NULL);
    lower_error(l, at, REBOUND_TYPE, name->s, old->pyname.p, t->pyname.p, how, *how ? ", or " : "");
}

/* A float, a vector: a branch that they choose would be a wp.where, which takes none of them. */
void check_condition(lower *l, const node *at, uint32_t cond)
{
    const type *t = var_value_type(l, cond);
    if ((type_is_float(t) || type_is_composite(t)) && !var_constant(l, cond))
        lower_error(l, at, CONDITION_TYPE, t->pyname.p);
}

void check_ifexp_types(lower *l, const node *at, uint32_t cond, uint32_t a, uint32_t b)
{
    const type *t = var_value_type(l, a), *u = var_value_type(l, b);
    if (type_equal(t, u) || type_erasure_join(t, u))
        return;
    const call_arg args[] = {arg_of_var(l, cond), arg_of_var(l, a), arg_of_var(l, b)};
    const call_request r = {.fn = l->names->b_where,
                            .args = args,
                            .nargs = 3,
                            .called = builtin_name(l->names->b_where),
                            .at = span_of(l, at)};
    const char *advice = builtin_accepts(l->c, &r) ? NULL : builtin_advice(l->c, &r);
    lower_error(l, at, IFEXP_TYPES, t->pyname.p, u->pyname.p,
                advice ? advice : "make both one type");
}

/* v < w: Warp's C++ classes of several values have == alone, for two of one type. */
void warn_of_comparison(lower *l, const ast_Compare *n, ast_op op, uint32_t a, uint32_t b)
{
    const type *t = var_value_type(l, a), *u = var_value_type(l, b);
    const bool wide = type_is_composite(t) || type_is_composite(u);
    const bool equal = op == OP_Eq || op == OP_NotEq;
    if (!wide || (equal && type_equal(t, u)))
        return;
    diag_warning(l->c, span_of(l, &n->base), DIAG_COMPARED_TYPES,
                 ir_compare_symbol(ir_arg_make(IR_ARG_COMPARE, op)).p, t->pyname.p, u->pyname.p,
                 equal ? "compare values of one type"
                       : "compare components, v[0] < w[0], or lengths, wp.length(v) < 1.0");
}

/* What is known at compile time where a variable is needed: a type, a function, x.ndim. */
_Noreturn void refuse_object(lower *l, const node *n, operand o)
{
    const char *name = n->kind == AST_Attribute ? AST(Attribute, n)->attr->s : "";
    if (strcmp(name, "size") == 0)
        lower_error(l, n, ARRAY_SIZE, "x.shape[0]");
    if (o.kind == OPERAND_VALUE && value_is_number(o.value))
        lower_error(l, n, UNTYPED_NUMBER);
    if (o.kind == OPERAND_NONE)
        lower_error(l, n, NO_VALUE);
    lower_error(l, n, NOT_A_VALUE);
}

void check_iterable(lower *l, const node *n)
{
    if (n->kind == AST_List)
        lower_error(l, n, NOT_ITERABLE, "a list",
                    "write range(n), and keep the numbers in a vector or array");
}

/* Of any kind: a box, a ray, a sphere, .... */
static bool is_bvh_query(ctx *c, const type *t)
{
    const type *query = type_native(c, "BvhQuery");
    return t == query || t->native->erased == query;
}

void check_iterator(lower *l, const node *n, const type *t)
{
    const str x = source_or(l, n, "x");
    strbuf b;
    sb_init(&b, &l->c->mem);
    if (t->kind == TYPE_ARRAY)
        sb_printf(&b, "write range(%.*s.shape[0]), and index the array in the loop", (int)x.n, x.p);
    else if (type_is_scalar(t))
        sb_printf(&b, "write range(%.*s) to count up to it", (int)x.n, x.p);
    else if (type_is_composite(t))
        sb_printf(&b, "write range(%d), and index it in the loop", t->rows);
    else if (t->kind == TYPE_TUPLE)
        sb_c(&b, "write range(...), and compute the value in the loop");
    else if (t->kind == TYPE_NATIVE && is_bvh_query(l->c, t))
        lower_error(l, n, NOT_ITERABLE, "a BVH query",
                    "write i = int(0), then while wp.bvh_query_next(query, i): with the number of "
                    "a box in i");
    else if (t->kind == TYPE_NATIVE && t == type_native(l->c, "shape_t"))
        lower_error(l, n, NOT_ITERABLE, "a shape",
                    "write range(x.shape[0]) to count up to a length");
    else
        return;
    const str hint = finish_text(l, &b);
    lower_error(l, n, NOT_ITERABLE, t->pyname.p, hint.p);
}

/* The last statement in the list that binds the name, in the order of the source, and begins before
 * this line; NULL: none. */
static const node *last_store(lower *l, const node_list *list, const sym *name, uint32_t line)
{
    const node *found = NULL;
    for (uint32_t i = 0; i < list->n && list->v[i]->line < line; i++) {
        const node *n = list->v[i], *inner = NULL;
        sym_set stored = {0};
        collect_stores(l, n, &stored);
        if (!sym_set_has(&stored, name))
            continue;
        if (n->kind == AST_If) {
            inner = last_store(l, &AST(If, n)->orelse, name, line);
            inner = inner ? inner : last_store(l, &AST(If, n)->body, name, line);
        } else if (n->kind == AST_For) {
            inner = last_store(l, &AST(For, n)->body, name, line);
        } else if (n->kind == AST_While) {
            inner = last_store(l, &AST(While, n)->body, name, line);
        }
        found = inner ? inner : n;
    }
    return found;
}

void check_branch_types(lower *l, const ast_If *n, uint32_t cond, const sym *name, uint32_t a,
                        uint32_t b)
{
    const type *t = var_value_type(l, a), *u = var_value_type(l, b);
    check_condition(l, n->test, cond);
    if (type_equal(t, u))
        return;
    const call_arg args[] = {arg_of_var(l, cond), arg_of_var(l, a), arg_of_var(l, b)};
    const call_request r = {
        .fn = l->names->b_where, .args = args, .nargs = 3, .at = span_of(l, &n->base)};
    if (builtin_accepts(l->c, &r))
        return;
    const node *at = last_store(l, &n->orelse, name, UINT32_MAX);
    const type *here = at ? u : t, *there = at ? t : u;
    if (!at)
        at = last_store(l, &n->body, name, UINT32_MAX);
    const char *cast = type_is_scalar(here) ? cast_text(l, there) : NULL;
    lower_error(l, at ? at : &n->base, BRANCH_TYPES, name->s, here->pyname.p, there->pyname.p,
                cast ? "convert the value with " : "use another name for one of them",
                cast ? cast : "");
}

/* The form in which a constant becomes a variable: "float(0.0)". */
static const char *variable_text(lower *l, const value *k)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    if (k->kind == VALUE_BOOL) {
        sb_printf(&b, "bool(%s)", k->i ? "True" : "False");
    } else if (k->kind == VALUE_INT && k->i >= INT64_MIN && k->i <= INT64_MAX) {
        sb_printf(&b, "int(%lld)", (long long)k->i);
    } else if (k->kind == VALUE_FLOAT) {
        sb_c(&b, "float(");
        sb_float(&b, k->f);
        sb_c(&b, ")");
    } else {
        sb_c(&b, "float(...), int(...) or another type's constructor");
    }
    return finish_text(l, &b).p;
}

_Noreturn void refuse_mutation(lower *l, const node *at, const sym *name, const value *k)
{
    /* A loop's own statements, or what stands before a jump. */
    const node_list *body = at->kind == AST_For     ? &AST(For, at)->body
                            : at->kind == AST_While ? &AST(While, at)->body
                                                    : &l->code->def->body;
    const bool loop = at->kind == AST_For || at->kind == AST_While;
    const node *store = last_store(l, body, name, loop ? UINT32_MAX : at->line);
    lower_error(l, store ? store : at, MUTATED_CONSTANT, name->s, name->s, variable_text(l, k));
}

_Noreturn void refuse_undefined(lower *l, const node *n, const sym *name)
{
    const char *import = import_of(name);
    value v;
    if (env_star(l->code->env, &v))
        refuse_value(l, n, name->s, &v);
    if (import)
        lower_error(l, n, MISSING_IMPORT, name->s, import);
    lower_error(l, n, UNDEFINED_NAME, name->s);
}

/* The name that a dotted path starts with, if nothing of that name exists; else NULL. */
static const node *undefined_root(lower *l, const node *n)
{
    value v;
    while (n->kind == AST_Attribute)
        n = AST(Attribute, n)->value;
    if (n->kind != AST_Name || scope_find(l, &l->scope, AST(Name, n)->id) ||
        env_lookup(l->code->env, AST(Name, n)->id, &v) ||
        warp_or_python_name(l->c, AST(Name, n)->id, &v))
        return NULL;
    return n;
}

/* Names of warp that kernels cannot call: what a later release has, and Python's side. */
static void refuse_warp_name(lower *l, const node *at, const sym *name)
{
    const warp_release since = builtin_since(l->c, name);
    if (since != WARP_ANY)
        lower_error(l, at, NEWER_FUNCTION, name->s, warp_release_name(l->c->warp),
                    warp_release_name(since));
    if (warp_name_side(name) == WARP_NOWHERE)
        return;
    if (strncmp(name->s, "launch", 6) == 0)
        lower_error(l, at, PYTHON_SIDE, name->s,
                    "make the other kernel a @wp.func, and call that here");
    lower_error(l, at, PYTHON_SIDE, name->s,
                "call it before the launch, and pass the result to the kernel");
}

/* wp.sine: did you mean 'sin'? Whether Python's side of warp has the name or kernels, too. */
static void refuse_misspelled(lower *l, const node *at, const sym *name)
{
    const char *near = warp_similar(l->c, name);
    if (!near)
        return;
    if (warp_name_side(sym_c(&l->c->syms, near)) == WARP_PYTHON_SIDE)
        lower_error(l, at, MISSPELLED_PYTHON_SIDE, name->s, near);
    lower_error(l, at, MISSPELLED_FUNCTION, name->s, near);
}

_Noreturn void refuse_function(lower *l, const node *at, const sym *name, bool of_warp,
                               const value *found)
{
    value star;
    if (of_warp) {
        refuse_warp_name(l, at, name);
        if (warp_advice(name))
            lower_error(l, at, ADVISED_FUNCTION, name->s, warp_advice(name));
        refuse_misspelled(l, at, name);
        lower_error(l, at, NO_WARP_FUNCTION, name->s);
    }
    if (name && at->kind == AST_Name &&
        (found ? found->kind == VALUE_PYTYPE : is_name_of_python(l->c, name)))
        refuse_special(l, at, name);
    if (name && at->kind == AST_Attribute && strcmp(name->s, "size") == 0)
        lower_error(l, at, ARRAY_SIZE, "x.shape[0]");
    if (name && at->kind == AST_Name && !found && env_star(l->code->env, &star))
        refuse_value(l, at, name->s, &star);
    if (found && found->kind == VALUE_KERNEL)
        lower_error(l, at, KERNEL_CALLED, name ? name->s : "this");
    if (name && at->kind == AST_Name && builtin_find(l->c, name))
        lower_error(l, at, UNPREFIXED_FUNCTION, name->s, name->s);
    const node *root = undefined_root(l, at);
    if (root && root != at)
        refuse_undefined(l, root, AST(Name, root)->id);
    lower_error(l, at, UNKNOWN_FUNCTION, name ? name->s : "this expression");
}

_Noreturn void refuse_attribute(lower *l, const ast_Attribute *n, const value *object)
{
    if (object->kind != VALUE_WARP || strcmp(object->s->s, "warp") != 0)
        lower_error(l, &n->base, NO_ATTRIBUTE, n->attr->s);
    refuse_warp_name(l, &n->base, n->attr);
    if (warp_advice(n->attr))
        lower_error(l, &n->base, ADVISED_ATTRIBUTE, n->attr->s, warp_advice(n->attr));
    const char *near = warp_similar(l->c, n->attr);
    if (near)
        lower_error(l, &n->base, MISSPELLED_ATTRIBUTE, n->attr->s, near);
    lower_error(l, &n->base, NO_WARP_ATTRIBUTE, n->attr->s);
}

_Noreturn void refuse_special(lower *l, const node *at, const sym *name)
{
    static const struct {
        const char *name, *instead;
    } rows[] = {
        {"zip", "loop over the indices, and read each array there: for i in range(n)"},
        {"enumerate", "loop over the indices, and read the element there: for i in range(n)"},
        {"reversed", "count downwards: for i in range(n - 1, -1, -1)"},
        {"sorted", "sort before the launch, with wp.utils.radix_sort_pairs for example"},
        {"map", "write a for loop over range()"},
        {"sum", "add the values up in a loop; of a vector's components, use wp.dot"},
        {"list", "use a vector, or wp.zeros(shape=n, dtype=...) for a small local array"},
        {"dict", "use a @wp.struct for named values, or an array argument"},
        {"set", "use a vector, or an array argument"},
        {"str", "kernels have no strings; wp.printf(\"%f\\n\", x) prints a number"},
        {"input", "pass the value to the kernel as an argument"},
        {"open", "read the file in Python, and pass its values as arrays"},
        {"any", "join the conditions with 'or'"},
        {"all", "join the conditions with 'and'"},
        {"isinstance", "a variable has one type, which is known when the kernel is written"},
        {"hasattr", "use wp.static(hasattr(...)) for what is known at compile time"},
        {"getattr", "use wp.static(getattr(...)) for what is known at compile time"},
    };
    /* wp.kernel, wp.init and the like. */
    if (!is_name_of_python(l->c, name) && warp_has_special(name))
        lower_error(l, at, PYTHON_SIDE, name->s, "call it in Python");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name->s) == 0)
            lower_error(l, at, PYTHON_FUNCTION, name->s, rows[i].instead);
    lower_error(l, at, PYTHON_FUNCTION, name->s, "compute it in Python, before the launch");
}

_Noreturn void refuse_value(lower *l, const node *n, const char *name, const value *v)
{
    const char *why = v->why ? v->why : "its value is not known at compile time";
    if (v->n == UNKNOWN_MODULE)
        lower_error(l, n, MODULE_NOT_FOUND, name, why);
    if (v->n == UNKNOWN_PACKAGE)
        lower_error(l, n, NO_PACKAGE, name, why);
    if (v->n == UNKNOWN_NUMPY)
        lower_error(l, n, NUMPY_REFERENCE, name, why);
    if (v->n == UNKNOWN_ARRAY)
        lower_error(l, n, ARRAY_REFERENCE, name, why);
    const char *advice = warp_advice(sym_c(&l->c->syms, name));
    if (advice)
        lower_error(l, n, UNKNOWN_ADVISED, name, why, advice);
    lower_error(l, n, UNKNOWN_VALUE, name, why);
}

/* What a name of the module must not stand for, as "a %s", and what to write instead of "NAME". */
static const struct {
    value_kind kind;
    bool numpy;
    const char *what, *advice;
} references[] = {
    {VALUE_LIST, false, "Python list",
     "pass wp.array(%s, dtype=float) as an argument, or make a few numbers a wp.vec3(...); "
     "wp.static(%s[0]) is one of them"},
    {VALUE_TUPLE, false, "Python tuple",
     "pass wp.array(%s, dtype=float) as an argument, or make a few numbers a wp.vec3(...); "
     "wp.static(%s[0]) is one of them"},
    {VALUE_DICT, false, "Python dict",
     "pass its values in a @wp.struct or as arguments; wp.static(%s[...]) is one of them"},
    {VALUE_STR, false, "Python str", "write the text itself in its place"},
    {VALUE_RANGE, false, "Python range", "write range(...) itself in its place"},
    {VALUE_ENUM, false, "member of an enum", "make it a number of the module: %s = int(...)"},
    {VALUE_FLOAT, true, "numpy.float64", "make it a number of Python: %s = float(...)"},
    {VALUE_BOOL, true, "numpy.bool", "make it a bool of Python: %s = bool(...)"},
    {VALUE_PYFUNC, false, NULL, NULL},
    {VALUE_KERNEL, false, NULL, NULL},
    {VALUE_STRUCT_INSTANCE, false, NULL, NULL},
    {VALUE_OBJECT, false, NULL, NULL}};

/* `text` with the name for each "%s" in it. */
static const char *fill_in(lower *l, const char *text, const char *name)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    for (; *text; text += *text == '%' ? 2 : 1)
        if (*text == '%')
            sb_c(&b, name);
        else
            sb_char(&b, *text);
    return finish_text(l, &b).p;
}

void check_reference(lower *l, const node *n, const sym *name, const value *v)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        if (references[i].kind != v->kind || references[i].numpy != value_is_numpy(v))
            continue;
        if (!references[i].what)
            lower_error(l, n, INVALID_REFERENCE, name->s);
        lower_error(l, n, CONTAINER_REFERENCE, name->s, references[i].what,
                    fill_in(l, references[i].advice, name->s));
    }
}

/* "stiffness, length, ends": the fields of a struct. */
const char *field_list(lower *l, const struct_def *st)
{
    enum { SHOWN_MAX = 12 };
    strbuf b;
    sb_init(&b, &l->c->mem);
    for (uint32_t i = 0; i < st->nfields && i < SHOWN_MAX; i++) {
        sb_c(&b, i ? ", " : "");
        sb_str(&b, sym_str(st->fields[i].name));
    }
    sb_c(&b, st->nfields > SHOWN_MAX ? ", ..." : "");
    return finish_text(l, &b).p;
}

/* v.dot(w): NumPy's values have methods that are functions in Warp. */
void refuse_method(lower *l, const node *at, const sym *name, const type *t)
{
    if ((type_is_scalar(t) || type_is_composite(t)) && name->len > 1 && builtin_find(l->c, name))
        lower_error(l, at, NO_METHOD, name->s, (int)t->pyname.n, t->pyname.p, name->s);
}

_Noreturn void refuse_field(lower *l, const node *at, const sym *name, const type *t)
{
    if (t->kind == TYPE_STRUCT && t->st->nfields)
        lower_error(l, at, NO_STRUCT_FIELD, name->s, t->pyname.p, field_list(l, t->st));
    if (t->kind == TYPE_ARRAY)
        lower_error(l, at, NO_ARRAY_ATTRIBUTE, name->s);
    if (t->kind == TYPE_MAT && strcmp(name->s, "T") == 0)
        lower_error(l, at, NO_TRANSPOSE, t->pyname.p);
    lower_error(l, at, NO_FIELD, name->s, (int)t->pyname.n, t->pyname.p);
}

_Noreturn void refuse_unpacking(lower *l, const node *n, const type *t, uint32_t count)
{
    enum { SHOWN_MAX = 4 };
    if (!t)
        lower_error(l, n, NOT_UNPACKABLE, "this", "assign to one name");
    if (!type_is_composite(t) && t->kind != TYPE_ARRAY)
        lower_error(l, n, NOT_UNPACKABLE, t->pyname.p, "assign it to one name");
    const bool name = n->kind == AST_Name;
    const str x = name ? sym_str(AST(Name, n)->id) : STR("v");
    strbuf b;
    sb_init(&b, &l->c->mem);
    sb_c(&b, name ? "index it: " : "assign it to one name, v, and index that: ");
    for (uint32_t i = 0; i < count && i < SHOWN_MAX; i++)
        sb_printf(&b, "%s%.*s[%u]", i ? ", " : "", (int)x.n, x.p, i);
    sb_c(&b, count > SHOWN_MAX ? ", ..." : "");
    lower_error(l, n, NOT_UNPACKABLE, t->pyname.p, finish_text(l, &b).p);
}
