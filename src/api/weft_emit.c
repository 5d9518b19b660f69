/* SPDX-License-Identifier: Apache-2.0 */
/* What `weft compile` writes of a program, for any caller: weft_emit_file and weft_emit_text, one
 * function for each form of base/emit_form.def.
 *
 *     WEFT_EMIT_JSON   {"file": "m.py", "kernel": "k", "line": 2, "cpu": "...", "cuda": "...", ...}
 *
 * A kernel is lowered and its text handed out before the next one, so that errors come in the order
 * of the source, and the texts of one kernel are held at a time. */

#include "api/api.h"
#include "base/c_locale.h"
#include "base/diag_text.h"
#include "base/file.h"
#include "base/json.h"
#include "record/record_program.h"
#include "standalone/standalone.h"
#include "syntax/parser.h"
#include "syntax/source_text.h"

_Static_assert((int)WEFT_ELEMENTS_MAX == (int)STANDALONE_ELEMENTS_MAX, "one limit of elements");

/* Trees of large files are many times their text: they are handed out in pieces of this size. */
enum { PIECE = 1 << 16 };

/* One call of weft_emit_file or weft_emit_text. */
typedef struct emit_request {
    weft_context *c;
    const char *path; /* of a file or "-"; NULL: text of this name */
    const char *name;
    str text;
    weft_emit_options o;
    const program *prog;
    strbuf out; /* what was not handed out yet; freed by the one who starts the request */
    bool ended; /* the caller's function returned other than 0 */
    api_kernel_fn *checked; /* or NULL */
    void *arg;              /* its own */
    weft_status status;
} emit_request;

/* `message` lives as long as the program: it is a literal. */
static weft_status refuse(weft_context *c, const char *message)
{
    c->message = message;
    return WEFT_BAD_ARGUMENT;
}

/* Passes what has gathered to the caller's `write`. Its time counts as that of writing (--timings).
 * Without `write`, and after the caller has ended the call, the text is dropped. */
static void hand_out(emit_request *r)
{
    const work_stage before = stage_switch(r->c->p.c.clock, STAGE_WRITE);
    if (r->out.n && r->o.write && !r->ended)
        r->ended = r->o.write(r->o.arg, r->out.p, r->out.n) != 0;
    r->out.n = 0;
    stage_switch(r->c->p.c.clock, before);
}

/* --- the forms ------------------------------------------------------------------------------- */

/* All kernels without errors as one text. */
static void put_module(emit_request *r, emit_device device)
{
    const weft_context *c = r->c;
    WEFT_ASSERT(device < EMIT_DEVICES && c->nmodules <= c->nkernels);
    sb_str(&r->out, pipeline_emit_module(&r->c->p, c->modules, (uint32_t)c->nmodules, device));
}

/* The form cpp, at the end of the program. */
static void put_cpp(emit_request *r)
{
    put_module(r, EMIT_CPU);
}

/* The form cu, likewise. */
static void put_cu(emit_request *r)
{
    put_module(r, EMIT_CUDA);
}

/* null: the context does not make text for that device, or the kernel has errors. */
static void put_text_or_null(strbuf *out, const compiled_kernel *k, emit_device device)
{
    if (k->text[device].all.p)
        json_string(out, k->text[device].all);
    else
        SB_LIT(out, "null");
}

/* The entry points on one device: [{"name": ..., "parameters": [...], "smem_bytes": 0}, ...] */
static void put_device_entry_points(emit_request *r, const compiled_kernel *k, emit_device device)
{
    strbuf *out = &r->out;
    emit_entry_point list[2];
    const uint32_t n = emit_list_entry_points(r->c->p.emitter, k->ir, device, list);
    for (uint32_t i = 0; i < n; i++) {
        sb_c(out, i ? ", {" : "[{");
        json_key(out, "name", true);
        json_string(out, list[i].name);
        SB_LIT(out, ", \"parameters\": [");
        for (uint32_t j = 0; j < list[i].nparameters; j++) {
            sb_c(out, j ? ", {" : "{");
            json_key(out, "type", true);
            json_string(out, list[i].parameters[j].type);
            json_key(out, "name", false);
            json_string(out, list[i].parameters[j].name);
            sb_char(out, '}');
        }
        SB_LIT(out, "]");
        json_key(out, "smem_bytes", false);
        sb_uint(out, list[i].shared_bytes);
        sb_char(out, '}');
    }
    sb_char(out, ']');
}

