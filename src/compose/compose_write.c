/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the program of a plan: the pattern's statements, with the formulas' statements where the
 * pattern says `value`, and loads, guards, further steps and stores where it says at, guard and
 * finish. Names of templates are replaced by those of the kernel: a stack of frames says by which.
 *
 *     at(element, i)          x = positions[i]
 *     total += value          d = y - x
 *                             total += k * (wp.length(d) - rest) * wp.normalize(d)
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* --- text ------------------------------------------------------------------------------------- */

void line_gap(composer *c)
{
    c->gap = c->form.spaced && c->indent == c->base && !c->in_function;
}

void line_begin(composer *c)
{
    if (c->gap && c->indent == c->base && !c->in_function) {
        sb_char(&c->body, '\n');
        c->gap = false;
    }
    sb_repeat(&c->body, ' ', 4 * (size_t)c->indent);
}

/* --- statements ------------------------------------------------------------------------------- */

static void write_statement(composer *c, const node *n);
static void write_store(composer *c, uint8_t at);

static lib_place place_of(const sym *name)
{
    for (int p = 0; p < PLACES; p++)
        if (str_eq(sym_str(name), str_c(library_place_name((lib_place)p))))
            return (lib_place)p;
    WEFT_ASSERT(false); /* no place */
    return PLACE_ELEMENT;
}

/* Writes the main step before a statement of the pattern that needs its value. */
static void ready_value(composer *c, const node *n)
{
    const sym *value = c->l->words.value;
    subst *made = &c->made[c->now - c->p.main];
    if (!n || !expr_uses(n, value) || expr_name(c, value) || made->from)
        return;
    step_write(c, c->now);
    *made = (subst){value, c->values[c->now], c->precs[c->now]};
}

/* total = zero: a total for each main step; of several each has the name of its quantity. */
static str total_local(composer *c, const sym *from)
{
    if (c->p.nmains == 1) {
        if (!expr_name(c, from))
            expr_bind(c, from, name_total(c, from), UNPARSE_ATOM);
        return expr_local(c, from);
    }
    const str name = name_result(c, c->now);
    c->total = from;
    c->totals[c->now - c->p.main] = (subst){from, name, UNPARSE_ATOM};
    return name;
}

/* "i" of an element: "world, i" where each world has a row. */
static str in_row(composer *c, str index)
{
    if (!c->p.rows.n)
        return index;
    return str_c(
        arena_printf(&c->text, "%.*s, %.*s", (int)c->p.row.n, c->p.row.p, (int)index.n, index.p));
}

/* slot[i] = lo at the end of an algorithm: its result, and what follows from it. */
static void write_result(composer *c, const ast_Assign *a)
{
    const ast_Subscript *target = AST(Subscript, a->targets.v[0]);
    c->index[PLACE_ELEMENT] = in_row(c, expr_index(c, target->slice));
    c->values[0] = expr_text(c, a->value);
    c->precs[0] = expr_prec(c, a->value);
    const plan_step *s = &c->p.steps[0];
    if (!step_is_plain(c->values[0]) && s->uses)
        step_name(c, 0);
    for (uint8_t i = 0; i < c->p.nsteps; i++) {
        if (i)
            step_write(c, i);
        if (c->p.steps[i].stored >= 0)
            write_store(c, i);
    }
}

/* The local that has positions[i] already, where a pattern loads it for itself; empty: none. */
static str loaded_as(const composer *c, str text)
{
    const str index = c->index[PLACE_ELEMENT];
    for (uint8_t i = 0; c->p.pattern && !c->frame && index.n && i < c->p.nargs; i++) {
        const str name = c->p.args[i].name;
        if (c->loaded[i].n && text.n == name.n + index.n + 2 &&
            memcmp(text.p, name.p, name.n) == 0 && text.p[name.n] == '[' &&
            memcmp(text.p + name.n + 1, index.p, index.n) == 0)
            return c->loaded[i];
    }
    return STR("");
}

