/* SPDX-License-Identifier: Apache-2.0 */
/* Reads statements and declarations of a function's body (body_read).
 *
 *     wp::float32 var_3;                            storage; no instruction
 *     const wp::float32 var_1 = 0.5;                storage with the value; no instruction
 *     wp::float32 adj_0 = {};                       do_zero
 *     var_3 = wp::mul(var_1, var_2);                call_read: mul_f32
 *     if (var_4) { ... }                            do_if
 *     if (iter_cmp(var_3) == 0) goto end_for_0;     do_if_done, do_jump
 *     adj_1 += adj_3;                               do_accum
 *
 * The grammar is what Warp 1.19 codegen.py writes: operands are variables, so an expression has one
 * operator. Each statement becomes instructions at once; an error ends reading with its line. */
#include "base/assert.h"
#include "textvm/vm_tile.h"

static void emit_accum(reader *r, var *to, size_t offset, vt ty, const operand *from);

/* v = {}. A backward text declares tens of adjoints in a row: their zeros join to one do_zero where
 * the bytes follow each other and no label stands between (zero_after).
 *
 *     wp::float32 adj_0 = {};     do_zero of 8 bytes at adj_0
 *     wp::vec_t<3,wp::float32> adj_1 = {};     the same instruction, of 24 bytes */
static void emit_zero(reader *r, var *v)
{
    ins *last = r->code.n > r->zero_after ? &r->code.v[r->code.n - 1] : NULL;
    const size_t size = (vm_size(v->type) + 7) & ~(size_t)7;
    if (last && last->run == do_zero && (uint8_t *)last->v[0] + last->size == v->at) {
        last->size += size;
        return;
    }
    ins *i = code_emit(r, do_zero, 1);
    i->size = size;
    i->v[0] = v->at;
}

/* The numbers of a constant, which mutants change: one, or those of a table. */
static void note_constants(reader *r, const type *t, uint8_t *at)
{
    if (!type_is_value(t))
        return;
    const type *scalar = type_scalar_of(t);
    const size_t width = layout_size(scalar), size = layout_size(t);
    for (int lane = 0; lane < lane_count(t); lane++)
        VEC_PUSH(r->a, &r->vm->constants,
                 ((vm_constant){(type_kind)scalar->kind, at + (size_t)lane * width, at, size}));
}

/* [const] TYPE NAME [= VALUE]; A constant is stored now: no thread can change it. `= {}` runs in
 * each thread, but does not count as the text's assignment (written), so that all_written sees a
 * variable that nothing else sets. */
static void declaration_read(reader *r)
{
    const bool is_const = tok_is(r, "const");
    if (is_const)
        tok_next(r);
    const vt ty = type_read(r);
    if (!ty.ptr && type_is_tile(ty.t)) {
        tile_declare(r, ty.t);
        return;
    }
    if (!ty.ptr && ty.t->kind == TYPE_STACK) {
        stack_declare(r, ty.t);
        return;
    }
    var *v = var_declare(r, tok_name(r), ty);
    if (tok_accept(r, '=')) {
        if (is_const) {
            if (ty.ptr)
                read_fail(r, "a constant pointer");
            constant_read(r, ty.t, v->at);
            v->assigned = true;
            note_constants(r, ty.t, v->at);
        } else {
            tok_words(r, "{ }");
            if (ty.ptr)
                read_fail(r, "a pointer to nothing");
            if (vt_is_fixed(ty))
                emit_fixed_empty(r, v);
            else
                emit_zero(r, v);
            var_define(r, v);
            v->written = false;
        }
    } else if (is_const) {
        read_fail(r, "a constant without a value");
    }
    v->is_const = is_const;
    tok_expect(r, ';');
}

/* to = from, of one type. An array variable holds the address of a view; to copies the view, since
 * the variable that it came from may get another. */
void emit_move(reader *r, var *to, const operand *from)
{
    if (!vt_same(to->type, from->type))
        type_fail(r, to->type, from->type);
    if (vt_is_fixed(to->type)) {
        emit_fixed_copy(r, to, from);
        return;
    }
    if (from->type.t->kind == TYPE_ARRAY && !from->type.ptr) {
        array_info *info = ARENA_NEW(r->a, array_info);
        info->storage = (array_view *)(void *)frame_take(r, sizeof *info->storage);
        ins *i = code_emit(r, do_set_array, 2);
        i->aux = info;
        code_operand(r, i, 0, to, 0);
        code_arg(r, i, 1, from);
    } else {
        const size_t size = vm_size(to->type);
        ins *i = code_emit(r, do_move_of(size), 2);
        i->size = size;
        code_operand(r, i, 0, to, 0);
        code_arg(r, i, 1, from);
    }
    var_define(r, to);
}

