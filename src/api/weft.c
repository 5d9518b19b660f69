/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface: contexts, and compiling a program to the text of Warp's kernels.
 *
 *     weft_context_new(NULL, &c);
 *     weft_compile_file(c, "k.py");
 *     weft_kernel_at(c, 0)            ->   {"scale", line 3, cpu, cuda, ...}
 *     weft_context_free(c);
 *
 * A context is a pipeline behind an opaque handle. Every call that may take memory runs under
 * mem_try; after a failure the context is empty and may be used again. The functions that the other
 * files of api/ share (api.h) are here, too. */
#include <unistd.h>

#include "api/api.h"
#include "base/io.h"
#include "syntax/source_text.h"

const char *weft_version(void)
{
    return WEFT_VERSION;
}

/* No default: the compiler warns of a status without a text. */
const char *weft_status_text(weft_status status)
{
    switch (status) {
    case WEFT_OK: return "no error";
    case WEFT_INPUT_ERRORS: return "the program has errors";
    case WEFT_BAD_ARGUMENT: return "wrong argument";
    case WEFT_IO_ERROR: return "a file cannot be read";
    case WEFT_NO_MEMORY: return "out of memory";
    case WEFT_FAILED: return "it cannot be done";
    case WEFT_STOPPED: return "stopped by the caller";
    }
    return "unknown status";
}

/* For mem_try: n bytes of owner, returned in `made`. */
typedef struct new_request {
    mem *owner;
    size_t n;
    void *made;
} new_request;

/* The struct lives in its own mem, so that freeing the mem frees it. */
static void make_new(void *arg)
{
    new_request *r = arg;
    r->made = memset(mem_alloc(r->owner, r->n), 0, r->n);
}

void *api_new(mem *owner, size_t n)
{
    new_request r = {owner, n, NULL};
    mem_init(owner);
    return mem_try(owner, make_new, &r) ? r.made : NULL;
}

/* The caller may be older (a shorter struct: the rest is zero, the default) or newer (what this
 * version does not know is ignored).
 *
 *     caller's size 40, ours 64     40 bytes copied, 24 zero
 *     caller's size 80, ours 64     64 bytes copied, 16 ignored
 *     caller's size 4               false: no struct of weft.h is so short */
bool api_take_options(void *to, size_t n, const void *given)
{
    WEFT_ASSERT(to && n >= sizeof(size_t));
    size_t size;
    memset(to, 0, n);
    if (!given)
        return true;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return false;
    memcpy(to, given, size < n ? size : n);
    return true;
}

/* The other way round: never writes beyond the size that the caller has. */
void api_give(void *out, size_t size, const void *ours, size_t n)
{
    enum { FIRST = sizeof(size_t) };
    WEFT_ASSERT(size >= FIRST && n >= FIRST);
    memcpy((char *)out + FIRST, (const char *)ours + FIRST, (size < n ? size : n) - FIRST);
}

/* From 1 to 1024, whatever the system says: sysconf returns -1 where it does not know.
 *
 *     wanted 0 on 8 cores   8          wanted 5000   1024 */
uint32_t api_jobs(uint32_t wanted)
{
    enum { MOST = 1024 };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t jobs = wanted ? wanted : cores < 1 ? 1 : cores > MOST ? MOST : (uint32_t)cores;
    return jobs < MOST ? jobs : MOST;
}

/* Everything that earlier calls handed out becomes invalid here.
 *
 *     c->kernels, c->diagnostics, c->message, ...   pointed into the module arena, now empty */
void api_forget(weft_context *c)
{
    pipeline_reset(&c->p);
    c->message = "";
    c->nkernels = c->nmodules = c->nnames = c->ndiagnostics = 0;
    c->names_kernels = false;
    file_set_init(&c->inputs, &c->p.c.module);
    c->p.c.files = &c->inputs;
}

/* The context is complete before *out is set; on any failure *out is NULL. Unknown devices are
 * refused rather than ignored: a caller with a newer weft.h would get other texts than it wants. */
