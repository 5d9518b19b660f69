/* Schema and hashes of one record. */
#include "validate/validate_record.h"

#include <math.h>

#include "base/sha256.h"
#include "base/version.h"
#include "record/record_ptx.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    T_ID,
    T_SOURCE,
    T_CUDA_FORWARD,
    T_CUDA_BACKWARD,
    T_CPP_FORWARD,
    T_CPP_BACKWARD,
    T_BROKEN,
    T_DIAGNOSTIC,
    T_DEFECT,
    T_METADATA
};

static const json_field top_fields[] = {
    [T_ID] = {"id", JSON_STRING, false},
    [T_SOURCE] = {"python_source", JSON_STRING, false},
    [T_CUDA_FORWARD] = {"cuda_ir_forward", JSON_STRING, true},
    [T_CUDA_BACKWARD] = {"cuda_ir_backward", JSON_STRING, true},
    [T_CPP_FORWARD] = {"cpp_forward", JSON_STRING, true},
    [T_CPP_BACKWARD] = {"cpp_backward", JSON_STRING, true},
    [T_BROKEN] = {"broken_source", JSON_STRING, true},
    [T_DIAGNOSTIC] = {"diagnostic", JSON_STRING, true},
    [T_DEFECT] = {"defect", JSON_STRING, true},
    [T_METADATA] = {"metadata", JSON_OBJECT, false},
};
enum { T_COUNT = sizeof top_fields / sizeof *top_fields };

static const json_field conversation_fields[] = {{"id", JSON_STRING, false},
                                                 {"messages", JSON_ARRAY, false},
                                                 {"task", JSON_STRING, false},
                                                 {"metadata", JSON_OBJECT, false},
                                                 {"defect", JSON_STRING, true}};
enum { C_ID, C_MESSAGES, C_TASK, C_METADATA, C_DEFECT, C_COUNT };

enum {
    M_SCHEMA,
    M_WEFT_VERSION,
    M_WARP_VERSION,
    M_KERNEL,
    M_CATEGORY,
    M_DIFFICULTY,
    M_DEVICE,
    M_ARTIFACT,
    M_SEED,
    M_INDEX,
    M_ATTEMPT,
    M_LAUNCH,
    M_TARGET,
    M_STRUCTURE,
    M_FAMILY,
    M_ARGUMENTS,
    M_BUILTINS,
    M_COUNTS,
    M_SHA256,
    M_VERIFICATION,
    M_PTX
};

static const json_field metadata_fields[] = {
    [M_SCHEMA] = {"schema", JSON_STRING, false},
    [M_WEFT_VERSION] = {"weft_version", JSON_STRING, false},
    [M_WARP_VERSION] = {"warp_version", JSON_STRING, false},
    [M_KERNEL] = {"kernel_name", JSON_STRING, false},
    [M_CATEGORY] = {"category", JSON_STRING, false},
    [M_DIFFICULTY] = {"difficulty", JSON_COUNT, false},
    [M_DEVICE] = {"device", JSON_STRING, false},
    [M_ARTIFACT] = {"artifact", JSON_STRING, false},
    [M_SEED] = {"seed", JSON_COUNT, false},
    [M_INDEX] = {"index", JSON_COUNT, false},
    [M_ATTEMPT] = {"attempt", JSON_COUNT, false},
    [M_LAUNCH] = {"launch", JSON_STRING, false},
    [M_TARGET] = {"target", JSON_STRING, false},
    [M_STRUCTURE] = {"structure", JSON_STRING, false},
    [M_FAMILY] = {"family", JSON_STRING, false},
    [M_ARGUMENTS] = {"arguments", JSON_ARRAY, false},
    [M_BUILTINS] = {"builtins", JSON_ARRAY, false},
    [M_COUNTS] = {"counts", JSON_OBJECT, false},
    [M_SHA256] = {"sha256", JSON_OBJECT, false},
    [M_VERIFICATION] = {"verification", JSON_OBJECT, false},
    [M_PTX] = {"ptx", JSON_OBJECT, true},
};
enum { M_COUNT = sizeof metadata_fields / sizeof *metadata_fields };

static const json_field argument_fields[] = {{"name", JSON_STRING, false},
                                             {"type", JSON_STRING, false},
                                             {"shape", JSON_STRING, false},
                                             {"magnitude", JSON_SMALL, false}};

