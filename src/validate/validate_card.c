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
#include "base/json_peek.h"
#include "record/record_options.h"
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

/* Lines of skipped.jsonl with the reason. */
static uint64_t count_reason(str text, str reason)
{
    uint64_t n = 0;
    str line, raw;
    for (size_t at = 0; json_peek_value(text, &at, &line);)
        n += json_peek(line, "reason", &raw) && raw.n >= 2 &&
             str_eq((str){raw.p + 1, raw.n - 2}, reason);
    return n;
}

bool validate_skipped_agree(validate_state *v, const validate_set *s, const json_value *skipped)
{
    str text = STR("");
    uint64_t sum = 0;
    const char *path = path_join(v->a, s->folder, STR("skipped.jsonl"));
    if (file_read(v->a, path, &text) != 0 && s->beside.n)
        return true; /* reported as a file of the manifest */
    bool same = skipped != NULL;
    for (const json_value *e = skipped ? skipped->child : NULL; e && same; e = e->next) {
        same = json_get(skipped, e->key.p) == e && json_is_count(e) &&
               json_count(e) == count_reason(text, e->key);
        sum += same ? json_count(e) : 0;
    }
    if (same && sum == str_count(text, '\n'))
        return true;
    SB_LIT(&v->text, "its counts of what was skipped are not those of skipped.jsonl");
    return false;
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

/* The licence that the front matter names; empty: none. */
static str license_in(str card)
{
    static const char key[] = "\nlicense: ";
    if (!str_starts(card, "---\n"))
        return STR("");
    const char *end = str_find(card, STR("\n---\n"));
    const str head = {card.p, end ? (size_t)(end - card.p) : card.n};
    const char *at = str_find(head, str_c(key));
    if (!at)
        return STR("");
    const char *from = at + sizeof key - 1, *to = from;
    while (to < card.p + card.n && *to != '\n')
        to++;
    return (str){from, (size_t)(to - from)};
}

/* The key of the licence that the card must name: that of the command, else of the records. */
static uint64_t license_of_set(validate_state *v, const validate_set *s)
{
    static const char option[] = " --license ";
    const char *at = str_find(s->command, str_c(option));
    if (at) {
        const char *from = at + sizeof option - 1;
        return validate_license_key(arena_dup(v->a, from, strcspn(from, " ")));
    }
    if (s->sources.n || s->licenses_differ)
        return validate_license_key("other");
    return s->license_key ? s->license_key : validate_license_key(RECORD_LICENSE);
}

/* A set whose card cannot be read has none, which is reported where it is needed. */
static void check_license(validate_state *v, const validate_set *s)
{
    str card;
    const char *path = path_join(v->a, s->folder, STR("README.md"));
    if (!s->command.n || file_read(v->a, path, &card) != 0)
        return;
    const str is = license_in(card);
    if (validate_license_key(arena_dup(v->a, is.p, is.n)) == license_of_set(v, s))
        return;
    sb_printf(&v->text, "its license is '%.*s', which neither the manifest nor the records say",
              (int)is.n, is.p);
    report(v, path, VALIDATE_SCHEMA);
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
    if (s->manifest)
        check_license(v, s);
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
