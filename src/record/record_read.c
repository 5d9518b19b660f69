/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a record: its form, its metadata, its texts.
 *
 *     JSON   ->   record_view, or the first thing that is wrong, in a sentence:
 *                 "metadata.counts.kernel_lines is not from 3 to 80"
 *
 * The form decides which traits are certain and which are possible (record_field.h); the table then
 * says which members must be there. The functions below check what a table cannot: the values, and
 * whether they agree with each other. Each returns false with a sentence in `why`. A member is only
 * read once record_field_read has found it with the right type, so v[...] of a certain field is not
 * NULL. */
#include "record/record_read.h"
#include "record/record_name.h"
#include "record/record_options.h"

#include "base/ascii.h"
#include "base/sha256.h"
#include "base/version.h"
#include "record/record_ptx.h"
#include "record/record_shape.h"

static str text_of(const json_value *v)
{
    return v->text;
}

/* Appends "WHAT is 'IS', not 'SHOULD'", with at most 80 bytes of IS. */
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

/* A Python identifier of ASCII letters, which the generator's names are. */
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

/* The traits of the kinds that the record is not of, by its metadata.origin. */
static unsigned foreign_traits(const json_value *json)
{
    const str origin = json_text(json_get(json_get(json, "metadata"), "origin"));
    if (str_eq(origin, STR(RECORD_ORIGIN)))
        return TRAIT_COMPOSED | TRAIT_GRADED;
    return origin.n ? TRAIT_COLLECTED : RECORD_KIND_TRAITS;
}

/* Columns that follow from what a record has: records that were filled have them, too. */
static bool is_repeated(record_field f)
{
    return f == FIELD_TOP_DIFFICULTY || f == FIELD_LICENSE || f == FIELD_PROBLEM_ID ||
           f == FIELD_TOKENS;
}

bool record_read_fields(record_view *r, const json_value *object, record_field parent,
                        unsigned certain, unsigned possible, strbuf *why)
{
    if (!record_field_read(object, parent, certain, possible | r->foreign, r->v, why))
        return false;
    for (record_field f = FIELD_TOP; (f = record_field_child(parent, f)) != FIELD_TOP;) {
        if (!r->v[f] || !(record_fields[f].when & r->foreign))
            continue;
        if (is_repeated(f) && parent == FIELD_TOP)
            continue;
        if (record_field_is_empty(r->v[f])) {
            r->v[f] = NULL;
        } else if (!record_field_is_there(f, possible)) {
            record_field_put_path(why, f);
            return record_say(why, " is there, which records of this origin do not have");
        }
    }
    return true;
}

bool record_is_not_run(const record_view *r)
{
    return str_eq(r->v[FIELD_PROOF_STATUS]->text, STR("not_run"));
}

str record_class(const record_view *r)
{
    return r->v[FIELD_PROOF_CLASS]->text;
}

/* --- metadata ------------------------------------------------------------------------------ */

/* A record of another version is not compared: its texts may differ for good reasons. Those of each
 * release of Warp in warp_release.def can be made again. */
static bool read_versions(record_view *r, strbuf *why)
{
    static const struct {
        record_field field;
        const char *value;
    } known[] = {{FIELD_SCHEMA, RECORD_SCHEMA}, {FIELD_WEFT_VERSION, WEFT_VERSION}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const str is = r->v[known[i].field]->text;
        if (!str_eq(is, str_c(known[i].value)))
            return differs(why, record_fields[known[i].field].name, is, known[i].value);
    }
    const str warp = r->v[FIELD_WARP_VERSION]->text;
    r->warp = warp_release_of_version(warp.p, warp.n);
    return r->warp != WARP_ANY ||
           differs(why, record_fields[FIELD_WARP_VERSION].name, warp, WARP_VERSION);
}

static bool read_id(record_view *r, strbuf *why)
{
    if (!record_read_id(r->id, &r->seed, &r->index))
        return differs(why, "id", r->id, "SEED-INDEX with nine digits or more");
    if (json_count(r->v[FIELD_SEED]) != r->seed)
        return record_say(why, "id and metadata.seed do not agree");
    if (json_count(r->v[FIELD_INDEX]) != r->index)
        return record_say(why, "id and metadata.index do not agree");
    return true;
}

