/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a record: the table of fields says which keys come in which order; the functions here
 * write their values.
 *
 *     COUNT_LINES, ten lines   ->   {..., "metadata": {..., "counts": {"source_lines": 10, ...}}}
 *
 * Every row of a data set has the same keys, numbers are finite, ids and hashes are strings: so
 * that any loader finds one schema. */
#include "record/record_write.h"

#include "base/assert.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/version.h"
#include "record/grade.h"
#include "record/record_field.h"
#include "record/record_name.h"
#include "record/record_program.h"

/* What one record is written from. */
typedef struct writer {
    strbuf *b;
    const record_options *o;
    uint64_t index;
    const gen_sample *s;
    const record_texts *t;  /* NULL: the record is a program */
    record_program program; /* valid if it is one */
    const record_counts *counts;
    unsigned traits; /* which fields the record has */
    uint64_t tokens; /* of the messages that were put */
    /* SHA-256 of the texts, valid for the devices of the run. */
    uint8_t forward[EMIT_DEVICES][SHA256_SIZE], backward[EMIT_DEVICES][SHA256_SIZE];
} writer;

/* A string that needs no escapes: names, types, ids, words of the tables. */
static void put_plain(strbuf *b, str s)
{
    sb_char(b, '"');
    sb_str(b, s);
    sb_char(b, '"');
}

static void put_word(strbuf *b, const char *s)
{
    put_plain(b, str_c(s));
}

static void put_digest(strbuf *b, const uint8_t digest[SHA256_SIZE])
{
    char hex[SHA256_HEX];
    sha256_hex(digest, hex);
    put_plain(b, (str){hex, SHA256_HEX});
}

static void put_fingerprint(strbuf *b, fingerprint f)
{
    char hex[FINGERPRINT_HEX];
    fingerprint_hex(f, hex);
    put_plain(b, (str){hex, FINGERPRINT_HEX});
}

/* A number, or null where nothing was measured. */
static void put_measure(strbuf *b, bool measured, double x)
{
    if (measured)
        sb_float(b, x);
    else
        SB_LIT(b, "null");
}

/* --- lists --------------------------------------------------------------------------------- */

/* The value of one field of an argument. */
static void put_argument(strbuf *b, const gen_arg *a, record_field f)
{
    switch (f) {
    case FIELD_ARGUMENT_NAME: put_plain(b, a->name); break;
    case FIELD_ARGUMENT_TYPE: put_plain(b, a->type); break;
    case FIELD_ARGUMENT_SHAPE: put_plain(b, a->shape); break;
    case FIELD_ARGUMENT_VALUES: put_plain(b, a->values); break;
    default: sb_int(b, a->mag); break;
    }
}

