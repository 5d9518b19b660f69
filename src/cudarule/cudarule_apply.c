/* SPDX-License-Identifier: Apache-2.0 */
/* Applies rules to the arguments of a call: the text of the call, and the statements of its
 * adjoint. For cudarule_call.c, which looks a call up here last, and for the families
 * (cudarule_family.h), which make rules of their own while they run.
 *
 * The first character of a rule's text selects how it is used:
 *
 *     '='     an expression. It is put in place if each argument is short or used once;
 *             otherwise it becomes a device function
 *     '!'     one statement, put in place as an expression: "!a.p = b"
 *     '{'     adjoints: the body of a device function
 *     other   forward: the body of a device function; adjoints: statements that are put in place
 *
 * In a text a, b, c, e, f, g, ... are the arguments ('d' is not among them); in adjoints da, db,
 * dc, ... are their adjoints, r the result and d the result's adjoint:
 *
 *     RULE("clamp", "IUF", "sss>s", "= min(max(b, a), c)")
 *     clamp(x, 0, 1) of floats    ->   fminf(fmaxf(0.0f, x), 1.0f)
 *
 *     RULE("length", "F", "L>s", "return sqrt(dot(a, a));")
 *     length(v) of a vec3         ->   length(v), with
 *     __device__ inline float length(vec3 a)
 *     {
 *         return sqrtf(dot(a, a));
 *     }
 *
 *     ADJOINT("length", "F", "L>s", NULL, "if (r > 0) da += a * (d / r);")
 *     adjoint of n = length(v)    ->   if (n > 0.0f) { adj_v += v * (adj_n / n); }
 *
 * A device function is defined once for each signature; cuda_def_find finds it again by its key. */
#include "cudarule/cudarule_apply.h"

#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_reader.h"
#include "cudarule/cudarule_type.h"

/* The name of argument i in a rule's text. There is no 'd': that is the result's adjoint. */
str cuda_arg_name(uint32_t i)
{
    static const char names[] = "abcefghijklmnopqstuvwxyz";
    WEFT_ASSERT(i < sizeof names - 1);
    return (str){&names[i], 1};
}

static str adj_name(cuda_run *r, uint32_t i)
{
    return cuda_text(r->n, "d@", cuda_arg_name(i));
}

/* Makes a name of the rule's text stand for e. Statements that change an unwanted one are
 * dropped. */
static void add_var(cuda_run *r, str name, cuda_expr e, bool unwanted)
{
    const cuda_var v = {.name = name, .e = e, .unwanted = unwanted};
    VEC_PUSH(r->n->a, &r->vars, v);
}

/* Collects the arguments' types. False: one has none, or there are more than a rule can match. */
static bool types_of(const cuda_expr *args, uint32_t nargs, const type **types)
{
    for (uint32_t i = 0; i < nargs; i++) {
        types[i] = args[i].type;
        if (!types[i])
            return false;
    }
    return nargs <= CUDA_ARGS_MAX;
}

/* How often the rule's text names the variable. Words are compared as a whole: "da" is no use of
 * "a". */
static uint32_t uses(const char *text, str name)
{
    uint32_t n = 0;
    for (const char *p = text; *p;) {
        const char *from = p;
        while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
               (*p >= '0' && *p <= '9'))
            p++;
        n += (size_t)(p - from) == name.n && memcmp(from, name.p, name.n) == 0;
        p += p == from;
    }
    return n;
}

/* Does the text have a parenthesis? The character behind a HOLE_MARK is a hole's index. */
static bool has_parenthesis(str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '(')
            return true;
        i += text.p[i] == HOLE_MARK;
    }
    return false;
}

/* Short texts may be repeated. An expression with a call is never short: the call would run twice.
 * Both are questions about the text as it is read: how wide it is, and whether it has parentheses,
 * as every call has. */
bool cuda_is_short(const cuda_defs *n, const cuda_expr *e)
{
    if (e->prec < CUDA_UNARY || cuda_width(n, e->text) > 24)
        return false;
    return !has_parenthesis(e->text);
}

