/* SPDX-License-Identifier: Apache-2.0 */
/* @wp.kernel, wp.Kernel and module options (Warp 1.19 context.kernel, Kernel, set_module_options).
 * An example:
 *
 *     wp.set_module_options({"max_unroll": 4})
 *     @wp.kernel(enable_backward=False, module="unique")
 *     def k(...): ...
 *
 * makes a kernel whose options are fixed here, and which belongs to a registry of its own;
 * max_unroll stays 16 for it, since the module's options do not reach a unique module. An option
 * that changes Warp's text in a way that weft does not follow is kept in `refused`; the compiler
 * reports it when it comes to the kernel. */
#include "base/nearest.h"
#include "sema/sema.h"

/* A keyword argument; None counts as not given. */
static const value *option(const py_call *a, const char *name)
{
    const value *v = call_get(a, UINT32_MAX, name);
    return v && v->kind != VALUE_NONE ? v : NULL;
}

/* An option that is true or false; -1: not given, or not known. */
static int flag(const value *v)
{
    return v ? value_truth(v) : -1;
}

/* Values that change the text in ways that weft does not follow: the deterministic modes of
 * releases whose text for them is another one. */
static bool is_refused(ctx *c, const char *name, const value *v)
{
    if (strcmp(name, "deterministic") != 0)
        return false;
    /* DeterministicMode.NOT_GUARANTEED is 0 */
    return v->kind != VALUE_ENUM || (v->i != 0 && !warp_has(c->warp, WARP_DETERMINISTIC));
}

/* The options whose values matter for the text. An unknown value of one of them is refused; the
 * text depends on it. */
static const char *const text_options[] = {"enable_backward",
                                           "max_unroll",
                                           "block_dim",
                                           "default_grid_stride",
                                           "lineinfo",
                                           "mode",
                                           "deterministic",
                                           "extra_build_options",
                                           NULL};

/* The table's own string, which outlives the module, or NULL. */
static const char *text_option(const char *name)
{
    for (size_t i = 0; text_options[i]; i++)
        if (strcmp(name, text_options[i]) == 0)
            return text_options[i];
    return NULL;
}

/* `v`: the value that weft cannot know. */
static void refuse_unknown(ctx *c, code_options *o, const char *name, const value *v)
{
    WEFT_ASSERT(v->kind == VALUE_UNKNOWN);
    o->refused = name;
    o->refused_value = value_keep(c, *v);
}

/* The preamble for a device, of the wp.ModuleBuildOptions that an option is; NULL: none. */
static const char *preamble_of(ctx *c, const value *v, const char *name)
{
    const value *text = v->kind == VALUE_OBJECT ? ns_find(v->ns, sym_c(&c->syms, name)) : NULL;
    return text && text->kind == VALUE_STR && text->s->len ? text->s->s : NULL;
}

/* Sets one option of a dict. An unknown name is ignored: most options concern compilers. */
static void set_option(ctx *c, code_options *o, const char *name, const value *v)
{
    WEFT_ASSERT(name != NULL);
    /* A value of the wrong type leaves the option as it was. */
    bool number = value_is_int(v) && v->i >= 0 && v->i <= INT32_MAX;
    if (text_option(name) && v->kind == VALUE_UNKNOWN)
        refuse_unknown(c, o, text_option(name), v);
    else if (text_option(name) && is_refused(c, name, v))
        o->refused = text_option(name);
    if (v->kind == VALUE_UNKNOWN)
        return;
    if (strcmp(name, "enable_backward") == 0)
        o->enable_backward = value_truth(v);
    else if (strcmp(name, "max_unroll") == 0 && number)
        o->max_unroll = (int)v->i;
    else if (strcmp(name, "block_dim") == 0 && number)
        o->block_dim = (int)v->i;
    else if (strcmp(name, "deterministic") == 0 && v->kind == VALUE_ENUM)
        o->deterministic = (int)v->i;
    else if (strcmp(name, "fast_math") == 0)
        o->fast_math = value_truth(v);
    else if (strcmp(name, "lineinfo") == 0)
        o->lineinfo = value_truth(v);
    else if (strcmp(name, "mode") == 0)
        o->debug = v->kind == VALUE_NONE ? DEBUG_AS_CONFIGURED
                                         : v->kind == VALUE_STR && strcmp(v->s->s, "debug") == 0;
    else if (strcmp(name, "enable_vector_component_overwrites") == 0)
        o->enable_vector_component_overwrites = value_truth(v);
    else if (strcmp(name, "extra_build_options") == 0) {
        o->cpu_preamble = preamble_of(c, v, "extra_cpu_preamble");
        o->cuda_preamble = preamble_of(c, v, "extra_cuda_preamble");
    } else if (strcmp(name, "default_grid_stride") == 0)
        o->grid_stride = v->kind == VALUE_NONE ? -1 : value_truth(v);
}

