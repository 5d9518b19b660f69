/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what lies beside the data of a set with found kernels: the files that the manifest lists,
 * and two tables of README.md, on which the use of the records depends.
 *
 *     | warp-lang | 1.19.0 | Apache-2.0 | 292 |     where 293 records have this source
 *     ->   README.md: schema: its sources do not have '| warp-lang | 1.19.0 | Apache-2.0 | 293 |'
 *
 * The rest of a card is prose, which people may write anew. */
#include <errno.h>

#include "base/file.h"
#include "validate/validate_set.h"

static void report(validate_state *v, const char *path, validate_check check)
{
    validate_report(v, path, 0, (str){0}, check);
}

void validate_card_count(validate_state *v, validate_set *s, str row)
{
    for (uint32_t i = 0; i < s->sources.n; i++)
        if (str_eq(s->sources.v[i].row, row)) {
            s->sources.v[i].records++;
            return;
        }
    const validate_source_row fresh = {{arena_dup(v->a, row.p, row.n), row.n}, 1};
    VEC_PUSH(v->a, &s->sources, fresh);
}

/* --- files --------------------------------------------------------------------------------- */

/* A file is small enough to be read at once: it lists kernels, and holds no records. */
static int check_file(validate_state *v, const validate_shard *f)
{
    str text;
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    const int error = file_read(v->a, f->path, &text);
    if (error && error != ENOENT)
        return error;
    if (error) {
        SB_LIT(&v->text, "the manifest names it, and it is not there");
        report(v, f->path, VALIDATE_SCHEMA);
        return 0;
    }
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    if (text.n == f->bytes && str_count(text, '\n') == f->rows &&
        memcmp(hex, f->sha256, SHA256_HEX) == 0)
        return 0;
    SB_LIT(&v->text, "its lines, bytes or SHA-256 are not the manifest's");
    report(v, f->path, VALIDATE_HASH);
    return 0;
}

/* --- README.md ------------------------------------------------------------------------------ */

/* The rows of a section's table: from its heading to the next one. */
static str table_of(str card, const char *heading)
{
    const char *from = str_find(card, str_c(heading));
    if (!from)
        return STR("");
    const str rest = {from + strlen(heading), (size_t)(card.p + card.n - from) - strlen(heading)};
    const char *end = str_find(rest, STR("\n## "));
    return (str){rest.p, end ? (size_t)(end + 1 - rest.p) : rest.n};
}

/* Does the table have the line? Else "its WHAT do not have 'ROW'" is in v->text. */
static bool has_row(validate_state *v, const char *what, str table, const char *row)
{
    const char *line = arena_printf(v->a, "\n%s\n", row);
    if (str_find(table, str_c(line)))
        return true;
    sb_printf(&v->text, "its %s do not have '%s'", what, row);
    return false;
}

/* Lines that begin like a row, beside the two of the head. */
static uint64_t rows_of(str table)
{
    uint64_t n = 0;
    for (size_t i = 0; i + 1 < table.n; i++)
        n += table.p[i] == '\n' && table.p[i + 1] == '|';
    return n < 2 ? 0 : n - 2;
}

static bool check_sources(validate_state *v, const validate_set *s, str card)
{
    const str table = table_of(card, "\n## Sources\n");
    for (uint32_t i = 0; i < s->sources.n; i++) {
        const validate_source_row *row = &s->sources.v[i];
        if (!has_row(v, "sources", table,
                     arena_printf(v->a, "%.*s %llu |", (int)row->row.n, row->row.p,
                                  (unsigned long long)row->records)))
            return false;
    }
    if (rows_of(table) == s->sources.n)
        return true;
    SB_LIT(&v->text, "its sources are more than those of the records");
    return false;
}

static bool check_splits(validate_state *v, const validate_set *s, str card)
{
    const str table = table_of(card, "\n## Splits\n");
    for (uint32_t i = 0; i < s->ratios.n; i++)
        if (!has_row(v, "splits", table,
                     arena_printf(v->a, "| %s | %llu | %llu |", split_name(&s->ratios, i),
                                  (unsigned long long)s->split_rows[i],
                                  (unsigned long long)s->split_bytes[i])))
            return false;
    return true;
}

int validate_card(validate_state *v, const validate_set *s)
{
    str card;
    for (uint32_t i = 0; i < s->beside.n; i++) {
        const int error = check_file(v, &s->beside.v[i]);
        if (error)
            return error;
    }
    if (s->manifest && s->ratios.n && !validate_split_bytes(v, s))
        report(v, s->manifest, VALIDATE_SCHEMA);
    if (!s->sources.n || !s->manifest || !s->ratios.n)
        return 0;
    const char *path = path_join(v->a, s->folder, STR("README.md"));
    const int error = file_read(v->a, path, &card);
    if (error && error != ENOENT)
        return error;
    if (error)
        SB_LIT(&v->text, "it is missing, and with it the licences of the sources");
    if (error || !check_sources(v, s, card) || !check_splits(v, s, card))
        report(v, path, VALIDATE_SCHEMA);
    return 0;
}