/* May the arguments stand in the text itself? Not if a long one would be printed more than once. */
static bool fits_in_place(const cuda_defs *n, const char *text, const cuda_expr *args,
                          uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++)
        if (!cuda_is_short(n, &args[i]) && uses(text, cuda_arg_name(i)) > 1)
            return false;
    return true;
}

/* Values of more than four scalars are passed by const reference, as a programmer would. */
static str parameter(cuda_defs *n, const type *t, str name, bool by_reference)
{
    const str tname = cuda_type_name(n, t);
    if (by_reference)
        return cuda_text(n, "@ &@", tname, name);
    const bool large = !type_is_value(t) || cuda_lanes(t) > 4;
    return cuda_text(n, large ? "const @ &@" : "@ @", tname, name);
}

/* "dot(vec3,vec3,)float": definitions are found by it. The name alone is not enough, since one
 * builtin has a definition for each list of types. */
static str signature_key(cuda_defs *n, str name, const cuda_binding *b)
{
    str key = cuda_text(n, "@(", name);
    for (uint32_t i = 0; i < b->nargs; i++)
        key = cuda_text(n, "@@,", key, cuda_type_name(n, b->args[i]));
    return cuda_text(n, "@)@", key, b->result ? cuda_type_name(n, b->result) : STR("void"));
}

/* The definition of a device function. `result` is what stands right before the name: "vec3 &",
 * "void ". */
static str function_text(cuda_defs *n, str result, str name, str params, str body)
{
    return cuda_text(n, "__device__ inline @@(@)\n{\n@}\n", result, name, params, body);
}

/* One more in "a, b", or the first of a list that is still empty. */
static str listed(cuda_defs *n, str list, str item)
{
    return cuda_text(n, list.n ? "@, @" : "@@", list, item);
}

/* Of the arguments that the text uses; NULL: of all. */
static str parameters(cuda_defs *n, const cuda_binding *b, const char *text)
{
    str params = STR("");
    for (uint32_t i = 0; i < b->nargs; i++) {
        const str name = cuda_arg_name(i);
        if (text && !uses(text, name))
            continue;
        params = listed(n, params,
                        b->by_value[i] ? cuda_text(n, "@ @", cuda_type_name(n, b->args[i]), name)
                                       : parameter(n, b->args[i], name, b->by_reference[i]));
    }
    return params;
}

static void add_params(cuda_run *r)
{
    for (uint32_t i = 0; i < r->b->nargs; i++) {
        const str name = cuda_arg_name(i);
        add_var(r, name, cuda_expr_of(name, r->b->args[i], CUDA_PRIMARY), false);
    }
}

/* The body of a function whose text is a rule's, with four columns of indent. */
static str body_of(cuda_run *r, const char *text)
{
    cuda_codes codes = {0};
    r->out = &codes;
    if (*text == '=') {
        r->p = text + 1;
        const cuda_term t = cuda_term_read(r);
        const cuda_expr e = cuda_typed(r, &t, r->b->result);
        cuda_put_line(r, cuda_text(r->n, "return @", e.text));
    } else {
        r->p = text;
        cuda_statements(r);
    }
    strbuf b;
    sb_init(&b, r->n->a->m);
    cuda_print_codes(&b, &codes, STR("    "));
    return cuda_take(r->n, &b);
}

/* What the definition is called: "operator+" for an operator, else the rule's name, or one like it
 * if the program uses that name. */
static str function_name(cuda_defs *n, const cuda_rule *rule, const char *symbol)
{
    if (symbol)
        return cuda_text(n, "operator@", str_c(symbol));
    if (rule->name[0] == '+' || (rule->name[0] == '-' && rule->name[1]))
        return cuda_text(n, "operator@", str_c(rule->name));
    return cuda_free_name(n, str_c(rule->name));
}

/* "+=" and "-=" of composites are operators that return their first argument by reference. */
static bool assigns(const cuda_rule *rule)
{
    return strcmp(rule->name, "+=") == 0 || strcmp(rule->name, "-=") == 0;
}

/* The name of the device function for the rule and these types; defines it if it is not defined
 * yet. `symbol`: the operator that it overloads, or NULL. */
