/* SPDX-License-Identifier: Apache-2.0 */
/* Reads calls (call_read), which the name decides:
 *
 *     var_6 = half_0(var_7);                         a function of the text: call_function
 *     adj_half_0(var_7, adj_7, adj_6);               the same, with reference parameters
 *     var_0 = builtin_tid1d();                       plain_call
 *     var_2 = wp::float(var_1);                      a constructor: made_read
 *     var_3 = wp::range(var_n);                      a form (vm_forms.c)
 *     var_8 = wp::add(var_2, var_6);                 arithmetic (vm_builtin.c)
 *
 * Functions of Warp do not call themselves, so a call copies arguments to the function's one set of
 * variables. A reference parameter is no copy: at each call its argument's address is patched into
 * the instructions that use it (call_prepare, do_call). */
#include "textvm/vm_tile.h"

/* The limit of arguments is the text's, not Warp's: no call of a real kernel comes near it. */
static void push_arg(reader *r, call *k, operand o)
{
    if (k->n == ARGS_MAX)
        read_fail(r, "too many arguments");
    k->args[k->n++] = o;
}

/* A variable, or &PLACE. The address of a variable stays an operand with `address`, since adjoint
 * calls take it as the variable; another place becomes a pointer.
 *
 *     var_1               v var_1
 *     &adj_1              v adj_1, address
 *     &(var_p->x)         a new variable with the address */
static operand arg_read(reader *r)
{
    if (tok_accept(r, '&')) {
        const place p = place_read(r);
        if (p.type.ptr)
            read_fail(r, "the address of a pointer");
        if (!p.behind)
            return (operand){.v = p.v, .offset = p.offset, .type = p.type, .address = true};
        var *at = place_pointer(r, &p);
        return (operand){.v = at, .type = at->type};
    }
    var *v = var_read(r);
    return (operand){.v = v, .type = v->type};
}

/* {a, b}: the arguments go to the same list as all others, and k->groups gets the place where
 * they end. */
static void group_read(reader *r, call *k)
{
    tok_expect(r, '{');
    if (k->ngroups == 4)
        read_fail(r, "too many lists");
    while (r->tok.kind != '}') {
        push_arg(r, k, arg_read(r));
        if (r->tok.kind != '}')
            tok_expect(r, ',');
    }
    tok_next(r);
    k->groups[k->ngroups++] = k->n;
}

/* The arguments in parentheses, to k->args. Braces group them: f({a, b}, c) has 3 arguments, and
 * groups {2}. */
static void call_args(reader *r, call *k)
{
    k->n = k->ngroups = 0;
    tok_expect(r, '(');
    while (r->tok.kind != ')') {
        if (r->tok.kind == '{')
            group_read(r, k);
        else
            push_arg(r, k, arg_read(r));
        if (r->tok.kind != ')')
            tok_expect(r, ',');
    }
    tok_next(r);
}

/* <3, wp::float32>, if there are any: numbers and types.
 *
 *     wp::extract<2>(...)                    tnums {2}
 *     wp::identity<3, wp::float32>()         tnums {3}, targs {-, float32} */
static void template_args(reader *r, call *k)
{
    k->ntargs = 0;
    if (!tok_accept(r, '<'))
        return;
    for (;;) {
        if (k->ntargs == 4)
            read_fail(r, "too many template arguments");
        k->targs[k->ntargs] = (vt){0};
        if (r->tok.kind == T_NUMBER)
            k->tnums[k->ntargs] = tok_int(r);
        else
            k->targs[k->ntargs] = type_read(r);
        k->ntargs++;
        if (r->tok.kind == '>')
            break;
        tok_expect(r, ',');
    }
    tok_next(r);
}

/* Ends reading unless the types are the same. */
static void check_type(reader *r, vt want, vt have)
{
    if (!vt_same(want, have))
        type_fail(r, want, have);
}

/* The same where a local array may stand for a plain one. */
static void check_taken(reader *r, vt want, vt have)
{
    if (!vt_takes(want, have))
        type_fail(r, want, have);
}