/* {"block_dim": 256, "cpu": [...], "cuda": [...]}; null after errors. */
static void put_entry_points(emit_request *r, const compiled_kernel *k)
{
    static const char *const keys[] = {[EMIT_CPU] = "cpu", [EMIT_CUDA] = "cuda"};
    strbuf *out = &r->out;
    if (!k->ir) {
        SB_LIT(out, "null");
        return;
    }
    sb_char(out, '{');
    json_key(out, "block_dim", true);
    sb_int(out, k->ir->options.block_dim);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        json_key(out, keys[d], false);
        if (k->text[d].all.p)
            put_device_entry_points(r, k, (emit_device)d);
        else
            SB_LIT(out, "null");
    }
    sb_char(out, '}');
}

/* One object on a line of its own. A kernel with errors has no texts. */
static void put_json(emit_request *r, compiled_kernel *k)
{
    strbuf *out = &r->out;
    if (k->ir)
        pipeline_emit(&r->c->p, k);
    const work_stage before = stage_switch(r->c->p.c.clock, STAGE_WRITE);
    sb_char(out, '{');
    json_key(out, "file", true);
    json_string(out, str_c(r->path ? r->path : r->name));
    json_key(out, "kernel", false);
    json_string(out, k->kernel->key);
    json_key(out, "line", false);
    sb_uint(out, k->kernel->code.first_line);
    json_key(out, "cpu", false);
    put_text_or_null(out, k, EMIT_CPU);
    json_key(out, "cuda", false);
    put_text_or_null(out, k, EMIT_CUDA);
    json_key(out, "entry_points", false);
    put_entry_points(r, k);
    json_key(out, "error", false);
    if (k->error)
        diag_put_json(out, k->error,
                      api_diagnostic(r->c, k->error).warning ? DIAG_IS_WARNING : DIAG_IS_ERROR);
    else
        SB_LIT(out, "null");
    SB_LIT(out, "}\n");
    stage_switch(r->c->p.c.clock, before);
}

/* The stages of a dump are chosen by letters; "w" is Warp's form, as lowered. */
static void put_ir(emit_request *r, compiled_kernel *k)
{
    if (k->ir)
        pipeline_dump(&r->c->p, r->prog, k, r->o.stages ? r->o.stages : "w", &r->out);
}

/* --- programs of their own ------------------------------------------------------------------- */

/* A Makefile has targets of its own, which no program may be called; a kernel may have no name.
 *
 *     key "scale"   ->   "scale"       key "run"   ->   "run_"       key ""   ->   "kernel" */
