/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels print: wp.print of values, and the expectations (expect_eq, expect_neq,
 * expect_near), which print what they found where they do not hold. The words are Warp 1.19's
 * (native/builtin.h).
 *
 *     print(x) of a float      ->   printf("%g\n", x)
 *     print(b) of a bool       ->   printf(b ? "True\n" : "False\n")
 *     print(v) of a vec2       ->   print(v), with
 *     __device__ inline void print(vec2 value)
 *     {
 *         printf("%g %g \n", value.x, value.y);
 *     }
 *     expect_eq(a, b)          ->   expect_eq(a, b), with a function that compares and prints
 *
 * wp.printf has a format of its own and is printed by src/cuda. */
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_type.h"

/* The conversion of printf for a scalar type. Narrow integers are passed as int. */
static const char *format_of(const type *t)
{
    switch ((type_kind)t->kind) {
    case TYPE_INT64: return "%lld";
    case TYPE_UINT64: return "%llu";
    case TYPE_UINT8:
    case TYPE_UINT16:
    case TYPE_UINT32: return "%u";
    default: return t->kind >= TYPE_FLOAT16 && t->kind <= TYPE_FLOAT64 ? "%g" : "%d";
    }
}

/* The statement without its semicolon. */
static str print_scalar(cuda_defs *n, const cuda_expr *e)
{
    const type *t = e->type;
    if (t->kind == TYPE_BOOL)
        return cuda_text(n, "printf(@ ? \"True\\n\" : \"False\\n\")", cuda_operand(n, e, CUDA_OR));
    if (t->kind == TYPE_FLOAT16 || t->kind == TYPE_BFLOAT16)
        return cuda_text(n, "printf(\"%g\\n\", (float)@)", cuda_operand(n, e, CUDA_UNARY));
    return cuda_text(n, "printf(\"@\\n\", @)", str_c(format_of(t)), e->text);
}

/* The lines of a function that prints all lanes of `value`: a line for each row of a matrix, one
 * line for any other type, with a blank behind each number as in Warp. */
static str print_lanes(cuda_defs *n, const type *t)
{
    const int lanes = cuda_lanes(t), width = t->kind == TYPE_MAT ? t->cols : lanes;
    const bool is_float = t->elem->kind == TYPE_FLOAT32 || t->elem->kind == TYPE_FLOAT64;
    str text = STR("");
    for (int from = 0; from < lanes; from += width) {
        str form = STR(""), items = STR("");
        for (int k = from; k < from + width; k++) {
            const str lane = cuda_text(n, "value@", cuda_lane(n, t, k));
            form = cuda_text(n, "@%g ", form);
            items = cuda_text(n, is_float ? "@, @" : "@, (float)@", items, lane);
        }
        text = cuda_text(n, "@    printf(\"@\\n\"@);\n", text, form, items);
    }
    return text;
}

/* A function of this key; defines it if it is not defined yet. */
static str define(cuda_defs *n, str wanted, str key, str params, str body)
{
    const cuda_def *known = cuda_def_find(n, key);
    if (known)
        return known->name;
    const str name = cuda_free_name(n, wanted);
    cuda_def_add(n, key, name,
                 cuda_text(n, "__device__ inline void @(@)\n{\n@}\n", name, params, body), false);
    return name;
}

/* Large values are passed by reference, as in cudarule_apply.c. */
static str parameter(cuda_defs *n, const type *t, const char *name)
{
    return cuda_text(n, cuda_lanes(t) > 4 ? "const @ &@" : "@ @", cuda_type_name(n, t),
                     str_c(name));
}

/* A statement, without its semicolon, that prints the value and ends the line. */
static str print_of(cuda_defs *n, const cuda_expr *e)
{
    const type *t = e->type;
    if (type_is_scalar(t))
        return print_scalar(n, e);
    const str key = cuda_text(n, "print(@)", cuda_type_name(n, t));
    const str name = define(n, STR("print"), key, parameter(n, t, "value"), print_lanes(n, t));
    return cuda_text(n, "@(@)", name, e->text);
}

/* Appends to `text` two lines that print the words and the value. */
static str say(cuda_defs *n, str text, const char *words, const type *t, str value)
{
    const cuda_expr e = cuda_expr_of(value, t, CUDA_PRIMARY);
    return cuda_text(n, "@    printf(\"@\");\n    @;\n", text, str_c(words), print_of(n, &e));
}