/* All options of a dict; anything else has no effect. */
static void set_options(ctx *c, code_options *o, const value *dict)
{
    for (uint32_t i = 0; dict && dict->kind == VALUE_DICT && i < value_count(dict); i++) {
        const value *pair = &value_array(dict)[2 * i];
        if (pair->kind == VALUE_STR)
            set_option(c, o, pair->s->s, &pair[1]);
    }
}

static const char *const kernel_options[] = {"f",
                                             "name",
                                             "enable_backward",
                                             "launch_bounds",
                                             "cuda_max_registers",
                                             "enable_cuda_smem_spilling",
                                             "cluster_dim",
                                             "module",
                                             "module_options",
                                             "entry_point_abi",
                                             "grid_stride"};

/* "did you mean 'enable_backward'?", or the list of all but the first `skipped`. */
static const char *option_hint(ctx *c, const char *name, const char *const *known, size_t n,
                               size_t skipped)
{
    nearest near;
    const char *list = "";
    nearest_init(&near, str_c(name));
    for (size_t i = skipped; i < n; i++) {
        nearest_offer(&near, str_c(known[i]));
        list = arena_printf(&c->module, "%s%s%s", list, *list ? ", " : "", known[i]);
    }
    return near.best.p ? arena_printf(&c->module, "did you mean '%s'?", near.best.p)
                       : arena_printf(&c->module, "there are %s", list);
}

const char *kernel_option_name(size_t i)
{
    return i < sizeof kernel_options / sizeof *kernel_options ? kernel_options[i] : NULL;
}

const char *kernel_option_hint(ctx *c, const char *name)
{
    return option_hint(c, name, kernel_options, sizeof kernel_options / sizeof *kernel_options, 1);
}

/* Warp 1.19 Module.options, and those of releases before it. */
static const char *const known_module_options[] = {"enable_backward",
                                                   "max_unroll",
                                                   "block_dim",
                                                   "fast_math",
                                                   "fuse_fp",
                                                   "lineinfo",
                                                   "mode",
                                                   "optimization_level",
                                                   "default_grid_stride",
                                                   "deterministic",
                                                   "deterministic_max_records",
                                                   "cuda_output",
                                                   "cpu_compiler_flags",
                                                   "compile_time_trace",
                                                   "strip_hash",
                                                   "extra_build_options",
                                                   "enable_mathdx_gemm",
                                                   "enable_mathdx_solver",
                                                   "enable_mathdx_fft"};

/* Warns of names in a dictionary of the main file that Warp has no option for: it keeps them, and
 * looks none of them up. */
static void warn_of_options(evaluator *e, const py_call *a)
{
    const node *dict = a->node && a->node->args.n ? a->node->args.v[0] : NULL;
    if (!dict || dict->kind != AST_Dict || e->env->mod != e->p->main)
        return;
    for (uint32_t i = 0; i < AST(Dict, dict)->keys.n; i++) {
        const node *key = AST(Dict, dict)->keys.v[i];
        if (!key || key->kind != AST_Constant || AST(Constant, key)->value.kind != CONST_STR)
            continue;
        const str name = AST(Constant, key)->value.text;
        if (STR_IS_IN(name, known_module_options))
            continue;
        const char *text = arena_dup(&e->c->module, name.p, name.n);
        const char *hint =
            option_hint(e->c, text, known_module_options,
                        sizeof known_module_options / sizeof *known_module_options, 0);
        diag_warning(e->c, node_span(&e->env->mod->src, key), DIAG_UNKNOWN_MODULE_OPTION, text,
                     hint);
    }
}

