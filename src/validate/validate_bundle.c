/* One program of a set of them: its files against its metadata, and against what weft makes of its
 * source. */
#include "base/json_peek.h"
#include "base/sha256.h"
#include "standalone/standalone.h"
#include "validate/kernel_signature.h"
#include "validate/validate_record.h"

enum { B_ID, B_METADATA, B_FILES, B_SHA256, B_BYTES, B_STANDALONE, B_PYTHON, B_CUDA, B_MAKEFILE };

static const json_field fields[] = {
    [B_ID] = {"id", JSON_STRING, false},
    [B_METADATA] = {"metadata", JSON_OBJECT, false},
    [B_FILES] = {"files", JSON_OBJECT, false},
    [B_SHA256] = {"file_sha256", JSON_OBJECT, false},
    [B_BYTES] = {"file_bytes", JSON_OBJECT, false},
    [B_STANDALONE] = {"standalone", JSON_OBJECT, false},
    [B_PYTHON] = {"python_source", JSON_STRING, true},
    [B_CUDA] = {"cuda_source", JSON_STRING, true},
    [B_MAKEFILE] = {"makefile", JSON_STRING, true},
};
enum { B_COUNT = sizeof fields / sizeof *fields };

enum { P_LAUNCH, P_KERNELS, P_BACKWARD, P_EXPECTED, P_TOLERANCE, P_WITHOUT, P_DIFFERS };

static const json_field program_fields[] = {
    [P_LAUNCH] = {"launch", JSON_ARRAY, false},
    [P_KERNELS] = {"kernels", JSON_ARRAY, false},
    [P_BACKWARD] = {"backward", JSON_BOOL, false},
    [P_EXPECTED] = {"expected_values", JSON_COUNT, false},
    [P_TOLERANCE] = {"largest_tolerance", JSON_NUMBER_OR_NULL, false},
    [P_WITHOUT] = {"without_expected_values_because", JSON_STRING, false},
    [P_DIFFERS] = {"gradient_is_no_derivative_because", JSON_STRING, false},
};
enum { P_COUNT = sizeof program_fields / sizeof *program_fields };

/* In the order of bundle_file. */
static const char *const keys[BUNDLE_METADATA] = {"python", "cuda", "makefile"};
static const char *const endings[BUNDLE_METADATA] = {".py", ".cu", "Makefile"};

static const char *member(const json_value *object, int i)
{
    return json_get(object, keys[i])->text.p;
}

static bool read_texts(const json_value *const *f, record_view *r, bundle_place *place, strbuf *why)
{
    for (int i = 0; i < BUNDLE_METADATA; i++) {
        const json_value *text = f[B_PYTHON + i];
        if (text) {
            r->files[i] = text->text;
            continue;
        }
        *place = (bundle_place){member(r->file_names, i), 0};
        SB_LIT(why, "it is missing");
        return false;
    }
    r->source = r->files[BUNDLE_PYTHON];
    return true;
}

static bool read_program(const json_value *object, record_view *r, strbuf *why)
{
    const json_value *f[P_COUNT];
    if (!json_fields(object, program_fields, P_COUNT, true, "standalone.", f, why))
        return false;
    r->standalone = object;
    r->backward = json_is_true(f[P_BACKWARD]);
    return true;
}

static bool is_compiled(const json_value *json)
{
    const json_value *schema = json_get(json, "schema");
    return json_is(schema, JSON_TYPE_STRING) && strcmp(schema->text.p, "weft-standalone-1") == 0;
}

bool bundle_read(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    static const json_kind kinds[] = {JSON_STRING, JSON_STRING, JSON_COUNT};
    static const char *const where[] = {"files.", "file_sha256.", "file_bytes."};
    const json_value *f[B_COUNT], *of[BUNDLE_METADATA];
    json_field rows[BUNDLE_METADATA];
    if (is_compiled(json)) {
        SB_LIT(why, "a program that `weft compile` made is no record of a data set");
        return false;
    }
    if (!json_fields(json, fields, B_COUNT, true, "", f, why))
        return false;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < BUNDLE_METADATA; i++)
            rows[i] = (json_field){keys[i], kinds[k], false};
        if (!json_fields(f[B_FILES + k], rows, BUNDLE_METADATA, true, where[k], of, why))
            return false;
    }
    r->id = f[B_ID]->text;
    r->file_names = f[B_FILES];
    r->file_sha256 = f[B_SHA256];
    r->file_bytes = f[B_BYTES];
    return read_program(f[B_STANDALONE], r, why) && read_texts(f, r, place, why);
}

/* --- hashes -------------------------------------------------------------------------------- */

static bool check_file(const record_view *r, int i, strbuf *why)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    const str text = r->files[i];
    const json_value *bytes = json_get(r->file_bytes, keys[i]);
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    if (!str_eq(str_c(member(r->file_sha256, i)), (str){hex, SHA256_HEX})) {
        SB_LIT(why, "its SHA-256 is not what metadata.json says");
        return false;
    }
    if (json_count(bytes) != text.n) {
        SB_LIT(why, "its size is not what metadata.json says");
        return false;
    }
    return true;
}

