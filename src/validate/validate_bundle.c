/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one program of a set, for validate_work.c: names, SHA-256 and sizes of its files against
 * metadata.json, its CUDA text by the static checks, and NAME.cu and Makefile against those that
 * weft makes of the source.
 *
 *     7-000000000_arithmetic/solve_loss_step.cu, in which one type was changed
 *     ->  hash: "its SHA-256 is not what metadata.json says", in solve_loss_step.cu
 *         text: "parameter 'weights_arr' of kernel 'solve_loss_step' is no 'const float *', as its
 *               metadata say", in solve_loss_step.cu, line 21 */
#include "base/json_peek.h"
#include "base/sha256.h"
#include "check/check_found.h"
#include "record/record_program.h"
#include "standalone/standalone.h"
#include "validate/kernel_signature.h"
#include "validate/validate_record.h"

/* --- hashes -------------------------------------------------------------------------------- */

/* One file of the program against "sha256" and "bytes" of metadata.json. */
static bool check_file(const record_view *r, int i, strbuf *why)
{
    WEFT_ASSERT(i >= 0 && i < BUNDLE_METADATA);
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    const str text = r->files[i];
    const json_value *bytes = r->v[bundle_bytes_field((bundle_file)i)];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    if (!str_eq(r->v[bundle_sha256_field((bundle_file)i)]->text, (str){hex, SHA256_HEX})) {
        SB_LIT(why, "its SHA-256 is not what metadata.json says");
        return false;
    }
    if (json_count(bytes) != text.n) {
        SB_LIT(why, "its size is not what metadata.json says");
        return false;
    }
    return true;
}

/* metadata.json itself has no hash in it. A wrong name is a problem of metadata.json, where *place
 * stands already; a wrong text is one of its file. */
bool validate_bundle_hash(const record_view *r, bundle_place *place, strbuf *why)
{
    for (int i = 0; i < BUNDLE_METADATA; i++) {
        const record_field field = bundle_name_field((bundle_file)i);
        const char *name = r->v[field]->text.p;
        if (!bundle_is_file_name(r->kernel, (bundle_file)i, r->v[field]->text)) {
            record_field_put_path(why, field);
            return record_say(why, " is not the name of that file");
        }
        if (check_file(r, i, why))
            continue;
        *place = (bundle_place){name, 0};
        return false;
    }
    return true;
}

/* --- texts --------------------------------------------------------------------------------- */

/* The static checks as `weft check FILE.cu` runs them beside a metadata.json, remarks left out. The
 * first problem is the reason. */
static bool lint(ctx *c, const record_view *r, bundle_place *place, strbuf *why)
{
    str standalone;
    signature_list wanted = {0};
    const source src = {.path = r->v[FIELD_FILES_CUDA]->text.p, .text = r->files[BUNDLE_CUDA]};
    const uint32_t before = c->diags.n;
    const diag *worst = NULL;
    if (!json_peek(r->line, "standalone", &standalone) ||
        !kernel_signatures_of_program(&c->module, standalone, &wanted)) {
        SB_LIT(why, "standalone.kernels is no list of kernels with names and parameters");
        return false;
    }
    (void)lint_cuda(c, &src, wanted.v, wanted.n, NULL);
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

/* The program that weft makes of the record's source; false with the reason. What a found kernel
 * promises of its inputs is not known to its program, which plans them. */
static bool make(record_validator *rv, const record_view *r, standalone_program *p, strbuf *why)
{
    ctx *c = &rv->p.c;
    check_arg args[SAMPLE_ARGS_MAX];
    const uint32_t before = c->diags.n;
    const str class = record_class(r);
    rv->text.n = 0;
    if (r->is_collected)
        emit_whole_forward(&rv->text, &rv->compiled.text[EMIT_CUDA]);
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
    const standalone_subject s = {
        .program = rv->program,
        .kernel = rv->compiled.kernel,
        .ir = rv->compiled.ir,
        .launch = r->is_collected ? STR("") : r->launch,
        .args = r->is_collected ? NULL : args,
        .backward = r->texts.backward[EMIT_CUDA],
        .forward = sb_view(&rv->text),
        .mutated = r->is_collected ? r->texts.forward[EMIT_CUDA] : STR(""),
        .differs = class.n ? class.p : NULL,
        .file = str_c(bundle_file_name(&c->module, r->kernel, BUNDLE_PYTHON)),
        .name = r->kernel,
    };
    if (r->nargs != rv->compiled.kernel->code.nparams) {
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
static bool check_facts(record_validator *rv, const record_view *r, const standalone_program *p,
                        strbuf *why)
{
    static const record_field objects[] = {FIELD_FILES, FIELD_FILE_BYTES, FIELD_STANDALONE};
    const str class = record_class(r);
    const record_program facts = {r->kernel, r->source, p, class.n ? class.p : NULL};
    strbuf *b = &rv->text;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const char *name = record_fields[objects[i]].name;
        str is = {0};
        b->n = 0;
        SB_LIT(b, "{");
        record_program_put(b, &facts, objects[i]);
        SB_LIT(b, "}");
        if (!json_peek(r->line, name, &is) || !str_eq(is, sb_view(b)))
            return validate_put_difference(name, is, sb_view(b), NULL, why);
    }
    return true;
}

/* Which gradient of a found kernel was not judged, and so whether the run had any, does not show in
 * its program. */
static bool may_have_backward(const record_view *r)
{
    if (r->backward || !r->is_collected)
        return r->backward;
    const str why = r->v[FIELD_PROOF_WHY]->text; /* records of found kernels have it */
    return why.n && !str_eq(why, STR(CHECK_NO_BACKWARD));
}

void validate_fill_program(record_validator *rv, record_view *r)
{
    WEFT_ASSERT(r->is_bundle);
    const bool stated = r->backward;
    r->backward = may_have_backward(r);
    validate_fill_texts(rv, r);
    r->backward = stated;
}

/* The program that the files should be: of a found kernel that does not say whether it was made
 * with a backward text, the one without, if that is the same. */
static bool make_stated(record_validator *rv, const record_view *r, standalone_program *p,
                        strbuf *why)
{
    if (!make(rv, r, p, why))
        return false;
    if (r->backward || !may_have_backward(r) || str_eq(r->files[BUNDLE_CUDA], p->cu))
        return true;
    record_view without = *r;
    standalone_program other;
    without.texts.backward[EMIT_CUDA] = STR("");
    if (make(rv, &without, &other, why) && str_eq(r->files[BUNDLE_CUDA], other.cu))
        *p = other;
    why->n = 0;
    return true;
}

/* Facts are compared only where the texts agree: a difference in a text would show up in both. */
bool validate_bundle(record_validator *rv, const record_view *r, bundle_place *place, strbuf *why)
{
    WEFT_ASSERT(r->is_bundle && rv->compiled.ir);
    standalone_program p;
    bundle_place at = {.line = 0};
    if (!lint(&rv->p.c, r, place, why) || !make_stated(rv, r, &p, why))
        return false;
    const bool cuda = !str_eq(r->files[BUNDLE_CUDA], p.cu);
    if (!cuda && str_eq(r->files[BUNDLE_MAKEFILE], p.makefile))
        return check_facts(rv, r, &p, why);
    const int i = cuda ? BUNDLE_CUDA : BUNDLE_MAKEFILE;
    validate_put_difference("it", r->files[i], cuda ? p.cu : p.makefile, &at.line, why);
    *place = (bundle_place){r->v[bundle_name_field((bundle_file)i)]->text.p, at.line};
    return false;
}
