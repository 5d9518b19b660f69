/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a record's source and its texts, for validate_work.c: does the source compile, is it what
 * the metadata says, is it what weft generates for the record's seed and index, and are the texts
 * what weft emits for it?
 *
 *     line 9: name 'retrun' is not defined
 *     ->  "the source does not compile: line 9: name 'retrun' is not defined"
 *     var_1 where weft emits var_0
 *     ->  "cuda_ir_forward differs from what weft emits in line 48: 'var_1 = builtin_tid1d();', not
 *         'var_0 = builtin_tid1d();'" */
#include "cuda/cuda.h"
#include "profile/profile.h"
#include "record/found_facts.h"
#include "record/source_counts.h"
#include "textvm/textvm.h"
#include "validate/validate_record.h"

enum {
    MEMORY_LIMIT = 512 << 20, /* of compiling one source, in bytes */
    SOURCE_MAX = 1 << 20      /* bytes */
};

/* What is allocated in the pipeline's memory, inside mem_try. */
static void init_rest(void *arg)
{
    record_validator *rv = arg;
    rv->g = gen_new(&rv->p.c.mem);
    rv->structurer = structurer_new(&rv->p.c);
    sb_init(&rv->text, &rv->p.c.mem);
    sb_init(&rv->source, &rv->p.c.mem);
    sb_init(&rv->filled, &rv->p.c.mem);
}

bool record_validator_init(record_validator *rv, warp_release warp, const char *const *dirs,
                           size_t ndirs)
{
    const pipeline_options options = {
        .program = {.dirs = dirs, .ndirs = ndirs}, .memory_limit = MEMORY_LIMIT, .warp = warp};
    *rv = (record_validator){0};
    return pipeline_init(&rv->p, &options) && mem_try(&rv->p.c.mem, init_rest, rv);
}

void record_validator_clear(record_validator *rv)
{
    if (rv->has_repairer)
        repairer_clear(&rv->repairer);
    rv->has_repairer = false;
    scripter_free(rv->scripter);
    library_free(rv->library);
    pipeline_clear(&rv->p);
}

/* "the source does not compile: line 3: ...", by the diagnostic given or else the first. */
static bool say_first(const ctx *c, const diag *d, strbuf *why)
{
    d = d ? d : c->diags.n ? &c->diags.v[0] : NULL;
    SB_LIT(why, "the source does not compile");
    if (!d)
        return false;
    SB_LIT(why, ": line ");
    sb_uint(why, d->at.line);
    SB_LIT(why, ": ");
    sb_c(why, d->text);
    return false;
}

/* At most 80 bytes: the text comes from the record, and may be anything. */
static void put_quoted(strbuf *b, str s)
{
    SB_LIT(b, "'");
    sb_put(b, s.p, s.n < 80 ? s.n : 80);
    SB_LIT(b, "'");
}

/* "WHAT is 'IS', the source's is 'SHOULD'" */
static bool differs(strbuf *why, const char *what, str is, str should)
{
    sb_c(why, what);
    SB_LIT(why, " is ");
    put_quoted(why, is);
    SB_LIT(why, ", the source's is ");
    put_quoted(why, should);
    return false;
}

/* The source, lowered and emitted as the record's own texts were; false with the reason. Sources
 * above 1 MiB are refused unread: the generator writes none of that size. */
bool validate_compile(record_validator *rv, const record_view *r, strbuf *why)
{
    pipeline *p = &rv->p;
    uint32_t n = 0;
    pipeline_reset(p);
    rv->compiled = (compiled_kernel){0};
    p->options.devices = r->devices;
    p->options.no_backward = !r->backward;
    if (r->source.n > SOURCE_MAX) {
        SB_LIT(why, "the source is longer than 1 MiB");
        return false;
    }
    rv->text.n = 0;
    if (r->is_script) {
        SB_LIT(&rv->text, SCRIPT_FILE);
    } else {
        sb_str(&rv->text, r->kernel);
        SB_LIT(&rv->text, ".py");
    }
    const char *name = arena_dup(&p->c.module, rv->text.p, rv->text.n);
    const program *prog = pipeline_load_text(p, name, r->source);
    if (!prog)
        return say_first(&p->c, NULL, why);
    const kernel *const *kernels = program_kernels(prog, &n);
    if (n != (r->is_script ? r->nkernels : 1)) {
        SB_LIT(why, "the source holds ");
        sb_uint(why, n);
        sb_c(why,
             r->is_script ? " kernels, and metadata.kernels names others" : " kernels, not one");
        return false;
    }
    for (uint32_t i = 0; r->is_script && i < n; i++)
        if (!str_eq(r->kernels[i], sym_str(kernels[i]->code.name)))
            return differs(why, "a name in metadata.kernels", r->kernels[i],
                           sym_str(kernels[i]->code.name));
    structure_of_all(rv->structurer, program_tree(prog), &rv->structure, NULL, 0);
    rv->program = prog;
    rv->compiled = pipeline_lower(p, prog, kernels[n - 1]);
    if (!rv->compiled.ir)
        return say_first(&p->c, rv->compiled.error, why);
    pipeline_emit(p, &rv->compiled);
    return true;
}