/* The options that Python code reads back, and may change: registry_sync. */
static value options_dict(ctx *c, const code_options *o)
{
    const char *const names[] = {"enable_backward", "max_unroll", "block_dim", "fast_math"};
    const value values[] = {value_bool(o->enable_backward), value_int(o->max_unroll),
                            value_int(o->block_dim), value_bool(o->fast_math)};
    value *items = ARENA_ARRAY(&c->module, value, 8);
    for (uint32_t i = 0; i < 4; i++) {
        items[2 * i] = value_str(c, names[i], strlen(names[i]));
        items[2 * i + 1] = values[i];
    }
    return value_dict(c, items, 4);
}

/* Writes the options to what wp.get_module gave, which registry_sync reads. */
static void show_options(warp_module *w)
{
    if (!w->object)
        return;
    ctx *c = w->object->mod->prog->c;
    const value fresh = options_dict(c, &w->options);
    const value *old = ns_find(w->object, c->sema->s_options);
    if (old && old->kind == VALUE_DICT)
        dict_update(c, old, &fresh);
    else
        ns_set(c, w->object, c->sema->s_options, fresh);
}

/* The registry whose object wp.get_module or wp.Module gave, or NULL. */
static warp_module *registry_of_object(const program *p, const value *m)
{
    for (warp_module *w = p->warp_modules; w && m->kind == VALUE_OBJECT; w = w->next)
        if (w->object == m->ns)
            return w;
    return NULL;
}

/* wp.set_module_options(options, module). In "maybe" mode the call may not happen, so it has no
 * effect. Kernels defined earlier see the change too, as in Warp, which generates text later. */
value call_set_module_options(evaluator *e, const py_call *a)
{
    const value *options = call_get(a, 0, "options"), *m = call_get(a, 1, "module");
    warp_module *w = NULL;
    if (!m || m->kind == VALUE_NONE)
        w = module_registry(e->env->mod);
    else if (m->kind == VALUE_STR)
        w = registry_find(e->p, m->s);
    else if (m->kind == VALUE_MODULE)
        w = module_registry(m->ns->mod);
    else
        w = registry_of_object(e->p, m);
    warn_of_options(e, a);
    if (w && !e->p->maybe.n) {
        registry_sync(w);
        set_options(e->c, &w->options, options);
        show_options(w);
    }
    /* Whatever the options are, they may decide the text. An undefined name is an error already. */
    if (w && options && options->kind == VALUE_UNKNOWN && !e->p->undefined)
        refuse_unknown(e->c, &w->options, "options", options);
    return value_none();
}

/* A registry that no other kernel shares; it is not in the list of the program. It starts from the
 * options of `name`, which no Python module has, so from the configuration. */
static warp_module *unique_module(program *p, const sym *name)
{
    warp_module *w = ARENA_NEW(&p->c->module, warp_module);
    *w = *registry_find(p, name);
    w->unique = true;
    return w;
}

/* Warp's Module object; of its attributes, `options` and `name` are known. */
static value module_object(ctx *c, module *mod, warp_module *w)
{
    if (!w->object) {
        w->object = ns_new(c, NS_OBJECT, NULL, (str){"", 0});
        w->object->mod = mod;
        w->object->star = "weft does not evaluate this attribute of a module";
        show_options(w);
        ns_set(c, w->object, sema_init(c)->s_name, (value){.kind = VALUE_STR, .s = w->name});
    }
    return (value){.kind = VALUE_OBJECT, .ns = w->object};
}

/* wp.get_module_options(): those of the module that calls it, which see changes. */
value call_get_module_options(evaluator *e, const py_call *a)
{
    (void)a;
    const value m = module_object(e->c, e->env->mod, module_registry(e->env->mod));
    const value *options = ns_find(m.ns, e->names->s_options);
    return options ? *options : unknown("the options are not known");
}

/* wp.get_module(name). */
value call_get_module(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "name");
    if (!name || name->kind != VALUE_STR)
        return unknown("the module's name is not known");
    return module_object(e->c, e->env->mod, registry_find(e->p, name->s));
}

/* wp.Module(name): another module, which wp.get_module(name) does not find. Its options start from
 * the configuration. */
value call_module(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "name");
    if (!name || name->kind != VALUE_STR)
        return unknown("the module's name is not known");
    warp_module *w = unique_module(e->p, sym_c(&e->c->syms, "<unique>"));
    w->name = name->s;
    w->object = NULL;
    w->next = e->p->warp_modules;
    e->p->warp_modules = w;
    return module_object(e->c, e->env->mod, w);
}