static str file_name(arena *a, str key)
{
    static const char *const targets[] = {"all", "cpu", "run", "clean", "Makefile"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (str_eq(key, str_c(targets[i])))
            return str_c(arena_printf(a, "%s_", targets[i]));
    return key.n ? str_c(arena_dup(a, key.p, key.n)) : STR("kernel");
}

/* Hands out NAME.py, NAME.cu, the Makefile and the metadata. Their texts are zero-terminated: the
 * source as files are read, the others as strbufs and copies are. */
static void hand_out_program(emit_request *r, const kernel *k, str name,
                             const standalone_program *p)
{
    WEFT_ASSERT(r->o.program);
    arena *a = &r->c->p.c.module;
    const str python = source_as_utf8_file(a, k->code.src);
    const record_program facts = {.name = name, .python = python, .p = p};
    strbuf b;
    sb_init(&b, a->m);
    record_program_put_compiled(&b, &facts, k);
    const weft_program out = {.name = name.p,
                              .python = arena_dup(a, python.p, python.n),
                              .python_size = python.n,
                              .cuda = arena_dup(a, p->cu.p, p->cu.n),
                              .cuda_size = p->cu.n,
                              .makefile = arena_dup(a, p->makefile.p, p->makefile.n),
                              .makefile_size = p->makefile.n,
                              .metadata = arena_dup(a, b.p, b.n),
                              .metadata_size = b.n};
    sb_clear(&b);
    WEFT_ASSERT(name.n && name.p[name.n] == 0 && !r->ended);
    const work_stage before = stage_switch(r->c->p.c.clock, STAGE_WRITE);
    r->ended = r->o.program(r->o.arg, &out) != 0;
    stage_switch(r->c->p.c.clock, before);
}

/* A kernel with errors has no program. Without `program` the text goes to `write`. */
static void put_program(emit_request *r, compiled_kernel *k)
{
    standalone_program made;
    str name = k->kernel->key;
    if (!k->ir)
        return;
    if (r->o.program) {
        name = file_name(&r->c->p.c.module, name);
        name = r->o.name ? str_c(r->o.name(r->o.arg, name.p)) : name;
    }
    if (!api_make_program(r->c, r->prog, k, name, r->o.elements, &made))
        return;
    if (r->o.program)
        hand_out_program(r, k->kernel, name, &made);
    else
        sb_str(&r->out, made.cu);
}

/* --- the table of forms ---------------------------------------------------------------------- */

/* A row of base/emit_form.def. A form is written kernel by kernel (json, ir, standalone), or at the
 * end from all kernels as one module (cpp, cu); NULL: nothing is written there. */
typedef struct emit_form {
    const char *name, *extension;
    void (*kernel)(emit_request *r, compiled_kernel *k);
    void (*end)(emit_request *r);
} emit_form;

#define EMIT_FORM(ID, name, extension, kernel, end) FORM_##ID,
enum {
#include "base/emit_form.def"
    FORMS
};
#undef EMIT_FORM

#define EMIT_FORM(ID, name, extension, kernel, end)                                                \
    _Static_assert((int)WEFT_EMIT_##ID == (int)FORM_##ID, "the order of base/emit_form.def");
#include "base/emit_form.def"
#undef EMIT_FORM

static const emit_form forms[FORMS] = {
#define EMIT_FORM(ID, name, extension, kernel, end) {name, extension, kernel, end},
#include "base/emit_form.def"
#undef EMIT_FORM
};

/* NULL: there is no such form. */
static const emit_form *form_at(int form)
{
    return form >= 0 && form < FORMS ? &forms[form] : NULL;
}

/* The word for --emit. */
const char *weft_emit_name(int form)
{
    const emit_form *f = form_at(form);
    return f ? f->name : NULL;
}

const char *weft_emit_extension(int form)
{
    const emit_form *f = form_at(form);
    return f ? f->extension : NULL;
}

/* -1, and NULL above, mean that there is no such form: callers may pass any text or number. */
int weft_emit_form(const char *name)
{
    for (int i = 0; name && i < FORMS; i++)
        if (strcmp(forms[i].name, name) == 0)
            return i;
    return -1;
}

/* The letter of a stage of --dump, and its name; 0: there are no more. */
char weft_emit_stage(size_t index, const char **name)
{
    const char *ours = NULL;
    const char letter = index < UINT32_MAX ? pipeline_stage((uint32_t)index, &ours) : 0;
    if (name)
        *name = letter ? ours : NULL;
    return letter;
}

/* --- one program ----------------------------------------------------------------------------- */

/* By its name, or by that of its Python function, which a key may differ from.
 *
 *     @wp.kernel(...) def scale(...)   wanted by "scale" and by its key where that is another
 *     found[i] is set for each name that some kernel has; the caller reports the others */
static bool is_wanted(const emit_request *r, uint32_t at)
{
    bool wanted = r->o.kernel_count == 0;
    for (size_t i = 0; i < r->o.kernel_count; i++) {
        const char *name = r->o.kernels[i];
        if (!program_kernel_is(r->prog, at, name))
            continue;
        wanted = true;
        if (r->o.found)
            r->o.found[i] = 1;
    }
    return wanted;
}

/* False: one program cannot hold all kernels that are wanted. Nothing is written then. */
static bool fits_in_one(emit_request *r, uint32_t n)
{
    uint32_t wanted = 0;
    if (r->o.form != WEFT_EMIT_STANDALONE || r->o.program)
        return true;
    for (uint32_t i = 0; i < n; i++)
        wanted += is_wanted(r, i);
    if (wanted > 1)
        r->status = refuse(r->c, "a program holds one kernel: name it");
    return wanted <= 1;
}

/* A program without kernels gives an empty module, one with errors only gives none.
 *
 *     no kernel, no error           an empty module is written
 *     kernels, all with errors      nothing is written: the diagnostics say why */
static bool has_module(const emit_request *r)
{
    return r->c->nmodules || (!r->c->p.c.diags.n && !r->o.kernel_count);
}

/* Kernels of one name that have texts of their own, by factories and wp.overload, get other names
 * in a module than with Warp (api_close_kernels), which is worth a warning.
 *
 *     two kernels k (lines 3 and 3), one saxpy   ->   a warning at line 3 */
static void warn_of_renamed(emit_request *r, const kernel *const *kernels, uint32_t n)
{
    arena *a = &r->c->p.c.module;
    str_map seen = {0}; /* by name: 1, or 2 after a warning */
    for (uint32_t i = 0; i < n; i++) {
        const kernel *k = kernels[i];
        if (!is_wanted(r, i) ||
            str_map_set(a, &seen, k->key, str_map_get(&seen, k->key) ? 2 : 1) != 1)
            continue;
        diag_error(&r->c->p.c, node_span(k->code.src, &k->code.def->base), DIAG_REPLACED_KERNEL,
                   (int)k->key.n, k->key.p);
    }
}

/* Kernels in the order of the source, each lowered when its turn comes. Errors of one kernel do not
 * end the call: they are among the context's diagnostics, and the other kernels are written. */
static void emit_kernels(emit_request *r)
{
    weft_context *c = r->c;
    WEFT_ASSERT(form_at(r->o.form) && r->prog);
    const emit_form *f = &forms[r->o.form];
    uint32_t n;
    const kernel *const *kernels = program_kernels(r->prog, &n);
    api_name_kernels(c, kernels, n);
    if (!fits_in_one(r, n))
        return;
    api_list_kernels(c, n);
    for (uint32_t i = 0; i < n && !r->ended && !mem_stopped(&c->p.c.mem); i++) {
        if (!is_wanted(r, i))
            continue;
        compiled_kernel k = r->o.form == WEFT_EMIT_NONE
                                ? pipeline_check(&c->p, r->prog, kernels[i])
                                : pipeline_lower(&c->p, r->prog, kernels[i]);
        api_add_kernel(c, &k, false);
        if (f->kernel)
            f->kernel(r, &k);
        r->ended |= r->checked && !r->checked(r->arg, i, &k);
        hand_out(r);
        if (!f->end) /* a kernel's texts may be megabytes, its intermediate form twice that */
            api_forget_modules(c);
    }
    api_close_kernels(c);
    if (f->end)
        warn_of_renamed(r, kernels, n);
    if (f->end && has_module(r))
        f->end(r);
    if (!r->o.kernel_count || !c->nkernels)
        program_warn_unseen(r->prog);
    hand_out(r);
}

/* --- loading --------------------------------------------------------------------------------- */

/* The text behind the request; false: it cannot be read, which is among the errors. */
static bool read_source(emit_request *r, source *src)
{
    ctx *c = &r->c->p.c;
    arena *a = &c->module;
    if (!r->path) {
        *src = (source){.path = arena_dup(a, r->name, strlen(r->name)),
                        .text = {arena_dup(a, r->text.p, r->text.n), r->text.n},
                        .decoded = true};
        return true;
    }
    const bool is_stdin = strcmp(r->path, "-") == 0;
    src->path = is_stdin ? "<stdin>" : arena_dup(a, r->path, strlen(r->path));
    if (!is_stdin)
        file_set_add(c->files, src->path);
    const int error = file_read(a, is_stdin ? "/dev/stdin" : src->path, &src->text);
    if (!error && is_stdin)
        return source_prepare(c, src);
    return !error || diag_error(c, (span){0}, DIAG_CANNOT_READ, src->path, error_text(error));
}

/* For ast_dump_module, which calls it as the text grows. */
static void hand_out_piece(void *arg, strbuf *out)
{
    emit_request *r = arg;
    if (out->n >= PIECE)
        hand_out(r);
}

/* The tree is printed even if the program has errors that only loading finds: it is not loaded. */
static void emit_ast(emit_request *r)
{
    source *src = ARENA_NEW(&r->c->p.c.module, source); /* diagnostics point to it */
    if (r->path && !api_is_python(r->c, r->path))
        return;
    const ast_Module *tree = read_source(r, src) ? parse_module(&r->c->p.c, src) : NULL;
    if (!tree)
        return;
    ast_dump_module(&r->out, tree, hand_out_piece, r);
    sb_char(&r->out, '\n');
    hand_out(r);
}

/* Standard input has no path that could be read again: it is loaded as text.
 *
 *     "k.py"   api_load, which notes the file as an input
 *     "-"      the text of standard input, by the name <stdin> */
static const program *load(emit_request *r)
{
    source src = {0};
    if (r->path && strcmp(r->path, "-") != 0)
        return api_load(r->c, r->path, NULL, (str){0});
    return read_source(r, &src) ? pipeline_load_text(&r->c->p, src.path, src.text) : NULL;
}

/* The status is the worst of what the form met and what the diagnostics say. */
static void emit(void *arg)
{
    emit_request *r = arg;
    r->c->names_kernels = r->o.kernel_count > 0;
    if (r->o.form == WEFT_EMIT_AST)
        emit_ast(r);
    else if ((r->prog = load(r)))
        emit_kernels(r);
    const weft_status status = api_take_errors(r->c);
    if (r->ended)
        r->status = WEFT_STOPPED;
    else if (r->status == WEFT_OK)
        r->status = status;
}

/* Within a call of api_try: the context is not emptied first. */
weft_status api_check_python(weft_context *c, const char *path, const str *text,
                             const weft_emit_options *options, api_kernel_fn *checked, void *arg)
{
    emit_request r = {.c = c,
                      .path = text ? NULL : path,
                      .name = path,
                      .o = *options,
                      .checked = checked,
                      .arg = arg};
    if (text)
        r.text = *text;
    WEFT_ASSERT(r.o.form == WEFT_EMIT_NONE);
    sb_init(&r.out, &c->p.c.mem); /* stays empty */
    emit(&r);
    return r.status;
}

/* --- the interface --------------------------------------------------------------------------- */

/* Every letter must be one of weft_emit_stage. */
static bool are_stages(const char *letters)
{
    for (const char *p = letters; p && *p; p++) {
        size_t i = 0;
        char letter;
        while ((letter = weft_emit_stage(i, NULL)) && letter != *p)
            i++;
        if (!letter)
            return false;
    }
    return true;
}

/* What is wrong with the options, as the context's message; NULL: nothing. */
static const char *wrong_option(const weft_emit_options *o)
{
    if (!form_at(o->form))
        return "there is no such form";
    if (o->form == WEFT_EMIT_PTX)
        return "PTX is made of CUDA text: see weft_ptx_text";
    if (o->kernel_count && !o->kernels)
        return "names of kernels are missing";
    if (!are_stages(o->stages))
        return "there is no stage of such a letter";
    return o->elements > WEFT_ELEMENTS_MAX ? "elements are too many" : NULL;
}

/* Programs need CUDA text, even of a context for the CPU. */
static weft_status run(emit_request *r, const weft_emit_options *options)
{
    weft_context *c = r->c;
    if (!api_take_options(&r->o, sizeof r->o, options))
        return WEFT_BAD_ARGUMENT;
    const char *wrong = wrong_option(&r->o);
    if (wrong)
        return refuse(c, wrong);
    sb_init(&r->out, &c->p.c.mem);
    if (r->o.form == WEFT_EMIT_STANDALONE)
        c->p.options.devices |= EMIT_FOR_CUDA;
    const weft_status status = api_try(c, emit, r, &r->status);
    c->p.options.devices = c->devices;
    sb_clear(&r->out);
    return status;
}

/* "-" is standard input. */
weft_status weft_emit_file(weft_context *c, const char *path, const weft_emit_options *options)
{
    emit_request r = {.c = c, .path = path};
    return c && path ? run(&r, options) : WEFT_BAD_ARGUMENT;
}

weft_status weft_emit_text(weft_context *c, const char *name, const char *text, size_t size,
                           const weft_emit_options *options)
{
    emit_request r = {.c = c, .name = name, .text = {text ? text : "", size}};
    return c && name && (text || !size) ? run(&r, options) : WEFT_BAD_ARGUMENT;
}
