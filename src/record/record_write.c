/* Records. Every row of a data set has the same keys, numbers are finite, ids and hashes are
 * strings: so that any loader finds one schema. */
#include "record/record_write.h"

#include "base/json.h"
#include "base/sha256.h"
#include "base/version.h"

static const char *const forward_keys[EMIT_DEVICES] = {
    [EMIT_CPU] = "cpp_forward", [EMIT_CUDA] = "cuda_ir_forward"};
static const char *const backward_keys[EMIT_DEVICES] = {
    [EMIT_CPU] = "cpp_backward", [EMIT_CUDA] = "cuda_ir_backward"};
/* Fields of CUDA stand first. */
static const emit_device order[EMIT_DEVICES] = {EMIT_CUDA, EMIT_CPU};

void record_put_id(strbuf *b, uint64_t seed, uint64_t index)
{
    sb_uint(b, seed);
    sb_char(b, '-');
    for (uint64_t least = UINT64_C(100000000); least > 1 && index < least; least /= 10)
        sb_char(b, '0');
    sb_uint(b, index);
}

static bool read_uint(str s, size_t *at, uint64_t *out)
{
    const size_t from = *at;
    *out = 0;
    for (; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9'; ++*at)
        if (__builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(s.p[*at] - '0'), out))
            return false;
    return *at > from;
}

bool record_read_id(str id, uint64_t *seed, uint64_t *index)
{
    size_t at = 0;
    char digits[64];
    strbuf b = {.p = digits, .cap = sizeof digits};
    if (!read_uint(id, &at, seed) || at >= id.n || id.p[at++] != '-' ||
        !read_uint(id, &at, index) || at != id.n)
        return false;
    record_put_id(&b, *seed, *index);
    return str_eq(sb_view(&b), id);
}

static void put_texts(strbuf *b, const record_options *o, const record_texts *t)
{
    for (int i = 0; i < EMIT_DEVICES; i++) {
        emit_device d = order[i];
        if (!(o->devices & 1u << d))
            continue;
        json_key(b, forward_keys[d], false);
        json_string(b, t->forward[d]);
        json_key(b, backward_keys[d], false);
        json_string(b, t->backward[d]);
    }
}

static void put_plain(strbuf *b, str s)
{
    sb_char(b, '"');
    sb_str(b, s);
    sb_char(b, '"');
}

static void put_arguments(strbuf *b, const gen_sample *s)
{
    SB_LIT(b, ", \"arguments\": [");
    for (uint32_t i = 0; i < s->nargs; i++) {
        sb_c(b, i ? ", {\"name\": " : "{\"name\": ");
        put_plain(b, s->args[i].name);
        SB_LIT(b, ", \"type\": ");
        put_plain(b, s->args[i].type);
        SB_LIT(b, ", \"shape\": ");
        put_plain(b, s->args[i].shape);
        SB_LIT(b, ", \"magnitude\": ");
        sb_int(b, s->args[i].mag);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "], \"builtins\": [");
    for (uint32_t i = 0; i < s->nbuiltins; i++) {
        sb_c(b, i ? ", \"" : "\"");
        sb_c(b, gen_builtin_name(s->builtins[i]));
        sb_char(b, '"');
    }
    SB_LIT(b, "]");
}

static void put_counts(strbuf *b, const gen_sample *s, const record_counts *counts)
{
    SB_LIT(b, ", \"counts\": {\"source_lines\": ");
    sb_uint(b, s->lines);
    SB_LIT(b, ", \"kernel_lines\": ");
    sb_uint(b, s->kernel_lines);
    SB_LIT(b, ", \"statements\": ");
    sb_uint(b, s->statements);
    SB_LIT(b, ", \"variables\": ");
    sb_uint(b, counts->variables);
    SB_LIT(b, ", \"loop_depth\": ");
    sb_uint(b, s->loop_depth);
    SB_LIT(b, ", \"branches\": ");
    sb_uint(b, s->branches);
    SB_LIT(b, "}");
}

static void put_hash(strbuf *b, const char *key, const uint8_t digest[SHA256_SIZE], bool first)
{
    char hex[SHA256_HEX];
    sha256_hex(digest, hex);
    json_key(b, key, first);
    put_plain(b, (str){hex, SHA256_HEX});
}

static void put_hashes(strbuf *b, const record_options *o, const gen_sample *s,
                       const record_texts *t)
{
    uint8_t digest[2][SHA256_SIZE];
    SB_LIT(b, ", \"sha256\": {");
    sha256_of(s->source.p, s->source.n, digest[0]);
    put_hash(b, "python_source", digest[0], true);
    for (int i = 0; t && i < EMIT_DEVICES; i++) {
        emit_device d = order[i];
        if (!(o->devices & 1u << d))
            continue;
        sha256_of_two(t->forward[d], t->backward[d], digest);
        put_hash(b, forward_keys[d], digest[0], false);
        if (!o->no_backward)
            put_hash(b, backward_keys[d], digest[1], false);
    }
    SB_LIT(b, "}");
}

static void put_fingerprint(strbuf *b, const char *key, fingerprint f)
{
    char hex[FINGERPRINT_HEX];
    fingerprint_hex(f, hex);
    json_key(b, key, false);
    put_plain(b, (str){hex, FINGERPRINT_HEX});
}

static void put_device(strbuf *b, unsigned devices)
{
    if (devices == EMIT_FOR_CUDA)
        SB_LIT(b, "\"cuda\", \"artifact\": \".cu\"");
    else if (devices == EMIT_FOR_CPU)
        SB_LIT(b, "\"cpu\", \"artifact\": \".cpp\"");
    else
        SB_LIT(b, "\"both\", \"artifact\": \".cu, .cpp\"");
}

