/* SPDX-License-Identifier: Apache-2.0 */
/* What the record of a found kernel says by rule, against its source and itself: category,
 * difficulty, built-in functions, types, and the index, which is a hash of where the kernel stands
 * and of its source.
 *
 *     provenance.line 19, made 18   ->   "metadata.provenance, or the kernel's name, is not that
 *                                        which the index was made of"
 *
 * Version, licence and repository are the word of whoever collected: they have a hash
 * (metadata.sha256.provenance), and the set's card counts versions and licences. */
#include "record/found_facts.h"
#include "record/spdx.h"
#include "validate/validate_record.h"

/* Kernels of one name and line: calls of a function that makes them. */
enum { ORDINALS = 1 << 16 };

static bool say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

/* Category, difficulty, built-in functions; and what only a generated record has. */
static bool check_facts(const record_validator *rv, const record_view *r, strbuf *why)
{
    const found_facts f =
        found_facts_of(&program_tree(rv->program)->base, &rv->compiled.kernel->code);
    if (r->target.n || r->attempt)
        return say(why, "metadata.target or metadata.attempt is that of a generated record");
    if (r->category != f.category) {
        SB_LIT(why, "category is '");
        sb_c(why, gen_category_name(r->category));
        SB_LIT(why, "', the source's is '");
        sb_c(why, gen_category_name(f.category));
        return say(why, "'");
    }
    if (r->level != f.level) {
        sb_printf(why, "metadata.difficulty is not %u, which the kernel's lines give", f.level);
        return false;
    }
    bool same = f.nbuiltins == r->nbuiltins;
    for (uint32_t i = 0; i < r->nbuiltins && same; i++)
        same = str_eq(r->builtins[i], str_c(gen_builtin_name(f.builtins[i])));
    return same || say(why, "metadata.builtins are not those that the source uses");
}

/* Is `text` a call of the function that the kernel's name begins with? "A.make(n=4)" goes with the
 * kernel A__make__locals__k. A kernel may have been renamed: then any function does. */
static bool is_call_of(str text, str key)
{
    size_t n = 0, at = 0;
    bool same = true;
    for (; n < text.n && text.p[n] != '('; n++) {
        const bool dot = text.p[n] == '.';
        for (int i = 0; i < 1 + dot; i++, at++)
            same = same && at < key.n && key.p[at] == (dot ? '_' : text.p[n]);
    }
    const str rest = {key.p + at, at < key.n ? key.n - at : 0};
    const bool named = str_contains(key, STR("__locals__"));
    return n && n < text.n && text.p[text.n - 1] == ')' &&
           (!named || (same && str_starts(rest, "__locals__")));
}

/* Of a kernel that a function made for a call the call stands first: make(n=4)[x: vec3f]. */
static bool check_call(str stated, str from, str types, str key, strbuf *why)
{
    if (types.n && stated.n > types.n + 2 && stated.p[stated.n - 1] == ']' &&
        memcmp(stated.p + stated.n - types.n - 1, types.p, types.n) == 0)
        stated.n -= types.n + 2;
    if (!is_call_of(stated, key))
        return say(why, "metadata.provenance.instance is no call of the function that made it");
    static const found_types ways[] = {FOUND_TYPES_CALL, FOUND_TYPES_DEFAULT, FOUND_TYPES_CHOSEN};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (str_eq(from, str_c(found_types_name(ways[i]))))
            return true;
    return say(why, "metadata.provenance.types_from does not go with the instance");
}

static bool check_types(record_validator *rv, const record_view *r, strbuf *why)
{
    const str stated = r->v[FIELD_ORIGIN_INSTANCE]->text, from = r->v[FIELD_ORIGIN_TYPES]->text;
    const str instance = found_instance(&rv->p.c.module, rv->compiled.kernel);
    const bool of_call = stated.n && !rv->compiled.kernel->is_static && !str_eq(stated, instance);
    if (of_call)
        return check_call(stated, from, instance, r->kernel, why);
    if (!str_eq(stated, instance)) {
        SB_LIT(why, "metadata.provenance.instance is not '");
        sb_str(why, instance);
        return say(why, "', which the source has");
    }
    for (found_types t = 0; t < FOUND_TYPES_CALL; t++)
        if (str_eq(from, str_c(found_types_name(t))) && (t == FOUND_TYPES_NONE) == !instance.n)
            return true;
    return say(why, "metadata.provenance.types_from does not go with the instance");
}

/* Is the index that of package, path, line, name and source? */
static bool check_index(const record_view *r, strbuf *why)
{
    const uint64_t line = json_count(r->v[FIELD_ORIGIN_LINE]);
    const record_origin origin = {.package = r->v[FIELD_ORIGIN_PACKAGE]->text,
                                  .path = r->v[FIELD_ORIGIN_PATH]->text,
                                  .line = (uint32_t)line};
    for (uint32_t i = 0; line <= UINT32_MAX && i < ORDINALS; i++)
        if (found_index(&origin, r->kernel, i, r->source_hash) == r->index)
            return true;
    return say(why, "metadata.provenance, the kernel's name or its source is not what the index "
                    "was made of");
}

/* What is not known is not collected. */
static bool check_license(record_validator *rv, const record_view *r, strbuf *why)
{
    const str s = r->v[FIELD_ORIGIN_LICENSE]->text;
    return str_eq(spdx_read(&rv->p.c.module, s), s) && s.n
               ? true
               : say(why, "metadata.provenance.license is no SPDX expression of known ids");
}

bool validate_found(record_validator *rv, const record_view *r, strbuf *why)
{
    WEFT_ASSERT(r->is_collected && rv->compiled.kernel);
    if (r->source.n && r->source.p[r->source.n - 1] != '\n')
        return say(why, "python_source does not end in a newline");
    return check_facts(rv, r, why) && check_types(rv, r, why) && check_license(rv, r, why) &&
           check_index(r, why);
}
