/* SPDX-License-Identifier: Apache-2.0 */
/* Variables, labels and instructions while a text is read, for all reader files.
 *
 * C++ variables may be read before they are set, which no text of a correct kernel does. Definite
 * assignment is decided while reading, in one pass: the log lists the variables that surely have a
 * value here. It grows with each first assignment and is cut back where paths meet, so what is in
 * it holds on every path:
 *
 *     if (var_1) { var_2 = ...; }      log: var_1, var_2    after the block: var_1
 *     var_3 = wp::copy(var_2);         var_2 may be unset: do_check when this runs
 *
 * A variable that do_check tests has a flag, which the instructions that write it set
 * (wrap_writers). So code pays for flags only where the text leaves the question open.
 *
 * Cutting back is linear in what is removed. A label keeps the shortest length of the log among the
 * jumps to it (common); a length stands for a set, since the log only grows and is cut at its end.
 */
#include "base/assert.h"
#include "textvm/vm_read.h"

/* Storage of variables, in bytes: of one chunk; of all, where a text declares large composites. */
enum { FRAME_CHUNK = 4096, FRAME_MAX = 32 << 20, LABELS_MAX = 2000 };

/* Storage is in units of 8 bytes, which aligns every type, and neighbours in a chunk follow each
 * other without gaps, so that emit_zero (vm_stmt.c) can join them. */

uint8_t *frame_take(reader *r, size_t size)
{
    const size_t own = size;
    size = (size + 7) & ~(size_t)7;
    if ((size_t)(r->frame_end - r->frame_p) < size) {
        const size_t chunk = size > FRAME_CHUNK ? size : FRAME_CHUNK;
        r->frame += chunk;
        if (r->frame > FRAME_MAX)
            read_fail(r, "the variables take too much memory");
        r->frame_p = arena_zero(r->a, chunk);
        r->frame_end = r->frame_p + chunk;
        if (r->in_kernel)
            VEC_PUSH(r->a, &r->vm->frame, ((frame_part){r->frame_p, 0}));
    }
    uint8_t *at = r->frame_p;
    r->frame_p += size;
    if (r->in_kernel) /* what is used of the chunk */
        r->vm->frame.v[r->vm->frame.n - 1].size += size;
    VEC_PUSH(r->a, &r->vm->variables, ((frame_part){at, own}));
    WEFT_ASSERT(((uintptr_t)at & 7) == 0 && r->frame_p <= r->frame_end);
    return at;
}

/* The line is that of the next token, the last one of the call or the first behind it: statements
 * of Warp stand on one line. */
ins *code_emit(reader *r, ins_fn *run, uint32_t n)
{
    WEFT_ASSERT(run);
    if (r->code.n >= CODE_MAX)
        read_fail(r, "the text is too long");
    ins i = {.run = run, .n = n, .line = r->token_line};
    if (n)
        i.v = ARENA_ARRAY(r->a, void *, n);
    VEC_PUSH(r->s, &r->code, i);
    return &r->code.v[r->code.n - 1];
}

/* A reference parameter has no fixed address: its uses are listed, and each call patches them. */
void code_operand(reader *r, ins *i, uint32_t k, var *v, size_t offset)
{
    WEFT_ASSERT(i->v && v->ref < (int)r->f->nrefs);
    i->v[k] = v->at + offset;
    if (v->ref >= 0)
        VEC_PUSH(r->a, &r->f->refs[v->ref], ((ref_use){&i->v[k], offset}));
}

/* For an operand of the text; code_operand is for the reader's own. */
void code_arg(reader *r, ins *i, uint32_t k, const operand *o)
{
    code_operand(r, i, k, o->v, o->offset);
}

/* Instructions move until code_finish, so addresses of them are kept as indices. */
void code_fixup(reader *r, const ins **where, uint32_t at)
{
    WEFT_ASSERT(at <= r->code.n);
    VEC_PUSH(r->s, &r->fixups, ((fixup){where, at}));
}

/* A variable of the function in work, without storage. */
static var *var_new(reader *r, str s, vt ty)
{
    var *v = ARENA_NEW(r->a, var);
    v->name = s;
    v->func = r->f;
    v->type = ty;
    v->ref = -1;
    VEC_PUSH(r->s, &r->vars, v);
    return v;
}

/* N of var_N or adj_N; -1: another name. */
static int64_t number_of(str s)
{
    int64_t n = 0;
    if (s.n < 5 || s.n > 12 || s.p[3] != '_')
        return -1;
    for (size_t i = 4; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return -1;
        n = n * 10 + (s.p[i] - '0');
    }
    return n;
}