/* Has a main step something at the place? */
static bool is_place_used(const composer *c, lib_place place)
{
    bool used = place == PLACE_ELEMENT; /* where all results go */
    for (uint8_t k = 0; k < c->p.nmains; k++)
        used |= (c->p.steps[c->p.main + k].f->places & 1u << place) != 0;
    return used;
}

/* Where a pattern computes an index that only a place needs which the formula has nothing of. */
static bool is_idle_index(const composer *c, const ast_Assign *a)
{
    const lib_pattern *p = c->p.pattern;
    if (!p || c->frame || a->targets.v[0]->kind != AST_Name)
        return false;
    const sym *name = AST(Name, a->targets.v[0])->id;
    bool read = false;
    for (uint32_t i = 0; i < p->nbody; i++) {
        const node *n = p->body[i] == &a->base ? a->value : p->body[i];
        const node *call = n->kind == AST_Expr ? AST(Expr, n)->value : NULL;
        const bool at = call && expr_called(call) == c->l->words.at;
        if (!expr_uses(n, name))
            continue;
        if (!at || is_place_used(c, place_of(AST(Name, AST(Call, call)->args.v[0])->id)))
            return false;
        read = true;
    }
    return read;
}

/* "i, j" of i, j = thread() */
static str thread_text(composer *c, const node *target)
{
    str text = STR("");
    const node_list one = {.v = (node **)&target, .n = 1};
    const node_list *l = target->kind == AST_Tuple ? &AST(Tuple, target)->elts : &one;
    for (uint32_t i = 0; i < l->n; i++) {
        const str name = expr_thread(c, AST(Name, l->v[i])->id);
        text = str_c(arena_printf(&c->text, "%.*s%s%.*s", (int)text.n, text.p, i ? ", " : "",
                                  (int)name.n, name.p));
    }
    return text;
}

/* t = wp.tid(); i = active[t] where the threads of an algorithm have a list of elements. */
static void write_listed_thread(composer *c, const node *target)
{
    uint8_t list = 0;
    while (c->p.args[list].role != ROLE_BINDING || c->p.args[list].binding != BIND_ACTIVE)
        list++;
    const str element = expr_local(c, AST(Name, target)->id);
    const str thread = name_from(c, "tid t index slot");
    line_begin(c);
    sb_str(&c->body, thread);
    SB_LIT(&c->body, " = wp.tid()\n");
    line_begin(c);
    sb_str(&c->body, element);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, c->p.args[list].name);
    sb_char(&c->body, '[');
    sb_str(&c->body, thread);
    SB_LIT(&c->body, "]\n");
}

/* x = positions[i] of a whole algorithm, where x stays what it is: steps behind need no other
 * local. */
static void note_loaded(composer *c, const node *target, str name, str value)
{
    const lib_algorithm *a = c->p.algorithm;
    if (!a || c->frame || c->indent > c->base || target->kind != AST_Name)
        return;
    uint32_t stores = 0;
    for (uint32_t i = 0; i < a->nbody; i++)
        stores += expr_stores(a->body[i], AST(Name, target)->id);
    for (uint8_t i = 0; stores == 1 && i < c->p.nargs; i++) {
        const plan_arg *arg = &c->p.args[i];
        if (arg->axis == AXIS_ELEMENT && !arg->written && !arg->member.n && c->thread_index.n &&
            str_eq(value, str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)arg->name.n, arg->name.p,
                                             (int)c->thread_index.n, c->thread_index.p))))
            c->loaded[i] = name;
    }
}

