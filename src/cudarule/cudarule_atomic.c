/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations on an element of an array, args[0]. All give the element's old value. For
 * cuda_call: `atomicAdd` is chosen here, in cuda_atomic:
 *
 *     wp.atomic_add(y, i, x)      float, double, int, unsigned   ->   atomicAdd(&y[i], x)
 *     wp.atomic_sub(y, i, x)      float: CUDA has no such        ->   atomicAdd(&y[i], -x)
 *     wp.atomic_max(y, i, x)      float: a loop around atomicCAS ->   atomic_max(&y[i], x)
 *     wp.atomic_add(y, i, v)      vec2: lane by lane             ->   atomic_add(&y[i], v)
 *
 * where the last two are device functions that are defined on the way:
 *
 *     __device__ inline float atomic_max(float *address, float value)
 *     {
 *         int *word = (int *)address;
 *         int seen = *word, expected;
 *         do {
 *             expected = seen;
 *             float old = __int_as_float(expected);
 *             seen = atomicCAS(word, expected, __float_as_int(fmaxf(old, value)));
 *         } while (seen != expected);
 *         return __int_as_float(seen);
 *     }
 *
 * An operation on a composite is atomic in each scalar, not as a whole; so is Warp's (native/vec.h,
 * mat.h). */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_type.h"

typedef enum atomic_op {
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS
} atomic_op;

/* A row per operation: Warp's name, which our device functions have too; CUDA's; and the new value
 * of the old one, a, and the operand, b, in the language of rules. cas and exch are special in
 * new_value and old_line. */
typedef struct atomic_form {
    const char *name, *cuda; /* Warp's, and what CUDA's function and ours begin with */
    const char *combine;     /* the new value of `old` and x, in the language of rules */
} atomic_form;

static const atomic_form forms[] = {
    [ATOMIC_ADD] = {"atomic_add", "atomicAdd", "a + b"},
    [ATOMIC_SUB] = {"atomic_sub", "atomicSub", "a - b"},
    [ATOMIC_MIN] = {"atomic_min", "atomicMin", "min(a, b)"},
    [ATOMIC_MAX] = {"atomic_max", "atomicMax", "max(a, b)"},
    [ATOMIC_AND] = {"atomic_and", "atomicAnd", "a & b"},
    [ATOMIC_OR] = {"atomic_or", "atomicOr", "a | b"},
    [ATOMIC_XOR] = {"atomic_xor", "atomicXor", "a ^ b"},
    [ATOMIC_EXCH] = {"atomic_exch", "atomicExch", "b"},
    [ATOMIC_CAS] = {"atomic_cas", "atomicCAS", "b"},
};

/* Which operation the builtin is; false: it is not atomic. */
static bool op_of(str name, atomic_op *op)
{
    for (int i = ATOMIC_ADD; i <= ATOMIC_CAS; i++)
        if (str_eq(name, str_c(forms[i].name))) {
            *op = (atomic_op)i;
            return true;
        }
    return false;
}

/* Has CUDA the operation for the type, and does it give the old value in that type? After the CUDA
 * C++ Programming Guide, "Atomic Functions". */
static bool is_native(atomic_op op, type_kind k)
{
    const bool word = k == TYPE_INT32 || k == TYPE_UINT32;
    switch (op) {
    case ATOMIC_ADD: return word || k == TYPE_UINT64 || k == TYPE_FLOAT32 || k == TYPE_FLOAT64;
    case ATOMIC_SUB: return word;
    case ATOMIC_MIN:
    case ATOMIC_MAX: return word || k == TYPE_INT64 || k == TYPE_UINT64;
    case ATOMIC_EXCH: return word || k == TYPE_UINT64 || k == TYPE_FLOAT32;
    default: return word || k == TYPE_UINT64;
    }
}

/* A conversion between a value and its bits: a cast "(short)" or a function "__int_as_float". An
 * empty text converts nothing. */
typedef struct bits_form {
    const char *text;
    bool is_cast;
} bits_form;

/* The bits that are swapped. */
typedef struct atomic_word {
    const char *type; /* unsigned, 16, 32 or 64 bits wide */
    bits_form to_value, to_bits;
} atomic_word;