/* Takes a comparison sign. */
static int compare_token(reader *r)
{
    const int k = r->tok.kind;
    if (k != '<' && k != '>' && k != T_LE && k != T_GE && k != T_EQ && k != T_NE)
        read_fail(r, "a comparison is missing");
    tok_next(r);
    return k;
}

/* to = a OP b. C++ converts scalars of two types to a common one (num_compare); composites have
 * only
 * == and !=. */
static void emit_compare(reader *r, var *to, var *a, int token, var *b)
{
    const type *x = a->type.t, *y = b->type.t;
    var_use(r, a);
    var_use(r, b);
    const bool equality = token == T_EQ || token == T_NE;
    const bool scalars = type_is_scalar(x) && type_is_scalar(y);
    if (a->type.ptr || b->type.ptr ||
        !(scalars || (equality && type_is_composite(x) && vt_same(a->type, b->type))))
        read_fail(r, "these types cannot be compared");
    ins_fn *own = x == y ? do_compare_of(token, x) : NULL;
    ins *i = code_emit(r, own ? own : do_compare, 3);
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, a, 0);
    code_operand(r, i, 2, b, 0);
    if (!own) {
        compare_info *k = ARENA_NEW(r->a, compare_info);
        k->op = token == '<'    ? "<"
                : token == '>'  ? ">"
                : token == T_LE ? "<="
                : token == T_GE ? ">="
                : token == T_EQ ? "=="
                                : "!=";
        if (!scalars && token == T_NE) { /* a != b where not all lanes are equal */
            k->op = "==";
            k->negate = true;
        }
        k->left = type_scalar_of(x)->kind;
        k->right = type_scalar_of(y)->kind;
        k->lanes = lane_count(x);
        i->aux = k;
    }
    var_define(r, to);
}

/* Ends reading unless v is a bool. */
static void need_bool(reader *r, const var *v)
{
    if (v->type.ptr || v->type.t->kind != TYPE_BOOL)
        type_fail(r, (vt){type_scalar(r->c, TYPE_BOOL), false}, v->type);
}

var *emit_condition(reader *r, var *v)
{
    var_use(r, v);
    const bool array = !v->type.ptr && v->type.t->kind == TYPE_ARRAY;
    if (!array && (v->type.ptr || !type_is_scalar(v->type.t)))
        read_fail(r, "a condition must be a scalar or an array");
    if (v->type.t->kind == TYPE_BOOL)
        return v;
    var *b = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    ins *i = code_emit(r, array ? do_array_truth : do_truth, 2);
    i->aux = v->type.t;
    code_operand(r, i, 0, b, 0);
    code_operand(r, i, 1, v, 0);
    var_define(r, b);
    return b;
}

/* to = a && b or a || b. Other scalars than bool are true when they are not zero. Both operands are
 * variables that have values, so there is nothing to short-circuit. */
static void emit_logic(reader *r, var *to, var *a, var *b, bool is_and)
{
    var *x = emit_condition(r, a), *y = emit_condition(r, b);
    var *bit = to;
    if (to->type.ptr || !type_is_scalar(to->type.t))
        read_fail(r, "the result must be a scalar");
    if (to->type.t->kind != TYPE_BOOL)
        bit = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    ins *i = code_emit(r, is_and ? do_and : do_or, 3);
    code_operand(r, i, 0, bit, 0);
    code_operand(r, i, 1, x, 0);
    code_operand(r, i, 2, y, 0);
    var_define(r, bit);
    if (bit == to)
        return;
    i = code_emit(r, do_from_bool, 2);
    i->aux = to->type.t;
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, bit, 0);
    var_define(r, to);
}

/* (a < b) or ((a < b) && (b < c) ...), behind the first parenthesis. The second is a chained
 * comparison of Python, a < b < c.
 *
 *     var_4 = (var_1 < var_2);                          lt_f32
 *     var_5 = ((var_1 < var_2) && (var_2 < var_3));     lt_f32 twice, then do_and */