static void write_assign(composer *c, const ast_Assign *a)
{
    const node *target = a->targets.v[0];
    if (is_idle_index(c, a))
        return;
    const lib_algorithm *whole = c->p.algorithm;
    if (whole && whole->result && c->p.nsteps && &a->base == whole->body[whole->nbody - 1]) {
        write_result(c, a);
        return;
    }
    ready_value(c, a->value);
    if (expr_called(a->value) == c->l->words.thread && !c->thread_index.n)
        c->thread_index = in_row(c, thread_text(c, target));
    if (whole && c->p.over == LIB_OVER_ACTIVE && whole->over == LIB_OVER_ELEMENTS &&
        expr_called(a->value) == c->l->words.thread) {
        write_listed_thread(c, target);
        return;
    }
    if (c->form.branches && expr_is_where(a->value)) {
        const str test = expr_text(c, AST(Call, a->value)->args.v[0]);
        const str name =
            target->kind == AST_Name ? expr_local(c, AST(Name, target)->id) : expr_text(c, target);
        choice_write_where(c, name, test, &AST(Call, a->value)->args);
        return;
    }
    form_name_elements(c, a->value);
    const str value = expr_text(c, a->value), known = loaded_as(c, value);
    if (known.n && target->kind == AST_Name && !expr_name(c, AST(Name, target)->id)) {
        expr_bind(c, AST(Name, target)->id, known, UNPARSE_ATOM);
        return;
    }
    c->local_end = str_starts(value, "wp.tile_")     ? "tile"
                   : a->value->kind != AST_Subscript ? NULL
                   : c->p.dims == 1                  ? "i"
                                                     : "here";
    str name;
    if (c->p.rows.n && expr_called(a->value) == c->l->words.thread) {
        const str own = thread_text(c, target);
        name = str_c(
            arena_printf(&c->text, "%.*s, %.*s", (int)c->p.row.n, c->p.row.p, (int)own.n, own.p));
    } else if (target->kind == AST_Name)
        name = expr_uses(a->value, c->l->words.zero) ? total_local(c, AST(Name, target)->id)
                                                     : expr_local(c, AST(Name, target)->id);
    else if (target->kind == AST_Tuple) {
        for (uint32_t i = 0; i < AST(Tuple, target)->elts.n; i++)
            expr_local(c, AST(Name, AST(Tuple, target)->elts.v[i])->id);
        name = expr_text(c, target);
    } else
        name = expr_text(c, target);
    c->local_end = NULL;
    step_put_assign(c, name, value);
    note_loaded(c, target, name, value);
}

static void write_aug_assign(composer *c, const ast_AugAssign *a)
{
    ready_value(c, a->value);
    form_name_elements(c, a->value);
    line_begin(c);
    expr_put(c, &c->body, a->target, UNPARSE_TUPLE);
    /* A value of several operands would need brackets. */
    const bool plain = c->form.plain_sums && a->target->kind == AST_Name && a->op == OP_Add &&
                       expr_prec(c, a->value) >= UNPARSE_PRODUCT;
    if (plain) {
        SB_LIT(&c->body, " = ");
        expr_put(c, &c->body, a->target, UNPARSE_TUPLE);
        SB_LIT(&c->body, " + ");
        expr_put(c, &c->body, a->value, UNPARSE_PRODUCT);
        sb_char(&c->body, '\n');
        return;
    }
    sb_char(&c->body, ' ');
    sb_c(&c->body, unparse_op(a->op));
    SB_LIT(&c->body, "= ");
    expr_put(c, &c->body, a->value, UNPARSE_TUPLE);
    sb_char(&c->body, '\n');
}

static void write_below(composer *c, const node_list *l)
{
    c->indent++;
    block_write(c, l->v, l->n);
    c->indent--;
}

/* maybe: all below or nothing. any_of: one of the branches. */
static void write_choice(composer *c, const ast_If *s)
{
    const lib_words *w = &c->l->words;
    const sym *test = AST(Name, s->test)->id;
    if (test == w->maybe) {
        if (expr_choose(c, &s->base, 2))
            block_write(c, s->body.v, s->body.n);
        return;
    }
    uint32_t n = 1;
    for (const ast_If *k = s; k->orelse.n; k = AST(If, k->orelse.v[0])) {
        n++;
        if (k->orelse.n != 1 || k->orelse.v[0]->kind != AST_If)
            break;
    }
    uint32_t pick = expr_choose(c, &s->base, n);
    const node_list *l = &s->body;
    for (; pick; pick--) {
        l = &s->orelse;
        if (pick > 1 ||
            (l->n == 1 && l->v[0]->kind == AST_If && AST(If, l->v[0])->test->kind == AST_Name &&
             AST(Name, AST(If, l->v[0])->test)->id == w->any_of)) {
            s = AST(If, l->v[0]);
            l = &s->body;
        }
    }
    block_write(c, l->v, l->n);
}