/* The argument as a value, which must be set: &v of a variable becomes a pointer. */
static operand arg_value(reader *r, const operand *o)
{
    if (!o->address) {
        var_use(r, o->v);
        return *o;
    }
    var_use(r, o->v);
    var *at = var_temp(r, (vt){o->type.t, true});
    const place p = {.v = o->v, .offset = o->offset, .type = o->type};
    place_address(r, &p, at);
    return (operand){.v = at, .type = at->type};
}

/* Checks the arguments against f's parameters, and makes what do_call needs. An argument by
 * reference must be a whole variable, and none that is const unless the parameter is. The size of a
 * local array is that of its view's address: its parameter sees the caller's elements.
 *
 *     adj_half_0(var_7, adj_7, adj_6), where the last two parameters are references:
 *     args   {by value, 4 bytes}, {by reference, uses of adj_x}, {by reference, uses of adj_ret} */
static call_info *call_prepare(reader *r, call *k, const vm_func *f)
{
    call_info *info = ARENA_NEW(r->a, call_info);
    call_arg *args = ARENA_ARRAY(r->a, call_arg, k->n + 1);
    WEFT_ASSERT(k->n == f->nparams);
    info->f = f;
    r->f->meets |= f->meets;
    info->args = args;
    info->n = k->n;
    for (uint32_t i = 0; i < k->n; i++) {
        var *p = f->params[i];
        operand *o = &k->args[i];
        const size_t size = vt_is_fixed(p->type) ? sizeof(void *) : vm_size(p->type);
        args[i] = (call_arg){.by_reference = p->ref >= 0, .to = p->at, .size = size};
        if (p->ref >= 0) {
            check_taken(r, p->type, o->type);
            if (o->address || (o->v->is_const && !p->is_const))
                read_fail(r, "argument %u must be a variable", i + 1);
            args[i].uses = &f->refs[p->ref];
        } else {
            *o = arg_value(r, o);
            check_taken(r, p->type, o->type);
        }
    }
    return info;
}

/* Copies the view of an array that a function returned: it lies in storage that the function's next
 * call overwrites. */
static void keep_array(reader *r, var *v)
{
    WEFT_ASSERT(v->type.t);
    if (v->type.t->kind == TYPE_ARRAY && !v->type.ptr)
        emit_move(r, v, &(operand){.v = v, .type = v->type});
}

/* Does f take as many arguments, of types that `fits` accepts? */
static bool overload_fits(const call *k, const vm_func *f, bool (*fits)(vt, vt))
{
    bool all = f->nparams == k->n;
    for (uint32_t i = 0; all && i < k->n; i++) {
        const operand *o = &k->args[i];
        all = fits(f->params[i]->type, o->address ? (vt){o->type.t, true} : o->type);
    }
    return all;
}

/* The overload whose parameters have, or else take, the arguments' types; else the first. */
static const vm_func *choose(const call *k, const vm_func *first)
{
    for (const vm_func *f = first; f; f = f->next)
        if (overload_fits(k, f, vt_same))
            return f;
    for (const vm_func *f = first; f; f = f->next)
        if (overload_fits(k, f, vt_takes))
            return f;
    return first;
}

/* [result =] f(arguments). After the call, arguments by reference have values. The fixup makes
 * info->back the address of the instruction behind the call. */
void call_with_args(reader *r, call *k, const vm_func *f)
{
    f = choose(k, f);
    if (k->ngroups || k->n != f->nparams)
        read_fail(r, "%.*s takes %u arguments, not %u", (int)f->name.n, f->name.p, f->nparams,
                  k->n);
    if (f == r->f)
        read_fail(r, "a function calls itself");
    var *result = k->result;
    if (result && !f->result.t)
        read_fail(r, "%.*s has no result", (int)f->name.n, f->name.p);
    if (!result && f->result.t)
        result = var_temp(r, f->result);
    if (result)
        check_type(r, result->type, f->result);
    call_info *info = call_prepare(r, k, f);
    ins *i = code_emit(r, do_call, k->n + (result ? 1 : 0));
    i->aux = info;
    for (uint32_t a = 0; a < k->n; a++)
        code_arg(r, i, a, &k->args[a]);
    if (result)
        code_operand(r, i, k->n, result, 0);
    code_fixup(r, &info->back, r->code.n);
    for (uint32_t a = 0; a < k->n; a++)
        if (info->args[a].by_reference && !f->params[a]->is_const)
            var_define(r, k->args[a].v);
    if (result) {
        var_define(r, result);
        keep_array(r, result);
    }
}