static const json_field count_fields[] = {
    [COUNT_LINES] = {"source_lines", JSON_COUNT, false},
    [COUNT_KERNEL_LINES] = {"kernel_lines", JSON_COUNT, false},
    [COUNT_STATEMENTS] = {"statements", JSON_COUNT, false},
    [COUNT_VARIABLES] = {"variables", JSON_COUNT, false},
    [COUNT_LOOP_DEPTH] = {"loop_depth", JSON_COUNT, false},
    [COUNT_BRANCHES] = {"branches", JSON_COUNT, false},
};

static const int text_field[EMIT_DEVICES][2] = {
    [EMIT_CPU] = {T_CPP_FORWARD, T_CPP_BACKWARD},
    [EMIT_CUDA] = {T_CUDA_FORWARD, T_CUDA_BACKWARD},
};

const char *record_text_key(emit_device d, bool backward)
{
    return top_fields[text_field[d][backward]].name;
}

static str text_of(const json_value *v)
{
    return v->text;
}

static bool say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

/* "WHAT is 'IS', not 'SHOULD'" */
static bool differs(strbuf *why, const char *what, str is, const char *should)
{
    sb_c(why, what);
    SB_LIT(why, " is '");
    sb_put(why, is.p, is.n < 80 ? is.n : 80);
    SB_LIT(why, "', not '");
    sb_c(why, should);
    SB_LIT(why, "'");
    return false;
}

static bool is_name(str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i && c >= '0' && c <= '9'))
            return false;
    }
    return s.n > 0 && s.n < 256;
}

static bool read_versions(const json_value *const *m, strbuf *why)
{
    static const struct {
        int field;
        const char *value;
    } known[] = {
        {M_SCHEMA, "weft-pair-1"}, {M_WEFT_VERSION, WEFT_VERSION}, {M_WARP_VERSION, WARP_VERSION}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(m[known[i].field]->text.p, known[i].value) != 0)
            return differs(why, metadata_fields[known[i].field].name, text_of(m[known[i].field]),
                           known[i].value);
    return true;
}

static bool read_id(const json_value *const *m, record_view *r, strbuf *why)
{
    if (!record_read_id(r->id, &r->seed, &r->index))
        return differs(why, "id", r->id, "SEED-INDEX with nine digits or more");
    if (json_count(m[M_SEED]) != r->seed)
        return say(why, "id and metadata.seed do not agree");
    if (json_count(m[M_INDEX]) != r->index)
        return say(why, "id and metadata.index do not agree");
    return true;
}

static bool read_device(const json_value *const *m, record_view *r, strbuf *why)
{
    static const struct {
        const char *device, *artifact;
        unsigned devices;
    } known[] = {{"cuda", ".cu", EMIT_FOR_CUDA},
                 {"cpu", ".cpp", EMIT_FOR_CPU},
                 {"both", ".cu, .cpp", EMIT_FOR_BOTH}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(m[M_DEVICE]->text.p, known[i].device) != 0)
            continue;
        r->devices = known[i].devices;
        return strcmp(m[M_ARTIFACT]->text.p, known[i].artifact) == 0 ||
               differs(why, "artifact", text_of(m[M_ARTIFACT]), known[i].artifact);
    }
    return differs(why, "device", text_of(m[M_DEVICE]), "cuda', 'cpu' or 'both");
}

static bool read_text(const json_value *const *top, emit_device d, bool backward, record_view *r,
                      strbuf *why)
{
    const json_value *v = top[text_field[d][backward]];
    const char *key = record_text_key(d, backward);
    const bool wanted = r->devices & 1u << d;
    if (!v != !wanted) {
        sb_c(why, key);
        return say(why, v ? " is there, against metadata.device" : " is missing for this device");
    }
    if (!v)
        return true;
    const str text = text_of(v);
    *(backward ? &r->texts.backward[d] : &r->texts.forward[d]) = text;
    if (!backward && !text.n) {
        sb_c(why, key);
        return say(why, " is empty");
    }
    return true;
}

static bool read_texts(const json_value *const *top, record_view *r, strbuf *why)
{
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (!read_text(top, (emit_device)d, false, r, why) ||
            !read_text(top, (emit_device)d, true, r, why))
            return false;
    const bool cpu = r->texts.backward[EMIT_CPU].n, cuda = r->texts.backward[EMIT_CUDA].n;
    r->backward = cpu || cuda;
    if (r->devices == EMIT_FOR_BOTH && cpu != cuda)
        return say(why, "a backward text for one device only");
    return true;
}