static void write_if(composer *c, const ast_If *s)
{
    const lib_words *w = &c->l->words;
    if (s->test->kind == AST_Name &&
        (AST(Name, s->test)->id == w->maybe || AST(Name, s->test)->id == w->any_of)) {
        write_choice(c, s);
        return;
    }
    const char *word = "if ";
    if (c->part)
        form_name_tested(c, s->test);
    for (;;) {
        line_begin(c);
        sb_c(&c->body, word);
        expr_put(c, &c->body, s->test, UNPARSE_TERNARY);
        c->nheld = c->part ? 0 : c->nheld;
        sb_char(&c->body, ':');
        sb_char(&c->body, '\n');
        write_below(c, &s->body);
        if (s->orelse.n != 1 || s->orelse.v[0]->kind != AST_If)
            break;
        s = AST(If, s->orelse.v[0]);
        word = "elif ";
    }
    if (!s->orelse.n)
        return;
    line_begin(c);
    SB_LIT(&c->body, "else:");
    sb_char(&c->body, '\n');
    write_below(c, &s->orelse);
}

static void write_for(composer *c, const ast_For *s)
{
    const str all = expr_text(c, s->iter);
    const str name = expr_local(c, AST(Name, s->target)->id);
    const node_list *args = s->iter->kind == AST_Call ? &AST(Call, s->iter)->args : NULL;
    const bool fixed = args && args->n == 1 && args->v[0]->kind == AST_Constant &&
                       AST(Constant, args->v[0])->value.kind == CONST_INT;
    const str range = fixed ? form_range(c, name, (int64_t)AST(Constant, args->v[0])->value.i, all)
                            : form_bounds(c, s->iter, all);
    line_begin(c);
    SB_LIT(&c->body, "for ");
    sb_str(&c->body, name);
    SB_LIT(&c->body, " in ");
    sb_str(&c->body, range);
    sb_char(&c->body, ':');
    sb_char(&c->body, '\n');
    write_below(c, &s->body);
    line_gap(c);
}

static void write_while(composer *c, const ast_While *s)
{
    line_begin(c);
    SB_LIT(&c->body, "while ");
    expr_put(c, &c->body, s->test, UNPARSE_TERNARY);
    sb_char(&c->body, ':');
    sb_char(&c->body, '\n');
    write_below(c, &s->body);
}

/* --- loads, guards, stores -------------------------------------------------------------------- */

/* "mask[i]", or "active" of active = mask[i] */
static str flag_text(composer *c, const ast_Call *call)
{
    const str name = c->p.args[c->p.guard_arg].name,
              index = in_row(c, expr_arguments(c, &call->args, 0));
    const str flag =
        str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)name.n, name.p, (int)index.n, index.p));
    if (!c->form.flag_local)
        return flag;
    const str local = name_from(c, "active enabled takes_part");
    step_put_assign(c, local, flag);
    return local;
}

/* "i >= rows or j >= cols", "not mask[i]"; `works`: the opposite, of threads that have work. */
static void put_guard_test(composer *c, const ast_Call *call, str flag, bool works)
{
    const plan *p = &c->p;
    const plan_arg *a = &p->args[p->guard_arg];
    const bool says_not = c->form.bool_flags || c->form.says_not;
    for (uint32_t i = 0; p->guard == GUARD_COUNT && i < call->args.n; i++) {
        sb_c(&c->body, !i ? "" : works ? " and " : " or ");
        expr_put(c, &c->body, call->args.v[i], UNPARSE_BIT_OR);
        sb_c(&c->body, works ? " < " : " >= ");
        sb_str(&c->body, a[call->args.n - 1 - i].name);
    }
    if (p->guard != GUARD_FLAGS)
        return;
    sb_c(&c->body, says_not && !works ? "not " : "");
    sb_str(&c->body, flag);
    sb_c(&c->body, says_not ? "" : works ? " != 0" : " == 0");
}