static void call_function(reader *r, call *k, const vm_func *f)
{
    call_args(r, k);
    call_with_args(r, k, f);
}

/* builtin_tid1d() has a result, builtin_tid2d(i, j) and so on set their arguments.
 *
 *     var_0 = builtin_tid1d();          do_tid1
 *     builtin_tid2d(var_0, var_1);      do_tid, n 2 */
static void call_tid(reader *r, call *k, uint32_t n)
{
    WEFT_ASSERT(n >= 1 && n <= TEXTVM_DIMS);
    const vt index = {type_scalar(r->c, TYPE_INT32), false};
    call_args(r, k);
    /* wp.tid() belongs to kernels: Warp refuses it in functions. */
    if (!r->in_kernel || k->ngroups || k->n != (n == 1 ? 0 : n) || (n == 1) != (k->result != NULL))
        read_fail(r, "a wrong use of the thread's index");
    if ((int)n > r->vm->ndim)
        read_fail(r, "the launch has %d dimensions, not %u", r->vm->ndim, n);
    if ((int)n > r->tid_dims)
        r->tid_dims = (int)n;
    ins *i = code_emit(r, n == 1 ? do_tid1 : do_tid, n);
    for (uint32_t a = 0; a < n; a++) {
        var *v = n == 1 ? k->result : k->args[a].v;
        check_type(r, index, v->type);
        if (n > 1 && k->args[a].address)
            read_fail(r, "a wrong use of the thread's index");
        code_operand(r, i, a, v, 0);
        var_define(r, v);
    }
}

/* n = builtin_block_dim() */
static void call_block_dim(reader *r, call *k)
{
    call_args(r, k);
    if (k->n || !k->result)
        read_fail(r, "builtin_block_dim has no arguments and one result");
    check_type(r, (vt){type_scalar(r->c, TYPE_INT32), false}, k->result->type);
    code_operand(r, code_emit(r, do_block_dim, 1), 0, k->result, 0);
    var_define(r, k->result);
}

/* printf(variables), whose arguments must have values; nothing is printed, so that nothing reads
 * them. */
static void read_printf(reader *r)
{
    tok_expect(r, '(');
    for (bool first = true; r->tok.kind != ')'; first = false) {
        if (!first)
            tok_expect(r, ',');
        var_use(r, var_read(r));
    }
    tok_next(r);
}

/* assert(((void)"text", condition)) */
static void read_assert(reader *r)
{
    tok_words(r, "( ( ( void )");
    tok_expect(r, T_STRING);
    tok_expect(r, ',');
    var *v = var_read(r);
    tok_words(r, ") )");
    var_use(r, v);
    if (v->type.t->kind == TYPE_ARRAY)
        v = emit_condition(r, v);
    if (v->type.ptr || !type_is_scalar(v->type.t))
        read_fail(r, "a condition must be a scalar or an array");
    ins *i = code_emit(r, do_assert, 1);
    i->aux = v->type.t;
    code_operand(r, i, 0, v, 0);
}

/* A call of a name without wp::. `bool` is the one type that Warp writes without. */
static void plain_call(reader *r, call *k)
{
    vm_name *id = k->id;
    const str s = id->s;
    if (id->func) {
        call_function(r, k, id->func);
    } else if (str_eq(s, STR("builtin_block_dim"))) {
        call_block_dim(r, k);
    } else if (s.n == 13 && memcmp(s.p, "builtin_tid", 11) == 0 && s.p[12] == 'd' &&
               s.p[11] >= '1' && s.p[11] <= '4') {
        call_tid(r, k, (uint32_t)(s.p[11] - '0'));
    } else if (str_eq(s, STR("bool"))) {
        k->made = type_scalar(r->c, TYPE_BOOL);
        call_args(r, k);
        call_native(r, k);
    } else if (str_eq(s, STR("printf")) && !k->result) {
        read_printf(r);
    } else if (str_eq(s, STR("assert")) && !k->result) {
        read_assert(r);
    } else if (tile_is_call(s)) { /* found by the types of its arguments */
        tile_call_read(r, k);
    } else {
        read_fail(r, "'%.*s' is not declared", (int)(s.n < 80 ? s.n : 80), s.p);
    }
}