static void comparison_read(reader *r, var *to)
{
    need_bool(r, to);
    const bool chain = tok_accept(r, '(');
    for (bool first = true;; first = false) {
        var *a = var_read(r);
        const int token = compare_token(r);
        var *b = var_read(r);
        var *out = first ? to : var_temp(r, to->type);
        if (out == a || out == b)
            read_fail(r, "a comparison writes what it compares");
        emit_compare(r, out, a, token, b);
        if (!first)
            emit_logic(r, to, to, out, true);
        tok_expect(r, ')');
        if (!chain || !tok_accept(r, T_AND))
            break;
        tok_expect(r, '(');
    }
    if (chain)
        tok_expect(r, ')');
}

/* to = S() or S(field values). Fields beyond the values given are zero.
 *
 *     var_3 = Body_a8f4a9dd(var_1, var_2);     do_zero of var_3, then do_move for each value */
static void struct_made(reader *r, var *to)
{
    const vt made = type_read(r);
    if (!vt_same(made, to->type))
        type_fail(r, to->type, made);
    tok_expect(r, '(');
    const uint32_t n = made.t->st->nfields;
    emit_zero_all(r, to);
    for (uint32_t k = 0; r->tok.kind != ')'; k++) {
        if (k == n)
            read_fail(r, "too many values for the struct");
        if (k)
            tok_expect(r, ',');
        var *v = var_read(r);
        if (v == to)
            read_fail(r, "a struct is made of itself");
        const vt ty = {made.t->st->fields[k].type, false};
        if (!vt_same(v->type, ty))
            type_fail(r, ty, v->type);
        var_use(r, v);
        emit_field_set(r, to, layout_field(made.t->st, k), &(operand){.v = v, .type = ty});
    }
    tok_expect(r, ')');
}

/* to = {}, for a statement; declarations have emit_zero, which joins neighbours. */
void emit_zero_all(reader *r, var *to)
{
    if (vt_is_fixed(to->type)) {
        emit_fixed_empty(r, to);
        return;
    }
    ins *i = code_emit(r, do_zero, 1);
    i->size = vm_size(to->type);
    code_operand(r, i, 0, to, 0);
    var_define(r, to);
}

/* (to + offset) = from */
void emit_field_set(reader *r, var *to, size_t offset, const operand *from)
{
    const bool array = from->type.t->kind == TYPE_ARRAY && !from->type.ptr;
    ins *i = code_emit(r, array ? do_field_array : do_move, 2);
    i->size = vm_size(from->type);
    code_operand(r, i, 0, to, offset);
    code_arg(r, i, 1, from);
    to->written = true;
    if (to->is_const)
        read_fail(r, "a constant is changed");
}

/* to = LITERAL: the value is read to storage of its own and copied when the statement runs. */
void emit_constant(reader *r, var *to)
{
    if (to->type.ptr)
        read_fail(r, "a pointer gets a number");
    const size_t size = vm_size(to->type);
    uint8_t *at = frame_take(r, size);
    constant_read(r, to->type.t, at);
    ins *i = code_emit(r, do_move_of(size), 2);
    i->size = size;
    code_operand(r, i, 0, to, 0);
    i->v[1] = at;
    var_define(r, to);
}

/* to = &PLACE, behind the & */
static void address_read(reader *r, var *to)
{
    const place p = place_read(r);
    const vt ty = {p.type.t, true};
    if (p.type.ptr || !vt_same(ty, to->type))
        type_fail(r, to->type, ty);
    if (!p.behind)
        var_use(r, p.v);
    place_address(r, &p, to);
}

/* to = v, v && w, v || w, v.field. A scalar that a bool gets is converted; of an array it gets
 * whether that has data. */
static void variable_read(reader *r, var *to)
{
    const place p = place_read(r);
    if (r->tok.kind == T_AND || r->tok.kind == T_OR) {
        const bool is_and = r->tok.kind == T_AND;
        tok_next(r);
        if (p.behind || p.offset)
            read_fail(r, "an operand is no variable");
        emit_logic(r, to, p.v, var_read(r), is_and);
        return;
    }
    const operand from = place_operand(r, &p);
    const bool bit = !to->type.ptr && to->type.t->kind == TYPE_BOOL;
    const bool array = !from.type.ptr && from.type.t->kind == TYPE_ARRAY;
    if (!bit || from.type.ptr || from.type.t == to->type.t ||
        !(array || type_is_scalar(from.type.t))) {
        emit_move(r, to, &from);
        return;
    }
    ins *i = code_emit(r, array ? do_array_truth : do_truth, 2);
    i->aux = from.type.t;
    code_operand(r, i, 0, to, 0);
    code_arg(r, i, 1, &from);
    var_define(r, to);
}