/* guard(i, j): threads without work return, or the rest of the kernel stands in a branch. */
static void write_test(composer *c, const ast_Call *call)
{
    if (c->p.guard == GUARD_NONE)
        return;
    const bool branch = c->form.nested_guard && c->indent == c->base && !plan_has_tiles(&c->p);
    const str flag = c->p.guard == GUARD_FLAGS ? flag_text(c, call) : STR("");
    line_begin(c);
    SB_LIT(&c->body, "if ");
    put_guard_test(c, call, flag, branch);
    SB_LIT(&c->body, ":\n");
    if (branch) {
        c->base = ++c->indent;
        return;
    }
    c->indent++;
    line_begin(c);
    SB_LIT(&c->body, "return\n");
    c->indent--;
}

static bool part_is_state(const composer *c, const lib_part *part, uint32_t i)
{
    return part->params[i].of && part->params[i].of->id == c->l->words.random_state;
}

static bool is_filter(const composer *c, const lib_part *part)
{
    bool is = false;
    for (uint8_t i = 0; i < c->p.nfilters; i++)
        is |= c->p.filters[i].part == part;
    return is;
}

/* Stands the rest of the kernel below the filter's test: the last one, outside of all branches? */
static bool nests(const composer *c, const lib_part *filter)
{
    return c->form.nested && c->indent == c->base && !plan_has_tiles(&c->p) &&
           filter == c->p.filters[c->p.nfilters - 1].part && choice_nests(filter);
}

/* The statements from `from` on, up to `to`, of an ending, or of a filter, for the element
 * `here`. */
static void write_part(composer *c, const plan_part *p, str here, const subst *value, uint32_t from,
                       uint32_t to)
{
    const uint32_t frame = c->frame, nsubsts = c->nsubsts;
    c->frame = c->nsubsts;
    if (!c->index[PLACE_ELEMENT].n) /* of a filter, which comes before all else */
        c->index[PLACE_ELEMENT] = here;
    for (uint32_t i = 0; i < p->part->nparams; i++)
        expr_bind(c, p->part->params[i].name,
                  part_is_state(c, p->part, i) ? step_state(c) : c->p.args[p->args[i]].name,
                  UNPARSE_ATOM);
    expr_bind(c, c->l->words.here, here, UNPARSE_ATOM);
    if (value)
        expr_bind(c, value->from, value->text, value->prec);
    c->part = is_filter(c, p->part) ? p->part : NULL;
    if (c->part && nests(c, p->part)) {
        form_name_tested(c, AST(If, p->part->body[0])->test);
        choice_write_nested(c, p->part);
        c->nheld = 0;
    } else
        block_write(c, (node *const *)p->part->body + from, to - from);
    c->part = NULL;
    c->nsubsts = nsubsts;
    c->frame = frame;
}

/* What an ending does before its result is computed: a masked element needs none. */
static void write_ahead(composer *c, str here)
{
    for (uint8_t i = 0; i < c->p.nsteps && !c->filtered; i++) {
        const plan_part *ending = &c->p.steps[i].ending;
        if (ending->part && ending->part->ahead)
            write_part(c, ending, here, NULL, 0, ending->part->ahead);
    }
}

/* Once, where it is known which element it is. */
static void write_filters(composer *c, str here)
{
    for (uint8_t i = 0; i < c->p.nfilters && !c->filtered; i++)
        write_part(c, &c->p.filters[i], here, NULL, 0, c->p.filters[i].part->nbody);
    if (c->p.nfilters && !c->filtered && nests(c, c->p.filters[c->p.nfilters - 1].part))
        c->base = ++c->indent;
    write_ahead(c, here);
    c->filtered = true;
}