static bool is_hex_digest(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("0123456789abcdef", s.p[i]))
            return false;
    return s.n == SHA256_HEX;
}

/* metadata.sha256 has the keys of those texts that are there, and no other. */
static bool read_hashes(const json_value *object, record_view *r, strbuf *why)
{
    json_field fields[T_METADATA];
    const json_value *v[T_METADATA];
    uint32_t n = 0;
    str *to[T_METADATA];
    fields[n] = top_fields[T_SOURCE];
    to[n++] = &r->source_hash;
    for (int d = 0; d < EMIT_DEVICES && !r->is_bundle; d++)
        for (int backward = 0; backward < 2; backward++) {
            if (!(r->devices & 1u << d) || (backward && !r->backward))
                continue;
            fields[n] = (json_field){record_text_key((emit_device)d, backward), JSON_STRING, false};
            to[n++] = backward ? &r->hashes.backward[d] : &r->hashes.forward[d];
        }
    if (!json_fields(object, fields, n, true, "metadata.sha256.", v, why))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        *to[i] = text_of(v[i]);
        if (!is_hex_digest(*to[i])) {
            sb_c(why, "metadata.sha256.");
            sb_c(why, fields[i].name);
            return say(why, " is no SHA-256 in 64 digits");
        }
    }
    return true;
}

static bool read_arguments(const json_value *array, record_view *r, strbuf *why)
{
    const json_value *v[4];
    for (const json_value *e = array->child; e; e = e->next) {
        if (!json_is(e, JSON_TYPE_OBJECT) || r->nargs == GEN_ARGS_MAX)
            return say(why, "metadata.arguments is no list of arguments");
        if (!json_fields(e, argument_fields, 4, true, "metadata.arguments[].", v, why))
            return false;
        const record_arg a = {text_of(v[0]), text_of(v[1]), text_of(v[2]), (int)json_number(v[3])};
        if (!is_name(a.name))
            return differs(why, "an argument's name", a.name, "a name");
        r->args[r->nargs++] = a;
    }
    return true;
}

static int builtin_id(str name)
{
    for (uint32_t i = 0; i < gen_builtin_count(); i++)
        if (str_eq(name, str_c(gen_builtin_name(i))))
            return (int)i;
    return -1;
}

static bool read_builtins(const json_value *array, record_view *r, strbuf *why)
{
    int last = -1;
    for (const json_value *e = array->child; e; e = e->next) {
        if (!json_is(e, JSON_TYPE_STRING) || r->nbuiltins == GEN_BUILTINS_MAX)
            return say(why, "metadata.builtins is no list of names");
        const int id = builtin_id(text_of(e));
        if (id < 0)
            return differs(why, "metadata.builtins", text_of(e), "a built-in function");
        if (id <= last)
            return say(why, "metadata.builtins is out of order, or has a name twice");
        last = id;
        r->builtins[r->nbuiltins++] = text_of(e);
    }
    return true;
}

static bool read_counts(const json_value *object, record_view *r, strbuf *why)
{
    const json_value *v[RECORD_COUNTS];
    if (!json_fields(object, count_fields, RECORD_COUNTS, true, "metadata.counts.", v, why))
        return false;
    for (int i = 0; i < RECORD_COUNTS; i++)
        r->counts[i] = json_count(v[i]);
    const uint64_t lines = r->counts[COUNT_KERNEL_LINES];
    return (lines >= GEN_LINES_MIN && lines <= GEN_LINES_MAX) ||
           say(why, "metadata.counts.kernel_lines is not from 3 to 80");
}

static bool check_lines(const record_view *r, strbuf *why)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < r->source.n; i++)
        lines += r->source.p[i] == '\n';
    if (r->counts[COUNT_LINES] != lines) {
        SB_LIT(why, "metadata.counts.source_lines is ");
        sb_uint(why, r->counts[COUNT_LINES]);
        SB_LIT(why, ", but there are ");
        sb_uint(why, lines);
        return false;
    }
    return true;
}

/* "n", "n,m" or "n,m,p" */
static bool is_launch(str s)
{
    return str_eq(s, STR("n")) || str_eq(s, STR("n,m")) || str_eq(s, STR("n,m,p")) ||
           str_eq(s, STR("n,m,p,q"));
}