static str define(cuda_defs *n, const cuda_rule *rule, const cuda_binding *b, const char *symbol)
{
    const str key = signature_key(n, str_c(rule->name), b);
    const cuda_def *def = cuda_def_find(n, key);
    if (def)
        return def->name;
    const str name = function_name(n, rule, symbol);
    cuda_run r = {.n = n, .b = b};
    add_params(&r);
    const str params = parameters(n, b, NULL), body = body_of(&r, rule->text);
    const str result = assigns(rule) ? cuda_text(n, "@ &", cuda_type_name(n, b->args[0]))
                       : b->result   ? cuda_text(n, "@ ", cuda_type_name(n, b->result))
                                     : STR("void ");
    cuda_def_add(n, key, name, function_text(n, result, name, params, body), false);
    return name;
}

/* The text of a '=' rule with the arguments in it. */
static cuda_expr in_place(cuda_defs *n, const cuda_rule *rule, const cuda_binding *b,
                          const cuda_expr *args)
{
    WEFT_ASSERT(rule->text[0] == '=');
    cuda_run r = {.n = n, .b = b, .p = rule->text + 1, .in_place = true};
    for (uint32_t i = 0; i < b->nargs; i++)
        add_var(&r, cuda_arg_name(i), args[i], false);
    const cuda_term t = cuda_term_read(&r);
    return cuda_typed(&r, &t, b->result);
}

/* "!a = b": a statement that is put in place as an expression. Its text lacks the semicolon, which
 * the printer of the tree adds. */
static cuda_expr assignment(cuda_defs *n, const cuda_rule *rule, const cuda_binding *b,
                            const cuda_expr *args)
{
    cuda_codes out = {0};
    const str text = cuda_text(n, "@;", str_c(rule->text + 1));
    cuda_run r = {.n = n, .b = b, .p = text.p, .out = &out, .in_place = true};
    for (uint32_t i = 0; i < b->nargs; i++)
        add_var(&r, cuda_arg_name(i), args[i], false);
    cuda_statements(&r);
    WEFT_ASSERT(out.n == 1 && out.v[0].kind <= CUDA_CODE_SUM);
    const cuda_code *c = &out.v[0];
    const str sum = c->minus ? STR("-=") : STR("+=");
    return cuda_expr_of(
        c->kind == CUDA_CODE_LINE ? c->text : cuda_text(n, "@ @ @", c->to.text, sum, c->e.text),
        NULL, CUDA_ASSIGN);
}

/* A call of an overloaded operator: "a + b" of two vectors. Operators of bits get parentheses
 * around operands that are operators themselves, as g++ and nvcc ask with -Wparentheses. */
static cuda_expr infix_call(cuda_defs *n, const char *symbol, const cuda_expr *args, uint32_t nargs,
                            const type *result)
{
    const cuda_prec prec = cuda_symbol_prec(symbol, nargs);
    const str op = str_c(symbol);
    if (nargs == 1)
        return cuda_expr_of(cuda_text(n, "@@", op, cuda_operand(n, &args[0], CUDA_POSTFIX)), result,
                            CUDA_UNARY);
    const bool bits = prec <= CUDA_SHIFT;
    const str left = cuda_operand(n, &args[0], bits ? CUDA_UNARY : prec);
    const str right = cuda_operand(n, &args[1], bits ? CUDA_UNARY : (cuda_prec)(prec + 1));
    return cuda_expr_of(cuda_text(n, "@ @ @", left, op, right), result, prec);
}

static cuda_expr function_call(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs,
                               const type *result)
{
    str list = STR("");
    for (uint32_t i = 0; i < nargs; i++)
        list = listed(n, list, args[i].text);
    return cuda_expr_of(cuda_text(n, "@(@)", name, list), result, CUDA_POSTFIX);
}