static void write_guard(composer *c, const ast_Call *call)
{
    write_test(c, call);
    write_filters(c, in_row(c, expr_arguments(c, &call->args, 0)));
    if ((c->p.guard != GUARD_NONE || c->p.nfilters) && c->base == 1)
        line_gap(c);
}

/* Where an ending reads positions[i], for which the kernel has a local, stands that. */
static void use_local(composer *c, size_t from, str element, str local)
{
    const str old = expr_keep(c, &c->body, from);
    c->body.n = from;
    for (size_t i = 0; i < old.n; i++) {
        const char before = i ? old.p[i - 1] : ' ';
        const bool name = ascii_is_letter(before) || ascii_is_digit(before) || before == '_';
        if (!name && i + element.n <= old.n && memcmp(old.p + i, element.p, element.n) == 0) {
            sb_str(&c->body, local);
            i += element.n - 1;
        } else
            sb_char(&c->body, old.p[i]);
    }
}

static void use_locals(composer *c, size_t from)
{
    const str index = c->index[PLACE_ELEMENT];
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (c->loaded[i].n && !a->written && !a->member.n)
            use_local(c, from,
                      str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)a->name.n, a->name.p,
                                         (int)index.n, index.p)),
                      c->loaded[i]);
    }
}

static void write_store(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    if (s->ending.part) {
        uint32_t uses = 0;
        for (uint32_t i = 0; i < s->ending.part->nbody; i++)
            uses += expr_uses(s->ending.part->body[i], c->l->words.value);
        enum { LONG = 60 }; /* bytes of a value that would make the ending hard to read */
        if ((uses > 1 || c->values[at].n > LONG) && !step_is_plain(c->values[at]))
            step_name(c, at);
        const subst value = {c->l->words.value, c->values[at], c->precs[at]};
        const size_t from = c->body.n;
        const lib_part *part = s->ending.part;
        write_part(c, &s->ending, c->index[PLACE_ELEMENT], &value, c->filtered ? part->ahead : 0,
                   part->nbody);
        use_locals(c, from);
        return;
    }
    const str place = step_place(c, at);
    if (!str_eq(place, c->values[at])) /* its branches have done it */
        step_put_assign(c, place, c->values[at]);
}

/* What comes behind the pattern's values, and all that is stored. */
static void write_finish(composer *c, const ast_Call *call)
{
    const plan *p = &c->p;
    for (uint8_t i = p->main; i < p->nsteps; i++) {
        if (i < p->main + p->nmains) {
            c->now = i;
            ready_value(c, call->args.v[0]);
            c->values[i] = expr_text(c, call->args.v[0]);
            c->precs[i] = expr_prec(c, call->args.v[0]);
            c->now = p->main;
        } else {
            step_write(c, i);
        }
        if (p->steps[i].stored >= 0)
            write_store(c, i);
    }
}

/* scatter(j, -value): the output gains it. */
static void write_scatter(composer *c, const ast_Call *call)
{
    const plan_step *s = &c->p.steps[c->now];
    const node *value = call->args.v[1];
    ready_value(c, value);
    if (c->p.pattern->traits.tiles) {
        line_begin(c);
        SB_LIT(&c->body, "wp.tile_atomic_add(");
        sb_str(&c->body, c->p.args[s->stored].name);
        SB_LIT(&c->body, ", ");
        expr_put(c, &c->body, value, UNPARSE_TERNARY);
        SB_LIT(&c->body, ")\n");
        return;
    }
    const bool minus = value->kind == AST_UnaryOp;
    line_begin(c);
    sb_c(&c->body, minus ? "wp.atomic_sub(" : "wp.atomic_add(");
    sb_str(&c->body, c->p.args[s->stored].name);
    SB_LIT(&c->body, ", ");
    expr_put(c, &c->body, call->args.v[0], UNPARSE_TERNARY);
    SB_LIT(&c->body, ", ");
    expr_put(c, &c->body, minus ? AST(UnaryOp, value)->operand : value, UNPARSE_TERNARY);
    SB_LIT(&c->body, ")\n");
}