/* A number, or null where nothing was measured. */
static void put_measure(strbuf *b, const char *key, bool measured, double x)
{
    json_key(b, key, false);
    if (measured)
        sb_float(b, x);
    else
        SB_LIT(b, "null");
}

static void put_verification(strbuf *b, const check_result *r)
{
    static const check_result none;
    const check_result *p = r ? r : &none;
    const bool adjoint = r && (r->status == CHECK_EXACT || r->status == CHECK_WARP_DIFFERS);
    SB_LIT(b, ", \"verification\": {\"status\": \"");
    sb_c(b, r ? check_status_name(r->status) : "not_run");
    SB_LIT(b, "\", \"class\": \"");
    sb_c(b, p->class ? p->class : "");
    SB_LIT(b, "\", \"inputs\": ");
    sb_uint(b, p->inputs);
    put_measure(b, "forward_error", r != NULL, p->forward_error);
    put_measure(b, "adjoint_error", adjoint, p->adjoint_error);
    put_measure(b, "tolerance", adjoint, p->adjoint_tolerance);
    SB_LIT(b, ", \"mutants\": ");
    sb_uint(b, p->mutants);
    SB_LIT(b, ", \"killed\": ");
    sb_uint(b, p->killed);
    SB_LIT(b, "}");
}

static void put_defect(strbuf *b, const record_defect *d)
{
    SB_LIT(b, "\"broken_source\": ");
    json_string(b, d->broken);
    SB_LIT(b, ", \"diagnostic\": ");
    json_string(b, d->diagnostic);
    SB_LIT(b, ", \"defect\": \"");
    sb_c(b, defect_name(d->kind));
    SB_LIT(b, "\", ");
}

static void put_conversation(strbuf *b, const record_options *o, uint64_t index,
                             const gen_sample *s, const record_texts *t,
                             const record_defect *defect)
{
    const messages_subject subject = {
        .task = o->tasks[index / o->ncategories % o->ntasks], /* each in every category */
        .defect = defect ? defect->kind : 0,
        .broken = defect ? defect->broken : (str){0},
        .diagnostic = defect ? defect->diagnostic : (str){0},
        .source = s->source,
        .kernel = s->kernel,
        .texts = t,
        .devices = o->devices,
        .seed = o->seed,
        .index = index};
    SB_LIT(b, "\"messages\": ");
    messages_put(b, &subject);
    SB_LIT(b, ", \"task\": \"");
    sb_c(b, task_name(subject.task));
    SB_LIT(b, "\"");
    if (defect) {
        SB_LIT(b, ", \"defect\": \"");
        sb_c(b, defect_name(defect->kind));
        SB_LIT(b, "\"");
    }
}

/* "metadata": {...}; t NULL: there are no texts of Warp's. */
static void put_metadata(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                         const record_texts *t, const record_counts *counts)
{
    SB_LIT(b, "\"metadata\": {\"schema\": \"weft-pair-1\", \"weft_version\": \"" WEFT_VERSION
              "\", \"warp_version\": \"" WARP_VERSION "\", \"kernel_name\": ");
    put_plain(b, s->kernel);
    SB_LIT(b, ", \"category\": \"");
    sb_c(b, gen_category_name(s->category));
    SB_LIT(b, "\", \"difficulty\": ");
    sb_uint(b, s->level);
    SB_LIT(b, ", \"device\": ");
    put_device(b, o->devices);
    SB_LIT(b, ", \"seed\": ");
    sb_uint(b, o->seed);
    SB_LIT(b, ", \"index\": ");
    sb_uint(b, index);
    SB_LIT(b, ", \"attempt\": ");
    sb_uint(b, counts->attempt);
    SB_LIT(b, ", \"launch\": ");
    put_plain(b, s->launch);
    SB_LIT(b, ", \"target\": ");
    put_plain(b, s->target);
    put_fingerprint(b, "structure", counts->structure);
    put_fingerprint(b, "family", counts->family);
    put_arguments(b, s);
    put_counts(b, s, counts);
    put_hashes(b, o, s, t);
    put_verification(b, counts->proof);
    sb_str(b, counts->ptx);
    SB_LIT(b, "}");
}

void record_put(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                const record_texts *t, const record_counts *counts)
{
    SB_LIT(b, "{\"id\": \"");
    record_put_id(b, o->seed, index);
    SB_LIT(b, "\", ");
    if (o->style == RECORD_MESSAGES) {
        put_conversation(b, o, index, s, t, counts->defect);
    } else {
        if (counts->defect)
            put_defect(b, counts->defect);
        SB_LIT(b, "\"python_source\": ");
        json_string(b, s->source);
        put_texts(b, o, t);
    }
    SB_LIT(b, ", ");
    put_metadata(b, o, index, s, t, counts);
    SB_LIT(b, "}\n");
}

void record_put_folder(strbuf *b, const record_options *o, uint64_t index)
{
    record_put_id(b, o->seed, index);
    SB_LIT(b, "_");
    sb_c(b, gen_category_name(o->categories[index % o->ncategories]));
}

void record_put_program(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                        const standalone_program *p, const record_counts *counts)
{
    sb_str(b, s->source);
    sb_str(b, p->cu);
    sb_str(b, p->makefile);
    SB_LIT(b, "{\"id\": \"");
    record_put_id(b, o->seed, index);
    SB_LIT(b, "\", ");
    put_metadata(b, o, index, s, NULL, counts);
    SB_LIT(b, ", ");
    standalone_put_facts(b, s->kernel, s->source, p, counts->proof ? counts->proof->class : NULL);
    SB_LIT(b, "}\n");
}
