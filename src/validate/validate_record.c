/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of one record, and the facts about it that the checks across records need.
 *
 *     record   ->   validate_facts: id, seed, index, key of the source's body, structure, family
 *
 *     python_source with one letter changed
 *     ->  "metadata.sha256.python_source is a712..., the text's is 1b8d..." */
#include "validate/validate_record.h"

#include "base/sha256.h"
#include "record/found_facts.h"
#include "record/grade.h"
#include "record/record_name.h"
#include "record/record_shape.h"
#include "record/source_body.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

gen_request validate_request(gen *g, const record_view *r)
{
    return (gen_request){.seed = r->seed,
                         .index = r->index,
                         .attempt = r->attempt,
                         .category = r->category,
                         .level = (uint8_t)r->level,
                         .lines = (uint8_t)record_count(r, FIELD_COUNT_KERNEL_LINES),
                         .target = gen_production_find(g, r->target)};
}

/* False, with both hashes in `why`. */
static bool is_digest(const uint8_t digest[SHA256_SIZE], str hex, const char *key, strbuf *why)
{
    char is[SHA256_HEX];
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

static bool is_hash(str text, str hex, const char *key, strbuf *why)
{
    uint8_t digest[SHA256_SIZE];
    sha256_of(text.p, text.n, digest);
    return is_digest(digest, hex, key, why);
}

static bool are_inputs(const record_view *r, strbuf *why)
{
    check_arg args[SAMPLE_ARGS_MAX];
    uint8_t digest[SHA256_SIZE];
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
    record_hash_inputs(r->launch, args, r->nargs, digest);
    return is_digest(digest, r->inputs_hash, "inputs", why);
}

static bool is_origin(const record_view *r, strbuf *why)
{
    uint8_t digest[SHA256_SIZE];
    const uint64_t line = json_count(r->v[FIELD_ORIGIN_LINE]);
    const record_origin o = {.package = r->v[FIELD_ORIGIN_PACKAGE]->text,
                             .version = r->v[FIELD_ORIGIN_VERSION]->text,
                             .path = r->v[FIELD_ORIGIN_PATH]->text,
                             .license = r->v[FIELD_ORIGIN_LICENSE]->text,
                             .repository = r->v[FIELD_ORIGIN_REPOSITORY]->text,
                             .instance = r->v[FIELD_ORIGIN_INSTANCE]->text,
                             .types_from = r->v[FIELD_ORIGIN_TYPES]->text,
                             .line = (uint32_t)line};
    found_hash_origin(&o, digest);
    if (line <= UINT32_MAX)
        return is_digest(digest, r->origin_hash, "provenance", why);
    sb_c(why, "metadata.provenance.line is larger than any line");
    return false;
}

/* A text that a pair does not have is empty, and so is what its hash is of; a conversation does not
 * show all that there are. */
static bool has_hash(const record_view *r, str text, str hash)
{
    return text.n || (hash.n && !r->is_messages && !r->is_bundle);
}

bool validate_hash(const record_view *r, strbuf *why)
{
    if (r->source.n && !is_hash(r->source, r->source_hash, "python_source", why))
        return false;
    if (r->is_collected && (!are_inputs(r, why) || !is_origin(r, why)))
        return false;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(r->devices & 1u << d))
            continue;
        if (r->texts.forward[d].n && !is_hash(r->texts.forward[d], r->hashes.forward[d],
                                              record_text_key((emit_device)d, false), why))
            return false;
        if (has_hash(r, r->texts.backward[d], r->hashes.backward[d]) &&
            !is_hash(r->texts.backward[d], r->hashes.backward[d],
                     record_text_key((emit_device)d, true), why))
            return false;
    }
    return true;
}

uint64_t validate_license_key(const char *license)
{
    return XXH3_64bits(license, strlen(license));
}

static uint64_t shape_key(const record_view *r)
{
    record_shape s = {{false}};
    return !r->is_bundle && record_shape_add(&s, r->line) ? record_shape_key(&s) : 0;
}

/* A conversation that shows no Python is keyed by the hash of its source, not by the source. */
void validate_summary(const record_view *r, size_t bytes, strbuf *scratch, validate_facts *f)
{
    scratch->n = 0;
    if (r->source.n)
        record_put_body(scratch, r->source);
    else
        sb_str(scratch, r->source_hash);
    *f = (validate_facts){
        .id = r->id,
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
        .warp = r->warp,
        .backward = r->backward,
        .forward_only = r->is_composed && !r->backward &&
                        (!r->source.n || str_contains(r->source, STR("enable_backward=False"))),
        .is_messages = r->is_messages,
        .is_script = r->is_script,
        .is_repair = r->is_repair,
        .is_collected = r->is_collected,
        .is_bundle = r->is_bundle,
        .is_untested = r->is_graded && grade_is_untested(r->v[FIELD_VERIFICATION_INFO]->text),
        .license_key = r->is_graded ? validate_license_key(r->v[FIELD_LICENSE]->text.p) : 0,
        .shape_key = shape_key(r),
        .is_unverified =
            r->is_collected && str_eq(r->v[FIELD_PROOF_WHY]->text, STR("--no-verify"))};
}