weft_status weft_context_new(const weft_options *options, weft_context **out)
{
    mem owner;
    weft_options o;
    if (!out)
        return WEFT_BAD_ARGUMENT;
    *out = NULL;
    if (!api_take_options(&o, sizeof o, options) || o.devices & ~(unsigned)(WEFT_CPU | WEFT_CUDA))
        return WEFT_BAD_ARGUMENT;
    const warp_release warp = o.warp ? warp_release_named(o.warp, strlen(o.warp)) : WARP_DEFAULT;
    if (warp == WARP_ANY)
        return WEFT_BAD_ARGUMENT;
    if (o.block_dim < 0 || o.block_dim > WEFT_BLOCK_DIM_MAX)
        return WEFT_BAD_ARGUMENT;
    if (!o.devices)
        o.devices = WEFT_CPU | WEFT_CUDA;
    /* the mem moves into the struct that it owns, so that one pointer holds everything */
    weft_context *c = api_new(&owner, sizeof *c);
    if (!c)
        return WEFT_NO_MEMORY;
    c->owner = owner;
    c->devices = o.devices;
    const pipeline_options p = {.program = {.dirs = o.include_dirs, .ndirs = o.include_dir_count},
                                .devices = o.devices,
                                .no_backward = o.no_backward != 0,
                                .timings = o.timings != 0,
                                .warp = warp,
                                .block_dim = o.block_dim,
                                .memory_limit = o.memory_limit};
    if (!pipeline_init(&c->p, &p)) {
        weft_context_free(c);
        return WEFT_NO_MEMORY;
    }
    api_watch_stop(&c->p.c.mem, o.stop);
    arena_init(&c->paths, &c->p.c.mem);
    api_forget(c);
    *out = c;
    return WEFT_OK;
}

/* The mem is copied first: it lies in the struct that it frees. */
void weft_context_free(weft_context *c)
{
    if (!c)
        return;
    api_close_gradients(c);
    pipeline_clear(&c->p);
    mem owner = c->owner;
    mem_clear(&owner);
}

weft_status weft_set_instances(weft_context *c, const char *const *instances, size_t count,
                               int *found)
{
    if (!c || (count && !instances))
        return WEFT_BAD_ARGUMENT;
    program_options *o = &c->p.options.program;
    o->instances = instances;
    o->ninstances = count;
    o->instance_found = found;
    return WEFT_OK;
}

weft_status weft_set_environment(weft_context *c, const char *const *definitions, size_t count)
{
    if (!c || (count && !definitions))
        return WEFT_BAD_ARGUMENT;
    c->p.options.program.definitions = definitions;
    c->p.options.program.ndefinitions = count;
    return WEFT_OK;
}

/* One call: the file or text to compile, and the status that comes of it. */
typedef struct compile_request {
    weft_context *c;
    const char *path; /* or: */
    const char *name;
    str text;
    bool encoded; /* the text's first lines may name its encoding */
    weft_status status;
} compile_request;

/* A copy for the caller, valid until the next call; NULL stays NULL. */
static const char *keep(weft_context *c, str text)
{
    return text.p ? arena_dup(&c->p.c.module, text.p, text.n) : NULL;
}

/* Kernels of one name, which factories and wp.overload make, get numbers: "scale:1", "scale:2". */
void api_name_kernels(weft_context *c, const kernel *const *kernels, uint32_t n)
{
    arena *a = &c->p.c.module;
    c->names = ARENA_ARRAY(a, const char *, (size_t)n + 1);
    c->nnames = n;
    str_map count = {0};
    for (uint32_t i = 0; i < n; i++)
        str_map_set(a, &count, kernels[i]->key, str_map_get(&count, kernels[i]->key) + 1);
    str_map number = {0}; /* of those before it */
    for (uint32_t i = 0; i < n; i++) {
        const str key = kernels[i]->key;
        const uint32_t before = str_map_get(&number, key);
        str_map_set(a, &number, key, before + 1);
        c->names[i] = str_map_get(&count, key) > 1
                          ? arena_printf(a, "%.*s:%u", (int)key.n, key.p, before + 1)
                          : arena_dup(a, key.p, key.n);
    }
}

/* One more than n, so that there is always an address. */
void api_list_kernels(weft_context *c, uint32_t n)
{
    arena *a = &c->p.c.module;
    c->kernels = ARENA_ARRAY(a, weft_kernel, (size_t)n + 1);
    c->modules = ARENA_ARRAY(a, const ir_module *, (size_t)n + 1);
}

static void add_module(weft_context *c, const ir_module *m)
{
    WEFT_ASSERT(c->nmodules < c->nkernels); /* there is room for a module of each kernel */
    c->modules[c->nmodules++] = m;
}

/* The module with another name for its kernel. */
static const ir_module *renamed(arena *a, const ir_module *m, str name)
{
    ir_module *out = ARENA_NEW(a, ir_module);
    kernel *k = ARENA_NEW(a, kernel);
    *out = *m;
    out->kernel = ARENA_NEW(a, ir_unit);
    *out->kernel = *m->kernel;
    *k = *m->kernel->kernel;
    k->key = name;
    out->kernel->kernel = k;
    return out;
}

void api_forget_modules(weft_context *c)
{
    pipeline_forget(&c->p);
    c->nmodules = 0;
}

