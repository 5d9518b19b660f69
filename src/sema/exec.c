/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of modules, class bodies and function factories. Where a condition is not known, the
 * branches run in "maybe" mode: names that they define are kept, names that they change become
 * unknown.
 *
 *     n = 1
 *     if something_unknown():
 *         n = 2          # n is unknown from here on
 *         @wp.kernel     # but this kernel is defined
 *         def k(...): ...
 *
 * That keeps as many kernels as possible: a kernel behind `if __debug_build():` is still compiled,
 * and only values that truly depend on the condition are lost. exceptions.c tells what happens
 * where something raises. */
#include "sema/origin.h"
#include "sema/sema.h"

static const char depends[] = "it depends on a condition that weft cannot know";

/* If the scope declares the name global or nonlocal: the scope that holds it (in *owner) and its
 * value there. Stops at the nearest scope that has the name, or at the module. NULL without a
 * change of *owner: the name is local. */
static const value *is_outer(evaluator *e, const sym *name, namespace **owner)
{
    bool declared = false;
    for (uint32_t i = 0; i < e->env->outer.n; i++)
        declared = declared || e->env->outer.v[i] == name;
    if (!declared)
        return NULL;
    for (const namespace *ns = e->env->parent; ns; ns = ns->parent) {
        const value *v = ns_find(ns, name);
        if (v || ns->kind == NS_MODULE) {
            *owner = (namespace *)(uintptr_t)ns;
            return v;
        }
    }
    return NULL;
}

/* The name may be missing from here on: a NameError, if something takes it. */
static void note_unsure(evaluator *e, const sym *name)
{
    program *p = e->p;
    for (uint32_t i = 0; i < p->unsure.n; i++)
        if (p->unsure.v[i] == name)
            return;
    VEC_PUSH(&e->c->module, &p->unsure, name);
}

static bool is_definition(const value *v)
{
    return v->kind == VALUE_PYFUNC || v->kind == VALUE_FUNC || v->kind == VALUE_KERNEL ||
           v->kind == VALUE_CLASS || v->kind == VALUE_TYPE || v->kind == VALUE_MODULE ||
           v->kind == VALUE_WARP || v->kind == VALUE_BUILTIN || v->kind == VALUE_SPECIAL;
}

/* Assigns a name. In "maybe" mode a name that had another value before becomes unknown; one that
 * was unknown for another reason may still be defined:
 *
 *     try: import fast as impl         # impl is unknown: no such module
 *     except ImportError: impl = None  # runs in "maybe" mode, and defines it */
void bind_name(evaluator *e, const sym *name, value v)
{
    WEFT_ASSERT(name != NULL);
    namespace *owner = e->env;
    if (e->p->raising)
        return;
    if (e->env->outer.n)
        is_outer(e, name, &owner);
    /* A function that is called where the condition is not known may change names around it. */
    if (e->p->maybe.n || (owner != e->env && change_is_unsure(e->c, owner->number))) {
        /* Only a change makes the name doubtful: the same value either way is sure. A function,
         * class or module that stands in for what a module has that is not there is what the
         * program has then; of a number or None that is not sure, for the module may be there for
         * others. */
        const value *old = ns_find(owner, name);
        const bool is_missing =
            old && old->kind == VALUE_UNKNOWN &&
            (old->n == UNKNOWN_PACKAGE || (old->n == UNKNOWN_MODULE && is_definition(&v)));
        if (old && !value_identical(old, &v) && !is_missing)
            v = unknown(depends);
        if (!old)
            note_unsure(e, name);
    }
    if (v.kind == VALUE_SPECIAL && v.n == SP_enum_auto && owner->kind == NS_CLASS && owner->cls)
        v = enum_auto(e->c, owner, name);
    if (owner->mod->stub && owner->kind == NS_MODULE)
        stub_amend(owner->mod, name, &v);
    ns_set(e->c, owner, name, v);
}

/* `a, *b, c = v`. If the items or their number do not fit, every target becomes unknown. With a
 * starred target, `extra` is the number of items that it takes:
 *
 *     a, *b, c = range(5)      a = 0, b = [1, 2, 3], c = 4; extra is 3
 *
 * At most one target is starred, which the parser has checked. */