/* What an earlier main step has of the same argument at the same place; NULL: nothing. */
static const subst *ready_before(const composer *c, uint8_t k, uint32_t i)
{
    const plan_step *s = &c->p.steps[c->p.main + k];
    const lib_param *param = &s->f->params[i];
    for (uint8_t e = 0; e < k; e++) {
        const plan_step *other = &c->p.steps[c->p.main + e];
        for (uint32_t j = 0; j < other->f->nparams; j++)
            if (c->ready[e][j].from && other->f->params[j].place == param->place &&
                other->in[j].from == FROM_ARG && other->in[j].at == s->in[i].at &&
                !step_assigns(other->f, other->f->params[j].name) &&
                !step_assigns(s->f, param->name))
                return &c->ready[e][j];
    }
    return NULL;
}

static void write_at(composer *c, const ast_Call *call)
{
    const lib_place place = place_of(AST(Name, call->args.v[0])->id);
    c->index[place] = expr_arguments(c, &call->args, 1);
    if (place != PLACE_LINK)
        c->index[place] = in_row(c, c->index[place]);
    if (place == PLACE_ELEMENT && c->p.over != LIB_OVER_LINKS)
        write_filters(c, c->index[place]);
    for (uint8_t i = 0; place == PLACE_ELEMENT && c->p.pattern && i < c->p.main; i++) {
        step_write(c, i);
        if (c->p.steps[i].stored >= 0)
            write_store(c, i);
    }
    /* What the value needs from here is loaded here: outside of the loops that follow. */
    for (uint8_t k = 0; k < c->p.nmains; k++) {
        const plan_step *s = &c->p.steps[c->p.main + k];
        for (uint32_t i = 0; i < s->f->nparams; i++) {
            if (s->f->params[i].place != place || s->in[i].from != FROM_ARG)
                continue;
            const subst *before = ready_before(c, k, i);
            if (before)
                c->ready[k][i] = (subst){s->f->params[i].name, before->text, before->prec};
            else
                c->ready[k][i] =
                    step_ready(c, s, i, place == PLACE_ELEMENT && c->p.pattern->traits.loops);
        }
    }
}

static void write_call(composer *c, const node *n)
{
    const lib_words *w = &c->l->words;
    const sym *f = expr_called(n);
    const ast_Call *call = AST(Call, n);
    if (f == w->at)
        write_at(c, call);
    else if (f == w->guard)
        write_guard(c, call);
    else if (f == w->finish)
        write_finish(c, call);
    else if (f == w->scatter)
        write_scatter(c, call);
    else {
        ready_value(c, n);
        line_begin(c);
        expr_put(c, &c->body, n, UNPARSE_TUPLE);
        sb_char(&c->body, '\n');
    }
}

/* Has the statement one for each main step: total += value? */
static bool is_for_each(const composer *c, const node *n)
{
    const lib_words *w = &c->l->words;
    if (c->p.nmains < 2 || c->frame ||
        (n->kind != AST_Assign && n->kind != AST_AugAssign && n->kind != AST_Expr))
        return false;
    if (n->kind == AST_Expr && expr_called(AST(Expr, n)->value) == w->finish)
        return false;
    return expr_uses(n, w->value) || expr_uses(n, w->zero) || (c->total && expr_uses(n, c->total));
}

static void write_one(composer *c, const node *n);

static void write_statement(composer *c, const node *n)
{
    if (!is_for_each(c, n)) {
        write_one(c, n);
        return;
    }
    for (uint8_t k = 0; k < c->p.nmains; k++) {
        c->now = (uint8_t)(c->p.main + k);
        write_one(c, n);
    }
    c->now = c->p.main;
}