/* CUDA swaps words of 16, 32 and 64 bits. Bytes have no word of their own: byte_loop. */
static atomic_word word_of(type_kind k)
{
    switch (k) {
    case TYPE_FLOAT16:
        return (atomic_word){
            "unsigned short", {"__ushort_as_half", false}, {"__half_as_ushort", false}};
    case TYPE_BFLOAT16:
        return (atomic_word){
            "unsigned short", {"__ushort_as_bfloat16", false}, {"__bfloat16_as_ushort", false}};
    case TYPE_INT16:
        return (atomic_word){"unsigned short", {"(short)", true}, {"(unsigned short)", true}};
    case TYPE_UINT16: return (atomic_word){"unsigned short", {"", true}, {"", true}};
    case TYPE_FLOAT32:
        return (atomic_word){"int", {"__int_as_float", false}, {"__float_as_int", false}};
    case TYPE_FLOAT64:
        return (atomic_word){"unsigned long long",
                             {"__longlong_as_double", false},
                             {"(unsigned long long)__double_as_longlong", false}};
    case TYPE_INT64:
        return (atomic_word){
            "unsigned long long", {"(long long)", true}, {"(unsigned long long)", true}};
    case TYPE_INT32: return (atomic_word){"int", {"", true}, {"", true}};
    case TYPE_UINT64: return (atomic_word){"unsigned long long", {"", true}, {"", true}};
    default: return (atomic_word){"unsigned int", {"", true}, {"", true}};
    }
}

/* The value that shall stand there, of the variables `old`, `value` and `compare` of a loop. */
static cuda_expr new_value(cuda_defs *n, atomic_op op, const type *t)
{
    const cuda_expr args[] = {cuda_expr_of(STR("old"), t, CUDA_PRIMARY),
                              cuda_expr_of(STR("value"), t, CUDA_PRIMARY)};
    const cuda_binding b = {.scalar = t, .nargs = 2, .args = {t, t}, .result = t};
    if (op == ATOMIC_CAS)
        return cuda_expr_of(STR("old == compare ? value : old"), t, CUDA_COND);
    const str text = cuda_text(n, "=@", str_c(forms[op].combine));
    const cuda_rule rule = {.name = "combined", .text = text.p};
    return cuda_apply(n, &rule, &b, args);
}

/* e converted; a cast binds like a unary operator, so its operand may need parentheses. */
static str converted(cuda_defs *n, const bits_form *by, const cuda_expr *e)
{
    if (!*by->text)
        return e->text;
    const str text = by->is_cast ? cuda_operand(n, e, CUDA_POSTFIX) : cuda_text(n, "(@)", e->text);
    return cuda_text(n, "@@", str_c(by->text), text);
}

/* The line that sets `old`. An exchange needs none: its new value does not depend on the old
 * one. */
static str old_line(cuda_defs *n, atomic_op op, str tname, str from)
{
    return op == ATOMIC_EXCH ? STR("") : cuda_text(n, "        @ old = @;\n", tname, from);
}

/* The classic loop: read the word, compute the new one, swap unless another thread was faster.
 * Words are compared, not values: a NaN differs from itself, and the loop would not end. */
static str swap_loop(cuda_defs *n, atomic_op op, const type *t)
{
    WEFT_ASSERT(type_is_scalar(t) && t->kind > TYPE_UINT8);
    const atomic_word w = word_of(t->kind);
    const str word = str_c(w.type), tname = cuda_type_name(n, t);
    const cuda_expr expected = cuda_expr_of(STR("expected"), NULL, CUDA_PRIMARY),
                    seen = cuda_expr_of(STR("seen"), NULL, CUDA_PRIMARY),
                    value = new_value(n, op, t);
    const str old = old_line(n, op, tname, converted(n, &w.to_value, &expected));
    const str bits = converted(n, &w.to_bits, &value);
    return cuda_text(n,
                     "    @ *word = (@ *)address;\n"
                     "    @ seen = *word, expected;\n"
                     "    do {\n"
                     "        expected = seen;\n"
                     "@"
                     "        seen = atomicCAS(word, expected, @);\n"
                     "    } while (seen != expected);\n"
                     "    return @;\n",
                     word, word, word, old, bits, converted(n, &w.to_value, &seen));
}

/* A byte is swapped with the aligned word of 32 bits that it lies in; its neighbours keep their
 * bits, whatever other threads do to them. */