/* kernel.module, also of a kernel with module="unique": its options may be set later. */
value kernel_module_object(ctx *c, const kernel *k)
{
    warp_module *w = (warp_module *)(uintptr_t)k->registry; /* const for everybody else */
    module *mod = (module *)(uintptr_t)k->code.mod;
    if (w->unique && !w->object) {
        w->name = sym_c(&c->syms, "<unique>");
        w->next = mod->prog->warp_modules;
        mod->prog->warp_modules = w;
    }
    return module_object(c, mod, w);
}

/* Takes over what the program wrote to `wp.get_module(name).options[...]`. Called before options
 * count: when a kernel is defined and when all modules have run. */
void registry_sync(warp_module *w)
{
    ctx *c = w->object ? w->object->mod->prog->c : NULL;
    const value *options = w->object ? ns_find(w->object, c->sema->s_options) : NULL;
    if (options && value_cells_why(options)) {
        const value lost = unknown(value_cells_why(options));
        refuse_unknown(c, &w->options, "options", &lost);
    } else if (w->object)
        set_options(c, &w->options, options);
}

/* Kernels outside of their Python module's registry carry all options themselves, because the
 * lowering looks up the rest in the registry of the Python module. */
static void fix_options(code_options *o, const code_options *from)
{
    if (o->enable_backward < 0)
        o->enable_backward = from->enable_backward;
    o->module_backward = from->enable_backward;
    if (o->grid_stride < 0)
        o->grid_stride = from->grid_stride;
    o->max_unroll = from->max_unroll;
    o->block_dim = from->block_dim;
    o->fast_math = from->fast_math;
    o->lineinfo = from->lineinfo;
    o->debug = from->debug;
    o->cpu_preamble = from->cpu_preamble;
    o->cuda_preamble = from->cuda_preamble;
    o->deterministic = from->deterministic;
    if (!o->refused) {
        o->refused = from->refused;
        o->refused_value = from->refused_value;
    }
}

void kernel_take_options(kernel *k)
{
    if (k->takes_options)
        fix_options(&k->code.options, &k->registry->options);
    k->takes_options = false;
}

/* By the `module` argument of @wp.kernel:
 *
 *     (none)            the registry of the Python module that defines the function
 *     a Python module   its registry
 *     wp.get_module(m)  the registry of this object; so wp.Module(m)
 *     "name"            the registry of this name, made if need be
 *     "unique"          one of its own, with module_options */
static warp_module *choose_registry(evaluator *e, const py_func *f, const py_call *a)
{
    const value *m = option(a, "module"), *options = option(a, "module_options");
    if (!m)
        return module_registry(f->env->mod);
    if (m->kind == VALUE_MODULE)
        return module_registry(m->ns->mod);
    warp_module *of_object = registry_of_object(e->p, m);
    if (of_object)
        return of_object;
    bool named = m->kind == VALUE_STR && strcmp(m->s->s, "unique") != 0;
    if (named)
        return registry_find(e->p, m->s);
    /* A name that no Python module has: options start from the configuration. */
    warp_module *w = unique_module(e->p, sym_c(&e->c->syms, "<unique>"));
    set_options(e->c, &w->options, options);
    return w;
}

/* Is the kernel defined outside of all functions? Each call of a factory makes another kernel of
 * the same key, so only those at module level have a key of their own. */
static bool is_static(const py_func *f)
{
    for (const namespace *ns = f->env; ns; ns = ns->parent)
        if (ns->kind == NS_FUNCTION)
            return false;
    return true;
}

/* Warp 1.19 context.kernel: its keyword arguments. Returns the first that it does not have, which
 * is a TypeError in Python, or NULL. */
static const char *unknown_keyword(const py_call *a)
{
    for (uint32_t i = 0; i < a->nkwargs; i++)
        if (!STR_IS_IN(sym_str(a->names[i]), kernel_options))
            return a->names[i]->s;
    return NULL;
}

/* Makes the kernel and adds it to the program, whatever its options: a kernel that cannot be
 * compiled is reported when it is, not left out silently. NULL or no string for `key`: the
 * qualified name. */