/* A call by the rule: put in place, or a call of the device function that the rule defines. */
cuda_expr cuda_apply(cuda_defs *n, const cuda_rule *rule, const cuda_binding *b,
                     const cuda_expr *args)
{
    if (rule->text[0] == '!')
        return assignment(n, rule, b, args);
    if (rule->text[0] == '=' && fits_in_place(n, rule->text, args, b->nargs))
        return in_place(n, rule, b, args);
    const char *symbol = cuda_symbol(str_c(rule->name), b->nargs);
    const str name = define(n, rule, b, symbol);
    if (assigns(rule))
        return cuda_expr_of(cuda_text(n, "@ @ @", args[0].text, str_c(rule->name), args[1].text),
                            NULL, CUDA_ASSIGN);
    return symbol ? infix_call(n, symbol, args, b->nargs, b->result)
                  : function_call(n, name, args, b->nargs, b->result);
}

/* The first row with the name that fits the types is applied. CUDA_NONE: there is none. */
cuda_expr cuda_rule_call(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                         uint32_t nargs)
{
    const type *types[CUDA_ARGS_MAX];
    cuda_binding b;
    if (!types_of(args, nargs, types))
        return CUDA_NONE;
    for (const cuda_rule *r = cuda_rules; r->name; r++)
        if (name.p[0] == r->name[0] && str_eq(name, str_c(r->name)) &&
            cuda_match(n, r, types, nargs, result, &b))
            return cuda_apply(n, r, &b, args);
    return CUDA_NONE;
}

/* Does the rule give all adjoints that are wanted? `wanted` names those that it gives: a row with
 * "a" is for calls where only the first argument has an adjoint, and stands before the general
 * row. */
static bool all_wanted_given(const cuda_rule *r, const cuda_adjoint *q)
{
    for (uint32_t i = 0; r->wanted && i < q->nargs; i++)
        if (q->adj_args[i].text.n && !strchr(r->wanted, cuda_arg_name(i).p[0]))
            return false;
    return true;
}

/* Puts the statements of an adjoint into q->out. Statements that change an adjoint that nobody
 * needs are left out by cudarule_stmt.c. A text with variables of its own has to begin with '{':
 * in the caller's lines they would take the names of the caller's. */
static void adjoint_in_place(const cuda_adjoint *q, const cuda_rule *rule, const cuda_binding *b,
                             cuda_expr value)
{
    cuda_run r = {.n = q->n, .b = b, .p = rule->text, .out = q->out, .in_place = true};
    for (uint32_t i = 0; i < b->nargs; i++) {
        cuda_expr adj = q->adj_args[i];
        adj.type = b->args[i];
        add_var(&r, cuda_arg_name(i), q->args[i], false);
        add_var(&r, adj_name(&r, i), adj, !adj.text.n);
    }
    if (b->result)
        add_var(&r, STR("d"), *q->adj_result, false);
    add_var(&r, STR("r"), value, false);
    /* in a kernel's own lines a loop must not hide what its arguments will be called */
    q->n->row = cuda_free_name(q->n, STR("row"));
    q->n->col = cuda_free_name(q->n, STR("col"));
    cuda_statements(&r);
    q->n->row = q->n->col = (str){0};
}

/* The parameters of an adjoint's device function, as a list, and what they are called in its text:
 * arguments that the text uses, the result if it is used, adjoints by reference, the result's
 * adjoint. */
static str add_adjoint_params(cuda_run *r, const cuda_rule *rule, bool uses_result)
{
    cuda_defs *n = r->n;
    const cuda_binding *b = r->b;
    str params = parameters(n, b, rule->text);
    if (uses_result) {
        add_var(r, STR("r"), cuda_expr_of(STR("r"), b->result, CUDA_PRIMARY), false);
        params = listed(n, params, parameter(n, b->result, STR("r"), false));
    }
    for (uint32_t i = 0; i < b->nargs; i++) {
        const str name = adj_name(r, i), adj = cuda_text(n, "adj_@", cuda_arg_name(i));
        const bool used = uses(rule->text, name) > 0;
        add_var(r, name, cuda_expr_of(adj, b->args[i], CUDA_PRIMARY), !used);
        if (used)
            params = listed(n, params, parameter(n, b->args[i], adj, true));
    }
    if (b->result) {
        add_var(r, STR("d"), cuda_expr_of(STR("adj_r"), b->result, CUDA_PRIMARY), false);
        params = listed(n, params, parameter(n, b->result, STR("adj_r"), false));
    }
    return params;
}