static void assign_sequence(evaluator *e, const node_list *targets, const value *v)
{
    const value *items = NULL;
    uint32_t n = 0, star = UINT32_MAX;
    bool ok = value_iterate(e->c, v, &items, &n);
    for (uint32_t i = 0; i < targets->n; i++)
        if (targets->v[i]->kind == AST_Starred)
            star = i;
    /* n + 1 >= targets->n keeps `extra` from wrapping. */
    ok = ok && (star == UINT32_MAX ? n == targets->n : n + 1 >= targets->n);
    value missing = v->kind == VALUE_UNKNOWN ? *v : unknown("what is unpacked is not known");
    if (!ok && items)
        raise_exception(e, exception_of("ValueError"));
    else if (!ok)
        may_raise_any(e);
    uint32_t extra = ok && star != UINT32_MAX ? n + 1 - targets->n : 0;
    for (uint32_t i = 0, at = 0; i < targets->n; i++) {
        if (i != star) {
            assign_to(e, targets->v[i], ok ? items[at] : missing);
            at++;
            continue;
        }
        const value rest = items_copy(e->c, VALUE_LIST, extra ? items + at : NULL, extra);
        assign_to(e, AST(Starred, targets->v[i])->value, ok ? rest : missing);
        at += extra;
    }
}

/* warp.config.NAME = v; read back by config_get. The last assignment counts, also one that may not
 * run. */
static void config_set(evaluator *e, const sym *name, value v)
{
    program *p = e->p;
    for (uint32_t i = 0; i < p->config.n; i++) {
        if (p->config.v[i].name == name) {
            p->config.v[i].v = v;
            return;
        }
    }
    config_entry entry = {name, v};
    VEC_PUSH(&e->c->module, &p->config, entry);
}

/* Composites and structs are copied into the field, as in Warp 1.19 _make_struct_field_setter. A
 * number stays as it is: a field of type uint64 that was set to 3 is printed "3", not "3ull".
 * Reading it in a kernel converts it. */
static void set_field(evaluator *e, const value *obj, uint32_t i, const value *v)
{
    value *field = (value *)(uintptr_t)&obj->items[i];
    const bool copies = field->kind == v->kind && field->type == v->type;
    if (change_is_unsure(e->c, obj->n) && !value_identical(field, v))
        *field = unknown(depends);
    else if (copies && v->kind == VALUE_COMPOSITE)
        composite_assign(field, v);
    else if (copies && v->kind == VALUE_STRUCT_INSTANCE && v->type->st)
        for (uint32_t k = 0; k < v->type->st->nfields; k++)
            set_field(e, field, k, &v->items[k]);
    else
        *field = v->kind == VALUE_COMPOSITE ? composite_copy(e->c, v) : *v;
}

static void set_struct_field(evaluator *e, const sym *name, const value *obj, value v)
{
    WEFT_ASSERT(obj->kind == VALUE_STRUCT_INSTANCE);
    const struct_def *st = obj->type->st;
    for (uint32_t i = 0; st && i < st->nfields; i++)
        if (st->fields[i].name == name)
            set_field(e, obj, i, &v);
}

/* The component of a vector that an attribute names. */
static int component_named(const evaluator *e, const value *v, const sym *name)
{
    const sym *const names[] = {e->names->s_x, e->names->s_y, e->names->s_z, e->names->s_w};
    const bool has = v->type->kind == TYPE_VEC || v->type->kind == TYPE_QUAT;
    for (int i = 0; i < 4 && i < v->type->rows && has; i++)
        if (name == names[i])
            return i;
    return -1;
}

/* v[index] = x of a composite. Whether a change that may not happen concerns one that was made
 * before is not known. */
static void set_component(evaluator *e, const value *v, const value *index, const value *x)
{
    program *p = e->p;
    if (p->maybe.n || p->maybe.since || !composite_set_item(v, index, x))
        VEC_PUSH(&e->c->module, &p->lost, v->elems);
}

/* obj.NAME = v. Objects, classes and modules change in place. Other objects have no attributes that
 * can change, so the assignment has no effect. */