static void put_arguments(writer *w)
{
    strbuf *b = w->b;
    WEFT_ASSERT(w->s->nargs <= SAMPLE_ARGS_MAX);
    SB_LIT(b, "[");
    for (uint32_t i = 0; i < w->s->nargs; i++) {
        bool first = true;
        sb_c(b, i ? ", {" : "{");
        for (record_field f = FIELD_TOP;
             (f = record_field_child(FIELD_ARGUMENTS, f)) != FIELD_TOP;) {
            if (!record_field_is_there(f, w->traits))
                continue;
            record_field_put_key(b, f, first);
            put_argument(b, &w->s->args[i], f);
            first = false;
        }
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
}

/* In the order of the generator's table, each once: read_builtins in record_read.c expects that. */
static void put_builtins(writer *w)
{
    SB_LIT(w->b, "[");
    for (uint32_t i = 0; i < w->s->nbuiltins; i++) {
        sb_c(w->b, i ? ", " : "");
        put_word(w->b, gen_builtin_name(w->s->builtins[i]));
    }
    SB_LIT(w->b, "]");
}

/* In the order of their launches. */
static void put_kernels(writer *w)
{
    SB_LIT(w->b, "[");
    for (uint32_t i = 0; i < w->counts->nkernels; i++) {
        sb_c(w->b, i ? ", " : "");
        put_plain(w->b, w->counts->kernels[i]);
    }
    SB_LIT(w->b, "]");
}

/* --- a conversation ------------------------------------------------------------------------ */

/* What a record has for tasks. */
static unsigned task_has(const record_options *o, const gen_sample *s, const record_texts *t,
                         bool collected, bool plain)
{
    static const char *const objects[] = {"mesh", "bvh", "grid", "volume"};
    static const char *const made[] = {"wp.rand",    "wp.noise", "wp.pnoise", "wp.curlnoise",
                                       "wp.poisson", "wp.tile",  "wp.sample_"};
    unsigned has = task_has_texts(o->devices, t->backward[EMIT_CPU].n || t->backward[EMIT_CUDA].n) |
                   (s->prompt.n ? TASK_PROMPT : 0u) | (plain ? TASK_PLAIN : 0u) |
                   (collected ? 0u : TASK_MADE) | TASK_NUMBERS | TASK_OWN_RANDOM |
                   (str_contains(s->source, STR("wp.tile")) ? 0u : TASK_THREADS);
    for (uint32_t i = 0; i < s->nargs; i++)
        for (size_t j = 0; j < sizeof objects / sizeof *objects; j++)
            if (str_contains(s->args[i].values, str_c(objects[j])))
                has &= ~(unsigned)TASK_NUMBERS;
    for (size_t j = 0; j < sizeof made / sizeof *made; j++)
        if (str_contains(s->source, str_c(made[j])))
            has &= ~(unsigned)TASK_OWN_RANDOM;
    return has;
}

/* The tasks take turns in every category: index / ncategories counts the samples of a category. A
 * record may lack what a task needs: then the next one that it has all for. */
static record_task task_at_turn(const record_options *o, uint64_t index, unsigned has)
{
    WEFT_ASSERT(o->ntasks && o->ncategories);
    const uint64_t turn = index / o->ncategories;
    for (uint32_t i = 0; i < o->ntasks; i++) {
        const record_task t = o->tasks[(turn + i) % o->ntasks];
        if (task_fits(t, has))
            return t;
    }
    return o->tasks[turn % o->ntasks];
}

static record_task task_of(const writer *w)
{
    const record_counts *c = w->counts;
    return task_at_turn(w->o, w->index,
                        task_has(w->o, w->s, w->t, c->origin != NULL, c->cuda_source.n > 0));
}

record_task record_repair_task(const record_options *o, uint64_t index)
{
    WEFT_ASSERT(o->job == RECORD_REPAIR);
    return o->style == RECORD_MESSAGES ? task_at_turn(o, index, 0) : TASK_REPAIR;
}

bool record_has_task(const record_options *o, const gen_sample *s, const record_texts *t,
                     bool collected)
{
    const unsigned has = task_has(o, s, t, collected, true);
    for (uint32_t i = 0; i < o->ntasks; i++)
        if (task_fits(o->tasks[i], has))
            return true;
    return false;
}

bool record_needs_plain(const record_options *o, uint64_t index, const gen_sample *s,
                        const record_texts *t, bool collected)
{
    if (o->style != RECORD_MESSAGES)
        return record_mix_has(&o->mix, RECORD_PURPOSE) && o->devices & EMIT_FOR_CUDA &&
               !record_format_of(o)->programs;
    return task_at(task_at_turn(o, index, task_has(o, s, t, collected, true)))->needs & TASK_PLAIN;
}

/* The words are drawn by seed and index, not by attempt: see messages.h. */
static void put_messages(writer *w)
{
    const record_defect *defect = w->counts->defect;
    const messages_subject subject = {.task = task_of(w),
                                      .defect = defect ? defect->kind : 0,
                                      .second = defect ? defect->second : 0,
                                      .broken = defect ? defect->broken : (str){0},
                                      .diagnostic = defect ? defect->diagnostic : (str){0},
                                      .source = w->s->source,
                                      .kernel = w->s->kernel,
                                      .prompt = w->s->prompt,
                                      .plain = w->counts->cuda_source,
                                      .texts = w->t,
                                      .devices = w->o->devices,
                                      .seed = w->o->seed,
                                      .index = w->index};
    w->tokens = messages_put(w->b, &subject);
}

/* --- for trainers and graders ---------------------------------------------------------------- */

static void put_problem_id(writer *w)
{
    char id[GRADE_ID];
    grade_problem_id(w->s->prompt, w->s->source, id);
    put_plain(w->b, (str){id, GRADE_ID});
}

/* The object as a text, of which each quote is escaped. */
static void put_info(writer *w)
{
    const record_counts *c = w->counts;
    const bool is_chat = w->traits & TRAIT_CHAT;
    const grade_subject subject = {.language = is_chat ? task_language(task_of(w), w->o->devices)
                                                       : "python",
                                   .kernel = w->s->kernel,
                                   .args = w->s->args,
                                   .nargs = w->s->nargs,
                                   .block_dim = c->block_dim,
                                   .tests = c->tests,
                                   .why = c->no_tests};
    strbuf text;
    sb_init(&text, w->b->m);
    grade_put_info(&text, &subject);
    json_string(w->b, sb_view(&text));
    sb_clear(&text);
}

static void put_tokens(writer *w, record_field f)
{
    const record_texts *t = w->t;
    str text = {0};
    switch (f) {
    case FIELD_TOKENS_MESSAGES: sb_uint(w->b, w->tokens); return;
    case FIELD_TOKENS_PROMPT: text = w->s->prompt; break;
    case FIELD_TOKENS_PYTHON_SOURCE: text = w->s->source; break;
    case FIELD_TOKENS_CUDA_SOURCE: text = w->counts->cuda_source; break;
    case FIELD_TOKENS_CUDA_IR_FORWARD: text = t->forward[EMIT_CUDA]; break;
    case FIELD_TOKENS_CUDA_IR_BACKWARD: text = t->backward[EMIT_CUDA]; break;
    case FIELD_TOKENS_CPP_FORWARD: text = t->forward[EMIT_CPU]; break;
    case FIELD_TOKENS_CPP_BACKWARD: text = t->backward[EMIT_CPU]; break;
    default: WEFT_ASSERT(false && "tokens of no text");
    }
    sb_uint(w->b, grade_tokens(text));
}

/* --- values of fields ---------------------------------------------------------------------- */

static void put_id(writer *w)
{
    SB_LIT(w->b, "\"");
    record_put_id(w->b, w->o->seed, w->index);
    SB_LIT(w->b, "\"");
}

/* "missing-cast", or "missing-cast, syntax". */
static void put_defect(strbuf *b, const record_defect *d)
{
    SB_LIT(b, "\"");
    sb_c(b, defect_name(d->kind));
    sb_c(b, d->two ? ", " : "");
    sb_c(b, d->two ? defect_name(d->second) : "");
    SB_LIT(b, "\"");
}

/* The record's own fields. */
static void put_top(writer *w, record_field f)
{
    strbuf *b = w->b;
    WEFT_ASSERT(w->counts->defect || !(record_fields[f].when & TRAIT_REPAIR));
    switch (f) {
    case FIELD_ID: put_id(w); break;
    case FIELD_MESSAGES: put_messages(w); break;
    case FIELD_TASK: put_word(b, task_at(task_of(w))->name); break;
    case FIELD_BROKEN_SOURCE: json_string(b, w->counts->defect->broken); break;
    case FIELD_DIAGNOSTIC: json_string(b, w->counts->defect->diagnostic); break;
    case FIELD_DEFECT: put_defect(b, w->counts->defect); break;
    case FIELD_PROMPT: json_string(b, w->s->prompt); break;
    case FIELD_PYTHON_SOURCE: json_string(b, w->s->source); break;
    case FIELD_CUDA_SOURCE: json_string(b, w->counts->cuda_source); break;
    case FIELD_CUDA_IR_FORWARD: json_string(b, w->t->forward[EMIT_CUDA]); break;
    case FIELD_CUDA_IR_BACKWARD: json_string(b, w->t->backward[EMIT_CUDA]); break;
    case FIELD_CPP_FORWARD: json_string(b, w->t->forward[EMIT_CPU]); break;
    case FIELD_CPP_BACKWARD: json_string(b, w->t->backward[EMIT_CPU]); break;
    case FIELD_TESTS: json_string(b, w->counts->tests); break;
    case FIELD_PROBLEM_ID: put_problem_id(w); break;
    case FIELD_TOP_DIFFICULTY: sb_uint(b, w->s->level); break;
    case FIELD_VERIFICATION_INFO: put_info(w); break;
    case FIELD_LICENSE: put_word(b, w->o->license ? w->o->license : RECORD_LICENSE); break;
    default: WEFT_ASSERT(false && "a field of a record without a value");
    }
}

static void put_metadata(writer *w, record_field f)
{
    strbuf *b = w->b;
    const gen_sample *s = w->s;
    switch (f) {
    case FIELD_SCHEMA: put_word(b, RECORD_SCHEMA); break;
    case FIELD_WEFT_VERSION: put_word(b, WEFT_VERSION); break;
    case FIELD_WARP_VERSION: put_word(b, warp_release_version(w->o->warp)); break;
    case FIELD_KERNEL_NAME: put_plain(b, s->kernel); break;
    case FIELD_KERNELS: put_kernels(w); break;
    case FIELD_CATEGORY: put_word(b, gen_category_name(s->category)); break;
    case FIELD_DIFFICULTY: sb_uint(b, s->level); break;
    case FIELD_DEVICE: put_word(b, record_device_name(w->o->devices)); break;
    case FIELD_ARTIFACT: put_word(b, record_artifact(w->o->devices)); break;
    case FIELD_SEED: sb_uint(b, w->o->seed); break;
    case FIELD_INDEX: sb_uint(b, w->index); break;
    case FIELD_ATTEMPT: sb_uint(b, w->counts->attempt); break;
    case FIELD_LAUNCH: put_plain(b, s->launch); break;
    case FIELD_BLOCK_DIM: sb_uint(b, w->counts->block_dim); break;
    case FIELD_TARGET: put_plain(b, s->target); break;
    case FIELD_STRUCTURE: put_fingerprint(b, w->counts->structure); break;
    case FIELD_FAMILY: put_fingerprint(b, w->counts->family); break;
    case FIELD_ARGUMENTS: put_arguments(w); break;
    case FIELD_ORIGIN:
        put_word(b, w->counts->origin ? RECORD_ORIGIN : record_kind_origin(w->counts->kind));
        break;
    case FIELD_BUILTINS: put_builtins(w); break;
    default: WEFT_ASSERT(false && "a field of metadata without a value");
    }
}

static void put_origin(writer *w, record_field f)
{
    const record_origin *o = w->counts->origin;
    switch (f) {
    case FIELD_ORIGIN_PACKAGE: json_string(w->b, o->package); break;
    case FIELD_ORIGIN_VERSION: json_string(w->b, o->version); break;
    case FIELD_ORIGIN_PATH: json_string(w->b, o->path); break;
    case FIELD_ORIGIN_LINE: sb_uint(w->b, o->line); break;
    case FIELD_ORIGIN_REPOSITORY: json_string(w->b, o->repository); break;
    case FIELD_ORIGIN_LICENSE: json_string(w->b, o->license); break;
    case FIELD_ORIGIN_INSTANCE: json_string(w->b, o->instance); break;
    case FIELD_ORIGIN_TYPES: put_plain(w->b, o->types_from); break;
    default: WEFT_ASSERT(false && "a field of provenance without a value");
    }
}

static void put_count(writer *w, record_field f)
{
    const gen_sample *s = w->s;
    switch (f) {
    case FIELD_COUNT_LINES: sb_uint(w->b, s->lines); break;
    case FIELD_COUNT_KERNEL_LINES: sb_uint(w->b, s->kernel_lines); break;
    case FIELD_COUNT_STATEMENTS: sb_uint(w->b, s->statements); break;
    case FIELD_COUNT_VARIABLES: sb_uint(w->b, w->counts->variables); break;
    case FIELD_COUNT_LOOP_DEPTH: sb_uint(w->b, s->loop_depth); break;
    case FIELD_COUNT_BRANCHES: sb_uint(w->b, s->branches); break;
    default: WEFT_ASSERT(false && "a count without a value");
    }
}

/* The forward and the backward text of a device are hashed side by side, which is faster than one
 * after the other (sha256_of_two). */
static void hash_texts(writer *w)
{
    uint8_t both[2][SHA256_SIZE];
    for (int d = 0; w->t && d < EMIT_DEVICES; d++) {
        if (!(w->o->devices & 1u << d))
            continue;
        sha256_of_two(w->t->forward[d], w->t->backward[d], both);
        memcpy(w->forward[d], both[0], SHA256_SIZE);
        memcpy(w->backward[d], both[1], SHA256_SIZE);
    }
}

static void put_inputs_hash(writer *w)
{
    check_arg args[SAMPLE_ARGS_MAX];
    uint8_t digest[SHA256_SIZE];
    for (uint32_t i = 0; i < w->s->nargs; i++)
        args[i] = (check_arg){w->s->args[i].shape, w->s->args[i].mag, w->s->args[i].values};
    record_hash_inputs(w->s->launch, args, w->s->nargs, digest);
    put_digest(w->b, digest);
}

static void put_hash(writer *w, record_field f)
{
    uint8_t digest[SHA256_SIZE];
    switch (f) {
    case FIELD_SHA256_INPUTS: put_inputs_hash(w); break;
    case FIELD_SHA256_PROVENANCE:
        found_hash_origin(w->counts->origin, digest);
        put_digest(w->b, digest);
        break;
    case FIELD_SHA256_PYTHON_SOURCE:
        sha256_of(w->s->source.p, w->s->source.n, digest);
        put_digest(w->b, digest);
        break;
    case FIELD_SHA256_CUDA_IR_FORWARD: put_digest(w->b, w->forward[EMIT_CUDA]); break;
    case FIELD_SHA256_CUDA_IR_BACKWARD: put_digest(w->b, w->backward[EMIT_CUDA]); break;
    case FIELD_SHA256_CPP_FORWARD: put_digest(w->b, w->forward[EMIT_CPU]); break;
    case FIELD_SHA256_CPP_BACKWARD: put_digest(w->b, w->backward[EMIT_CPU]); break;
    default: WEFT_ASSERT(false && "a hash without a text");
    }
}

/* Without a proof all fields are there with zeros, nulls and "not_run": every row has the same
 * keys. */
static void put_proof(writer *w, record_field f)
{
    static const check_result none;
    const check_result *r = w->counts->proof, *p = r ? r : &none;
    const bool adjoint = r && (r->status == CHECK_EXACT || r->status == CHECK_WARP_DIFFERS);
    strbuf *b = w->b;
    switch (f) {
    case FIELD_PROOF_STATUS: put_word(b, r ? check_status_name(r->status) : "not_run"); break;
    case FIELD_PROOF_CLASS: put_word(b, p->class ? p->class : ""); break;
    case FIELD_PROOF_INPUTS: sb_uint(b, p->inputs); break;
    case FIELD_PROOF_FORWARD_ERROR: put_measure(b, r != NULL, p->forward_error); break;
    case FIELD_PROOF_ADJOINT_ERROR: put_measure(b, adjoint, p->adjoint_error); break;
    case FIELD_PROOF_TOLERANCE: put_measure(b, adjoint, p->adjoint_tolerance); break;
    case FIELD_PROOF_MUTANTS: sb_uint(b, p->mutants); break;
    case FIELD_PROOF_KILLED: sb_uint(b, p->killed); break;
    case FIELD_PROOF_WHY: json_string(b, w->counts->origin->why); break;
    default: WEFT_ASSERT(false && "a field of a proof without a value");
    }
}

/* --- objects ------------------------------------------------------------------------------- */

static void put_fields(writer *w, record_field parent, void (*put)(writer *, record_field));

/* An object of the record. What metadata.ptx contains is ready as text; the objects of a program
 * are written by record_program.c, which `weft compile` uses too. */
static void put_object(writer *w, record_field f)
{
    SB_LIT(w->b, "{");
    switch (f) {
    case FIELD_TOKENS: put_fields(w, f, put_tokens); break;
    case FIELD_METADATA: put_fields(w, f, put_metadata); break;
    case FIELD_PROVENANCE: put_fields(w, f, put_origin); break;
    case FIELD_COUNTS: put_fields(w, f, put_count); break;
    case FIELD_SHA256: put_fields(w, f, put_hash); break;
    case FIELD_VERIFICATION: put_fields(w, f, put_proof); break;
    case FIELD_PTX_OF_TEXTS:
    case FIELD_PTX: sb_str(w->b, w->counts->ptx); break;
    default: record_program_put(w->b, &w->program, f); break;
    }
    SB_LIT(w->b, "}");
}

/* The fields of an object that the record has, without its braces. */
static void put_fields(writer *w, record_field parent, void (*put)(writer *, record_field))
{
    bool first = true;
    for (record_field f = FIELD_TOP; (f = record_field_child(parent, f)) != FIELD_TOP;) {
        if (!record_field_is_there(f, w->traits))
            continue;
        record_field_put_key(w->b, f, first);
        first = false;
        if (record_fields[f].type == RECORD_TYPE_STRUCT)
            put_object(w, f);
        else
            put(w, f);
    }
}

/* The traits that follow from the options and from what is known of this record; those of its form
 * are added by the caller. */
static unsigned traits_of(const record_options *o, const record_counts *counts)
{
    return (o->devices & EMIT_FOR_CUDA ? TRAIT_CUDA : 0) |
           (o->devices & EMIT_FOR_CPU ? TRAIT_CPU : 0) | (o->no_backward ? 0 : TRAIT_ADJOINT) |
           (counts->defect ? TRAIT_REPAIR : 0) | (counts->ptx.n ? TRAIT_PTX : 0) |
           (counts->origin ? TRAIT_COLLECTED : 0) | (counts->origin ? TRAIT_ORIGIN : 0) |
           (o->style == RECORD_SCRIPT ? TRAIT_SCRIPT : 0) |
           (record_mix_has(&o->mix, RECORD_PURPOSE) ? TRAIT_ORIGIN | TRAIT_COMPOSED : 0);
}

uint64_t record_measure(mem *m, const record_options *o, uint64_t index, const gen_sample *s,
                        const record_texts *t, const record_counts *counts)
{
    strbuf scratch;
    writer w = {.b = &scratch, .o = o, .index = index, .s = s, .t = t, .counts = counts};
    if (o->style == RECORD_MESSAGES) {
        sb_init(&scratch, m);
        put_messages(&w);
        sb_clear(&scratch);
        return w.tokens;
    }
    const record_defect *defect = counts->defect;
    const str texts[] = {s->source,
                         s->prompt,
                         counts->cuda_source,
                         t->forward[EMIT_CPU],
                         t->backward[EMIT_CPU],
                         t->forward[EMIT_CUDA],
                         t->backward[EMIT_CUDA],
                         defect ? defect->broken : (str){0}};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const uint64_t n = grade_tokens(texts[i]);
        most = n > most ? n : most;
    }
    return most;
}