/* As the generator writes it: "array(dtype=vec3f, ndim=2)". */
static void put_type(strbuf *b, const type *t)
{
    if (t->kind != TYPE_ARRAY) {
        sb_str(b, t->pyname);
        return;
    }
    SB_LIT(b, "array(dtype=");
    sb_str(b, t->elem->pyname);
    SB_LIT(b, ", ndim=");
    sb_int(b, t->ndim);
    SB_LIT(b, ")");
}

static bool differs_count(strbuf *why, const char *what, uint64_t is, uint64_t should)
{
    if (is == should)
        return true;
    SB_LIT(why, "metadata.counts.");
    sb_c(why, what);
    SB_LIT(why, " is ");
    sb_uint(why, is);
    SB_LIT(why, ", the source's is ");
    sb_uint(why, should);
    return false;
}

static bool check_block_dim(const record_validator *rv, const record_view *r, strbuf *why)
{
    const uint64_t should = check_tile_block(rv->compiled.ir);
    if (record_count(r, FIELD_BLOCK_DIM) == should)
        return true;
    SB_LIT(why, "metadata.block_dim is not ");
    sb_uint(why, should);
    return record_say(why, should ? ", which its tiles want" : ": the kernel has no tiles");
}

/* Name, arguments and counts, each against what compiling has found. */
static bool compare_signature(record_validator *rv, const record_view *r, strbuf *why)
{
    const code *k = &rv->compiled.kernel->code;
    if (!str_eq(r->kernel, rv->compiled.kernel->key))
        return differs(why, "kernel_name", r->kernel, rv->compiled.kernel->key);
    if (r->nargs != k->nparams) {
        SB_LIT(why, "metadata.arguments has ");
        sb_uint(why, r->nargs);
        SB_LIT(why, " arguments, the kernel has ");
        sb_uint(why, k->nparams);
        return false;
    }
    for (uint32_t i = 0; i < r->nargs; i++) {
        const param *p = &k->params[i];
        if (!str_eq(r->args[i].name, sym_str(p->name)))
            return differs(why, "an argument's name", r->args[i].name, sym_str(p->name));
        rv->text.n = 0;
        put_type(&rv->text, p->type);
        if (!str_eq(r->args[i].type, sb_view(&rv->text)))
            return differs(why, "an argument's type", r->args[i].type, sb_view(&rv->text));
    }
    if (!differs_count(why, "kernel_lines", record_count(r, FIELD_COUNT_KERNEL_LINES),
                       k->last_line - k->first_line + 1))
        return false;
    const source_counts counts = source_counts_of(k->def);
    return differs_count(why, "statements", record_count(r, FIELD_COUNT_STATEMENTS),
                         counts.statements) &&
           differs_count(why, "loop_depth", record_count(r, FIELD_COUNT_LOOP_DEPTH),
                         counts.loop_depth) &&
           differs_count(why, "branches", record_count(r, FIELD_COUNT_BRANCHES), counts.branches) &&
           differs_count(why, "variables", record_count(r, FIELD_COUNT_VARIABLES),
                         rv->compiled.ir->kernel->declared.n) &&
           check_block_dim(rv, r, why);
}

bool validate_make(record_validator *rv, const record_view *r)
{
    profile_wish wish;
    gen_request q = validate_request(rv->g, r);
    if (!r->is_composed)
        return gen_make(rv->g, &q, &rv->sample);
    if (!rv->library && !(rv->library = library_new()))
        mem_fail(&rv->p.c.mem);
    if (rv->library->message[0])
        return false;
    if (r->is_script)
        return validate_make_script(rv, r);
    q.target = 0;
    q.wish = &wish;
    if (!profile_read_wish(r->target, &wish))
        return false;
    if (!rv->composer)
        rv->composer = composer_new(&rv->p.c.mem, rv->library);
    return compose(rv->composer, &q, &rv->sample);
}