void set_attribute(evaluator *e, const value *obj, const sym *name, value v)
{
    if (obj->kind == VALUE_WARP && strcmp(obj->s->s, "warp.config") == 0)
        config_set(e, name, v);
    else if (obj->kind == VALUE_WARP && strcmp(obj->s->s, "os") == 0 &&
             strcmp(name->s, "environ") == 0)
        e->p->environ = e->p->maybe.n ? unknown(depends) : v;
    else if (obj->kind == VALUE_OBJECT && name == e->names->s___dict__)
        namespace_lose(obj->ns, "its __dict__ is replaced");
    else if (has_attributes(obj)) {
        if (!set_by_class(e, obj, name, v))
            namespace_put(e->c, obj->ns, name, v);
    } else if (is_function(obj))
        ns_set(e->c, attrs_of(e->p, obj, true), name, e->p->maybe.n ? unknown(depends) : v);
    else if (obj->kind == VALUE_STRUCT_INSTANCE)
        set_struct_field(e, name, obj, v);
    else if (obj->kind == VALUE_COMPOSITE) {
        const value index = value_int(component_named(e, obj, name));
        set_component(e, obj, index.i < 0 ? obj : &index, &v);
    } else if (obj->kind != VALUE_WARP)
        may_raise_any(e);
}

static void assign_attribute(evaluator *e, const ast_Attribute *n, value v)
{
    const value obj = eval_node(e, n->value);
    set_attribute(e, &obj, n->attr, v);
}

/* obj[key] = v, or `del obj[key]` (v NULL), of an object whose class says what that is. */
static void call_item_method(evaluator *e, const value *obj, const char *name, value key,
                             const value *v)
{
    value method;
    if (!value_getattr(e->c, obj, sym_c(&e->c->syms, name), &method) ||
        method.kind != VALUE_PYFUNC) {
        may_raise_any(e);
        return;
    }
    value *args = ARENA_ARRAY(&e->c->module, value, 2);
    args[0] = key;
    if (v)
        args[1] = *v;
    const py_call call = {.args = args, .nargs = v ? 2 : 1};
    const value ignored = call_value(e, &method, &call);
    (void)ignored;
}

/* What cannot be followed makes the whole container unknown, for any item may have changed. */
static void assign_item(evaluator *e, const ast_Subscript *n, value v)
{
    value obj = eval_node(e, n->value);
    if (n->slice->kind == AST_Slice && list_set_slice(e, &obj, AST(Slice, n->slice), &v))
        return;
    const value key = n->slice->kind == AST_Slice ? unknown("a slice") : eval_node(e, n->slice);
    static const char not_followed[] = "an item is assigned that weft cannot follow";
    const __int128 count = value_has_cells(&obj) ? value_count(&obj) : 0;
    if (obj.kind == VALUE_OBJECT)
        call_item_method(e, &obj, "__setitem__", key, &v);
    else if (obj.kind == VALUE_DICT && value_has_cells(&key) && !value_is_set(&key))
        raise_exception(e, exception_of("TypeError"));
    else if (obj.kind == VALUE_DICT && key.kind != VALUE_UNKNOWN && count < SEMA_LOOP)
        dict_set(e->c, &obj, key, v);
    else if (obj.kind == VALUE_LIST && value_is_int(&key) && key.i >= -count && key.i < count)
        /* Negative indices count from the end. */
        list_set(e->c, &obj, (uint32_t)(key.i < 0 ? key.i + count : key.i), v);
    else if (value_has_cells(&obj)) {
        container_lose(&obj, not_followed);
        may_raise_any(e);
    } else if (obj.kind == VALUE_COMPOSITE)
        set_component(e, &obj, &key, &v);
    else
        may_raise_any(e);
}

/* Assigns v to a target of any form. Nested targets recurse, so the depth is bounded here too.
 * Other kinds of target are syntax errors, which the parser has reported. */
