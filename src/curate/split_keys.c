/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the fields of records with those of the first, and keeps those of all. A record of
 * somebody else may have keys that weft's do not have: such sets are taken as they are, if all
 * records have the same keys. */
#include "curate/split_keys.h"

#include "base/assert.h"

void split_keys_init(split_keys *k, mem *m)
{
    *k = (split_keys){.is_mixed = false};
    sb_init(&k->names, m);
    sb_init(&k->filled, m);
}

/* False, with the fields that cannot be filled, where the table has them. */
static bool refuse(const split_keys *k, const record_shape *shape, strbuf *why)
{
    SB_LIT(why, "its keys are not those of the first record");
    if (shape && !record_shape_fits(&k->first, shape)) {
        SB_LIT(why, " (");
        record_shape_put_difference(why, &k->first, shape);
        SB_LIT(why, ")");
    }
    SB_LIT(why, ": sets go together that were made with the same --device, --style, --task and "
                "--with-ptx");
    return false;
}

bool split_keys_add(split_keys *k, str record, str names, bool stays, strbuf *why)
{
    record_shape shape = {{false}};
    const bool is_first = !k->names.n, known = record_shape_add(&shape, record);
    if (is_first) {
        sb_str(&k->names, names);
        k->first = shape;
    }
    k->is_strange |= !known;
    if (k->is_strange)
        return !k->is_mixed && str_eq(names, sb_view(&k->names)) ? true : refuse(k, NULL, why);
    if (!record_shape_fits(&k->first, &shape))
        return refuse(k, &shape, why);
    k->is_mixed |= stays && !record_shape_same(&k->first, &shape);
    for (record_field f = 0; f < FIELDS && stays; f++)
        k->all.there[f] |= shape.there[f];
    return true;
}

str split_keys_fill(split_keys *k, str record)
{
    WEFT_ASSERT(k->is_mixed && !k->is_strange);
    k->filled.n = 0;
    record_shape_write(&k->filled, record, &k->all);
    return sb_view(&k->filled);
}