/* The lookup is done once per name of a text. */
static const form *form_of(vm_name *id)
{
    if (!id->form_known) {
        id->form = form_find(id->s);
        id->form_known = true;
    }
    return id->form;
}

/* adj_NAME is the adjoint of NAME. */
static bool starts_with_adj(str s)
{
    return s.n > 4 && memcmp(s.p, "adj_", 4) == 0;
}

/* Does a type follow? Then takes it and sets k->made: wp::vec_t<3, wp::float32>(...),
 * wp::float32(x), wp::float(x). */
static bool constructor(reader *r, call *k)
{
    const str s = r->tok.id->s;
    if (str_eq(s, STR("float")) || str_eq(s, STR("int"))) {
        k->made = type_scalar(r->c, s.p[0] == 'f' ? TYPE_FLOAT32 : TYPE_INT32);
        tok_next(r);
        return true;
    }
    if (!type_starts(r))
        return false;
    const vt made = type_read(r);
    if (made.ptr)
        read_fail(r, "a pointer is made");
    k->made = made.t;
    return true;
}

/* "(3" follows. */
static bool made_of_number(const reader *r)
{
    return r->tok.kind == '(' && r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

/* The rest of wp::TYPE(...): a literal, or arguments. Other calls have no literals.
 *
 *     var_1 = wp::float64(0.1);        a literal
 *     var_1 = wp::float64(var_0);      a conversion by arith
 *     var_2 = wp::vec_t<2,wp::float32>(var_0, var_1);      a constructor by arith */
static void made_read(reader *r, call *k)
{
    WEFT_ASSERT(k->made && k->result);
    if (type_is_scalar(k->made) && made_of_number(r)) {
        tok_expect(r, '(');
        if (!vt_same(k->result->type, (vt){k->made, false}))
            type_fail(r, k->result->type, (vt){k->made, false});
        emit_constant(r, k->result);
        tok_expect(r, ')');
        return;
    }
    call_args(r, k);
    if (k->made->kind == TYPE_TUPLE)
        form_tuple(r, k);
    else if (type_is_fixed(k->made))
        form_fixed(r, k);
    else
        call_native(r, k);
}

/* Forms are looked up before arithmetic, so a name in both is a form; len and extract pass on what
 * is arithmetic. */
void call_read(reader *r, var *result)
{
    call *k = &r->call;
    if (r->tok.kind != T_NAME)
        read_fail(r, "an expression is missing");
    /* The arguments are not cleared: k->n counts those of this call. */
    k->result = result;
    k->id = r->tok.id;
    k->made = NULL;
    k->form = NULL;
    k->ntargs = 0;
    k->adjoint = false;
    if (!r->tok.native) {
        tok_next(r);
        plain_call(r, k);
        return;
    }
    if (result && constructor(r, k)) {
        made_read(r, k);
        return;
    }
    tok_next(r);
    if (tile_is_call(k->id->s)) {
        tile_call_read(r, k);
        return;
    }
    if (r->tok.kind == T_NAME) /* a declaration: of a class that is not known */
        read_missing(r, k->id->s);
    k->form = form_of(k->id);
    k->adjoint = starts_with_adj(k->id->s);
    template_args(r, k);
    if (k->form && k->form->reads_args) {
        k->form->read(r, k);
        return;
    }
    call_args(r, k);
    if (r->vm->tiles && tile_in_call(k))
        tile_other_call(r, k);
    else if (k->form)
        k->form->read(r, k);
    else
        call_native(r, k);
}