static str byte_loop(cuda_defs *n, atomic_op op, const type *t)
{
    WEFT_ASSERT(t->kind <= TYPE_UINT8);
    const str tname = cuda_type_name(n, t);
    return cuda_text(
        n,
        "    int shift = 8 * (int)((size_t)address & 3);\n"
        "    unsigned int *word = (unsigned int *)((size_t)address & ~(size_t)3);\n"
        "    unsigned int seen = *word, expected, bits;\n"
        "    do {\n"
        "        expected = seen;\n"
        "@"
        "        bits = (unsigned int)(unsigned char)(@) << shift;\n"
        "        seen = atomicCAS(word, expected, (expected & ~(0xffu << shift)) | bits);\n"
        "    } while (seen != expected);\n"
        "    return (@)(seen >> shift);\n",
        old_line(n, op, tname, cuda_text(n, "(@)(expected >> shift)", tname)),
        new_value(n, op, t).text, tname);
}

/* Signed 64 bits by CUDA's functions for unsigned ones; in two's complement sums and swaps have the
 * same bits. min and max differ, but these are native for signed 64 bits, too. */
static str unsigned_call(cuda_defs *n, atomic_op op)
{
    const str to = STR("(unsigned long long *)address");
    if (op == ATOMIC_CAS)
        return cuda_text(n,
                         "    return (long long)atomicCAS(@, (unsigned long long)compare,\n"
                         "                                (unsigned long long)value);\n",
                         to);
    const bool sub = op == ATOMIC_SUB;
    return cuda_text(n, "    return (long long)@(@, @(unsigned long long)value);\n",
                     str_c(forms[sub ? ATOMIC_ADD : op].cuda), to, sub ? STR("0 - ") : STR(""));
}

/* The body of the device function for a scalar that CUDA has no operation for. */
static str scalar_body(cuda_defs *n, atomic_op op, const type *t)
{
    if (t->kind == TYPE_INT64)
        return unsigned_call(n, op);
    return t->kind <= TYPE_UINT8 ? byte_loop(n, op, t) : swap_loop(n, op, t);
}

/* Lane k of the element behind `address`; -1: in a loop. cuda_lane begins with a point, which "->"
 * replaces. */
static cuda_expr element_lane(cuda_defs *n, const type *t, int k)
{
    const str lane = k < 0 ? cuda_lane_in_loop(n, t) : cuda_lane(n, t, k);
    const str text = cuda_text(n, "address->@", (str){lane.p + 1, lane.n - 1});
    return cuda_expr_of(text, t->elem, CUDA_POSTFIX);
}

/* The operation on lane k: CUDA's, or again a device function, which is then defined before. */
static str lane_call(cuda_defs *n, atomic_op op, const type *t, int k)
{
    const cuda_expr value = cuda_expr_of(STR("value"), t, CUDA_PRIMARY),
                    compare = cuda_expr_of(STR("compare"), t, CUDA_PRIMARY);
    cuda_expr args[3] = {element_lane(n, t, k)};
    uint32_t nargs = 1;
    if (op == ATOMIC_CAS)
        args[nargs++] = cuda_lane_of(n, &compare, k);
    args[nargs++] = cuda_lane_of(n, &value, k);
    return cuda_atomic(n, str_c(forms[op].name), args, nargs).text;
}

/* Lane by lane: a statement for each where lanes are members, else one or two loops. */
static str composite_body(cuda_defs *n, atomic_op op, const type *t)
{
    const str tname = cuda_type_name(n, t);
    str text = cuda_text(n, "    @ old;\n", tname);
    if (cuda_has_letters(t) || t->kind == TYPE_TRANSFORM) {
        for (int k = 0; k < cuda_lanes(t); k++)
            text =
                cuda_text(n, "@    old@ = @;\n", text, cuda_lane(n, t, k), lane_call(n, op, t, k));
        return cuda_text(n, "@    return old;\n", text);
    }
    const bool is_mat = t->kind == TYPE_MAT;
    text = cuda_text(n, "@    for (int i = 0; i < @; i++)\n", text, cuda_decimal(n, t->rows));
    if (is_mat)
        text =
            cuda_text(n, "@        for (int j = 0; j < @; j++)\n", text, cuda_decimal(n, t->cols));
    return cuda_text(n, "@@    old@ = @;\n    return old;\n", text,
                     is_mat ? STR("        ") : STR("    "), cuda_lane_in_loop(n, t),
                     lane_call(n, op, t, -1));
}