/* Is the sample that is made again the record's? */
static void generate(record_validator *rv, const record_view *r)
{
    rv->has_sample = false;
    rv->has_sample = validate_make(rv, r) && str_eq(rv->sample.source, r->source);
}

/* What is in the generator's sample and not in the source: target, launch, shapes, magnitudes. */
static bool check_sample(const gen_sample *s, const record_view *r, strbuf *why)
{
    if (!str_eq(s->target, r->target))
        return differs(why, "target", r->target, s->target);
    if (r->prompt.n && !str_eq(s->prompt, r->prompt))
        return differs(why, "prompt", r->prompt, s->prompt);
    if (r->is_composed && s->level != r->level) {
        SB_LIT(why, "metadata.difficulty is not that of the source");
        return false;
    }
    if (!str_eq(s->launch, r->launch))
        return differs(why, "launch", r->launch, s->launch);
    for (uint32_t i = 0; i < r->nargs; i++) {
        if (!str_eq(s->args[i].shape, r->args[i].shape))
            return differs(why, "an argument's shape", r->args[i].shape, s->args[i].shape);
        if (s->args[i].mag != r->args[i].mag) {
            SB_LIT(why, "an argument's magnitude is not what the source bears");
            return false;
        }
        if (!str_eq(s->args[i].values, r->args[i].values))
            return differs(why, "an argument's values", r->args[i].values, s->args[i].values);
    }
    bool same = s->nbuiltins == r->nbuiltins;
    for (uint32_t i = 0; i < r->nbuiltins && same; i++)
        same = str_eq(r->builtins[i], str_c(gen_builtin_name(s->builtins[i])));
    if (!same) {
        SB_LIT(why, "metadata.builtins are not those that the source uses");
        return false;
    }
    return true;
}

static bool check_fingerprint(const char *what, fingerprint is, fingerprint should, strbuf *why)
{
    char hex[2][FINGERPRINT_HEX];
    fingerprint_hex(is, hex[0]);
    fingerprint_hex(should, hex[1]);
    return fingerprint_eq(is, should) ||
           differs(why, what, (str){hex[0], FINGERPRINT_HEX}, (str){hex[1], FINGERPRINT_HEX});
}

/* Is a composed record's plain CUDA what weft makes of its source? */
static bool check_plain_cuda(record_validator *rv, const record_view *r, strbuf *why)
{
    if (!r->cuda_source)
        return true;
    if (r->is_script)
        return validate_script_cuda(rv, r, why);
    const str should = cuda_plain_source(&rv->p.c, rv->program, rv->compiled.kernel, NULL);
    return str_eq(r->cuda_source->text, should) ||
           validate_put_difference("cuda_source", r->cuda_source->text, should, NULL, why);
}

/* Signature, counts and fingerprints against the metadata; of a record that was generated, the
 * generator then makes the sample again, which must be the source to the byte. */
bool validate_source(record_validator *rv, const record_view *r, strbuf *why)
{
    WEFT_ASSERT(rv->compiled.ir);
    if (!compare_signature(rv, r, why) ||
        !check_fingerprint("structure", r->structure, rv->structure.structure, why) ||
        !check_fingerprint("family", r->family, rv->structure.family, why))
        return false;
    if (r->is_collected) /* no generator makes it */
        return validate_found(rv, r, why);
    generate(rv, r);
    if (r->is_composed && rv->has_sample)
        record_see_sample(&rv->sample, program_tree(rv->program), rv->compiled.kernel,
                          &rv->p.c.module);
    if (rv->has_sample)
        return check_sample(&rv->sample, r, why) && check_plain_cuda(rv, r, why);
    SB_LIT(why, "the source is not what weft generates for seed ");
    sb_uint(why, r->seed);
    SB_LIT(why, ", index ");
    sb_uint(why, r->index);
    SB_LIT(why, ", attempt ");
    sb_uint(why, r->attempt);
    SB_LIT(why, ", category ");
    sb_c(why, gen_category_name(r->category));
    SB_LIT(why, ", difficulty ");
    sb_uint(why, r->level);
    SB_LIT(why, " and ");
    sb_uint(why, record_count(r, FIELD_COUNT_KERNEL_LINES));
    SB_LIT(why, " lines");
    return false;
}

/* --- text ---------------------------------------------------------------------------------- */

