/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage: how many records have each thing that the generator can express.
 *
 *     "coverage": {"expressible": ..., "seen": ..., "unlisted": ..., "never": [["builtins", "sin",
 *      "float16"], ...], "builtins": {"sin": {"float32": 800}, ...}, ...}
 *
 * What no record has is listed by name: it shows what a set cannot teach. */
#include "base/json.h"
#include "store/stats.h"

/* The productions of a thing, one for each type, stand side by side in the list. */
static bool begins_thing(const gen_production *p, uint32_t i)
{
    return i == 0 || strcmp(p[i].group, p[i - 1].group) != 0 ||
           strcmp(p[i].name, p[i - 1].name) != 0;
}

static void put_totals(strbuf *b, const store_stats *s, uint32_t n)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < n; i++)
        seen += s->productions[i] > 0;
    SB_LIT(b, ",\n  \"coverage\": {\n    \"expressible\": ");
    sb_uint(b, n);
    SB_LIT(b, ",\n    \"seen\": ");
    sb_uint(b, seen);
    SB_LIT(b, ",\n    \"unlisted\": ");
    sb_uint(b, s->unlisted);
}

/* ["builtins", "sin", "float16"] for each that no record has. */
static void put_never(strbuf *b, const store_stats *s, const gen_production *p, uint32_t n)
{
    bool first = true;
    SB_LIT(b, ",\n    \"never\": [");
    for (uint32_t i = 0; i < n; i++) {
        if (s->productions[i])
            continue;
        sb_c(b, first ? "[" : ", [");
        json_string(b, str_c(p[i].group));
        SB_LIT(b, ", ");
        json_string(b, str_c(p[i].name));
        SB_LIT(b, ", ");
        json_string(b, p[i].type);
        SB_LIT(b, "]");
        first = false;
    }
    SB_LIT(b, "]");
}

/* "sin": {"float16": 12, "float32": 800}, or "while": 31 for a thing without types. */
static uint32_t put_thing(strbuf *b, const store_stats *s, const gen_production *p, uint32_t i,
                          uint32_t n)
{
    WEFT_ASSERT(i < n && begins_thing(p, i));
    json_string(b, str_c(p[i].name));
    SB_LIT(b, ": ");
    if (!p[i].type.n) {
        sb_uint(b, s->productions[i]);
        return i + 1;
    }
    uint32_t k = i;
    do {
        sb_c(b, k == i ? "{" : ", ");
        json_string(b, p[k].type);
        SB_LIT(b, ": ");
        sb_uint(b, s->productions[k]);
        k++;
    } while (k < n && !begins_thing(p, k));
    SB_LIT(b, "}");
    return k;
}

/* "builtins": {...}, "types": {...}: productions are sorted by group. */
static void put_groups(strbuf *b, const store_stats *s, const gen_production *p, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        const char *group = p[i].group;
        SB_LIT(b, ",\n    ");
        json_string(b, str_c(group));
        SB_LIT(b, ": {");
        for (bool first = true; i < n && strcmp(p[i].group, group) == 0; first = false) {
            sb_c(b, first ? "\n      " : ",\n      ");
            i = put_thing(b, s, p, i, n);
        }
        SB_LIT(b, "\n    }");
    }
}

void coverage_put_json(strbuf *b, const store_stats *s)
{
    arena a;
    gen_production *p;
    arena_init(&a, b->m); /* its chunks die with b->m */
    const uint32_t n = gen_production_list(&a, &p);
    WEFT_ASSERT(n <= GEN_PRODUCTIONS_MAX);
    put_totals(b, s, n);
    put_never(b, s, p, n);
    put_groups(b, s, p, n);
    SB_LIT(b, "\n  }");
}
