/* SPDX-License-Identifier: Apache-2.0 */
/* Reads struct definitions and the functions that Warp writes beside each: constructors, operator
 * +=, add, adj_atomic_add.
 *
 *     struct Body_a8f4a9dd { wp::float32 mass; wp::vec_t<3, wp::float32> v; ...
 *     CUDA_CALLABLE Body_a8f4a9dd& operator += (const Body_a8f4a9dd& rhs)
 *     { mass += rhs.mass; v += rhs.v; return *this;}
 *     -> plus: {0, 0, float32}, {4, 4, vec3f}        pairs of offsets
 *     -> accum: {0, 0, 1 lane}, {4, 4, 3 lanes}      when the text adds two of them (accum_of)
 *
 * What += and adj_atomic_add do is kept as the text has it, pair by pair, because a damaged text
 * may add to the wrong field or leave one out, and that has to show in the results. The struct of a
 * CPU kernel's arguments, wp_args_NAME, has no functions and is no type of variables. */
#include "textvm/vm_read.h"

enum { FIELDS_MAX = 400 };

/* Fields are compared by their text: names of the text and of struct_def are interned in
 * different tables. Arrays of native types get the reader's type, which has no dimensions. */
bool struct_find(reader *r, const type *st, const vm_name *field, vt *ty, size_t *offset)
{
    const bool native = st->kind == TYPE_NATIVE;
    if (st->kind != TYPE_STRUCT && !native)
        return false;
    const struct struct_field *fields = native ? st->native->fields : st->st->fields;
    for (uint32_t i = 0; i < (native ? st->native->nfields : st->st->nfields); i++) {
        if (!str_eq(sym_str(fields[i].name), field->s))
            continue;
        const type *t = fields[i].type;
        *ty = (vt){native && t->kind == TYPE_ARRAY ? type_array_of(r, t->elem, t->array_class) : t,
                   false};
        *offset = fields[i].offset;
        return true;
    }
    return false;
}

/* TYPE NAME; for each field. Returns how many there are; the token behind them is not taken. */
static uint32_t fields_read(reader *r, struct_field_text *fields)
{
    uint32_t n = 0;
    while (type_starts(r)) {
        /* the constructor's name is the struct's, which is no type before its fields are known */
        if (n == FIELDS_MAX)
            read_fail(r, "too many fields");
        const vt t = type_read(r);
        if (t.ptr || !(type_is_value(t.t) || t.t->kind == TYPE_STRUCT || t.t->kind == TYPE_ARRAY ||
                       texture_axes(t.t)))
            read_fail(r, "a field of this type");
        if (type_is_fixed(t.t))
            read_missing(r, STR("local arrays in structs"));
        vm_name *id = tok_name(r);
        for (uint32_t i = 0; i < n; i++)
            if (fields[i].id == id)
                read_fail(r, "field '%.*s' stands twice", (int)id->s.n, id->s.p);
        fields[n++] = (struct_field_text){id, t.t};
        tok_expect(r, ';');
    }
    return n;
}

/* A type of these fields. Depth and size are limited: fields of struct type may double the size
 * with each level. */
static vm_struct *struct_make(reader *r, vm_name *id, const struct_field_text *fields, uint32_t n)
{
    vm_struct *s = ARENA_NEW(r->a, vm_struct);
    struct_def *def = ARENA_NEW(r->a, struct_def);
    struct struct_field *copy = ARENA_ARRAY(r->a, struct struct_field, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = (struct struct_field){
            .name = sym_intern(&r->c->syms, fields[i].id->s.p, fields[i].id->s.n),
            .type = fields[i].type};
    def->name = sym_intern(&r->c->syms, id->s.p, id->s.n);
    def->native_name = id->s;
    def->fields = copy;
    def->nfields = n;
    layout_struct(def);
    s->t = ARENA_NEW(r->a, type);
    s->t->kind = TYPE_STRUCT;
    s->t->in_module = true;
    s->t->st = def;
    s->t->cname = s->t->pyname = (str){arena_dup(r->a, id->s.p, id->s.n), id->s.n};
    for (uint32_t i = 0; i < n; i++) {
        const type *t = fields[i].type;
        const uint32_t depth =
            t->kind == TYPE_STRUCT ? name_of(r, t->st->native_name)->st->depth + 1 : 0;
        s->depth = depth > s->depth ? depth : s->depth;
    }
    if (s->depth > 10)
        read_fail(r, "structs are nested too deep");
    if (layout_size(s->t) > LANES_MAX * 16)
        read_fail(r, "the struct is too large");
    return s;
}

/* NAME(T const& f, U const& g = {}) : f{f} , g{g} { }. It must set each field to its own parameter,
 * since struct_made (vm_stmt.c) does so. */
static void constructor_read(reader *r, const vm_name *id, const struct_field_text *fields,
                             uint32_t n)
{
    tok_words(r, "CUDA_CALLABLE");
    if (tok_name(r) != id)
        read_fail(r, "a constructor of another name");
    tok_expect(r, '(');
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            tok_expect(r, ',');
        const vt t = type_read(r);
        tok_words(r, "const &");
        if (!vt_same(t, (vt){fields[i].type, false}) || tok_name(r) != fields[i].id)
            read_fail(r, "the constructor's parameters are not the fields");
        if (i)
            tok_words(r, "= { }");
    }
    tok_expect(r, ')');
    for (uint32_t i = 0; i < n; i++) {
        tok_expect(r, i ? ',' : ':');
        const bool same = tok_name(r) == fields[i].id;
        tok_expect(r, '{');
        if (!same || tok_name(r) != fields[i].id)
            read_fail(r, "the constructor does not set each field to its parameter");
        tok_expect(r, '}');
    }
    tok_words(r, "{ }");
}

