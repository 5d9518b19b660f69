/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, and names that follow from it: where a record lies, and what a shard is
 * called in messages.
 *
 *     index 2 of seed 7, jsonl   ->   data/train-00000-of-00001.jsonl
 *     index 2 of seed 7, files   ->   loop/7-000000002.json */
#include "store/store_format.h"

#include "base/assert.h"

static const store_format *const formats[RECORD_FORMATS] = {
#define FORMAT(ID, name, programs, shards, data, functions, next, next_cpu)                        \
    [RECORD_FORMAT_##ID] = &store_format_##functions,
#include "record/record_format.def"
#undef FORMAT
};

const store_format *store_format_of(const record_options *o)
{
    WEFT_ASSERT(o->format < RECORD_FORMATS);
    const store_format *f = formats[o->format]; /* and it agrees with the row of the table: */
    WEFT_ASSERT(record_format_of(o)->shards == !f->each);
    return f;
}

void store_put_place(strbuf *b, const record_options *o, const store_outcome *r, uint64_t index)
{
    const store_each *each = store_format_of(o)->each;
    WEFT_ASSERT(index >= r->first && index < r->first + r->rows);
    if (each)
        each->put_name(b, o, index);
    else
        store_put_shard_name(b, o, r->rows, (index - r->first) / store_shard_rows(o));
}

void store_put_shard_title(strbuf *b, const record_options *o, const store_outcome *r,
                           uint64_t number)
{
    if (record_format_of(o)->shards) {
        store_put_shard_name(b, o, r->rows, number);
        return;
    }
    SB_LIT(b, "*, rows ");
    sb_uint(b, number * store_shard_rows(o));
    SB_LIT(b, " and on");
}