/* Warp's module tells the instances of a kernel apart by a hash in their names (Kernel
 * .get_mangled_name), for which strip_hash leaves nothing: here by numbers that no key has.
 *
 *     kernels   k, k, k_2, k    ->   k, k_3, k_2, k_4 */
void api_close_kernels(weft_context *c)
{
    arena *a = &c->p.c.module;
    str_map taken = {0};
    for (size_t i = 0; i < c->nmodules; i++)
        str_map_set(a, &taken, c->modules[i]->kernel->kernel->key, 1);
    for (size_t i = 0; i < c->nmodules; i++) {
        const str key = c->modules[i]->kernel->kernel->key;
        str name = key;
        uint32_t number = str_map_get(&taken, key); /* of its instances so far */
        if (number > 1)
            do
                name = str_c(arena_printf(a, "%.*s_%u", (int)key.n, key.p, number++));
            while (str_map_get(&taken, name));
        str_map_set(a, &taken, key, number > 1 ? number : 2);
        if (name.p != key.p)
            c->modules[i] = renamed(a, c->modules[i], name);
    }
}

/* Texts are copied: the emitter's buffers serve for the next kernel. A kernel with errors is listed
 * with its error and without texts.
 *
 *     {"scale", line 3, cpu "...", cuda "...", error NULL}
 *     {"bad", line 9, cpu NULL, cuda NULL, error {"undefined-name", ...}} */
void api_add_kernel(weft_context *c, const compiled_kernel *k, bool texts)
{
    WEFT_ASSERT(!(k->ir && k->error));
    WEFT_ASSERT(c->kernels && c->modules);
    weft_kernel out = {.name = keep(c, k->kernel->key), .line = k->kernel->code.first_line};
    if (texts) {
        out.cpu = keep(c, k->text[EMIT_CPU].all);
        out.cuda = keep(c, k->text[EMIT_CUDA].all);
        out.cpu_size = k->text[EMIT_CPU].all.n;
        out.cuda_size = k->text[EMIT_CUDA].all.n;
    }
    if (k->error) {
        weft_diagnostic *d = arena_alloc(&c->p.c.module, sizeof *d);
        *d = api_diagnostic(c, k->error);
        out.error = d;
    }
    c->kernels[c->nkernels++] = out;
    if (k->ir)
        add_module(c, k->ir);
}

/* Lowers and emits every kernel, with its texts for the context's devices. A kernel with errors
 * stays in the list, in its place. */
static void compile_kernels(weft_context *c, const program *prog)
{
    uint32_t n;
    const kernel *const *kernels = program_kernels(prog, &n);
    api_name_kernels(c, kernels, n);
    api_list_kernels(c, n);
    for (uint32_t i = 0; i < n; i++) {
        compiled_kernel k = pipeline_lower(&c->p, prog, kernels[i]);
        if (k.ir)
            pipeline_emit(&c->p, &k);
        api_add_kernel(c, &k, true);
    }
    api_close_kernels(c);
    program_warn_unseen(prog);
}