/* Variables are numbered in the order of their declarations, and adj_N has the type of var_N. */
static void check_number(reader *r, str s, vt t)
{
    const int64_t n = number_of(s);
    if (n < 0 || (memcmp(s.p, "var", 3) != 0 && memcmp(s.p, "adj", 3) != 0))
        return;
    if (s.p[0] == 'v') {
        if (n != r->numbered.n)
            read_fail(r, "'%.*s' stands where var_%u is expected", (int)s.n, s.p, r->numbered.n);
        VEC_PUSH(r->s, &r->numbered, t.t);
    } else {
        if (n != r->nadjoints || n >= r->numbered.n)
            read_fail(r, "'%.*s' stands where adj_%u is expected", (int)s.n, s.p, r->nadjoints);
        if (!vt_same(t, (vt){r->numbered.v[r->nadjoints], false}))
            type_fail(r, (vt){r->numbered.v[r->nadjoints], false}, t);
        r->nadjoints++;
    }
}

/* A name stands for one variable in a function, and for none where it names a struct or a
 * function. */
var *var_declare(reader *r, vm_name *id, vt ty)
{
    if (id->var_scope == r->scope)
        read_fail(r, "'%.*s' is declared twice", (int)id->s.n, id->s.p);
    if (id->st || id->func)
        read_fail(r, "'%.*s' is no variable", (int)id->s.n, id->s.p);
    var *v = var_new(r, id->s, ty);
    v->at = frame_take(r, vm_size(ty));
    check_number(r, id->s, ty);
    id->var = v;
    id->var_scope = r->scope;
    return v;
}

/* The reader's own, without a name: it never shows in messages, as it has a value wherever it is
 * read. */
var *var_temp(reader *r, vt ty)
{
    var *v = var_new(r, STR(""), ty);
    v->at = frame_take(r, vm_size(ty));
    return v;
}

/* The variable of this name in the function being read; there are no inner scopes. */
static var *var_find(reader *r, vm_name *id)
{
    if (id->var_scope != r->scope)
        read_fail(r, "'%.*s' is not declared", (int)(id->s.n < 80 ? id->s.n : 80), id->s.p);
    return id->var;
}

var *var_read(reader *r)
{
    return var_find(r, tok_name(r));
}

/* From here on the variable surely has a value. */
static void set_assigned(reader *r, var *v)
{
    if (v->assigned)
        return;
    v->assigned = true;
    VEC_PUSH(r->s, &r->log, v);
}

/* The check is emitted once: after it the variable has a value on this path. */
void var_use(reader *r, var *v)
{
    if (v->assigned)
        return;
    v->flagged = true;
    code_emit(r, do_check, 0)->aux = v;
    set_assigned(r, v);
}

/* Is `have` the name of the adjoint of `own`? Custom gradients use other names. */
static bool is_adjoint_name(str have, str own)
{
    if (have.n < 5 || memcmp(have.p, "adj_", 4) != 0 || own.n < 5)
        return true;
    const size_t skip = own.p[0] == 'r' ? 0 : 4; /* adj_ret_0 of ret_0, but adj_0 of var_0 */
    return have.n - 4 == own.n - skip && memcmp(have.p + 4, own.p + skip, own.n - skip) == 0;
}

/* Names say more than types: adj_3 and adj_4 are often of one type, and a damaged text may
 * exchange them. An index that was loaded, such as s.i in x[s.i], is paired with its own
 * adjoint: Warp loads indices before the call. Nothing is added to the adjoint of an integer. */
void var_pair(reader *r, const var *v, const var *adjoint)
{
    const str have = adjoint->name, own = v->source ? v->source->name : v->name;
    const bool integer = v->source && !v->type.ptr && type_is_integer(v->type.t);
    if (!is_adjoint_name(have, own) && !(integer && is_adjoint_name(have, v->name)))
        read_fail(r, "%.*s is not the adjoint of %.*s", (int)have.n, have.p, (int)own.n, own.p);
}

/* The flag shows at run time what reading cannot decide. */
void var_lazy(reader *r, var *v)
{
    (void)r;
    if (!v->assigned)
        v->flagged = true;
}

/* `source` is reset: a variable that is written anew is no copy of what it was loaded from. */
void var_maybe_define(reader *r, var *v)
{
    if (v->is_const)
        read_fail(r, "'%.*s' is const", (int)v->name.n, v->name.p);
    WEFT_ASSERT(r->code.n > 0); /* the instruction that gives the value is there already */
    v->written = true;
    v->source = NULL;
    VEC_PUSH(r->s, &r->writes, ((write_mark){r->code.n - 1, v}));
}

void var_define(reader *r, var *v)
{
    var_maybe_define(r, v);
    set_assigned(r, v);
}