/* All of the record, and a newline. */
static void put_record(writer *w)
{
    SB_LIT(w->b, "{");
    put_fields(w, FIELD_TOP, put_top);
    SB_LIT(w->b, "}\n");
}

void record_put(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                const record_texts *t, const record_counts *counts)
{
    writer w = {.b = b,
                .o = o,
                .index = index,
                .s = s,
                .t = t,
                .counts = counts,
                .traits = traits_of(o, counts) | TRAIT_TEXTS |
                          (record_mix_has(&o->mix, RECORD_PURPOSE) ? TRAIT_GRADED : 0) |
                          (o->style == RECORD_MESSAGES ? TRAIT_CHAT : TRAIT_PAIR)};
    WEFT_ASSERT(o->devices && t);
    hash_texts(&w);
    put_record(&w);
}

/* The texts come first and metadata.json last, as bundle_split takes them apart. */
void record_put_program(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                        const standalone_program *p, const record_counts *counts)
{
    writer w = {.b = b,
                .o = o,
                .index = index,
                .s = s,
                .counts = counts,
                .program = {.name = s->kernel,
                            .python = s->source,
                            .p = p,
                            .differs = counts->proof ? counts->proof->class : NULL},
                .traits = traits_of(o, counts) | TRAIT_PROGRAM};
    sb_str(b, s->source);
    sb_str(b, p->cu);
    sb_str(b, p->makefile);
    put_record(&w);
}