static bool read_metadata(const json_value *const *top, record_view *r, strbuf *why)
{
    const json_value *m[M_COUNT];
    if (!json_fields(top[T_METADATA], metadata_fields, M_COUNT, true, "metadata.", m, why))
        return false;
    r->kernel = text_of(m[M_KERNEL]);
    r->launch = text_of(m[M_LAUNCH]);
    r->target = text_of(m[M_TARGET]);
    r->verification = m[M_VERIFICATION];
    r->ptx = m[M_PTX];
    if (!read_versions(m, why) || !read_id(m, r, why) || !read_device(m, r, why))
        return false;
    if (!is_name(r->kernel))
        return differs(why, "kernel_name", r->kernel, "a name");
    if (!gen_category_find(text_of(m[M_CATEGORY]), &r->category) ||
        strcmp(gen_category_name(r->category), m[M_CATEGORY]->text.p) != 0)
        return differs(why, "category", text_of(m[M_CATEGORY]), "one of the twelve");
    r->level = json_count(m[M_DIFFICULTY]);
    if (r->level < 1 || r->level > GEN_LEVELS)
        return say(why, "metadata.difficulty is not one of the levels 1 to 5");
    if (!is_launch(r->launch))
        return differs(why, "launch", r->launch, "n', 'n,m', 'n,m,p' or 'n,m,p,q");
    if (json_count(m[M_ATTEMPT]) > UINT32_MAX)
        return say(why, "metadata.attempt is larger than any attempt");
    r->attempt = (uint32_t)json_count(m[M_ATTEMPT]);
    if (!fingerprint_read(text_of(m[M_STRUCTURE]), &r->structure))
        return differs(why, "structure", text_of(m[M_STRUCTURE]), "32 hexadecimal digits");
    if (!fingerprint_read(text_of(m[M_FAMILY]), &r->family))
        return differs(why, "family", text_of(m[M_FAMILY]), "32 hexadecimal digits");
    if (!r->messages && !r->is_bundle && !read_texts(top, r, why))
        return false;
    if (r->messages)
        r->backward =
            json_get(m[M_SHA256], "cuda_ir_backward") || json_get(m[M_SHA256], "cpp_backward");
    return read_hashes(m[M_SHA256], r, why) && read_arguments(m[M_ARGUMENTS], r, why) &&
           read_builtins(m[M_BUILTINS], r, why) && read_counts(m[M_COUNTS], r, why);
}

static bool read_defect(const json_value *name, record_view *r, strbuf *why)
{
    r->is_repair = true;
    return defect_find(text_of(name), &r->defect) ||
           differs(why, "defect", text_of(name), "a known kind");
}

static bool read_broken(const json_value *const *top, record_view *r, strbuf *why)
{
    if (!top[T_BROKEN] && !top[T_DIAGNOSTIC] && !top[T_DEFECT])
        return true;
    if (!top[T_BROKEN] || !top[T_DIAGNOSTIC] || !top[T_DEFECT])
        return say(why, "of broken_source, diagnostic and defect one is missing");
    r->broken = text_of(top[T_BROKEN]);
    r->diagnostic = text_of(top[T_DIAGNOSTIC]);
    return read_defect(top[T_DEFECT], r, why);
}

static bool read_conversation(const json_value *json, record_view *r, strbuf *why)
{
    const json_value *f[C_COUNT], *top[T_COUNT] = {0};
    if (!json_fields(json, conversation_fields, C_COUNT, true, "", f, why))
        return false;
    r->id = text_of(f[C_ID]);
    r->messages = f[C_MESSAGES];
    top[T_METADATA] = f[C_METADATA];
    if (!task_find(text_of(f[C_TASK]), &r->task))
        return differs(why, "task", text_of(f[C_TASK]), "a known one");
    if (!f[C_DEFECT] != (r->task != TASK_REPAIR))
        return say(why, "a defect goes with the task repair, and with that alone");
    if (f[C_DEFECT] && !read_defect(f[C_DEFECT], r, why))
        return false;
    if (!read_metadata(top, r, why) || !messages_read(f[C_MESSAGES], r, why))
        return false;
    if (!task_fits(r->task, r->devices, r->backward))
        return say(why, "the task does not go with the texts that metadata.sha256 lists");
    return !r->source.n || check_lines(r, why);
}

static bool read_bundle(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    const json_value *top[T_COUNT] = {0};
    r->is_bundle = true;
    if (!bundle_read(json, r, place, why))
        return false;
    top[T_METADATA] = json_get(json, "metadata");
    if (!read_metadata(top, r, why))
        return false;
    return r->devices == EMIT_FOR_CUDA || say(why, "metadata.device of a program is cuda");
}