/* The adjoint's device function, "length_adjoint". One definition serves all calls with these
 * types, whichever adjoints they want. */
static str define_adjoint(cuda_defs *n, const cuda_rule *rule, const cuda_binding *b,
                          bool uses_result)
{
    const char *symbol = cuda_symbol(str_c(rule->name), b->nargs);
    const str plain = cuda_text(n, "@_adjoint",
                                symbol ? cuda_text(n, "@", str_c(rule->name)) : str_c(rule->name));
    const str key = signature_key(n, plain, b);
    const cuda_def *def = cuda_def_find(n, key);
    if (def)
        return def->name;
    const str name = cuda_free_name(n, plain);
    cuda_run r = {.n = n, .b = b};
    add_params(&r);
    const str params = add_adjoint_params(&r, rule, uses_result);
    const str body = body_of(&r, rule->text + 1);
    cuda_def_add(n, key, name, function_text(n, STR("void "), name, params, body), false);
    return name;
}

/* A call of the adjoint's device function. It takes a reference for each adjoint that its text
 * changes; for those that nobody needs the call is put into a block with variables for them:
 *
 *     {
 *         float unused_b = {};
 *         atan2_adjoint(y, x, adj_y, unused_b, adj_r);
 *     } */
static void adjoint_call(const cuda_adjoint *q, const cuda_rule *rule, const cuda_binding *b,
                         cuda_expr value)
{
    cuda_defs *n = q->n;
    const bool uses_result = uses(rule->text, STR("r")) > 0;
    const str name = define_adjoint(n, rule, b, uses_result);
    str list = STR("");
    cuda_codes unwanted = {0};
    for (uint32_t i = 0; i < b->nargs; i++)
        if (uses(rule->text, cuda_arg_name(i)))
            list = listed(n, list, q->args[i].text);
    if (uses_result)
        list = listed(n, list, value.text);
    for (uint32_t i = 0; i < b->nargs; i++) {
        if (!uses(rule->text, cuda_text(n, "d@", cuda_arg_name(i))))
            continue;
        str adj = q->adj_args[i].text;
        if (!adj.n) {
            adj = cuda_text(n, "unused_@", cuda_arg_name(i));
            cuda_add_line(n, &unwanted,
                          cuda_text(n, "@ @ = {}", cuda_type_name(n, b->args[i]), adj));
        }
        list = listed(n, list, adj);
    }
    if (b->result)
        list = listed(n, list, q->adj_result->text);
    const str text = cuda_text(n, "@(@)", name, list);
    if (!unwanted.n) {
        cuda_add_line(n, q->out, text);
        return;
    }
    cuda_add_line(n, &unwanted, text);
    cuda_add_code(n, q->out, CUDA_CODE_BLOCK)->body = unwanted;
}

/* The result's value is computed again if the rule uses it and no variable holds it. */
void cuda_adjoint_apply(const cuda_adjoint *q, const cuda_rule *rule, const cuda_binding *b)
{
    WEFT_ASSERT(rule->text && b->nargs == q->nargs);
    cuda_expr value = q->value && q->value->text.n ? *q->value : CUDA_NONE;
    if (!value.text.n && b->result && uses(rule->text, STR("r")))
        value = q->n->resolver->call(q->n, q->name, b->result, q->args, q->nargs);
    value.type = b->result;
    if (rule->text[0] == '{')
        adjoint_call(q, rule, b, value);
    else
        adjoint_in_place(q, rule, b, value);
}

/* The first row with the name that fits the types and gives all wanted adjoints is applied. */
bool cuda_rule_adjoint(const cuda_adjoint *q)
{
    const type *types[CUDA_ARGS_MAX];
    cuda_binding b;
    if (!types_of(q->args, q->nargs, types))
        return false;
    for (const cuda_rule *r = cuda_adj_rules; r->name; r++) {
        if (!str_eq(q->name, str_c(r->name)) || !all_wanted_given(r, q) ||
            !cuda_match(q->n, r, types, q->nargs, q->result, &b))
            continue;
        cuda_adjoint_apply(q, r, &b);
        return true;
    }
    return false;
}