/* The name of the device function; defines it if it is not defined yet. */
static str define(cuda_defs *n, atomic_op op, const type *t)
{
    WEFT_ASSERT(op <= ATOMIC_CAS && type_is_value(t));
    const str name = cuda_free_name(n, str_c(forms[op].name)), tname = cuda_type_name(n, t);
    const str key = cuda_text(n, "@(@ *)", str_c(forms[op].name), tname);
    if (cuda_def_find(n, key))
        return name;
    const str body = type_is_scalar(t) ? scalar_body(n, op, t) : composite_body(n, op, t);
    const str compare = op == ATOMIC_CAS ? cuda_text(n, "@ compare, ", tname) : STR("");
    const str text = cuda_text(n, "__device__ inline @ @(@ *address, @@ value)\n{\n@}\n", tname,
                               name, tname, compare, tname, body);
    cuda_def_add(n, key, name, text, false);
    return name;
}

/* CUDA_NONE: not an atomic operation, or one that Warp does not have for the type either (bits of
 * floats). A difference of floats is a sum with the opposite sign, since CUDA has atomicSub of
 * 32-bit integers only; unsigned 64 bits wrap around, so the same holds for them. */
cuda_expr cuda_atomic(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    atomic_op op;
    if (!op_of(name, &op) || nargs != (op == ATOMIC_CAS ? 3 : 2))
        return CUDA_NONE;
    const type *t = args[0].type;
    const bool bits = op >= ATOMIC_AND && op <= ATOMIC_XOR;
    if (!t || !type_is_value(t) || (bits && type_is_float(type_scalar_of(t))))
        return CUDA_NONE;
    cuda_expr value = args[nargs - 1];
    str function = str_c(forms[op].cuda);
    if (op == ATOMIC_SUB &&
        (t->kind == TYPE_FLOAT32 || t->kind == TYPE_FLOAT64 || t->kind == TYPE_UINT64)) {
        value = cuda_operator(n, STR("neg"), &value, 1);
        function = STR("atomicAdd");
    } else if (!is_native(op, t->kind)) {
        function = define(n, op, t);
    }
    str text = cuda_text(n, "@(&@", function, cuda_operand(n, &args[0], CUDA_UNARY));
    if (op == ATOMIC_CAS)
        text = cuda_text(n, "@, @", text, args[1].text);
    return cuda_expr_of(cuda_text(n, "@, @)", text, value.text), t, CUDA_POSTFIX);
}

/* The adjoint of the value grows by that of the element (add), or shrinks by it (sub). */
static void accumulate(const cuda_adjoint *q, bool minus)
{
    const cuda_expr grad = q->adj_args[0];
    cuda_expr to = q->adj_args[q->nargs - 1];
    to.type = grad.type;
    if (type_is_composite(to.type)) /* has to be defined */
        cuda_rule_call(q->n, minus ? STR("-=") : STR("+="), NULL, (cuda_expr[]){to, grad}, 2);
    cuda_add_sum(q->n, q->out, &to, &grad, minus);
}

/* Of a minimum or maximum only the value that stands there at the end passes its adjoint on. Equal
 * values all do, as in Warp's adj_atomic_min. */
static void accumulate_where_equal(const cuda_adjoint *q)
{
    const type *t = q->args[0].type;
    const cuda_binding b = {.scalar = type_scalar_of(t), .nargs = 2, .args = {t, t}};
    const cuda_rule rule = {.name = "extremum",
                            .text = type_is_scalar(t) ? "if (b == a) db += da;"
                                                      : "each if (b# == a#) db# += da#;"};
    cuda_adjoint_apply(q, &rule, &b);
}

/* The value's adjoint, the last of adj_args, takes from that of the element, the first. cas, exch
 * and the operations on bits have no adjoint in Warp: true, and nothing is added. */
bool cuda_atomic_adjoint(const cuda_adjoint *q)
{
    atomic_op op;
    if (!op_of(q->name, &op) || q->nargs != (op == ATOMIC_CAS ? 3 : 2))
        return false;
    const type *t = q->args[0].type;
    if (!t || !type_is_value(t))
        return false;
    if (!q->adj_args[0].text.n || !q->adj_args[q->nargs - 1].text.n)
        return true;
    if (op == ATOMIC_ADD || op == ATOMIC_SUB)
        accumulate(q, op == ATOMIC_SUB);
    else if ((op == ATOMIC_MIN || op == ATOMIC_MAX) && type_is_float(type_scalar_of(t)))
        accumulate_where_equal(q);
    return true;
}