/* Shortens the log to n: the others may be unset from here on. Labels that are still to come lose
 * them too, since the log's entries from n on will stand for other variables. */
static void cut_log(reader *r, uint32_t n)
{
    if (r->log.n <= n)
        return;
    WEFT_ASSERT(r->log.v[n]->assigned);
    for (uint32_t i = n; i < r->log.n; i++)
        r->log.v[i]->assigned = false;
    r->log.n = n;
    for (uint32_t i = 0; i < r->labels.n; i++)
        if (r->labels.v[i]->common > n)
            r->labels.v[i]->common = n;
}

/* The label of a name within the function; made when new, by a jump or by the label itself. */
static label *label_of(reader *r, vm_name *id)
{
    if (id->label_scope == r->scope)
        return id->label;
    if (r->labels.n == LABELS_MAX)
        read_fail(r, "too many labels");
    label *l = ARENA_NEW(r->s, label);
    l->at = -1;
    l->common = UINT32_MAX;
    l->name = id;
    id->label = l;
    id->label_scope = r->scope;
    VEC_PUSH(r->s, &r->labels, l);
    return l;
}

/* Paths meet: what falls through to the label and all jumps forward to it. Jumps back, which come
 * later, must have at least the variables that are set here (label_jump). */
void label_here(reader *r, vm_name *id)
{
    label *l = label_of(r, id);
    if (l->at >= 0)
        read_fail(r, "label '%.*s' stands twice", (int)id->s.n, id->s.p);
    l->at = r->code.n;
    l->work = r->work;
    for (uint32_t i = 0; i < l->jumps.n; i++)
        r->code.v[l->jumps.v[i]].size = r->code.n;
    cut_log(r, l->common);
    WEFT_ASSERT(l->common == UINT32_MAX || r->log.n <= l->common);
    l->common = l->log = r->log.n;
    r->zero_after = r->code.n;
}

/* ins.n and vm_func.steps have 32 bits; more is as good as endless. */
static uint32_t clamp_steps(uint64_t steps)
{
    return steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX;
}

/* Forward: waits for the label. Back: takes the loop's instructions and their work as fuel (n). If
 * the log has been cut below its length at the label since, the label stands inside of something
 * that has ended. */
void label_jump(reader *r, ins *i, vm_name *id)
{
    WEFT_ASSERT(i == &r->code.v[r->code.n - 1]);
    label *l = label_of(r, id);
    l->used = true;
    if (l->at < 0) {
        VEC_PUSH(r->s, &l->jumps, r->code.n - 1);
        if (l->common > r->log.n)
            l->common = r->log.n;
        return;
    }
    if (l->common < l->log)
        read_fail(r, "a jump into a loop");
    i->size = (size_t)l->at;
    i->n = clamp_steps(r->code.n - (uint32_t)l->at + r->work - l->work);
}

/* Until branch_close the last instruction's target is open. Where its test fails, nothing of the
 * block is assigned: the log is cut to its length here. Warp writes no else (it negates the
 * condition in a second block). */
void branch_open(reader *r)
{
    WEFT_ASSERT(r->code.n > r->start);
    if (r->nblocks == BLOCKS_MAX)
        read_fail(r, "blocks are nested too deep");
    r->blocks[r->nblocks++] = (vm_block){r->code.n - 1, r->log.n};
}

/* Where the block ends, control may come from its test or from its last statement. */
void branch_close(reader *r)
{
    WEFT_ASSERT(r->nblocks > 0);
    const vm_block b = r->blocks[--r->nblocks];
    WEFT_ASSERT(b.jump < r->code.n && b.jump >= r->start);
    r->code.v[b.jump].size = r->code.n;
    r->zero_after = r->code.n;
    cut_log(r, b.log);
}

/* A new scope number makes all names of the function before undeclared, at no cost. */
/* Whole words, so that what is saved behind them is aligned. */
static size_t flag_bytes(const vm_func *f)
{
    return (f->nflags + 7u) & ~(size_t)7;
}

void function_start(reader *r, vm_func *f)
{
    r->f = f;
    r->scope++;
    r->start = r->zero_after = r->code.n;
    r->work = 0;
    r->vars.n = r->log.n = r->labels.n = r->writes.n = 0;
    r->nblocks = 0;
    r->numbered.n = r->nadjoints = 0;
    r->first_variable = r->vm->variables.n;
}