/* The pair of two fields of s, of one type. */
static field_pair pair_of(reader *r, const vm_struct *s, const vm_name *to, const vm_name *from)
{
    vt a, b;
    size_t x, y;
    if (!struct_find(r, s->t, to, &a, &x) || !struct_find(r, s->t, from, &b, &y))
        read_fail(r, "a field that the struct does not have");
    if (!vt_same(a, b))
        type_fail(r, a, b);
    return (field_pair){(uint32_t)x, (uint32_t)y, a.t};
}

/* NAME& operator += (const NAME& rhs) { f += rhs.f; ... return *this;} */
static void plus_read(reader *r, vm_struct *s, const vm_name *id)
{
    tok_words(r, "CUDA_CALLABLE");
    const bool first = tok_name(r) == id;
    tok_words(r, "& operator += ( const");
    if (!first || tok_name(r) != id)
        read_fail(r, "operator += of another struct");
    tok_words(r, "& rhs ) {");
    while (!tok_is(r, "return")) {
        vm_name *to = tok_name(r);
        tok_words(r, "+= rhs .");
        const field_pair pair = pair_of(r, s, to, tok_name(r));
        if (s->plus.n == FIELDS_MAX)
            read_fail(r, "too many fields");
        VEC_PUSH(r->a, &s->plus, pair);
        tok_expect(r, ';');
    }
    tok_words(r, "return * this ; }");
}

/* struct NAME { fields, constructors, operator += }; or struct wp_args_NAME { fields };. C++ does
 * not allow a struct without fields to be passed to a kernel, so Warp gives it a _dummy_. */
void struct_read(reader *r)
{
    struct_field_text fields[FIELDS_MAX];
    tok_words(r, "struct");
    vm_name *id = tok_name(r);
    if (id->st || id->func)
        read_fail(r, "'%.*s' is defined twice", (int)id->s.n, id->s.p);
    tok_expect(r, '{');
    uint32_t n = fields_read(r, fields);
    if (r->tok.kind == '}') {
        tok_words(r, "} ;");
        vm_struct *args = struct_make(r, id, fields, n);
        args->defined = STRUCT_ARGS;
        id->args = args;
        return;
    }
    const bool empty = n == 0;
    if (empty)
        tok_words(r, "char _dummy_ ;");
    vm_struct *s = struct_make(r, id, fields, n);
    if (empty) {
        tok_words(r, "CUDA_CALLABLE");
        if (tok_name(r) != id)
            read_fail(r, "a constructor of another name");
        tok_words(r, "( ) { }");
    } else {
        if (tok_name(r) != id)
            read_fail(r, "a constructor of another name");
        tok_words(r, "( ) = default ;");
        constructor_read(r, id, fields, n);
    }
    plus_read(r, s, id);
    if (tok_is(r, "CUDA_CALLABLE")) /* -= and the unary minus, which only tiles of structs need */
        read_missing(r, str_c("operators of structs in tiles"));
    tok_words(r, "} ;");
    id->st = s;
}

/* NAME add(const NAME& a, const NAME& b) { return NAME(); }: Warp's adjoints need it to compile,
 * and nothing calls it. */
static void add_read(reader *r, vm_name *id)
{
    if (!id->st || (id->st->defined & STRUCT_ADD))
        read_fail(r, "add of an unknown struct");
    id->st->defined |= STRUCT_ADD;
    tok_words(r, "add ( const");
    const bool a = tok_name(r) == id;
    tok_words(r, "& a , const");
    const bool b = tok_name(r) == id;
    tok_words(r, "& b ) { return");
    if (!a || !b || tok_name(r) != id)
        read_fail(r, "add of several structs");
    tok_words(r, "( ) ; }");
}