void assign_to(evaluator *e, const node *target, value v)
{
    WEFT_ASSERT(target != NULL);
    if (e->p->depth >= SEMA_DEPTH || e->p->raising)
        return;
    e->p->depth++;
    switch (target->kind) {
    case AST_Name: bind_name(e, AST(Name, target)->id, v); break;
    case AST_Tuple: assign_sequence(e, &AST(Tuple, target)->elts, &v); break;
    case AST_List: assign_sequence(e, &AST(List, target)->elts, &v); break;
    case AST_Attribute: assign_attribute(e, AST(Attribute, target), v); break;
    case AST_Subscript: assign_item(e, AST(Subscript, target), v); break;
    default: break;
    }
    e->p->depth--;
}

/* `a = b = v`: the value is evaluated once, the targets are assigned from left to right. */
static void exec_assign(evaluator *e, const ast_Assign *n)
{
    value v = eval_node(e, n->value);
    for (uint32_t i = 0; i < n->targets.n; i++)
        assign_to(e, n->targets.v[i], v);
}

/* `x += v` of a list, set or dict, which changes in place. */
static void augment_container(ctx *c, ast_op op, const value *x, const value *by)
{
    const bool is_set = value_is_set(x);
    if (is_set) /* of anything else */
        may_raise_named(c, NULL);
    if (op == (is_set ? OP_BitOr : OP_Add) && x->kind == VALUE_LIST)
        list_extend(c, x, by);
    else if (op == OP_BitOr && x->kind == VALUE_DICT)
        dict_update(c, x, by);
    else {
        const value made = is_set ? unknown(NULL) : op_binary(c, op, x, by);
        if (made.kind == x->kind)
            container_replace(c, x, value_array(&made), value_count(&made));
        else {
            container_lose(x, "weft does not evaluate this change of a container");
            may_raise_named(c, NULL);
        }
    }
}

/* `x += v` of an object whose class changes it by __iadd__. */
static bool augment_object(evaluator *e, ast_op op, value *x, const value *by)
{
    static const char *const names[OP_COUNT] = {
        [OP_Add] = "__iadd__",           [OP_Sub] = "__isub__",       [OP_Mult] = "__imul__",
        [OP_Div] = "__itruediv__",       [OP_Mod] = "__imod__",       [OP_Pow] = "__ipow__",
        [OP_FloorDiv] = "__ifloordiv__", [OP_BitOr] = "__ior__",      [OP_BitAnd] = "__iand__",
        [OP_BitXor] = "__ixor__",        [OP_LShift] = "__ilshift__", [OP_RShift] = "__irshift__",
        [OP_MatMult] = "__imatmul__"};
    value method;
    if (x->kind != VALUE_OBJECT || !names[op] || !object_has_method(x, names[op]) ||
        !value_getattr(e->c, x, sym_c(&e->c->syms, names[op]), &method))
        return false;
    *x = call_one(e, &method, *by);
    return true;
}

/* `x += v` is `x = x + v`, unless x is changed in place. */
static void exec_augassign(evaluator *e, const ast_AugAssign *n)
{
    value old = eval_node(e, n->target), by = eval_node(e, n->value);
    if (e->p->raising)
        return;
    if (augment_object(e, (ast_op)n->op, &old, &by)) {
        assign_to(e, n->target, old);
        return;
    }
    if (!value_has_cells(&old)) {
        old = op_binary(e->c, (ast_op)n->op, &old, &by);
        if (old.kind == VALUE_UNKNOWN)
            may_raise_any(e);
    } else
        augment_container(e->c, (ast_op)n->op, &old, &by);
    assign_to(e, n->target, old);
}

static bool leaves(flow f)
{
    return f == FLOW_RETURN || f == FLOW_BREAK || f == FLOW_CONTINUE;
}

void maybe_left(evaluator *e, flow f)
{
    program *p = e->p;
    if (!leaves(f))
        return;
    p->left = p->left || f != FLOW_CONTINUE;
    p->maybe.since = p->objects + 1;
    if (e->frame) {
        p->doubt++; /* until the function ends */
        if (f == FLOW_RETURN)
            e->frame->since = p->maybe.since;
    }
}

/* Runs both branches in "maybe" mode, since the condition is not known. See bind_name for what they
 * leave behind. How the branches end does not matter: what follows may run in any case. */