static value kernel_define(evaluator *e, const py_func *f, const py_call *a, const value *key)
{
    WEFT_ASSERT(f->def != NULL);
    kernel *k = ARENA_NEW(&e->c->module, kernel);
    code_make(e, &k->code, f);
    k->key = key && key->kind == VALUE_STR ? sym_str(key->s) : function_key(e, f);
    const bool is_named = k->key.p != NULL;
    if (!is_named)
        k->key = qualified_key(e->c, f->env, f->name);
    k->code.is_kernel = true;
    k->under_condition = e->p->maybe.n || e->p->maybe.since;
    k->is_static = is_static(f);
    warp_module *w = choose_registry(e, f, a);
    /* Options that were set through wp.get_module count from here on. */
    registry_sync(w);
    k->registry = w;
    code_options *o = &k->code.options;
    o->unknown_keyword = unknown_keyword(a);
    const value *backward = option(a, "enable_backward");
    if (backward && backward->kind == VALUE_UNKNOWN)
        refuse_unknown(e->c, o, "enable_backward", backward);
    /* Another entry point has other text. */
    const value *abi = option(a, "entry_point_abi");
    if (abi && (abi->kind != VALUE_STR || strcmp(abi->s->s, "warp") != 0))
        o->refused = "entry_point_abi";
    if (!is_named)
        o->refused = "__qualname__";
    if (a->inexact)
        refuse_unknown(e->c, o, "**", &a->unpacked);
    o->enable_backward = flag(backward);
    o->grid_stride = flag(option(a, "grid_stride"));
    o->launch_bounds = option(a, "launch_bounds");
    o->cluster_dim = option(a, "cluster_dim");
    o->max_registers = option(a, "cuda_max_registers");
    o->smem_spilling = option(a, "enable_cuda_smem_spilling");
    /* The lowering reads the registry of the Python module for what is still -1. Another registry
     * may get options until the modules have run. */
    k->takes_options = w != f->env->mod->warp;
    VEC_PUSH(&e->c->module, &e->p->all, k);
    unseen_kernel_made(e, f);
    return (value){.kind = VALUE_KERNEL, .p = k};
}

bool kernel_module_backward(const kernel *k)
{
    return k->registry->options.enable_backward != 0;
}

bool kernel_names_reported(const kernel *k)
{
    return k->code.env->mod->prog->undefined;
}

/* @wp.kernel, or @wp.kernel(...): the second form returns a partial call, which then gets the
 * function. */
value call_kernel(evaluator *e, const py_call *a)
{
    const value *last = a->nargs ? &a->args[a->nargs - 1] : NULL;
    const py_func *f = as_py_func(last);
    if (f)
        return kernel_define(e, f, a, option(a, "name"));
    if (last)
        return last->kind == VALUE_UNKNOWN ? *last
                                           : unknown("wp.kernel decorates Python functions only");
    return partial_of(e->c, a->id, a);
}

/* wp.Kernel(func, key, module, options): what the decorator ends in. Its `options` are those of one
 * kernel, but code that calls it directly passes a module's dict, so the same names are read. */
value call_kernel_class(evaluator *e, const py_call *a)
{
    const value *f = call_get(a, 0, "func"), *key = call_get(a, 1, "key");
    const value *options = call_get(a, 3, "options");
    const py_func *def = f ? as_py_func(f) : NULL;
    if (!def)
        return f && f->kind == VALUE_UNKNOWN ? *f : unknown("the kernel's function is not known");
    if (call_get(a, 5, "source") || call_get(a, 4, "code_transformers"))
        return unknown("the kernel's source is made by Python code");
    py_call plain = *a;
    /* Its positional arguments are not those of the decorator. */
    plain.nargs = 0;
    value v = kernel_define(e, def, &plain, key);
    kernel *k = (kernel *)(uintptr_t)v.p;
    kernel_take_options(k);
    code_options *o = &k->code.options;
    /* The class has parameters of its own, `func` and `key` among them. */
    o->unknown_keyword = NULL;
    set_options(e->c, o, options);
    return v;
}

/* The instance of a generic kernel with these parameter types, one for each parameter: the earlier
 * one if there is one, as in Warp 1.19 Kernel.add_overload. A type that does not fit raises a
 * TypeError there, and is unknown here. */