/* Device and artifact are two names for the same choice, and must agree. */
static bool read_device(record_view *r, strbuf *why)
{
    const str device = r->v[FIELD_DEVICE]->text, artifact = r->v[FIELD_ARTIFACT]->text;
    for (unsigned d = 1; d <= EMIT_FOR_BOTH; d++) {
        if (!str_eq(device, str_c(record_device_name(d))))
            continue;
        r->devices = d;
        return str_eq(artifact, str_c(record_artifact(d))) ||
               differs(why, "artifact", artifact, record_artifact(d));
    }
    return differs(why, "device", device, "cuda', 'cpu' or 'both");
}

static bool is_hex_digest(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("0123456789abcdef", s.p[i]))
            return false;
    return s.n == SHA256_HEX;
}

/* The traits on which the members of metadata.sha256 depend. Needs: devices and backward. */
static unsigned traits_of(const record_view *r)
{
    return (r->devices & EMIT_FOR_CUDA ? TRAIT_CUDA : 0) |
           (r->devices & EMIT_FOR_CPU ? TRAIT_CPU : 0) | (r->backward ? TRAIT_ADJOINT : 0) |
           (r->is_bundle ? TRAIT_PROGRAM : TRAIT_TEXTS);
}

/* metadata.sha256 has the keys of those texts that are there, and no other. */
static bool read_hashes(record_view *r, strbuf *why)
{
    /* A kernel that was found or composed may have no adjoint where others of its set have one. */
    const unsigned certain = traits_of(r) | (r->is_collected ? TRAIT_COLLECTED | TRAIT_ORIGIN : 0),
                   traits = certain | (r->is_collected || r->is_composed ? TRAIT_ADJOINT : 0);
    if (!record_read_fields(r, r->v[FIELD_SHA256], FIELD_SHA256, certain, traits, why))
        return false;
    for (record_field f = FIELD_TOP; (f = record_field_child(FIELD_SHA256, f)) != FIELD_TOP;)
        if (r->v[f] && !is_hex_digest(r->v[f]->text)) {
            record_field_put_path(why, f);
            return record_say(why, " is no SHA-256 in 64 digits");
        }
    const json_value *const *v = r->v;
    r->source_hash = v[FIELD_SHA256_PYTHON_SOURCE]->text;
    r->inputs_hash = r->is_collected ? v[FIELD_SHA256_INPUTS]->text : STR("");
    r->origin_hash = r->is_collected ? v[FIELD_SHA256_PROVENANCE]->text : STR("");
    r->hashes =
        (record_texts){.forward = {[EMIT_CPU] = json_text(v[FIELD_SHA256_CPP_FORWARD]),
                                   [EMIT_CUDA] = json_text(v[FIELD_SHA256_CUDA_IR_FORWARD])},
                       .backward = {[EMIT_CPU] = json_text(v[FIELD_SHA256_CPP_BACKWARD]),
                                    [EMIT_CUDA] = json_text(v[FIELD_SHA256_CUDA_IR_BACKWARD])}};
    return true;
}

/* r->v holds the fields of the last argument only, so each is copied to r->args. */
static bool read_arguments(record_view *r, strbuf *why)
{
    const json_value *const *v = r->v;
    const unsigned traits = r->v[FIELD_ORIGIN] ? TRAIT_ORIGIN : 0;
    for (const json_value *e = v[FIELD_ARGUMENTS]->child; e; e = e->next) {
        if (!json_is(e, JSON_TYPE_OBJECT) || r->nargs == SAMPLE_ARGS_MAX)
            return record_say(why, "metadata.arguments is no list of arguments");
        if (!record_read_fields(r, e, FIELD_ARGUMENTS, traits, traits, why))
            return false;
        const record_arg a = {.name = text_of(v[FIELD_ARGUMENT_NAME]),
                              .type = text_of(v[FIELD_ARGUMENT_TYPE]),
                              .shape = text_of(v[FIELD_ARGUMENT_SHAPE]),
                              .mag = (int)json_number(v[FIELD_ARGUMENT_MAGNITUDE]),
                              .values = traits ? text_of(v[FIELD_ARGUMENT_VALUES]) : STR("")};
        if (!is_name(a.name))
            return differs(why, "an argument's name", a.name, "a name");
        if (!check_are_values(a.values))
            return differs(why, "an argument's values", a.values, "a range such as '0:n'");
        r->args[r->nargs++] = a;
    }
    return true;
}