flow exec_maybe(evaluator *e, const node_list *a, const node_list *b)
{
    program *p = e->p;
    if (p->raising)
        return FLOW_RAISE;
    const maybe_mode before = p->maybe;
    const uint32_t since = p->objects + 1;
    maybe_begin(p);
    p->doubt++;
    const flow left = exec_block(e, a);
    branch_ended(e);
    const flow right = exec_block(e, b);
    branch_ended(e);
    p->left = p->left || left == FLOW_BREAK || left == FLOW_RETURN || right == FLOW_BREAK ||
              right == FLOW_RETURN;
    p->maybe.n--;
    /* Something that may raise in a branch leaves what follows in doubt, too. */
    if (p->maybe.n == before.n && !leaves(left) && !leaves(right))
        p->maybe.since = before.since;
    else
        p->maybe.since = since;
    /* The rest of a function is not certain to run after a branch that leaves it, or a loop of it:
     * the doubt stays until the function ends. One that raises ends the program in any case. */
    if (!e->frame || !(leaves(left) || leaves(right)))
        p->doubt--;
    if (e->frame && (left == FLOW_RETURN || right == FLOW_RETURN))
        e->frame->since = since;
    return FLOW_NEXT;
}

static flow exec_if(evaluator *e, const ast_If *n)
{
    value test = eval_node(e, n->test);
    int truth = value_truth(&test);
    if (truth < 0)
        return exec_maybe(e, &n->body, &n->orelse);
    return exec_block(e, truth ? &n->body : &n->orelse);
}

/* Where the function may have returned last. */
static uint32_t maybe_returned(const evaluator *e)
{
    return e->frame ? e->frame->since : 0;
}

/* A break or continue that may not run leaves the rest of the loop in doubt, and no more. */
static void end_doubt_of_loop(evaluator *e, maybe_mode before)
{
    const uint32_t since = e->frame ? e->frame->since : 0;
    if (e->p->maybe.n == before.n)
        e->p->maybe.since = since > before.since ? since : before.since;
}

/* After a loop: return and raise go on, break skips the else block. */
static flow loop_end(evaluator *e, flow f, maybe_mode before, const node_list *orelse)
{
    end_doubt_of_loop(e, before);
    if (f == FLOW_RETURN || f == FLOW_RAISE)
        return f;
    return f == FLOW_BREAK ? FLOW_NEXT : exec_block(e, orelse);
}

/* Runs the body once per item. Assignments to the loop variable last until the next item. If the
 * container is not known, the body runs once in "maybe" mode with an unknown variable, so that
 * functions defined in it are found:
 *
 *     for n in sizes():            # unknown
 *         @wp.kernel               # one kernel is found, though n is unknown in it
 *         def k(...): ... */
static flow exec_for(evaluator *e, const ast_For *n)
{
    static const node_list nothing;
    value in = eval_node(e, n->iter);
    flow f = FLOW_NEXT;
    const value *items;
    const maybe_mode before = e->p->maybe;
    const uint32_t returned = maybe_returned(e);
    const bool left = e->p->left;
    uint32_t count;
    if (!value_iterate(e->c, &in, &items, &count)) {
        const char *why =
            in.kind == VALUE_UNKNOWN ? in.why : "what the loop runs over is not known";
        may_raise_any(e);
        /* The variable has the container's reason. */
        assign_to(e, n->target, unknown(why));
        f = exec_maybe(e, &n->body, &nothing);
        end_doubt_of_loop(e, before);
        return f;
    }
    for (uint32_t i = 0; i < count && e->p->fuel; i++) {
        assign_to(e, n->target, items[i]);
        f = exec_block(e, &n->body);
        if (f == FLOW_BREAK || f == FLOW_RETURN || f == FLOW_RAISE)
            break;
        /* The body may change the list, and what it holds may be unknown by then. */
        if (value_is_list(&in) && !value_iterate(e->c, &in, &items, &count)) {
            assign_to(e, n->target, unknown(in.cells->why));
            exec_maybe(e, &n->body, &nothing);
            break;
        }
    }
    e->p->left = left || maybe_returned(e) != returned;
    return loop_end(e, f, before, &n->orelse);
}

/* After SEMA_LOOP turns, or when the condition becomes unknown, what the body changes is unknown.
 */
