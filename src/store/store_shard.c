/* SPDX-License-Identifier: Apache-2.0 */
/* How a run is cut into shards, and what they are called.
 *
 *     60,000 rows   ->   25,000 + 25,000 + 10,000, data/train-00000-of-00003.jsonl and so on */
#include "store/store_shard.h"

/* 250 MB a shard or less, since the mean record has some 10 kB, or 18 kB for both devices. Larger
 * ones are slow to load and make a killed run lose more. */
enum { SHARD_ROWS = 25000, SHARD_ROWS_BOTH = 12500 };

uint64_t store_shard_rows(const record_options *o)
{
    const uint64_t usual = o->devices == EMIT_FOR_BOTH ? SHARD_ROWS_BOTH : SHARD_ROWS;
    return o->shard_rows ? o->shard_rows : usual;
}

uint64_t store_shard_count(const record_options *o, uint64_t rows)
{
    const uint64_t each = store_shard_rows(o);
    WEFT_ASSERT(each);
    return rows / each + (rows % each > 0);
}

void store_put_shard_name(strbuf *b, const record_options *o, uint64_t rows, uint64_t number)
{
    WEFT_ASSERT(number < store_shard_count(o, rows));
    sb_printf(b, "data/train-%05llu-of-%05llu%s%s", (unsigned long long)number,
              (unsigned long long)store_shard_count(o, rows),
              strrchr(record_format_of(o)->data, '.'), pack_extension(o->compress));
}

bool shard_is_same(const store_shard *a, const store_shard *b)
{
    return a->rows == b->rows && a->bytes == b->bytes &&
           memcmp(a->sha256, b->sha256, SHA256_HEX) == 0;
}

/* Ends a copy of the hash: the hashes of categories go on with the next shard. */
void shard_put_hash(store_shard *shard, const sha256 *hash)
{
    sha256 end = *hash;
    uint8_t digest[SHA256_SIZE];
    sha256_finish(&end, digest);
    sha256_hex(digest, shard->sha256);
}