/* The number of a built-in function in the generator's table; -1: it has none of that name. */
static int builtin_id(str name)
{
    for (uint32_t i = 0; i < gen_builtin_count(); i++)
        if (str_eq(name, str_c(gen_builtin_name(i))))
            return (int)i;
    return -1;
}

/* Names stand in the order of the generator's table, each once. */
static bool read_builtins(record_view *r, strbuf *why)
{
    int last = -1;
    for (const json_value *e = r->v[FIELD_BUILTINS]->child; e; e = e->next) {
        if (!json_is(e, JSON_TYPE_STRING) || r->nbuiltins == GEN_BUILTINS_MAX)
            return record_say(why, "metadata.builtins is no list of names");
        const int id = builtin_id(text_of(e));
        if (id < 0)
            return differs(why, "metadata.builtins", text_of(e), "a built-in function");
        if (id <= last)
            return record_say(why, "metadata.builtins is out of order, or has a name twice");
        last = id;
        r->builtins[r->nbuiltins++] = text_of(e);
    }
    return true;
}

/* metadata.kernels of a script: two or more names, the last of which is kernel_name. */
static bool read_kernels(record_view *r, strbuf *why)
{
    const json_value *list = r->v[FIELD_KERNELS];
    r->is_script = list != NULL;
    if (!r->is_script)
        return true;
    if (!r->is_composed || r->is_messages || r->is_bundle)
        return record_say(why, "metadata.kernels is for scripts of composed kernels");
    for (const json_value *e = list->child; e; e = e->next) {
        if (!json_is(e, JSON_TYPE_STRING) || r->nkernels == RECORD_KERNELS_MAX)
            return record_say(why, "metadata.kernels is no list of names");
        r->kernels[r->nkernels++] = e->text;
    }
    return (r->nkernels > 1 && str_eq(r->kernels[r->nkernels - 1], r->kernel)) ||
           record_say(why, "metadata.kernels has less than two names, or does not end with "
                           "metadata.kernel_name");
}

static bool read_counts(record_view *r, strbuf *why)
{
    if (!record_field_read(r->v[FIELD_COUNTS], FIELD_COUNTS, 0, 0, r->v, why))
        return false;
    const uint64_t lines = record_count(r, FIELD_COUNT_KERNEL_LINES);
    if (r->is_collected)
        return true;
    return (lines >= GEN_LINES_MIN && lines <= GEN_LINES_MAX) ||
           record_say(why, "metadata.counts.kernel_lines is not from 3 to 80");
}

/* "n=257" or "n" at the begin of a launch, by the letters in their order; the bytes read, 0: it is
 * neither. */