/* The line around a place, or what is near it. */
static str line_at(str text, size_t at)
{
    enum { NEAR = 40 };
    WEFT_ASSERT(at <= text.n);
    size_t from = at, end = at;
    while (from && at - from < NEAR && text.p[from - 1] != '\n')
        from--;
    while (end < text.n && end - at < NEAR && text.p[end] != '\n')
        end++;
    while (from < end && text.p[from] == ' ')
        from++;
    return (str){text.p + from, end - from};
}

bool validate_put_difference(const char *key, str is, str should, uint64_t *place, strbuf *why)
{
    size_t at = 0, line = 1;
    for (; at < is.n && at < should.n && is.p[at] == should.p[at]; at++)
        line += is.p[at] == '\n';
    sb_c(why, key);
    SB_LIT(why, " differs from what weft emits");
    if (place) {
        *place = line;
    } else {
        SB_LIT(why, " in line ");
        sb_uint(why, line);
    }
    SB_LIT(why, ": ");
    put_quoted(why, line_at(is, at));
    SB_LIT(why, ", not ");
    put_quoted(why, line_at(should, at));
    return false;
}

static bool lacks(const char *key, str what, strbuf *why)
{
    sb_c(why, key);
    SB_LIT(why, " has no ");
    sb_str(why, what);
    return false;
}

/* Does the text have the kernel's entry, and for CUDA its parameters, index and guard? The
 * comparison after it finds all of this, too, but its reason would be two pieces of text. */
static bool check_entry(record_validator *rv, const record_view *r, emit_device d, bool backward,
                        strbuf *why)
{
    const char *key = record_text_key(d, backward);
    const str text = backward ? r->texts.backward[d] : r->texts.forward[d];
    strbuf *b = &rv->text;
    b->n = 0;
    sb_str(b, r->kernel);
    sb_c(b, d == EMIT_CUDA ? "_cuda_kernel_" : "_cpu_kernel_");
    sb_c(b, backward ? "backward(" : "forward(");
    if (!str_find(text, sb_view(b)))
        return lacks(key, (str){b->p, b->n - 1}, why);
    return d != EMIT_CUDA || validate_cuda(rv, r, backward, why);
}

/* Does textvm, the independent reader of texts, read it as this kernel, device and pass? */
static bool read_back(record_validator *rv, const record_view *r, emit_device d, bool backward,
                      strbuf *why)
{
    const str text = backward ? r->texts.backward[d] : r->texts.forward[d];
    ctx *c = &rv->p.c;
    textvm_error error = {0};
    const textvm *vm = textvm_read(c, &c->module, text, &error);
    if (vm && str_eq(textvm_kernel_name(vm), r->kernel) && textvm_is_backward(vm) == backward &&
        textvm_is_cuda(vm) == (d == EMIT_CUDA))
        return true;
    sb_c(why, record_text_key(d, backward));
    SB_LIT(why, " does not read back");
    if (vm) {
        SB_LIT(why, " as the text of this kernel, device and pass");
        return false;
    }
    SB_LIT(why, ": line ");
    sb_uint(why, error.line);
    SB_LIT(why, ": ");
    sb_c(why, error.text);
    return false;
}

/* Where the texts are executed later on, that reads them, so it is not done here. */
static bool check_text(record_validator *rv, const record_view *r, emit_device d, bool backward,
                       strbuf *why)
{
    const str is = backward ? r->texts.backward[d] : r->texts.forward[d];
    if (!check_entry(rv, r, d, backward, why))
        return false;
    rv->text.n = 0;
    if (backward)
        emit_record_backward(&rv->text, &rv->compiled.text[d]);
    else
        emit_record_forward(&rv->text, &rv->compiled.text[d]);
    if (!str_eq(is, sb_view(&rv->text)))
        return validate_put_difference(record_text_key(d, backward), is, sb_view(&rv->text), NULL,
                                       why);
    /* of a kernel that was found, the machine may not know all that it calls */
    return rv->executes || (r->is_collected && record_is_not_run(r)) ||
           read_back(rv, r, d, backward, why);
}

/* The first text with a problem decides: of the others nothing is reported. */
bool validate_text(record_validator *rv, const record_view *r, strbuf *why)
{
    if (r->is_script)
        return validate_script_text(rv, r, why);
    for (int d = EMIT_DEVICES - 1; d >= 0; d--)
        if (r->devices & 1u << d &&
            (!check_text(rv, r, (emit_device)d, false, why) ||
             (r->backward && !check_text(rv, r, (emit_device)d, true, why))))
            return false;
    return true;
}