static bool read_ptx(const record_view *r, strbuf *why)
{
    return !r->ptx || record_read_ptx(r->ptx, r->backward, why);
}

static bool is_bundle(const json_value *json)
{
    return json_get(json, "files") || json_get(json, "file_sha256") || json_get(json, "standalone");
}

/* What a bundle does not say of the adjoint, its proof does. */
static bool has_adjoint(const record_view *r)
{
    const json_value *status = json_get(r->verification, "status");
    return r->backward || json_get(r->ptx, "backward") ||
           (strcmp(status->text.p, "forward") != 0 && strcmp(status->text.p, "not_run") != 0);
}

bool record_read(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    const json_value *top[T_COUNT];
    *r = (record_view){0};
    if (!json_is(json, JSON_TYPE_OBJECT))
        return say(why, "the record is no JSON object");
    if (json_get(json, "messages"))
        return read_conversation(json, r, why) && verification_read(r->verification, why) &&
               read_ptx(r, why);
    if (is_bundle(json)) {
        if (!read_bundle(json, r, place, why) || !verification_read(r->verification, why))
            return false;
        r->backward = has_adjoint(r);
        return check_lines(r, why) && read_ptx(r, why);
    }
    if (!json_fields(json, top_fields, T_COUNT, true, "", top, why))
        return false;
    r->id = text_of(top[T_ID]);
    r->source = text_of(top[T_SOURCE]);
    return read_metadata(top, r, why) && check_lines(r, why) && read_broken(top, r, why) &&
           verification_read(r->verification, why) && read_ptx(r, why);
}

gen_request record_request(gen *g, const record_view *r)
{
    return (gen_request){.seed = r->seed,
                         .index = r->index,
                         .attempt = r->attempt,
                         .category = r->category,
                         .level = (uint8_t)r->level,
                         .lines = (uint8_t)r->counts[COUNT_KERNEL_LINES],
                         .target = gen_production_find(g, r->target)};
}

static bool is_hash(str text, str hex, const char *key, strbuf *why)
{
    uint8_t digest[SHA256_SIZE];
    char is[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, is);
    if (str_eq(hex, (str){is, SHA256_HEX}))
        return true;
    SB_LIT(why, "metadata.sha256.");
    sb_c(why, key);
    SB_LIT(why, " is ");
    sb_str(why, hex);
    SB_LIT(why, ", the text's is ");
    sb_put(why, is, SHA256_HEX);
    return false;
}

bool record_hash(const record_view *r, strbuf *why)
{
    if (r->source.n && !is_hash(r->source, r->source_hash, "python_source", why))
        return false;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(r->devices & 1u << d))
            continue;
        if (r->texts.forward[d].n && !is_hash(r->texts.forward[d], r->hashes.forward[d],
                                              record_text_key((emit_device)d, false), why))
            return false;
        if (r->texts.backward[d].n && !is_hash(r->texts.backward[d], r->hashes.backward[d],
                                               record_text_key((emit_device)d, true), why))
            return false;
    }
    return true;
}

/* The source without comments, without blank lines, and without spaces at the ends of lines. */
static void put_body(strbuf *out, str text)
{
    char quote = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        if (!quote && c == '#') {
            while (i < text.n && text.p[i] != '\n')
                i++;
            i--;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = quote ? quote == c ? 0 : quote : c;
        if (c == '\n') {
            while (out->n && (out->p[out->n - 1] == ' ' || out->p[out->n - 1] == '\n'))
                out->n--;
        }
        if (out->n || c != '\n')
            sb_char(out, c);
    }
}

void record_summary(const record_view *r, size_t bytes, strbuf *scratch, record_facts *f)
{
    scratch->n = 0;
    if (r->source.n)
        put_body(scratch, r->source);
    else
        sb_str(scratch, r->source_hash);
    *f = (record_facts){.id = r->id,
                        .has_index = true,
                        .readable = true,
                        .id_key = XXH3_64bits(r->id.p, r->id.n),
                        .body_key = XXH3_64bits(scratch->p, scratch->n),
                        .structure = r->structure,
                        .family = r->family,
                        .seed = r->seed,
                        .index = r->index,
                        .bytes = bytes,
                        .category = r->category,
                        .devices = r->devices,
                        .backward = r->backward,
                        .is_messages = r->messages != NULL,
                        .is_repair = r->is_repair,
                        .is_bundle = r->is_bundle};
}