static void write_one(composer *c, const node *n)
{
    switch (n->kind) {
    case AST_Assign: write_assign(c, AST(Assign, n)); break;
    case AST_AugAssign: write_aug_assign(c, AST(AugAssign, n)); break;
    case AST_If: write_if(c, AST(If, n)); break;
    case AST_For: write_for(c, AST(For, n)); break;
    case AST_While: write_while(c, AST(While, n)); break;
    case AST_Expr:
        if (AST(Expr, n)->value->kind == AST_Call)
            write_call(c, AST(Expr, n)->value);
        break;
    case AST_Return:
        line_begin(c);
        SB_LIT(&c->body, "return");
        if (AST(Return, n)->value) {
            sb_char(&c->body, ' ');
            expr_put(c, &c->body, AST(Return, n)->value, UNPARSE_TUPLE);
        }
        sb_char(&c->body, '\n');
        break;
    case AST_Break:
    case AST_Continue:
        line_begin(c);
        sb_c(&c->body, n->kind == AST_Break ? "break\n" : "continue\n");
        break;
    default: WEFT_ASSERT(false); /* a statement that templates have not */
    }
}

void block_write(composer *c, node *const *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!form_inlines(c, v, n, i))
            write_statement(c, v[i]);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Other results of the elements, behind what scatters, or behind an algorithm without a result. */
static void write_sides(composer *c)
{
    const plan *p = &c->p;
    if (p->algorithm ? p->algorithm->result != NULL : p->pattern->into == LIB_INTO_ELEMENT)
        return;
    for (uint32_t i = 0; p->algorithm && p->nsteps && i < p->algorithm->nbody; i++) {
        const node *n = p->algorithm->body[i];
        if (n->kind == AST_Assign && expr_called(AST(Assign, n)->value) == c->l->words.thread)
            c->index[PLACE_ELEMENT] = in_row(c, expr_index(c, AST(Assign, n)->targets.v[0]));
    }
    for (uint8_t i = p->algorithm ? 0 : (uint8_t)(p->main + p->nmains); i < p->nsteps; i++) {
        step_write(c, i);
        if (p->steps[i].stored >= 0)
            write_store(c, i);
    }
}

void write_program(composer *c)
{
    enum { DOCSTRINGS = 30, COMMENTS = 25 }; /* percent of kernels */
    const plan *p = &c->p;
    c->body.n = c->functions.n = 0;
    c->indent = c->base = 1;
    c->nsubsts = c->frame = 0;
    c->state = STR("");
    if (!c->goes_on) {
        c->source.n = 0;
        c->nchoices = c->nemitted = 0;
        if (!c->wish)
            c->docstrings = chance(c, DOCSTRINGS);
        c->comments = chance(c, COMMENTS);
    }
    c->emitted_from = c->nemitted;
    c->thread_index = STR("");
    c->generic_of = generic_of_kernel(c);
    c->nheld = 0;
    c->grid_index = false;
    c->filtered = c->gap = c->in_function = false;
    c->returned = NULL;
    memset(c->index, 0, sizeof c->index);
    memset(c->ready, 0, sizeof c->ready);
    memset(c->made, 0, sizeof c->made);
    c->total = NULL;
    c->now = p->main;
    memset(c->loaded, 0, sizeof c->loaded);
    memset(c->like, 0, sizeof c->like);
    memset(c->unloaded, 0, sizeof c->unloaded);
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].template_name)
            expr_bind(c, p->args[i].template_name, p->args[i].name, UNPARSE_ATOM);
    const uint32_t nsubsts = c->nsubsts;
    if (p->algorithm)
        block_write(c, (node *const *)p->algorithm->body, p->algorithm->nbody);
    else
        form_write_pattern(c);
    write_sides(c);
    if (c->docstrings)
        write_docstring(c, nsubsts);
    write_head(c);
    sb_str(&c->source, sb_view(&c->body));
    if (p->generic)
        generic_put_overload(c);
    uint32_t parameters = 0;
    for (uint8_t i = 0; i < p->nargs; i++)
        parameters += plan_is_listed(p, &p->args[i]);
    c->kernel_lines = parameters + 3 + str_count(sb_view(&c->body), '\n');
}
