/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the standalone CUDA of a record for the page, from its source:
 *
 *     {"python_source": "...", "cuda_ir_forward": "...", "metadata": {"launch": "n", ...}}
 *     ->  // saxpy, a kernel and a host that runs it. ...
 *
 * Launch and arguments are those of the metadata, so a record of weft gives the program that
 * `--format standalone` gives. Of a record without them the program finds sizes by itself, as
 * `weft compile --emit standalone` does. */
#include "report/report_program.h"

#include "record/record_read.h"
#include "standalone/standalone.h"

/* Of compiling one source, in bytes: it may be anyone's. */
enum { MEMORY_LIMIT = 512 << 20 };

static bool refuse(report_programs *r, const char *why)
{
    r->why.n = 0;
    sb_c(&r->why, why);
    return false;
}

/* The first diagnostic, or `otherwise`. */
static bool refuse_by(report_programs *r, const char *otherwise)
{
    const ctx *c = &r->p.c;
    return refuse(r, c->diags.n ? c->diags.v[0].text : otherwise);
}

/* Warp's backward text, if the record has one as well; it gives the expected gradients. */
static void put_backward(report_programs *r, const compiled_kernel *k)
{
    r->backward.n = 0;
    if ((json_text(json_get(r->json, "cuda_ir_backward")).n ||
         json_text(json_get(r->json, "cpp_backward")).n) &&
        k->ir->options.enable_backward)
        emit_record_backward(&r->backward, &k->text[EMIT_CUDA]);
}

/* Fills what the metadata promise; false: there is no promise that fits the kernel. */
static bool read_promise(report_programs *r, const kernel *k, record_view *view, check_arg *args,
                         standalone_subject *s)
{
    bundle_place place = {0};
    strbuf ignored;
    sb_init(&ignored, &r->p.c.mem);
    const bool good = record_read(r->json, view, &place, &ignored);
    sb_clear(&ignored);
    if (!good || view->nargs != k->code.nparams)
        return false;
    for (uint32_t i = 0; i < view->nargs; i++)
        args[i] = (check_arg){view->args[i].shape, view->args[i].mag, view->args[i].values};
    const str class = record_class(view);
    s->launch = view->launch;
    s->args = args;
    s->differs = class.n ? class.p : NULL;
    return true;
}

/* "saxpy.py", as in the head of a program of `--format standalone`. */
static str file_of(arena *a, str name)
{
    char *file = arena_alloc(a, name.n + sizeof ".py");
    memcpy(file, name.p, name.n);
    memcpy(file + name.n, ".py", sizeof ".py");
    return str_c(file);
}

static bool make(report_programs *r, const program *prog, const kernel *k)
{
    pipeline *p = &r->p;
    record_view view;
    check_arg args[SAMPLE_ARGS_MAX];
    strbuf forward;
    standalone_program made;
    compiled_kernel compiled = pipeline_lower(p, prog, k);
    if (!compiled.ir)
        return refuse_by(r, "it does not compile");
    pipeline_emit(p, &compiled);
    put_backward(r, &compiled);
    standalone_subject s = {.program = prog,
                            .kernel = k,
                            .ir = compiled.ir,
                            .backward = sb_view(&r->backward),
                            .file = file_of(&p->c.module, k->key),
                            .name = k->key};
    sb_init(&forward, &p->c.mem);
    if (!read_promise(r, k, &view, args, &s)) {
        emit_whole_forward(&forward, &compiled.text[EMIT_CUDA]);
        s.forward = s.mutated = sb_view(&forward);
    }
    const bool good = standalone_make(&p->c, &s, &made);
    sb_clear(&forward);
    if (!good)
        return refuse_by(r, "it cannot be run");
    r->out->cu = made.cu;
    r->out->expected = made.expected;
    return true;
}

/* The only kernel of a source; NULL, with the reason. */
static const kernel *only_kernel(report_programs *r, const program *prog)
{
    uint32_t n;
    const kernel *const *kernels = program_kernels(prog, &n);
    if (n == 1)
        return kernels[0];
    (void)refuse_by(r, n ? "the source has several kernels" : "the source has no kernel");
    return NULL;
}

static void run(void *arg)
{
    report_programs *r = arg;
    bool made = false;
    pipeline_reset(&r->p);
    const str text = json_text(json_get(r->json, "python_source"));
    const program *prog = pipeline_load_text(&r->p, "source.py", text);
    if (prog) {
        const kernel *k = only_kernel(r, prog);
        made = k && make(r, prog, k);
    } else {
        (void)refuse_by(r, "it does not parse");
    }
    if (!made)
        *r->out = (report_program){.why = sb_view(&r->why)};
}

static void init_rest(void *arg)
{
    report_programs *r = arg;
    sb_init(&r->backward, &r->p.c.mem);
    sb_init(&r->why, &r->p.c.mem);
}

void report_programs_clear(report_programs *r)
{
    if (r->ready)
        pipeline_clear(&r->p);
    r->ready = false;
}

/* The release of Warp that the record states; the default's if it states none that weft knows. */
static warp_release release_of(const json_value *json)
{
    const json_value *metadata = json_get(json, "metadata");
    const str version = json_text(metadata ? json_get(metadata, "warp_version") : NULL);
    const warp_release r = warp_release_of_version(version.p, version.n);
    return r == WARP_ANY ? WARP_DEFAULT : r;
}

bool report_program_make(report_programs *r, const json_value *json, report_program *out)
{
    const pipeline_options options = {
        .devices = EMIT_FOR_CUDA, .memory_limit = MEMORY_LIMIT, .warp = release_of(json)};
    /* A pipeline compiles for one release. */
    if (r->ready && r->p.c.warp != options.warp)
        report_programs_clear(r);
    if (!r->ready) {
        r->ready = pipeline_init(&r->p, &options) && mem_try(&r->p.c.mem, init_rest, r);
        if (!r->ready) {
            pipeline_clear(&r->p);
            return false;
        }
    }
    *out = (report_program){0};
    r->json = json;
    r->out = out;
    if (mem_try(&r->p.c.mem, run, r))
        return true;
    /* What an interrupted compilation leaves is of no use: the next record begins anew. */
    const bool over_limit = r->p.c.mem.over_limit;
    report_programs_clear(r);
    *out = (report_program){.why = STR("it takes more than 512 MB to compile")};
    return over_limit;
}