static flow exec_while(evaluator *e, const ast_While *n)
{
    static const node_list nothing;
    flow f = FLOW_NEXT;
    const maybe_mode before = e->p->maybe;
    const uint32_t returned = maybe_returned(e);
    const bool left = e->p->left;
    e->p->left = false;
    for (uint32_t turns = 0; e->p->fuel; turns++) {
        value test = eval_node(e, n->test);
        int truth = value_truth(&test);
        /* The body runs once more, in "maybe" mode, so that what it changes becomes unknown. */
        if (truth < 0 || turns > SEMA_LOOP || e->p->left) {
            f = exec_maybe(e, &n->body, &nothing);
            end_doubt_of_loop(e, before);
            e->p->left = left || maybe_returned(e) != returned;
            return f;
        }
        if (!truth)
            break;
        f = exec_block(e, &n->body);
        if (f == FLOW_BREAK || f == FLOW_RETURN || f == FLOW_RAISE)
            break;
    }
    e->p->left = left || maybe_returned(e) != returned;
    return loop_end(e, f, before, &n->orelse);
}

/* A function that returns different values from different "maybe" branches has an unknown result:
 *
 *     def pick():
 *         if unknown(): return 1     # first: the result is 1
 *         return 2                   # second: neither is sure */
static flow exec_return(evaluator *e, const ast_Return *n)
{
    value v = n->value ? eval_node(e, n->value) : value_none();
    frame *f = e->frame;
    if (e->p->raising)
        return FLOW_RAISE;
    /* `return` at module level is a syntax error; such a block just ends. */
    if (!f)
        return FLOW_RETURN;
    if (f->has_result && !value_identical(&f->result, &v))
        v = unknown(depends);
    f->result = v;
    f->has_result = true;
    return FLOW_RETURN;
}

static void delete_item(evaluator *e, const ast_Subscript *n)
{
    const value obj = eval_node(e, n->value), key = eval_node(e, n->slice);
    if (obj.kind == VALUE_OBJECT)
        call_item_method(e, &obj, "__delitem__", key, NULL);
    if (value_has_cells(&obj))
        item_delete(e->c, &obj, &key);
}

/* `del name`, `del x[key]`, `del x.name`. In "maybe" mode the name stays, since it may still be
 * there. */
static void exec_delete(evaluator *e, const ast_Delete *n)
{
    for (uint32_t i = 0; i < n->targets.n; i++) {
        const node *target = n->targets.v[i];
        if (target->kind != AST_Name || !ns_find(e->env, AST(Name, target)->id))
            may_raise_any(e);
        if (target->kind == AST_Name && e->p->maybe.n)
            note_unsure(e, AST(Name, target)->id);
        if (target->kind == AST_Name && !e->p->maybe.n)
            ns_remove(e->env, AST(Name, target)->id);
        else if (target->kind == AST_Subscript)
            delete_item(e, AST(Subscript, target));
        else if (target->kind == AST_Attribute) {
            const value obj = eval_node(e, AST(Attribute, target)->value);
            if (has_attributes(&obj))
                namespace_drop(e->c, obj.ns, AST(Attribute, target)->attr);
        }
    }
}

/* `global` and `nonlocal` of a function; both are resolved by is_outer. At module level they have
 * no effect. */
static void exec_outer(evaluator *e, const sym_list *names)
{
    for (uint32_t i = 0; e->env->kind == NS_FUNCTION && i < names->n; i++)
        VEC_PUSH(&e->c->module, &e->env->outer, names->v[i]);
}

/* An expression for its effect: a call. Doc strings need no evaluation. */
static void exec_expr(evaluator *e, const ast_Expr *n)
{
    if (n->value->kind != AST_Constant)
        eval_node(e, n->value);
}

/* The annotation of a function's variable is not evaluated. In an enum of a stub it says that there
 * is a member. */
static void exec_ann_assign(evaluator *e, const ast_AnnAssign *n)
{
    if (n->value)
        assign_to(e, n->target, eval_node(e, n->value));
    else if (origin_is_enum(e->env) && e->env->mod && e->env->mod->is_stub)
        assign_to(e, n->target, unknown(STUB_SILENT));
    if (e->env->kind != NS_FUNCTION)
        check_annotation(e, n->annotation);
}

