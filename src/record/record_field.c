/* SPDX-License-Identifier: Apache-2.0 */
/* The tree that the rows of record_field.def make. The fields of an object are the rows behind its
 * own that lie one level deeper, up to the first that does not lie deeper:
 *
 *     row        depth
 *     COUNTS     1        children of COUNTS: COUNT_LINES, COUNT_KERNEL_LINES, ...
 *     COUNT_..   2
 *     SHA256     1        ends them
 *
 * All walks are linear in the table, which has about 150 rows. */
#include "record/record_field.h"

#include "base/assert.h"
#include "base/json.h"

/* The words that record_field.def uses in its column `when`. */
enum {
    ANY = 0,
    CUDA = TRAIT_CUDA,
    CPU = TRAIT_CPU,
    ADJOINT = TRAIT_ADJOINT,
    TEXTS = TRAIT_TEXTS,
    PAIR = TRAIT_PAIR,
    CHAT = TRAIT_CHAT,
    PROGRAM = TRAIT_PROGRAM,
    JOINED = TRAIT_JOINED,
    REPAIR = TRAIT_REPAIR,
    PTX = TRAIT_PTX,
    COLLECTED = TRAIT_COLLECTED,
    ORIGIN = TRAIT_ORIGIN,
    COMPOSED = TRAIT_COMPOSED,
    GRADED = TRAIT_GRADED,
    SCRIPT = TRAIT_SCRIPT
};

const record_field_row record_fields[FIELDS] = {
#define FIELD(ID, depth, name, type, when, what) {depth, RECORD_TYPE_##type, when, name, what},
#include "record/record_field.def"
#undef FIELD
};

record_field record_field_child(record_field parent, record_field after)
{
    const uint32_t depth = parent == FIELD_TOP ? 0 : record_fields[parent].depth + 1u;
    uint32_t i = after != FIELD_TOP ? after + 1u : parent == FIELD_TOP ? 0 : parent + 1u;
    WEFT_ASSERT(parent <= FIELDS && after <= FIELDS);
    while (i < FIELDS && record_fields[i].depth > depth)
        i++;
    return i < FIELDS && record_fields[i].depth == depth ? (record_field)i : FIELD_TOP;
}

/* The nearest row before f that is less deep. */
record_field record_field_parent(record_field f)
{
    WEFT_ASSERT(f < FIELDS);
    const uint32_t depth = record_fields[f].depth;
    uint32_t i = f;
    while (depth && record_fields[i].depth >= depth)
        i--;
    return depth ? (record_field)i : FIELD_TOP;
}

record_field record_field_find(record_field parent, const char *name)
{
    record_field f = record_field_child(parent, FIELD_TOP);
    while (f != FIELD_TOP && strcmp(record_fields[f].name, name) != 0)
        f = record_field_child(parent, f);
    return f;
}

bool record_field_any(const json_value *json, strbuf *why)
{
    if (!json_is(json, JSON_TYPE_OBJECT)) {
        SB_LIT(why, "no record: it is no JSON object");
        return false;
    }
    for (const json_value *v = json->child; v; v = v->next)
        for (int f = 0; f < FIELDS; f++)
            if (!record_fields[f].depth && str_eq(v->key, str_c(record_fields[f].name)))
                return true;
    SB_LIT(why, "no record: it has none of a record's fields, such as id, messages or metadata");
    return false;
}

/* "metadata.arguments[]." */
static void put_where(strbuf *b, record_field parent)
{
    if (parent == FIELD_TOP)
        return;
    record_field_put_path(b, parent);
    sb_c(b, record_fields[parent].type == RECORD_TYPE_LIST ? "[]." : ".");
}

void record_field_put_path(strbuf *b, record_field f)
{
    WEFT_ASSERT(f < FIELDS);
    put_where(b, record_field_parent(f));
    sb_c(b, record_fields[f].name);
}

void record_field_put_key(strbuf *b, record_field f, bool first)
{
    WEFT_ASSERT(f < FIELDS);
    json_key(b, record_fields[f].name, first);
}

/* Makes rows for json_fields, which does the comparing, and distributes what it found. v keeps its
 * other entries, so the objects of a record can be read one by one into the same v. */
bool record_field_read(const json_value *object, record_field parent, unsigned certain,
                       unsigned possible, const json_value *v[FIELDS], strbuf *why)
{
    WEFT_ASSERT((certain & ~possible) == 0);
    static const json_kind kinds[RECORD_TYPES] = {[RECORD_TYPE_STRING] = JSON_STRING,
                                                  [RECORD_TYPE_INT] = JSON_COUNT,
                                                  [RECORD_TYPE_SIGNED] = JSON_SMALL,
                                                  [RECORD_TYPE_BOOL] = JSON_BOOL,
                                                  [RECORD_TYPE_FLOAT] = JSON_NUMBER_OR_NULL,
                                                  [RECORD_TYPE_NAMES] = JSON_ARRAY,
                                                  [RECORD_TYPE_INTS] = JSON_ARRAY,
                                                  [RECORD_TYPE_STRUCT] = JSON_OBJECT,
                                                  [RECORD_TYPE_LIST] = JSON_ARRAY};
    json_field rows[FIELDS];
    record_field ids[FIELDS];
    const json_value *found[FIELDS];
    uint32_t n = 0;
    char path[128];
    strbuf where = {.p = path, .cap = sizeof path}; /* longer than any path of the table */
    for (record_field f = FIELD_TOP; (f = record_field_child(parent, f)) != FIELD_TOP;) {
        if (!record_field_is_there(f, possible))
            continue;
        rows[n] = (json_field){record_fields[f].name, kinds[record_fields[f].type],
                               !record_field_is_there(f, certain)};
        ids[n++] = f;
    }
    put_where(&where, parent);
    const bool good = json_fields(object, rows, n, true, sb_cstr(&where), found, why);
    for (uint32_t i = 0; i < n; i++)
        v[ids[i]] = found[i];
    return good;
}