bool bundle_hash(const record_view *r, bundle_place *place, strbuf *why)
{
    for (int i = 0; i < BUNDLE_METADATA; i++) {
        const char *name = member(r->file_names, i);
        const size_t n = strlen(name);
        const bool named = i == BUNDLE_MAKEFILE ? strcmp(name, endings[i]) == 0
                                                : n == r->kernel.n + strlen(endings[i]) &&
                                                      memcmp(name, r->kernel.p, r->kernel.n) == 0 &&
                                                      strcmp(name + r->kernel.n, endings[i]) == 0;
        if (!named) {
            sb_printf(why, "files.%s is not the name of that file", keys[i]);
            return false;
        }
        if (check_file(r, i, why))
            continue;
        *place = (bundle_place){name, 0};
        return false;
    }
    return true;
}

/* --- texts --------------------------------------------------------------------------------- */

/* What `weft check FILE.cu` would say beside its metadata.json. */
static bool lint(ctx *c, const record_view *r, bundle_place *place, strbuf *why)
{
    str standalone;
    signature_list wanted = {0};
    const source src = {.path = member(r->file_names, BUNDLE_CUDA), .text = r->files[BUNDLE_CUDA]};
    const uint32_t before = c->diags.n;
    const diag *worst = NULL;
    if (!json_peek(r->line, "standalone", &standalone) ||
        !signatures_of_program(&c->module, standalone, &wanted)) {
        SB_LIT(why, "standalone.kernels is no list of kernels with names and parameters");
        return false;
    }
    (void)lint_cuda(c, &src, wanted.v, wanted.n);
    for (uint32_t i = before; i < c->diags.n && !worst; i++)
        if (!lint_is_remark(c->diags.v[i].id))
            worst = &c->diags.v[i];
    if (worst) {
        sb_c(why, worst->text);
        *place = (bundle_place){src.path, worst->at.line};
    }
    c->diags.n = before; /* they point to this text */
    return !worst;
}

static bool make(record_judge *j, const record_view *r, standalone_program *p, strbuf *why)
{
    ctx *c = &j->p.c;
    check_arg args[GEN_ARGS_MAX];
    const uint32_t before = c->diags.n;
    const json_value *class = json_get(r->verification, "class");
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag};
    const standalone_subject s = {
        .program = j->program,
        .kernel = j->compiled.kernel,
        .ir = j->compiled.ir,
        .launch = r->launch,
        .args = args,
        .backward = r->texts.backward[EMIT_CUDA],
        .differs = *class->text.p ? class->text.p : NULL,
        .file = str_c(bundle_file_name(&c->module, r->kernel, BUNDLE_PYTHON)),
        .name = r->kernel,
    };
    if (r->nargs != j->compiled.kernel->code.nparams) {
        SB_LIT(why, "metadata.arguments are not the kernel's");
        return false;
    }
    if (standalone_make(c, &s, p))
        return true;
    SB_LIT(why, "weft makes no program of this source: ");
    sb_c(why, c->diags.n > before ? c->diags.v[before].text : "it cannot be run");
    c->diags.n = before;
    return false;
}

/* Names, hashes, sizes and what the program does, as metadata.json has them. */
static bool check_facts(record_judge *j, const record_view *r, const standalone_program *p,
                        strbuf *why)
{
    static const char *const objects[] = {"files", "file_bytes", "standalone"};
    const json_value *class = json_get(r->verification, "class");
    strbuf *b = &j->text;
    b->n = 0;
    SB_LIT(b, "{");
    standalone_put_facts(b, r->kernel, r->source, p, *class->text.p ? class->text.p : NULL);
    SB_LIT(b, "}");
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        str is = {0}, should = {0};
        if (json_peek(r->line, objects[i], &is) && json_peek(sb_view(b), objects[i], &should) &&
            str_eq(is, should))
            continue;
        return record_tell_difference(objects[i], is, should, NULL, why);
    }
    return true;
}

bool judge_bundle(record_judge *j, const record_view *r, bundle_place *place, strbuf *why)
{
    standalone_program p;
    bundle_place at = {.line = 0};
    if (!lint(&j->p.c, r, place, why) || !make(j, r, &p, why))
        return false;
    const bool cuda = !str_eq(r->files[BUNDLE_CUDA], p.cu);
    if (!cuda && str_eq(r->files[BUNDLE_MAKEFILE], p.makefile))
        return check_facts(j, r, &p, why);
    const int i = cuda ? BUNDLE_CUDA : BUNDLE_MAKEFILE;
    record_tell_difference("it", r->files[i], cuda ? p.cu : p.makefile, &at.line, why);
    *place = (bundle_place){member(r->file_names, i), at.line};
    return false;
}
