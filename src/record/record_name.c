/* SPDX-License-Identifier: Apache-2.0 */
/* Names of records, folders and devices.
 *
 *     seed 7, index 42, category loop   ->   id 7-000000042, folder 7-000000042_loop */
#include "record/record_name.h"

#include "base/format.h"

void record_put_id(strbuf *b, uint64_t seed, uint64_t index)
{
    sb_uint(b, seed);
    sb_char(b, '-');
    for (uint64_t least = UINT64_C(100000000); least > 1 && index < least; least /= 10)
        sb_char(b, '0');
    sb_uint(b, index);
}

static bool read_uint(str s, size_t *at, uint64_t *out)
{
    const size_t from = *at;
    *out = 0;
    for (; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9'; ++*at)
        if (__builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(s.p[*at] - '0'), out))
            return false;
    return *at > from;
}

/* Writes the numbers again and compares: "7-42" and "07-000000042" are no ids, so that each record
 * has one id only. */
bool record_read_id(str id, uint64_t *seed, uint64_t *index)
{
    size_t at = 0;
    char digits[64];
    strbuf b = {.p = digits, .cap = sizeof digits};
    if (!read_uint(id, &at, seed) || at >= id.n || id.p[at++] != '-' ||
        !read_uint(id, &at, index) || at != id.n)
        return false;
    record_put_id(&b, *seed, *index);
    return str_eq(sb_view(&b), id);
}

void record_put_folder(strbuf *b, const record_options *o, uint64_t index)
{
    WEFT_ASSERT(o->ncategories);
    record_put_id(b, o->seed, index);
    SB_LIT(b, "_");
    sb_c(b, gen_category_name(o->categories[index % o->ncategories]));
}

const char *record_device_name(unsigned devices)
{
    return devices == EMIT_FOR_CUDA ? "cuda" : devices == EMIT_FOR_CPU ? "cpu" : "both";
}

const char *record_artifact(unsigned devices)
{
    return devices == EMIT_FOR_CUDA ? ".cu" : devices == EMIT_FOR_CPU ? ".cpp" : ".cu, .cpp";
}

/* "n\nn,3 1 0:n\n": lines, so that no two lists of arguments give one text. */
void record_hash_inputs(str launch, const check_arg *args, uint32_t n, uint8_t digest[SHA256_SIZE])
{
    char number[32];
    sha256 h;
    sha256_start(&h);
    sha256_add(&h, launch.p, launch.n);
    for (uint32_t i = 0; i < n; i++) {
        const size_t length = format_text(number, sizeof number, " %d ", args[i].mag);
        sha256_add(&h, "\n", 1);
        sha256_add(&h, args[i].shape.p, args[i].shape.n);
        sha256_add(&h, number, length);
        sha256_add(&h, args[i].values.p, args[i].values.n);
    }
    sha256_add(&h, "\n", 1);
    sha256_finish(&h, digest);
}