/* The right side of `to = `: its first token decides the form. */
static void value_read(reader *r, var *to)
{
    switch (r->tok.kind) {
    case '{':
        tok_words(r, "{ }");
        if (to->type.ptr)
            read_fail(r, "a pointer to nothing");
        emit_zero_all(r, to);
        return;
    case '(':
        tok_next(r);
        if (to->type.ptr && r->tok.native) /* (wp::uint64*)&(var_a.data), Python's a.ptr */
            read_missing(r, STR("an array's address"));
        comparison_read(r, to);
        return;
    case '&':
        tok_next(r);
        address_read(r, to);
        return;
    default: break;
    }
    /* Names are looked up: a struct is made, a variable is copied, all else is called. */
    if (constant_starts(r))
        emit_constant(r, to);
    else if (r->tok.kind == T_NAME && !r->tok.native && r->tok.id->st)
        struct_made(r, to);
    else if (r->tok.kind == T_NAME && !r->tok.native && r->tok.id->var_scope == r->scope)
        variable_read(r, to);
    else
        call_read(r, to);
}

/* v.f = w, v.f.g += w, v.f = {}, adj_x.shape = w: v has been read, the '.' not.
 *
 *     adj_b.mass += adj_3;     do_accum, v: {adj_b + the offset of mass, adj_3}
 *     var_b.v = var_2;         do_move, v: {var_b + the offset of v, var_2} */
static void field_statement(reader *r, var *v)
{
    place p = {.v = v, .type = v->type};
    bool shape = false;
    while (!shape && tok_accept(r, '.')) {
        vm_name *field = tok_name(r);
        size_t offset;
        if (p.type.ptr)
            read_fail(r, "a pointer has no fields");
        if (p.type.t->kind == TYPE_ARRAY && str_eq(field->s, STR("shape")))
            shape = true;
        else if (struct_find(r, p.type.t, field, &p.type, &offset))
            p.offset += offset;
        else
            read_fail(r, "'%.*s' is no field", (int)field->s.n, field->s.p);
    }
    if (!v->assigned)
        var_use(r, v);
    const bool plus = r->tok.kind == T_PLUS_SET;
    tok_expect(r, plus ? T_PLUS_SET : '=');
    if (r->tok.kind == '{' && !plus && !shape) {
        tok_words(r, "{ }");
        ins *i = code_emit(r, do_zero, 1);
        i->size = vm_size(p.type);
        code_operand(r, i, 0, v, p.offset);
        v->written = true;
        return;
    }
    var *from = var_read(r);
    var_use(r, from);
    const vt want = shape ? (vt){type_native(r->c, "shape_t"), false} : p.type;
    if (!vt_same(from->type, want))
        type_fail(r, want, from->type);
    const operand val = {.v = from, .type = from->type};
    if (shape) /* of an adjoint array; its shape has no effect on gradients */
        return;
    if (plus)
        emit_accum(r, v, p.offset, p.type, &val);
    else
        emit_field_set(r, v, p.offset, &val);
}

/* v += w or v += w.field, which is accumulation; v += 3 or v -= 3, the step of a loop whose range
 * is constant, for an int32 only.
 *
 *     var_1 += 2;          do_step, size 2
 *     adj_1 += adj_3;      do_accum */
static void step_statement(reader *r, var *v, bool minus)
{
    tok_next(r);
    var_use(r, v);
    if (v->is_const)
        read_fail(r, "'%.*s' is const", (int)v->name.n, v->name.p);
    if (r->tok.kind == T_NUMBER || r->tok.kind == '-') {
        const bool negative = tok_accept(r, '-');
        const int64_t step = tok_int(r);
        if (v->type.ptr || v->type.t->kind != TYPE_INT32)
            type_fail(r, (vt){type_scalar(r->c, TYPE_INT32), false}, v->type);
        ins *i = code_emit(r, do_step, 1);
        i->size = (size_t)(negative != minus ? -step : step);
        code_operand(r, i, 0, v, 0);
        v->written = true;
        return;
    }
    if (minus)
        read_fail(r, "a number is missing");
    const place p = place_read(r);
    const operand from = place_operand(r, &p);
    if (!vt_same(v->type, from.type) || v->type.ptr)
        type_fail(r, v->type, from.type);
    emit_accum(r, v, 0, v->type, &from);
}