value kernel_instance(evaluator *e, const kernel *generic, const type *const *types)
{
    WEFT_ASSERT(generic->code.generic);
    const uint32_t n = generic->code.nparams;
    for (uint32_t i = 0; i < n; i++) {
        const type *p = generic->code.params[i].type;
        if (!types[i] || types[i]->generic || !p || !type_fits(p, types[i]))
            return unknown_text(e->c, "the type of '%.80s' does not fit the generic kernel",
                                generic->code.params[i].name->s);
    }
    for (const kernel *k = generic->instances; k; k = k->next_instance) {
        uint32_t same = 0;
        while (same < n && k->code.params[same].type == types[same])
            same++;
        if (same == n)
            return (value){.kind = VALUE_KERNEL, .p = k};
    }
    kernel *k = ARENA_NEW(&e->c->module, kernel);
    *k = *generic;
    param *params = ARENA_ARRAY(&e->c->module, param, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        params[i] = generic->code.params[i];
        params[i].type = types[i];
    }
    k->code.params = params;
    k->code.generic = false;
    k->generic = generic;
    k->instances = NULL;
    k->next_instance = generic->instances;
    if (k->code.nstatics)
        find_statics_again(e->c, &k->code);
    ((kernel *)(uintptr_t)generic)->instances = k;
    VEC_PUSH(&e->c->module, &e->p->all, k);
    return (value){.kind = VALUE_KERNEL, .p = k};
}

const kernel *kernel_instance_of(ctx *c, const kernel *generic, const type *const *types)
{
    evaluator e = evaluator_for(c, generic->code.env);
    const value v = kernel_instance(&e, generic, types);
    return v.kind == VALUE_KERNEL ? v.p : NULL;
}

/* wp.overload(k, [T, U]): a type for each parameter. wp.overload(k, {"x": T}): types by name; the
 * others keep their annotation. */
static value overload_by_types(evaluator *e, const kernel *k, const value *given)
{
    const uint32_t n = k->code.nparams;
    const type **types = ARENA_ARRAY(&e->c->module, const type *, n + 1);
    if (!k->code.generic || !given)
        return unknown("weft does not follow this overload");
    if (given->kind == VALUE_LIST && value_count(given) == n) {
        for (uint32_t i = 0; i < n; i++)
            types[i] = annotation_type(e->c, &value_array(given)[i]);
        return kernel_instance(e, k, types);
    }
    if (given->kind != VALUE_DICT)
        return given->kind == VALUE_UNKNOWN ? *given : unknown("the overload's types do not fit");
    for (uint32_t i = 0; i < n; i++) {
        const value name = {.kind = VALUE_STR, .s = k->code.params[i].name};
        const value *v = dict_find(e->c, given, &name);
        types[i] = v ? annotation_type(e->c, v) : k->code.params[i].type;
    }
    return kernel_instance(e, k, types);
}

/* @wp.overload def k(x: T): ... adds an instance to the kernel of this name; the name stays bound
 * to the generic kernel. */
static value overload_by_stub(evaluator *e, const py_func *f)
{
    value known;
    if (!env_lookup(e->env, f->name, &known) || known.kind != VALUE_KERNEL)
        return unknown("there is no kernel of this name to overload");
    const kernel *k = known.p;
    code stub;
    code_make(e, &stub, f);
    if (k->code.generic && stub.nparams == k->code.nparams) {
        const type **types = ARENA_ARRAY(&e->c->module, const type *, stub.nparams + 1);
        for (uint32_t i = 0; i < stub.nparams; i++)
            types[i] = stub.params[i].type;
        const value made = kernel_instance(e, k, types);
        if (made.kind == VALUE_UNKNOWN)
            unseen_overload(e, f->def ? &f->def->base : NULL, k, made);
    }
    return known;
}

/* wp.overload: an instance of a generic kernel (Warp 1.19 context.overload). */
value call_overload(evaluator *e, const py_call *a)
{
    const value *k = call_get(a, 0, "kernel");
    if (k && k->kind == VALUE_KERNEL) {
        const value made = overload_by_types(e, k->p, call_get(a, 1, "arg_types"));
        const value *types = call_get(a, 1, "arg_types");
        const char *why = types ? unknown_inside(types) : NULL;
        if (made.kind == VALUE_UNKNOWN)
            unseen_overload(e, a->node ? &a->node->base : NULL, k->p, why ? unknown(why) : made);
        return made;
    }
    const py_func *f = as_py_func(k);
    if (f)
        return overload_by_stub(e, f);
    return k && k->kind == VALUE_UNKNOWN ? *k : unknown("this is no generic kernel");
}
