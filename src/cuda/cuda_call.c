/* A call as an expression, and its adjoint as statements. */
#include "cuda/cuda_internal.h"

str cuda_operand(cuda_needs *n, const cuda_expr *e, cuda_prec least)
{
    return e->prec >= least ? e->text : cuda_printf(n, "(%.*s)", (int)e->text.n, e->text.p);
}

static void put_fraction(strbuf *b, double x, bool is_float)
{
    sb_float(b, x);
    if (is_float)
        sb_char(b, 'f');
}

cuda_expr cuda_number(cuda_needs *n, const type *t, double x)
{
    static const char *const suffixes[TYPE_FLOAT16] = {
        [TYPE_UINT32] = "u", [TYPE_INT64] = "LL", [TYPE_UINT64] = "ULL"};
    strbuf b;
    sb_init(&b, n->a->m);
    if (t->kind == TYPE_BOOL) {
        sb_c(&b, x != 0 ? "true" : "false");
    } else if (type_is_integer(t)) {
        sb_int(&b, (int64_t)x);
        if (suffixes[t->kind])
            sb_c(&b, suffixes[t->kind]);
    } else if (t->kind == TYPE_FLOAT16 || t->kind == TYPE_BFLOAT16) {
        const str name = cuda_type_name(n, t);
        sb_str(&b, name);
        sb_char(&b, '(');
        put_fraction(&b, x, true);
        sb_char(&b, ')');
    } else {
        put_fraction(&b, x, t->kind == TYPE_FLOAT32);
    }
    const str text = {arena_dup(n->a, b.p, b.n), b.n};
    sb_clear(&b);
    return (cuda_expr){text, t, x < 0 && type_is_integer(t) ? CUDA_UNARY : CUDA_PRIMARY};
}

typedef struct operator_form {
    const char *name, *text;
    cuda_prec prec;
} operator_form;

static const operator_form operators[] = {
    {"add", "+", CUDA_ADD}, {"sub", "-", CUDA_ADD}, {"mul", "*", CUDA_MUL}, {"div", "/", CUDA_MUL}};
static const operator_form functions[] = {{"sin", "sin", CUDA_POSTFIX},
                                          {"cos", "cos", CUDA_POSTFIX},
                                          {"sqrt", "sqrt", CUDA_POSTFIX},
                                          {"min", "fmin", CUDA_POSTFIX},
                                          {"max", "fmax", CUDA_POSTFIX}};

static str strip(str native)
{
    if (native.n > 4 && memcmp(native.p, "wp::", 4) == 0)
        native = (str){native.p + 4, native.n - 4};
    return native;
}

static cuda_expr cast(cuda_needs *n, const type *to, const cuda_expr *arg)
{
    if (type_equal(to, arg->type))
        return *arg;
    const str name = cuda_type_name(n, to), from = cuda_operand(n, arg, CUDA_UNARY);
    return (cuda_expr){cuda_printf(n, "(%.*s)%.*s", (int)name.n, name.p, (int)from.n, from.p), to,
                       CUDA_UNARY};
}

cuda_expr cuda_call(cuda_needs *n, str native, const type *result, const cuda_expr *args,
                    uint32_t nargs)
{
    native = strip(native);
    const type *t = nargs ? args[0].type : NULL;
    if (!t || !type_is_scalar(t))
        return CUDA_NONE;
    for (uint32_t i = 0; i < sizeof operators / sizeof *operators && nargs == 2; i++) {
        const operator_form *o = &operators[i];
        if (!str_eq(native, str_c(o->name)))
            continue;
        const str a = cuda_operand(n, &args[0], o->prec);
        const str b = cuda_operand(n, &args[1], (cuda_prec)(o->prec + 1));
        return (cuda_expr){cuda_printf(n, "%.*s %s %.*s", (int)a.n, a.p, o->text, (int)b.n, b.p), t,
                           o->prec};
    }
    const char *f = t->kind == TYPE_FLOAT32 ? "f" : "";
    for (uint32_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (!str_eq(native, str_c(functions[i].name)))
            continue;
        const str a = args[0].text, b = nargs > 1 ? args[1].text : STR("");
        return (cuda_expr){cuda_printf(n, "%s%s(%.*s%s%.*s)", functions[i].text, f, (int)a.n, a.p,
                                       nargs > 1 ? ", " : "", (int)b.n, b.p),
                           t, CUDA_POSTFIX};
    }
    if (nargs == 1 && result && type_is_scalar(result) &&
        (str_eq(native, str_c("float")) || str_eq(native, str_c("int")) ||
         str_eq(native, result->pyname)))
        return cast(n, result, &args[0]);
    return CUDA_NONE;
}

bool cuda_adj_call(cuda_needs *n, strbuf *out, const char *indent, str native, const type *result,
                   const cuda_expr *args, uint32_t nargs, const cuda_expr *adj_args,
                   const cuda_expr *value, const cuda_expr *adj_result)
{
    (void)n, (void)out, (void)indent, (void)native, (void)result, (void)args, (void)nargs;
    (void)adj_args, (void)value, (void)adj_result;
    return false;
}