/* The part of `to` of type ty at `offset` += from. */
static void emit_accum(reader *r, var *to, size_t offset, vt ty, const operand *from)
{
    if (ty.ptr)
        read_fail(r, "a pointer is added to");
    ins *i = code_emit(r, do_accum, 2);
    i->aux = accum_of(r, ty.t, false);
    code_operand(r, i, 0, to, offset);
    code_arg(r, i, 1, from);
    to->written = true;
    if (to->is_const)
        read_fail(r, "a constant is changed");
}

/* goto NAME; of an if: the last instruction, the test, skips the jump when it fails. A jump back
 * and one forward are two instructions, because only the first takes fuel. */
static void conditional_goto(reader *r)
{
    branch_open(r);
    tok_words(r, "goto");
    vm_name *id = tok_name(r);
    const bool back = id->label_scope == r->scope && id->label->at >= 0;
    label_jump(r, code_emit(r, back ? do_jump_back : do_jump, 0), id);
    tok_expect(r, ';');
    branch_close(r);
}

/* if (v OP NUMBER) goto NAME; with v read: the test of a loop over a constant range. */
static void range_test(reader *r, var *v)
{
    var *result = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    const int token = compare_token(r);
    var *bound = var_temp(r, v->type);
    if (v->type.ptr || v->type.t->kind != TYPE_INT32)
        read_fail(r, "a loop's variable must be an int32");
    constant_read(r, v->type.t, bound->at);
    bound->assigned = true;
    emit_compare(r, result, v, token, bound);
    tok_expect(r, ')');
    code_operand(r, code_emit(r, do_if, 1), 0, result, 0);
    conditional_goto(r);
}

/* iter_cmp(v) of a query: goes on to its next element, and tells whether there is one. */
static var *query_step(reader *r, var *v)
{
    var *more = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    const operand query = {.v = v, .type = v->type};
    emit_operation(r, "iter_cmp", &query, 1, more);
    return more;
}

/* Four forms; the first opens a block, the others end with goto NAME;
 *
 *     if (var_1) { ... }   if (!var_1) { ... }
 *     if (iter_cmp(var_3) == 0)                     a for loop has ended
 *     if ((var_1) == false)                         a while loop has ended
 *     if (var_1 >= 40)                              a loop over a constant range has ended
 */
static void if_read(reader *r)
{
    tok_words(r, "if (");
    if (tok_is(r, "iter_cmp")) {
        tok_words(r, "iter_cmp (");
        var *v = var_read(r);
        var_use(r, v);
        if (v->type.ptr || (v->type.t->kind != TYPE_RANGE && v->type.t->kind != TYPE_NATIVE))
            read_fail(r, "'%.*s' is no range", (int)v->name.n, v->name.p);
        tok_words(r, ") == 0 )");
        const bool query = v->type.t->kind == TYPE_NATIVE;
        var *tested = query ? query_step(r, v) : v; /* its instructions come before the jump */
        code_operand(r, code_emit(r, query ? do_if_not : do_if_done, 1), 0, tested, 0);
        conditional_goto(r);
        return;
    }
    const bool negate = tok_accept(r, '!');
    if (!negate && tok_accept(r, '(')) {
        var *v = emit_condition(r, var_read(r));
        tok_words(r, ") == false )");
        code_operand(r, code_emit(r, do_if_not, 1), 0, v, 0);
        conditional_goto(r);
        return;
    }
    var *v = var_read(r);
    if (!negate && r->tok.kind != ')') {
        range_test(r, v);
        return;
    }
    v = emit_condition(r, v);
    tok_words(r, ") {");
    code_operand(r, code_emit(r, negate ? do_if_not : do_if, 1), 0, v, 0);
    branch_open(r);
}

/* return; or return v; or return {}; In a kernel the thread ends.
 *
 *     return;          do_end in a kernel, do_return in a function
 *     return var_1;    do_return_value */
static void return_read(reader *r)
{
    tok_words(r, "return");
    vm_func *f = r->f;
    if (tok_accept(r, ';')) {
        if (f->result.t)
            read_fail(r, "a result is missing");
        code_emit(r, r->in_kernel ? do_end : do_return, 0);
        return;
    }
    if (!f->result.t)
        read_fail(r, "a result that nobody gets");
    var *v;
    if (r->tok.kind == '{') {
        tok_words(r, "{ }");
        v = var_temp(r, f->result);
        emit_zero_all(r, v);
    } else {
        v = var_read(r);
    }
    var_use(r, v);
    if (!vt_same(v->type, f->result))
        type_fail(r, f->result, v->type);
    ins *i = code_emit(r, do_return_value, 1);
    i->size = vm_size(v->type);
    code_operand(r, i, 0, v, 0);
    tok_expect(r, ';');
}