/* A block saves the variables of a function in which its lanes meet, and their flags. */
static void save_variables(reader *r, const vm_func *f)
{
    textvm *vm = r->vm;
    for (uint32_t i = r->first_variable; i < vm->variables.n; i++) {
        const frame_part *v = &vm->variables.v[i];
        frame_part *last = vm->frame.n > r->met_parts ? &vm->frame.v[vm->frame.n - 1] : NULL;
        if (last && last->at + last->size == v->at)
            last->size += v->size;
        else
            VEC_PUSH(r->a, &vm->frame, *v);
    }
    if (f->nflags)
        VEC_PUSH(r->a, &vm->frame, ((frame_part){f->flags, flag_bytes(f)}));
    r->met_parts = vm->frame.n;
}

/* Wraps each instruction that writes a variable with a flag in do_define, which sets the flag. It
 * runs at the end of a function, when it is certain which variables need flags. One instruction
 * may write several variables; it has one wrapper.
 *
 *     mul_f32, v: {var_2, ...}   ->   do_define, aux: {inner: mul_f32, vars: {var_2}} */
static void wrap_writers(reader *r)
{
    for (uint32_t i = 0; i < r->writes.n; i++) {
        const write_mark *w = &r->writes.v[i];
        if (!w->v->flagged)
            continue;
        WEFT_ASSERT(w->v->flag && w->ins >= r->start && w->ins < r->code.n);
        ins *out = &r->code.v[w->ins];
        define *d;
        if (out->run != do_define) {
            d = ARENA_NEW(r->a, define);
            d->inner = *out;
            d->vars = ARENA_ARRAY(r->a, const var *, 8);
            out->run = do_define;
            out->aux = d;
        }
        memcpy(&d, &out->aux, sizeof d);
        WEFT_ASSERT(d->n <= 8);
        if (d->n == 8)
            read_fail(r, "too many results");
        d->vars[d->n++] = w->v;
    }
}

/* Warp declares no variable of forward text in vain, so one that is never written shows a line that
 * is missing. Backward text has many: what only the forward part needs is not repeated there. */
static void all_written(reader *r)
{
    for (uint32_t i = 0; i < r->vars.n; i++) {
        const var *v = r->vars.v[i];
        if (!v->written && !v->is_const && v->name.n && v->name.p[0] == 'v' &&
            number_of(v->name) >= 0)
            read_fail(r, "'%.*s' never gets a value", (int)v->name.n, v->name.p);
    }
}

/* Checks what only the end can show (labels, numbers of adjoints, variables that nothing sets),
 * then gives flags to the variables that need one, side by side, so that a call clears them at
 * once. */
void function_end(reader *r)
{
    WEFT_ASSERT(!r->nblocks && r->f);
    vm_func *f = r->f;
    if (r->nadjoints && r->nadjoints != r->numbered.n)
        read_fail(r, "adj_%u is not declared", r->nadjoints);
    for (uint32_t i = 0; i < r->labels.n; i++) {
        const label *l = r->labels.v[i];
        if (l->at < 0 || !l->used)
            read_fail(r, "label '%.*s' %s", (int)l->name->s.n, l->name->s.p,
                      l->used ? "is missing" : "is not used");
    }
    if (!r->nadjoints && !(r->in_kernel && r->vm->backward))
        all_written(r);
    for (uint32_t i = 0; i < r->vars.n; i++)
        f->nflags += r->vars.v[i]->flagged;
    if (f->nflags) {
        uint8_t *flag = f->flags = arena_zero(r->a, flag_bytes(f));
        for (uint32_t i = 0; i < r->vars.n; i++)
            if (r->vars.v[i]->flagged)
                r->vars.v[i]->flag = flag++;
        wrap_writers(r);
    }
    if (f->meets && !r->in_kernel)
        save_variables(r, f);
    f->steps = clamp_steps(r->code.n - r->start + r->work);
    code_fixup(r, &f->code, r->start);
}

/* Does the instruction have a target, which while reading is an index in `size`? */
static bool jumps(const ins *i)
{
    return i->run == do_jump || i->run == do_jump_back || i->run == do_if || i->run == do_if_not ||
           i->run == do_if_done;
}

/* The code moves to the program's arena; only then have instructions lasting addresses. */
void code_finish(reader *r)
{
    ins *code = ARENA_ARRAY(r->a, ins, r->code.n + 1);
    for (uint32_t i = 0; i < r->code.n; i++) {
        code[i] = r->code.v[i];
        WEFT_ASSERT(!jumps(&code[i]) || r->code.v[i].size <= r->code.n);
        if (jumps(&code[i]))
            code[i].to = code + r->code.v[i].size;
    }
    for (uint32_t i = 0; i < r->fixups.n; i++)
        *r->fixups.v[i].where = code + r->fixups.v[i].at;
    r->vm->code = code;
    r->vm->ncode = r->code.n;
}