/* An assert has no effect on values, unless something takes the exception of one that fails. */
static void exec_assert(evaluator *e, const ast_Assert *n)
{
    if (!e->p->catchers)
        return;
    const value test = eval_node(e, n->test);
    const int truth = value_truth(&test);
    if (!truth)
        raise_exception(e, exception_of("AssertionError"));
    else if (truth < 0)
        may_raise(e, exception_of("AssertionError"));
}

/* One statement; pass has no effect. */
static flow exec_stmt(evaluator *e, const node *n) /* flat switch */
{
    switch (n->kind) {
    case AST_FunctionDef: exec_function(e, AST(FunctionDef, n)); break;
    case AST_ClassDef: exec_class(e, AST(ClassDef, n)); break;
    case AST_AsyncFunctionDef:
        report_async(e, AST(AsyncFunctionDef, n));
        check_annotations(e, AST(AsyncFunctionDef, n)->args, AST(AsyncFunctionDef, n)->returns);
        bind_name(e, AST(AsyncFunctionDef, n)->name, unknown("weft runs no coroutines"));
        break;
    case AST_Assign: exec_assign(e, AST(Assign, n)); break;
    case AST_AugAssign: exec_augassign(e, AST(AugAssign, n)); break;
    case AST_AnnAssign: exec_ann_assign(e, AST(AnnAssign, n)); break;
    case AST_Expr: exec_expr(e, AST(Expr, n)); break;
    case AST_Import: exec_import(e, AST(Import, n)); break;
    case AST_ImportFrom: exec_import_from(e, AST(ImportFrom, n)); break;
    case AST_If: return exec_if(e, AST(If, n));
    case AST_For: return exec_for(e, AST(For, n));
    case AST_While: return exec_while(e, AST(While, n));
    case AST_With: return exec_with(e, AST(With, n));
    case AST_Try:
        return exec_try(e, &AST(Try, n)->body, &AST(Try, n)->handlers, &AST(Try, n)->orelse,
                        &AST(Try, n)->finalbody);
    case AST_TryStar:
        return exec_try(e, &AST(TryStar, n)->body, &AST(TryStar, n)->handlers,
                        &AST(TryStar, n)->orelse, &AST(TryStar, n)->finalbody);
    case AST_Match: return exec_match(e, AST(Match, n));
    case AST_Return: return exec_return(e, AST(Return, n));
    case AST_Raise: return exec_raise(e, n);
    case AST_Break: return FLOW_BREAK;
    case AST_Continue: return FLOW_CONTINUE;
    case AST_Delete: exec_delete(e, AST(Delete, n)); break;
    case AST_Global: exec_outer(e, &AST(Global, n)->names); break;
    case AST_Nonlocal: exec_outer(e, &AST(Nonlocal, n)->names); break;
    case AST_Assert: exec_assert(e, AST(Assert, n)); break;
    case AST_TypeAlias: exec_type_alias(e, AST(TypeAlias, n)); break;
    default: break;
    }
    return FLOW_NEXT;
}

/* Each statement takes one step of fuel. A block beyond SEMA_DEPTH is left out rather than
 * diagnosed: what it would define is then not defined. */
flow exec_block(evaluator *e, const node_list *body)
{
    WEFT_ASSERT(body != NULL);
    program *p = e->p;
    if (p->depth >= SEMA_DEPTH)
        return FLOW_NEXT;
    p->depth++;
    flow f = p->raising ? FLOW_RAISE : FLOW_NEXT;
    for (uint32_t i = 0; i < body->n && f == FLOW_NEXT && p->fuel; i++) {
        p->fuel--;
        f = exec_stmt(e, body->v[i]);
        /* The yield of a context manager raises what the body of its `with` raises. */
        if (p->raising || (e->frame && e->frame->with && with_raises(e->frame->with)))
            f = FLOW_RAISE;
        if (!p->fuel && !p->spent_at && e->env->kind == NS_MODULE && e->env->mod == p->main)
            p->spent_at = body->v[i];
    }
    p->depth--;
    return f;
}