/* Files of unknown endings are Python. */
static bool is_no_python(const char *path)
{
    static const char *const endings[] = {
        "c",    "cc",  "cpp", "cxx", "cu",  "cuh", "h",    "hh",  "hpp",  "hxx",   "inl",   "ptx",
        "md",   "rst", "txt", "csv", "tsv", "log", "html", "xml", "json", "jsonl", "yaml",  "yml",
        "toml", "ini", "cfg", "npy", "npz", "zst", "gz",   "zip", "tar",  "whl",   "ipynb", "pyc",
        "so",   "o",   "a",   "pdf", "png", "svg", "sh",   "js",  "ts",   "rs",    "go",    "java"};
    struct stat st;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || io_stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

bool api_is_python(weft_context *c, const char *path)
{
    return !is_no_python(path) || diag_error(&c->p.c, (span){0}, DIAG_NOT_PYTHON, path);
}

/* Diagnostics of later calls point to paths and text, so both are copied into the module arena. */
const program *api_load(weft_context *c, const char *path, const char *name, str text)
{
    WEFT_ASSERT(path || (name && text.p));
    arena *a = &c->p.c.module;
    if (path && !api_is_python(c, path))
        return NULL;
    if (path)
        return pipeline_load(&c->p, arena_dup(a, path, strlen(path)));
    const str copy = {arena_dup(a, text.p, text.n), text.n};
    return pipeline_load_text(&c->p, arena_dup(a, name, strlen(name)), copy);
}

/* Diagnostics point to the source, which lives as long as they do. */
static const program *load_bytes(weft_context *c, const char *name, str bytes)
{
    arena *a = &c->p.c.module;
    source *src = ARENA_NEW(a, source);
    *src = (source){.path = arena_dup(a, name, strlen(name)), .text = bytes};
    return source_prepare(&c->p.c, src) ? api_load(c, NULL, name, src->text) : NULL;
}

/* Loading errors leave no program; the diagnostics say why. */
static void compile(void *arg)
{
    compile_request *r = arg;
    weft_context *c = r->c;
    const program *prog =
        r->encoded ? load_bytes(c, r->name, r->text) : api_load(c, r->path, r->name, r->text);
    if (prog)
        compile_kernels(c, prog);
    r->status = api_take_errors(c);
}

/* A call gives its whole result or none. The stop is tested before fn, since small work takes no
 * memory of the heap and so never tests it itself. It is tested after fn, since a wait for a pipe
 * that the stop ended looks like a file that cannot be read. Work that succeeded although the flag
 * was set meanwhile keeps its result.
 *
 *     fn returned, no stop, or a stop after success    *status
 *     fn returned with an error, and a stop            WEFT_STOPPED
 *     no memory                                        WEFT_NO_MEMORY
 *     the stop was set before, or ended fn              WEFT_STOPPED */
weft_status api_try(weft_context *c, void (*fn)(void *), void *arg, const weft_status *status)
{
    WEFT_ASSERT(fn && status);
    mem *m = &c->p.c.mem;
    api_forget(c);
    const bool enough = !mem_stopped(m) && mem_try(m, fn, arg);
    const bool stopped = mem_stopped(m) && !(enough && !*status);
    if (enough && !stopped)
        return *status;
    api_forget(c);
    return stopped ? WEFT_STOPPED : WEFT_NO_MEMORY;
}

/* Both calls of compiling. */
static weft_status run(compile_request *r)
{
    return api_try(r->c, compile, r, &r->status);
}

/* The result is in the context: kernels, diagnostics, inputs. */
weft_status weft_compile_file(weft_context *c, const char *path)
{
    if (!c || !path)
        return WEFT_BAD_ARGUMENT;
    compile_request r = {.c = c, .path = path};
    return run(&r);
}

/* Compiles text that has no file, by the name that diagnostics show. */
weft_status weft_compile_text(weft_context *c, const char *name, const char *text, size_t size)
{
    if (!c || !name || (!text && size))
        return WEFT_BAD_ARGUMENT;
    compile_request r = {.c = c, .name = name, .text = {text ? text : "", size}};
    return run(&r);
}

weft_status weft_compile_bytes(weft_context *c, const char *name, const char *bytes, size_t size)
{
    if (!c || !name || (!bytes && size))
        return WEFT_BAD_ARGUMENT;
    compile_request r = {.c = c, .name = name, .text = {bytes ? bytes : "", size}, .encoded = true};
    return run(&r);
}

size_t weft_kernel_count(const weft_context *c)
{
    return c ? c->nkernels : 0;
}

/* Valid until the next call on the context. */
const weft_kernel *weft_kernel_at(const weft_context *c, size_t index)
{
    return c && index < c->nkernels ? &c->kernels[index] : NULL;
}

const char *weft_kernel_name(const weft_context *c, size_t index)
{
    return c && index < c->nnames ? c->names[index] : NULL;
}

/* Inputs are the files that the last call read, the program and what it imports: a build system's
 * dependencies, and the paths that no output may replace. */
size_t weft_input_count(const weft_context *c)
{
    return c ? c->inputs.paths.n : 0;
}

const char *weft_input_at(const weft_context *c, size_t index)
{
    return c && index < c->inputs.paths.n ? c->inputs.paths.v[index] : NULL;
}

/* For mem_try: one call of weft_module_text. */
typedef struct module_request {
    weft_context *c;
    emit_device device;
    str text;
} module_request;

/* All kernels without errors as one module, as Warp compiles a Python module. */
static void emit_module(void *arg)
{
    module_request *r = arg;
    r->text = pipeline_emit_module(&r->c->p, r->c->modules, (uint32_t)r->c->nmodules, r->device);
}

/* After weft_compile_file or weft_compile_text. It does not empty the context, so it runs under
 * mem_try and not api_try. */
weft_status weft_module_text(weft_context *c, unsigned device, const char **text, size_t *size)
{
    if (!c || !text || !size || (device != WEFT_CPU && device != WEFT_CUDA))
        return WEFT_BAD_ARGUMENT;
    module_request r = {.c = c, .device = device == WEFT_CPU ? EMIT_CPU : EMIT_CUDA};
    if (!mem_try(&c->p.c.mem, emit_module, &r))
        return mem_stopped(&c->p.c.mem) ? WEFT_STOPPED : WEFT_NO_MEMORY;
    *text = r.text.p;
    *size = r.text.n;
    return WEFT_OK;
}
