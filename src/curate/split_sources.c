/* SPDX-License-Identifier: Apache-2.0 */
/* Counts records by metadata.provenance. A set that was divided or deduplicated names its sources
 * as the collected one did: there is no blanket licence for code of others.
 *
 *     {"provenance": {"package": "warp-lang", "license": "Apache-2.0", ...}, ...} */
#include "curate/split_sources.h"

#include "base/json_peek.h"
#include "record/record_name.h"

/* The text of a member; empty: it has none. In a. */
static str member(arena *a, str object, const char *name)
{
    str raw, text = STR("");
    strbuf b;
    sb_init(&b, a->m);
    if (json_peek(object, name, &raw) && json_peek_string(raw, &b) && b.n)
        text = (str){arena_dup(a, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

void split_sources_count(split_sources *s, arena *a, str metadata)
{
    str kind, origin;
    /* in a joined set kernels that were made have an empty provenance */
    if (!json_peek(metadata, "origin", &kind) || !str_eq(kind, STR("\"" RECORD_ORIGIN "\"")) ||
        !json_peek(metadata, "provenance", &origin))
        return;
    const arena_mark mark = arena_save(a);
    const split_source fresh = {member(a, origin, "package"), member(a, origin, "version"),
                                member(a, origin, "license"), 1};
    for (uint32_t i = 0; i < s->v.n; i++) {
        split_source *row = &s->v.v[i];
        if (str_eq(row->package, fresh.package) && str_eq(row->version, fresh.version) &&
            str_eq(row->license, fresh.license)) {
            row->records++;
            arena_rewind(a, mark);
            return;
        }
    }
    VEC_PUSH(a, &s->v, fresh);
}

void split_sources_put(strbuf *b, const split_sources *s)
{
    if (!s->v.n)
        return;
    SB_LIT(b, "## Sources\n\nThe Python sources are the work of others, each under the licence of "
              "its package (`metadata.provenance`).\n\n| package | version | licence | records "
              "|\n|---|---|---|---:|\n");
    for (uint32_t i = 0; i < s->v.n; i++) {
        const split_source *row = &s->v.v[i];
        SB_LIT(b, "| ");
        sb_str(b, row->package);
        SB_LIT(b, " | ");
        sb_str(b, row->version);
        SB_LIT(b, " | ");
        sb_str(b, row->license.n ? row->license : STR("unknown"));
        SB_LIT(b, " | ");
        sb_uint(b, row->records);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n");
}