/* *v = w;
 *
 *     *var_2 = var_3;     do_store, v: {var_2, var_3} */
static void store_statement(reader *r)
{
    tok_next(r);
    var *to = var_read(r);
    tok_expect(r, '=');
    var *from = var_read(r);
    var_use(r, to);
    var_use(r, from);
    if (!to->type.ptr || from->type.ptr || !vt_same((vt){to->type.t, false}, from->type))
        type_fail(r, (vt){to->type.t, false}, from->type);
    ins *i = code_emit(r, do_store, 2);
    i->size = vm_size(from->type);
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, from, 0);
}

/* wp::index(var_a, var_0).c[1] = v; a store of Warp 1.17 into part of an array's element. */
static void slot_statement(reader *r)
{
    const place p = place_read(r);
    tok_expect(r, '=');
    var *from = var_read(r);
    var_use(r, from);
    if (!vt_same(p.type, from->type))
        type_fail(r, p.type, from->type);
    var *to = place_pointer(r, &p);
    ins *i = code_emit(r, do_store, 2);
    i->size = vm_size(from->type);
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, from, 0);
}

/* A statement that begins with a name without wp::, which is a variable, a function or a label. */
static void named_statement(reader *r)
{
    vm_name *id = r->tok.id;
    /* Functions are declared before their use, so a name that is neither is a label. */
    if (id->var_scope != r->scope) {
        if (id->func || tile_is_call(id->s) || tok_is(r, "printf") || tok_is(r, "assert") ||
            (id->s.n > 8 && memcmp(id->s.p, "builtin_", 8) == 0)) {
            call_read(r, NULL);
            return;
        }
        tok_next(r);
        if (r->tok.kind != ':')
            read_fail(r, "'%.*s' is not declared", (int)(id->s.n < 80 ? id->s.n : 80), id->s.p);
        tok_next(r);
        label_here(r, id);
        return;
    }
    var *v = var_read(r);
    if (r->tok.kind == '.' && type_is_tile(v->type.t))
        tile_member_read(r, v);
    else if (r->tok.kind == '.')
        field_statement(r, v);
    else if (r->tok.kind == T_PLUS_SET || r->tok.kind == T_MINUS_SET)
        step_statement(r, v, r->tok.kind == T_MINUS_SET);
    else {
        tok_expect(r, '=');
        value_read(r, v);
    }
}

/* One statement or declaration. Declarations stand before all statements in Warp's text, so inside
 * of a block there is none. `continue` ends the thread's turn in a grid-stride loop: each turn is a
 * thread of its own here. */
static void stmt_read(reader *r)
{
    if (r->tok.kind == '*') {
        store_statement(r);
    } else if (tok_is(r, "if")) {
        if_read(r);
        return;
    } else if (tok_is(r, "return")) {
        return_read(r);
        return;
    } else if (tok_is(r, "goto")) {
        tok_next(r);
        vm_name *id = tok_name(r);
        const bool back = id->label_scope == r->scope && id->label->at >= 0;
        label_jump(r, code_emit(r, back ? do_jump_back : do_jump, 0), id);
    } else if (tok_is(r, "continue") && r->may_continue) {
        tok_next(r);
        code_emit(r, do_end, 0);
    } else if (tok_is(r, "const") || type_starts(r)) {
        if (r->nblocks)
            read_fail(r, "a declaration inside a block");
        declaration_read(r);
        return;
    } else if (tok_is_native(r, "index")) {
        slot_statement(r);
    } else if (r->tok.kind == T_NAME && !r->tok.native) {
        named_statement(r);
    } else {
        call_read(r, NULL);
    }
    tok_expect(r, ';');
}

/* Reads up to the closing brace of the body and emits what happens when control gets there. A
 * function with a result has no end without return; its do_no_value is a fault. */
void body_read(reader *r)
{
    for (;;) {
        if (r->tok.kind != '}') {
            stmt_read(r);
        } else if (r->nblocks) {
            tok_next(r);
            branch_close(r);
        } else {
            break;
        }
    }
    tok_next(r);
    WEFT_ASSERT(r->nblocks == 0);
    if (r->in_kernel) {
        code_emit(r, do_end, 0);
    } else if (r->f->result.t) {
        code_emit(r, do_no_value, 0)->aux = r->f;
    } else {
        code_emit(r, do_return, 0);
    }
}