static size_t launch_letter(str s, int dim, bool found)
{
    size_t i = 1;
    if (!s.n || s.p[0] != "nmpq"[dim])
        return 0;
    if (found && s.n > 2 && s.p[1] == '=' && s.p[2] > '0' && s.p[2] <= '9')
        for (i = 2; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
            i++;
    return i;
}

/* A letter for each dimension of the launch, one to four; their number, 0: it is none. A kernel
 * that was found may have sizes, and with tiles the threads of a block as the last one: "n=9,256".
 * "1": one thread does it all. */
static int launch_dims(str s, bool found)
{
    static const char block[] = ",256";
    const size_t n = sizeof block - 1;
    int dim = 0;
    if (found && str_eq(s, STR("1")))
        return 1;
    if (found && s.n > n && memcmp(s.p + s.n - n, block, n) == 0) {
        dim = launch_dims((str){s.p, s.n - n}, true);
        return dim && dim < 4 ? dim + 1 : 0;
    }
    for (size_t i = 0; dim < 4; i++, dim++) {
        const size_t read = launch_letter((str){s.p + i, s.n - i}, dim, found);
        i += read;
        if (!read || i >= s.n || s.p[i] != ',')
            return read && i == s.n ? dim + 1 : 0;
    }
    return 0;
}

/* All alternatives of a launch have as many dimensions; `found`: it may have some. */
static bool is_launch(str s, bool found)
{
    const uint32_t n = check_count_alternatives(s);
    const int dims = launch_dims(check_alternative(s, 0), found);
    for (uint32_t i = 1; i < n; i++)
        if (launch_dims(check_alternative(s, i), found) != dims)
            return false;
    return dims && (found || n == 1);
}

static bool read_category(record_view *r, strbuf *why)
{
    const str name = r->v[FIELD_CATEGORY]->text;
    if (!gen_category_find(name, &r->category) ||
        !str_eq(name, str_c(gen_category_name(r->category))))
        return differs(why, "category", name, "a category");
    r->level = json_count(r->v[FIELD_DIFFICULTY]);
    return (r->level >= 1 && r->level <= GEN_LEVELS) ||
           record_say(why, "metadata.difficulty is not one of the levels 1 to 5");
}

static bool read_fingerprint(const record_view *r, record_field f, fingerprint *out, strbuf *why)
{
    const str text = r->v[f]->text;
    return fingerprint_read(text, out) ||
           differs(why, record_fields[f].name, text, "32 hexadecimal digits");
}

/* What names the record, the kernel and the candidate that it is. */
static bool read_names(record_view *r, strbuf *why)
{
    r->kernel = r->v[FIELD_KERNEL_NAME]->text;
    r->launch = r->v[FIELD_LAUNCH]->text;
    r->target = r->v[FIELD_TARGET]->text;
    if (!read_versions(r, why) || !read_id(r, why) || !read_device(r, why))
        return false;
    if (!is_name(r->kernel))
        return differs(why, "kernel_name", r->kernel, "a name");
    if (!read_category(r, why))
        return false;
    if (!is_launch(r->launch, r->is_collected || r->is_composed))
        return differs(why, "launch", r->launch, "n', 'n,m', 'n,m,p' or 'n,m,p,q");
    const uint64_t attempt = json_count(r->v[FIELD_ATTEMPT]);
    r->attempt = (uint32_t)attempt;
    return attempt <= UINT32_MAX || record_say(why, "metadata.attempt is larger than any attempt");
}

/* --- texts --------------------------------------------------------------------------------- */

static record_field record_text_field(emit_device d, bool backward)
{
    static const record_field fields[EMIT_DEVICES][2] = {
        [EMIT_CPU] = {FIELD_CPP_FORWARD, FIELD_CPP_BACKWARD},
        [EMIT_CUDA] = {FIELD_CUDA_IR_FORWARD, FIELD_CUDA_IR_BACKWARD}};
    return fields[d][backward];
}

const char *record_text_key(emit_device d, bool backward)
{
    return record_fields[record_text_field(d, backward)].name;
}

/* A text is there if and only if the record is for its device. A backward text may be empty
 * (--no-backward), a forward text may not. */
static bool read_text(emit_device d, bool backward, record_view *r, strbuf *why)
{
    const json_value *v = r->v[record_text_field(d, backward)];
    const char *key = record_text_key(d, backward);
    const bool wanted = r->devices & 1u << d;
    if (!v != !wanted) {
        sb_c(why, key);
        return record_say(why,
                          v ? " is there, against metadata.device" : " is missing for this device");
    }
    if (!v)
        return true;
    *(backward ? &r->texts.backward[d] : &r->texts.forward[d]) = v->text;
    if (!backward && !v->text.n) {
        sb_c(why, key);
        return record_say(why, " is empty");
    }
    return true;
}

/* Of a pair only: conversations have their texts in messages, programs in files. */
static bool read_texts(record_view *r, strbuf *why)
{
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (!read_text((emit_device)d, false, r, why) || !read_text((emit_device)d, true, r, why))
            return false;
    const bool cpu = r->texts.backward[EMIT_CPU].n, cuda = r->texts.backward[EMIT_CUDA].n;
    r->backward = cpu || cuda;
    if (r->devices == EMIT_FOR_BOTH && cpu != cuda)
        return record_say(why, "a backward text for one device only");
    return true;
}

/* What a collected record says of its source. */
static bool read_origin(record_view *r, strbuf *why)
{
    const json_value *origin = r->v[FIELD_ORIGIN], *place = r->v[FIELD_PROVENANCE];
    r->is_composed = origin && str_eq(origin->text, str_c(record_kind_origin(RECORD_PURPOSE)));
    r->is_mixed = origin && str_eq(origin->text, str_c(record_kind_origin(RECORD_EXERCISE)));
    r->is_collected = origin && !r->is_composed && !r->is_mixed;
    if (origin && !r->is_collected && place)
        return record_say(why, "metadata.provenance is there, and the kernel was made");
    if (r->is_collected != (place != NULL))
        return record_say(why, "of metadata.origin and metadata.provenance one is missing");
    if (!r->is_collected)
        return true;
    if (!str_eq(origin->text, STR(RECORD_ORIGIN)))
        return differs(why, "origin", origin->text, RECORD_ORIGIN);
    return record_field_read(place, FIELD_PROVENANCE, TRAIT_COLLECTED, TRAIT_COLLECTED, r->v, why);
}

/* Is it the hash of a text that is not empty? */
static bool has_text(const json_value *hash)
{
    static const char empty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    return hash && !(json_is(hash, JSON_TYPE_STRING) && str_eq(hash->text, str_c(empty)));
}

/* metadata, up to the proof. A conversation may not show its backward texts: that they exist is
 * seen by their hashes. */
static bool read_metadata(record_view *r, strbuf *why)
{
    const unsigned form = r->is_bundle ? TRAIT_PROGRAM : TRAIT_TEXTS;
    const json_value *object = r->v[FIELD_METADATA];
    if (!record_read_fields(r, object, FIELD_METADATA, form,
                            form | TRAIT_PTX | TRAIT_COLLECTED | TRAIT_ORIGIN | TRAIT_SCRIPT,
                            why) ||
        !read_origin(r, why) || !read_names(r, why) ||
        !read_fingerprint(r, FIELD_STRUCTURE, &r->structure, why) ||
        !read_fingerprint(r, FIELD_FAMILY, &r->family, why))
        return false;
    if (!r->is_messages && !r->is_bundle && !read_texts(r, why))
        return false;
    if (r->is_messages)
        r->backward = has_text(json_get(r->v[FIELD_SHA256], "cuda_ir_backward")) ||
                      has_text(json_get(r->v[FIELD_SHA256], "cpp_backward"));
    return read_hashes(r, why) && read_arguments(r, why) && read_builtins(r, why) &&
           read_counts(r, why) && read_kernels(r, why);
}

/* --- forms --------------------------------------------------------------------------------- */

/* counts.source_lines against the source. */
static bool check_lines(const record_view *r, strbuf *why)
{
    const uint64_t stated = record_count(r, FIELD_COUNT_LINES);
    const uint32_t lines = str_count(r->source, '\n');
    if (stated != lines) {
        record_field_put_path(why, FIELD_COUNT_LINES);
        SB_LIT(why, " is ");
        sb_uint(why, stated);
        SB_LIT(why, ", but there are ");
        sb_uint(why, lines);
        return false;
    }
    return true;
}

static bool read_defect(record_view *r, strbuf *why)
{
    const str name = r->v[FIELD_DEFECT]->text;
    const char *comma = name.n ? memchr(name.p, ',', name.n) : NULL;
    const size_t n = comma ? (size_t)(comma - name.p) : name.n;
    r->is_repair = true;
    r->two_defects = comma && n + 2 < name.n && comma[1] == ' ';
    return (defect_find((str){name.p, n}, &r->defect) &&
            (!comma ||
             (r->two_defects && defect_find((str){comma + 2, name.n - n - 2}, &r->second)))) ||
           differs(why, "defect", name, "a known kind");
}

/* A repair pair has all three members, any other pair none of them. */
static bool read_broken(record_view *r, strbuf *why)
{
    const json_value *broken = r->v[FIELD_BROKEN_SOURCE], *diagnostic = r->v[FIELD_DIAGNOSTIC];
    const json_value *defect = r->v[FIELD_DEFECT];
    if (!broken && !diagnostic && !defect)
        return true;
    if (!broken || !diagnostic || !defect)
        return record_say(why, "of broken_source, diagnostic and defect one is missing");
    r->broken = broken->text;
    r->diagnostic = diagnostic->text;
    return read_defect(r, why) && (!r->two_defects || record_say(why, "a pair has one defect"));
}

static bool read_ptx(const record_view *r, strbuf *why)
{
    const json_value *ptx = r->v[r->is_bundle ? FIELD_PTX : FIELD_PTX_OF_TEXTS];
    return !ptx || record_read_ptx(ptx, r->backward, why);
}

/* Composed kernels have a task in words and plain CUDA. The exercises that stand among them have
 * these fields as well, with an empty task; no other records have them. */
static bool check_composed(const record_view *r, strbuf *why)
{
    const bool wanted = r->is_composed || r->is_mixed;
    if (wanted && (r->devices & EMIT_FOR_CUDA) != 0 && !r->v[FIELD_CUDA_SOURCE])
        return record_say(why, "cuda_source is missing, which records of this origin have");
    if (!wanted && r->v[FIELD_CUDA_SOURCE])
        return record_say(why, "cuda_source is there, and the kernel was not composed");
    if (wanted != (r->v[FIELD_PROMPT] != NULL))
        return record_say(why, wanted ? "prompt is missing, which records of this origin have"
                                      : "prompt is there, and the kernel was not composed");
    if (wanted && r->is_composed == (r->prompt.n > 0))
        return true;
    return !wanted ||
           record_say(why, r->is_composed ? "prompt is empty, and the kernel was composed"
                                          : "prompt has a task, and the kernel is an "
                                            "exercise");
}

/* Of a record that was filled: as record_shape_write puts them. */
static bool check_repeated(const record_view *r, strbuf *why)
{
    const json_value *level = r->v[FIELD_TOP_DIFFICULTY], *license = r->v[FIELD_LICENSE];
    const str own = json_text(r->v[FIELD_ORIGIN_LICENSE]);
    if (level && json_count(level) != r->level)
        return record_say(why, "difficulty and metadata.difficulty do not agree");
    bool same = !license || license->text.n == own.n;
    for (size_t i = 0; license && same && i < own.n; i++)
        same = license->text.p[i] == ascii_lower(own.p[i]);
    if (!same)
        return record_say(why, "license and metadata.provenance.license do not agree");
    return (r->v[FIELD_PROBLEM_ID] != NULL) == (r->v[FIELD_TOKENS] != NULL) ||
           record_say(why, "one of problem_id and tokens is missing");
}

/* The numbers of the texts that the record's form and devices have. */
static bool read_tokens(record_view *r, unsigned form, strbuf *why)
{
    const unsigned traits = TRAIT_GRADED | form | (r->devices & EMIT_FOR_CUDA ? TRAIT_CUDA : 0u) |
                            (r->devices & EMIT_FOR_CPU ? TRAIT_CPU : 0u);
    return record_field_read(r->v[FIELD_TOKENS], FIELD_TOKENS, traits, traits, r->v, why);
}

/* The columns for trainers and graders: records of sets with composed kernels have them. Needs:
 * metadata has been read. `form`: TRAIT_PAIR or TRAIT_CHAT. */
static bool read_grade(record_view *r, unsigned form, strbuf *why)
{
    static const record_field of_pair[] = {FIELD_TESTS},
                              of_all[] = {FIELD_PROBLEM_ID, FIELD_TOP_DIFFICULTY,
                                          FIELD_VERIFICATION_INFO, FIELD_TOKENS, FIELD_LICENSE};
    const size_t pair = form == TRAIT_PAIR;
    r->is_graded = r->is_composed || r->is_mixed;
    for (size_t i = 0; i < pair + sizeof of_all / sizeof *of_all; i++) {
        const record_field f = i < pair ? of_pair[i] : of_all[i - pair];
        if ((r->v[f] != NULL) == r->is_graded || (!r->is_graded && is_repeated(f)))
            continue;
        record_field_put_path(why, f);
        return record_say(why, r->is_graded ? " is missing, which records of this origin have"
                                            : " is there, and the kernel was not composed");
    }
    if (!r->is_graded)
        return check_repeated(r, why) && (!r->v[FIELD_TOKENS] || read_tokens(r, form, why));
    if (json_count(r->v[FIELD_TOP_DIFFICULTY]) != r->level)
        return record_say(why, "difficulty and metadata.difficulty do not agree");
    if (!record_is_license(r->v[FIELD_LICENSE]->text.p))
        return differs(why, "license", r->v[FIELD_LICENSE]->text, "an id such as mit or cc0-1.0");
    return read_tokens(r, form, why);
}

/* The devices are not known before metadata is read, so the texts of both are possible at first;
 * read_texts compares them with metadata.device. */
static bool read_pair(const json_value *json, record_view *r, strbuf *why)
{
    const unsigned certain = TRAIT_TEXTS | TRAIT_PAIR;
    if (!record_read_fields(r, json, FIELD_TOP, certain,
                            certain | TRAIT_CUDA | TRAIT_CPU | TRAIT_ADJOINT | TRAIT_REPAIR |
                                TRAIT_COMPOSED | TRAIT_GRADED,
                            why))
        return false;
    r->id = r->v[FIELD_ID]->text;
    r->source = r->v[FIELD_PYTHON_SOURCE]->text;
    r->cuda_source = r->v[FIELD_CUDA_SOURCE];
    r->prompt = json_text(r->v[FIELD_PROMPT]);
    return read_metadata(r, why) && check_composed(r, why) && read_grade(r, TRAIT_PAIR, why) &&
           check_lines(r, why) && read_broken(r, why) && record_read_proof(r, why) &&
           read_ptx(r, why);
}

/* What a conversation's record may have for its task: as much as is seen without its source. */
static unsigned may_have(const record_view *r)
{
    return task_has_texts(r->devices, r->backward) | TASK_PLAIN | TASK_NUMBERS | TASK_OWN_RANDOM |
           TASK_THREADS | (r->is_collected ? 0u : TASK_MADE) | (r->is_composed ? TASK_PROMPT : 0u);
}

/* The source's lines can only be counted if the task shows it: cpu-to-cuda does not, for one. */
static bool read_conversation(const json_value *json, record_view *r, strbuf *why)
{
    const unsigned certain = TRAIT_TEXTS | TRAIT_CHAT;
    r->is_messages = true;
    if (!record_read_fields(r, json, FIELD_TOP, certain, certain | TRAIT_REPAIR | TRAIT_GRADED,
                            why))
        return false;
    const str task = r->v[FIELD_TASK]->text;
    r->id = r->v[FIELD_ID]->text;
    if (!task_find(task, &r->task))
        return differs(why, "task", task, "a known one");
    if (!r->v[FIELD_DEFECT] != (!task_is_repair(r->task)))
        return record_say(why, "a defect goes with tasks of repair, and with those alone");
    if (r->v[FIELD_DEFECT] && !read_defect(r, why))
        return false;
    if (r->two_defects != (r->task == TASK_REPAIR_TWO))
        return record_say(why, "two defects go with the task repair-two, and with that alone");
    if (!read_metadata(r, why) || !read_grade(r, TRAIT_CHAT, why) || !record_read_messages(r, why))
        return false;
    if (!task_fits(r->task, may_have(r)))
        return record_say(why, "the task does not go with the texts that metadata.sha256 lists");
    return (!r->source.n || check_lines(r, why)) && record_read_proof(r, why) && read_ptx(r, why);
}

/* Any of these members makes it a program, so that a damaged one is reported as such. */
static bool is_bundle(const json_value *json)
{
    return json_get(json, "files") || json_get(json, "file_sha256") || json_get(json, "standalone");
}

/* Does the kernel have an adjoint? A program without a backward kernel (standalone.backward is
 * false) may still come from a run with adjoints: its proof shows that. */
static bool has_adjoint(const record_view *r)
{
    const str status = r->v[FIELD_PROOF_STATUS]->text;
    return r->backward || json_get(r->v[FIELD_PTX], "backward") ||
           (!str_eq(status, STR("forward")) && !str_eq(status, STR("not_run")));
}

/* A program is CUDA, whatever its metadata says. */
static bool read_program(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    r->is_bundle = true;
    if (!record_read_bundle(json, r, place, why) || !read_metadata(r, why))
        return false;
    if (r->devices != EMIT_FOR_CUDA)
        return record_say(why, "metadata.device of a program is cuda");
    if (!record_read_proof(r, why))
        return false;
    r->backward = has_adjoint(r);
    return check_lines(r, why) && read_ptx(r, why);
}

bool record_read(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    *r = (record_view){.foreign = foreign_traits(json)};
    if (!record_field_any(json, why))
        return false;
    if (json_get(json, "messages"))
        return read_conversation(json, r, why);
    if (is_bundle(json))
        return read_program(json, r, place, why);
    return read_pair(json, r, why);
}