/* expect_eq and expect_neq return where they hold, and else print both values. Empty: there is no
 * comparison for the type. */
static str equality_body(cuda_defs *n, str name, const type *t)
{
    const cuda_expr args[] = {cuda_expr_of(STR("actual"), t, CUDA_PRIMARY),
                              cuda_expr_of(STR("expected"), t, CUDA_PRIMARY)};
    const bool wants_equal = str_eq(name, STR("expect_eq"));
    const cuda_expr same =
        type_is_scalar(t) ? cuda_compare(n, wants_equal ? STR("==") : STR("!="), &args[0], &args[1])
                          : n->resolver->call(n, STR("=="), type_scalar(n->c, TYPE_BOOL), args, 2);
    if (!same.prec)
        return STR("");
    const str holds =
        type_is_scalar(t) || wants_equal ? same.text : cuda_text(n, "!(@)", same.text);
    str text = cuda_text(n, "    if (@)\n        return;\n", holds);
    text = say(n, text,
               wants_equal ? "Error, expect_eq() failed:\\n\\t Expected: "
                           : "Error, expect_neq() failed:\\n\\t Expected: ",
               t, STR("expected"));
    return say(n, text, "\\t Actual: ", t, STR("actual"));
}

/* Prints where off > tolerance. So a difference that is not a number passes. */
static str near_body(cuda_defs *n, const type *t, const type *scalar)
{
    const cuda_expr args[] = {cuda_expr_of(STR("actual"), t, CUDA_PRIMARY),
                              cuda_expr_of(STR("expected"), t, CUDA_PRIMARY)};
    const cuda_expr between = n->resolver->call(n, STR("sub"), t, args, 2);
    cuda_expr off = n->resolver->call(n, STR("abs"), t, &between, 1);
    if (!type_is_scalar(t))
        off = n->resolver->call(n, STR("max"), scalar, &off, 1);
    if (!off.prec)
        return STR("");
    str text = cuda_text(n, "    @ off = @;\n    if (!(off > tolerance))\n        return;\n",
                         cuda_type_name(n, scalar), off.text);
    text = say(n, text, "Error, expect_near() failed with tolerance ", scalar, STR("tolerance"));
    text = say(n, text, "    Expected: ", t, STR("expected"));
    text = say(n, text, "    Actual: ", t, STR("actual"));
    return say(n, text, "    Absolute difference: ", scalar, STR("off"));
}

/* CUDA_NONE: arguments of different types, or a type that cannot be compared. */
static cuda_expr expectation(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const bool is_near = str_eq(name, STR("expect_near"));
    const type *t = args[0].type, *scalar = type_scalar_of(t);
    if (nargs != 2u + is_near || !type_is_value(t) || !type_equal(t, args[1].type))
        return CUDA_NONE;
    const str key = cuda_text(n, "@(@)", name, cuda_type_name(n, t));
    str params = cuda_text(n, "@, @", parameter(n, t, "actual"), parameter(n, t, "expected"));
    if (is_near)
        params = cuda_text(n, "@, @", params, parameter(n, scalar, "tolerance"));
    const str body = is_near ? near_body(n, t, scalar) : equality_body(n, name, t);
    if (!body.n)
        return CUDA_NONE;
    str text =
        cuda_text(n, "@(@, @", define(n, name, key, params, body), args[0].text, args[1].text);
    if (is_near)
        text = cuda_text(n, "@, @", text, args[2].text);
    return cuda_expr_of(cuda_text(n, "@)", text), NULL, CUDA_POSTFIX);
}

static bool is_expectation(str name)
{
    return str_eq(name, STR("expect_eq")) || str_eq(name, STR("expect_neq")) ||
           str_eq(name, STR("expect_near"));
}

/* CUDA_NONE: no print and no expectation. */
cuda_expr cuda_print(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    if (nargs == 1 && str_eq(name, STR("print")))
        return cuda_expr_of(print_of(n, &args[0]), NULL, CUDA_POSTFIX);
    return nargs >= 2 && is_expectation(name) ? expectation(n, name, args, nargs) : CUDA_NONE;
}