/* void adj_atomic_add(NAME* p, NAME t) { wp::adj_atomic_add(&p->f, t.f); ... } */
static void atomic_read(reader *r)
{
    tok_words(r, "void adj_atomic_add (");
    vm_name *id = tok_name(r);
    if (!id->st || (id->st->defined & STRUCT_ATOMIC))
        read_fail(r, "adj_atomic_add of an unknown struct");
    vm_struct *s = id->st;
    s->defined |= STRUCT_ATOMIC;
    tok_words(r, "* p ,");
    if (tok_name(r) != id)
        read_fail(r, "adj_atomic_add of several structs");
    tok_words(r, "t ) {");
    while (r->tok.kind != '}') {
        const bool native = r->tok.kind == T_NAME && r->tok.native;
        tok_words(r, native ? "wp::adj_atomic_add ( & p ->" : "adj_atomic_add ( & p ->");
        vm_name *to = tok_name(r);
        tok_words(r, ", t .");
        const field_pair pair = pair_of(r, s, to, tok_name(r));
        if (native == (pair.type->kind == TYPE_STRUCT) || s->atomic.n == FIELDS_MAX)
            read_fail(r, "a wrong adj_atomic_add for the field's type");
        VEC_PUSH(r->a, &s->atomic, pair);
        tok_words(r, ") ;");
    }
    tok_next(r);
}

/* A function behind a struct; void is adj_atomic_add, a struct's name is add. */
void struct_helper_read(reader *r)
{
    tok_words(r, "CUDA_CALLABLE");
    if (tok_is(r, "void")) {
        atomic_read(r);
        return;
    }
    vm_name *id = tok_name(r);
    add_read(r, id);
}

typedef VEC(accum_part) parts;

/* Appends the scalars of `t += t` to out, those of nested structs by their own operator +=. to,
 * from: offsets of the two values. adj_atomic_add leaves integers and arrays out, as Warp 1.19
 * native/array.h has it. The work is limited for all types of a text together.
 *
 *     Body {float32 mass; vec3f v; int32 n}    +=              {0, 0, 1}, {4, 4, 3}, {16, 16, 1}
 *                                              adj_atomic_add  {0, 0, 1}, {4, 4, 3} */
static void flatten(reader *r, parts *out, const type *t, bool atomic, uint32_t to, uint32_t from)
{
    if (++r->flattened > 200000)
        read_fail(r, "a struct of too many parts");
    if (type_is_value(t)) {
        const type_kind k = type_scalar_of(t)->kind;
        if (atomic && !type_is_float(type_scalar_of(t)))
            return;
        if (out->n > LANES_MAX)
            read_fail(r, "a struct of too many parts");
        VEC_PUSH(r->a, out, ((accum_part){to, from, (uint32_t)lane_count(t), k}));
        return;
    }
    if (t->kind == TYPE_ARRAY && atomic)
        return;
    if (texture_axes(t)) /* Warp 1.19 texture.h: += leaves them as they are */
        return;
    if (t->kind == TYPE_NATIVE) { /* queries have no fields, and += leaves them as they are */
        for (uint32_t i = 0; i < t->native->nfields; i++) {
            const struct struct_field *f = &t->native->fields[i];
            if (f->type->kind != TYPE_ARRAY)
                flatten(r, out, f->type, atomic, to + (uint32_t)f->offset,
                        from + (uint32_t)f->offset);
        }
        return;
    }
    if (t->kind != TYPE_STRUCT)
        read_fail(r, "this type cannot be added");
    const vm_struct *s = name_of(r, t->st->native_name)->st;
    WEFT_ASSERT(s);
    const field_pairs *pairs = atomic ? &s->atomic : &s->plus;
    for (uint32_t i = 0; i < pairs->n; i++) {
        const field_pair *p = &pairs->v[i];
        flatten(r, out, p->type, atomic, to + p->to, from + p->from);
    }
}

/* A text adds the same few types over and over, so a list is searched. */
const accum *accum_of(reader *r, const type *t, bool atomic)
{
    for (uint32_t i = 0; i < r->accums.n; i++)
        if (r->accums.v[i].t == t && r->accums.v[i].atomic == atomic)
            return r->accums.v[i].a;
    accum *a = ARENA_NEW(r->a, accum);
    parts out = {0};
    if (type_is_fixed(t))
        read_missing(r, STR("adjoints of whole local arrays"));
    if (t->kind == TYPE_ARRAY)
        a->clears = true;
    else
        flatten(r, &out, t, atomic, 0, 0);
    a->parts = out.v;
    a->n = out.n;
    WEFT_ASSERT(!a->clears || !a->n);
    a->size = vm_type_size(t);
    const bool single = out.n == 1 && (t->kind == TYPE_FLOAT32 || t->kind == TYPE_FLOAT64);
    a->single = single ? t->kind : TYPE_VOID;
    VEC_PUSH(r->s, &r->accums, ((accum_note){t, atomic, a}));
    return a;
}
