/* SPDX-License-Identifier: Apache-2.0 */
/* weft_explain: what a diagnostic means, with a wrong and a right program, from diag.def and
 * assets/diagnostics.txt. It takes an id, or what a user copies from a message:
 *
 *     undefined-name
 *     kernel.py:6:5: error: name 'x' is not defined [undefined-name]
 *     name 'x' is not defined
 *
 * all give the entry of undefined-name. For a word that is no id the message lists the ids that
 * resemble it. */
#include <string.h>

#include "api/api.h"
#include "base/ascii.h"
#include "base/asset.h"
#include "base/nearest.h"

/* Literal characters that a sentence must share with a message to be recognised by it; letters that
 * a word of an id must share with a word of the user's; ids that are listed. */
enum { SENTENCE_MIN = 12, PREFIX_MIN = 3, NEAR_MAX = 6 };

/* --- which diagnostic ------------------------------------------------------------------------ */

static bool is_id_char(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '-';
}

/* The first row with this id; DIAG_COUNT: there is none. */
static diag_id find_id(str id)
{
    for (int i = 0; i < DIAG_COUNT; i++)
        if (str_eq(str_c(diag_name((diag_id)i)), id))
            return (diag_id)i;
    return DIAG_COUNT;
}

/* The last id in brackets or quotes, as messages and JSON have it: `... [undefined-name]`,
 * `"id": "undefined-name"`. Else the last word with a hyphen that is an id. */
static diag_id find_quoted(str text)
{
    diag_id quoted = DIAG_COUNT, bare = DIAG_COUNT;
    for (size_t i = 0, n; i < text.n; i += n + 1) {
        for (n = 0; i + n < text.n && is_id_char(text.p[i + n]);)
            n++;
        const str word = {text.p + i, n};
        const diag_id id = n ? find_id(word) : DIAG_COUNT;
        if (id == DIAG_COUNT)
            continue;
        const char before = i ? text.p[i - 1] : ' ', after = i + n < text.n ? text.p[i + n] : ' ';
        if ((before == '[' && after == ']') || (before == '"' && after == '"'))
            quoted = id;
        else if (memchr(word.p, '-', n))
            bare = id;
    }
    return quoted != DIAG_COUNT ? quoted : bare;
}

/* Skips a conversion of a format ("%.*s", at its sign); gives what follows. */
static const char *skip_conversion(const char *p)
{
    WEFT_ASSERT(*p == '%');
    p += 1 + strspn(p + 1, "-+ #.*0123456789lzh");
    return *p ? p + 1 : p;
}

/* How many characters of the sentence outside of its conversions stand in the text, in order; 0:
 * not all of them. "name '%s' is not defined" has 23. */
static size_t sentence_matches(const char *sentence, str text)
{
    size_t matched = 0;
    while (*sentence) {
        const size_t n = strcspn(sentence, "%");
        size_t at = 0;
        while (at + n <= text.n && memcmp(text.p + at, sentence, n) != 0)
            at++;
        if (at + n > text.n)
            return 0;
        matched += n;
        text = (str){text.p + at + n, text.n - at - n};
        sentence += n;
        if (*sentence)
            sentence = skip_conversion(sentence);
    }
    return matched;
}

static diag_id find_sentence(str text)
{
    diag_id best = DIAG_COUNT;
    size_t most = SENTENCE_MIN - 1;
    for (int i = 0; i < DIAG_COUNT; i++) {
        const size_t n = sentence_matches(diag_sentence((diag_id)i), text);
        if (n > most) {
            most = n;
            best = (diag_id)i;
        }
    }
    return best;
}

/* Ids are also taken in capitals and with underscores: UNDEFINED_NAME. */
static str normalized(arena *a, str text)
{
    char *p = arena_dup(a, text.p, text.n);
    for (size_t i = 0; i < text.n; i++)
        p[i] = p[i] == '_' ? '-' : ascii_lower(p[i]);
    return (str){p, text.n};
}

static diag_id find_diagnostic(arena *a, str text)
{
    const str word = normalized(a, text);
    diag_id id = find_id(word);
    if (id == DIAG_COUNT)
        id = find_quoted(text);
    if (id == DIAG_COUNT)
        id = find_sentence(text);
    return id != DIAG_COUNT ? id : find_quoted(word);
}

/* --- ids that resemble a word ---------------------------------------------------------------- */

/* The length of the longest beginning that a word of `a` and one of `b` share. */
static size_t shared_prefix(str a, str b)
{
    size_t most = 0;
    for (size_t i = 0; i < a.n; i++) {
        if (i && is_id_char(a.p[i - 1]) && a.p[i - 1] != '-')
            continue;
        for (size_t k = 0; k < b.n; k++) {
            if (k && b.p[k - 1] != '-')
                continue;
            size_t n = 0;
            while (i + n < a.n && k + n < b.n && a.p[i + n] == b.p[k + n] && a.p[i + n] != '-')
                n++;
            most = n > most ? n : most;
        }
    }
    return most;
}

/* The ids that share the most letters, and those that share more than half of that; at most
 * NEAR_MAX. Gives their number. */
static int find_near(str word, diag_id out[NEAR_MAX])
{
    size_t score[NEAR_MAX];
    int n = 0;
    for (int i = 0; i < DIAG_COUNT; i++) {
        const str id = str_c(diag_name((diag_id)i));
        const size_t shared = shared_prefix(word, id);
        if (shared < PREFIX_MIN || find_id(id) != (diag_id)i)
            continue;
        int at = n < NEAR_MAX ? n++ : NEAR_MAX;
        for (; at > 0 && score[at - 1] < shared; at--)
            if (at < NEAR_MAX) {
                score[at] = score[at - 1];
                out[at] = out[at - 1];
            }
        if (at < NEAR_MAX) {
            score[at] = shared;
            out[at] = (diag_id)i;
        }
    }
    while (n > 1 && 2 * score[n - 1] <= score[0])
        n--;
    return n;
}

/* "mixed-types, mixed-bytes": the ids that the word is a few edits away from, else those that share
 * letters with it; "": there are none. */
static const char *list_near(arena *a, str word)
{
    nearest_few few;
    diag_id near[NEAR_MAX];
    nearest_few_init(&few, a, word);
    for (int i = 0; i < DIAG_COUNT; i++)
        nearest_few_offer(&few, str_c(diag_name((diag_id)i)));
    const char *list = nearest_few_list(&few);
    const int n = *list ? 0 : find_near(word, near);
    for (int i = 0; i < n; i++)
        list = arena_printf(a, "%s%s%s", list, i ? ", " : "", diag_name(near[i]));
    return list;
}

static const char *unknown(arena *a, str text)
{
    const char *list = list_near(a, normalized(a, text));
    const int shown = text.n < 80 ? (int)text.n : 80;
    if (!*list)
        return arena_printf(a,
                            "no diagnostic is called '%.*s'; ids stand in brackets at the end of "
                            "messages: [undefined-name]",
                            shown, text.p);
    return arena_printf(a, "no diagnostic is called '%.*s'; near are: %s", shown, text.p, list);
}

/* --- the entry ------------------------------------------------------------------------------- */

/* The section of the id in assets/diagnostics.txt without its head; n is 0: there is none. */
static str entry_of(const char *id)
{
    const char *p = asset_diagnostics_txt.p, *const end = p + asset_diagnostics_txt.n;
    const size_t n = strlen(id);
    bool found = false;
    const char *from = end, *to = end;
    for (const char *line = p; line < end; line = p) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        p = stop ? stop + 1 : end;
        if (!str_starts((str){line, (size_t)(p - line)}, "## "))
            continue;
        if (found) {
            to = line;
            break;
        }
        const size_t left = (size_t)(p - line) - 3;
        found = left > n && memcmp(line + 3, id, n) == 0 && strchr(" \n", line[3 + n]);
        from = found ? p : from;
    }
    return (str){from, (size_t)(to - from)};
}

/* "name '...' is not defined" */
static void put_sentence(strbuf *b, const char *p)
{
    while (*p) {
        const size_t n = strcspn(p, "%");
        sb_str(b, (str){p, n});
        p += n;
        if (*p) {
            SB_LIT(b, "...");
            p = skip_conversion(p);
        }
    }
    sb_char(b, '\n');
}

/* Is there more in it than values? */
static bool has_words(const char *hint)
{
    while (*hint == '%')
        hint = skip_conversion(hint);
    return *hint;
}

/* Every sentence of the id with its hint, then the entry. */
static void put_entry(strbuf *b, diag_id id)
{
    const char *name = diag_name(id);
    for (int i = (int)id; i < DIAG_COUNT; i++) {
        if (strcmp(diag_name((diag_id)i), name) != 0)
            continue;
        sb_printf(b, "%s: ", name);
        put_sentence(b, diag_sentence((diag_id)i));
        const char *hint = diag_hint((diag_id)i);
        if (hint && has_words(hint)) {
            SB_LIT(b, "    hint: ");
            put_sentence(b, hint);
        }
    }
    sb_str(b, entry_of(name));
}

/* --- the interface --------------------------------------------------------------------------- */

/* One call. `out` lives in the module arena. */
typedef struct explain_request {
    weft_context *c;
    str text, out;
    weft_status status;
} explain_request;

static void explain(void *arg)
{
    explain_request *r = arg;
    arena *a = &r->c->p.c.module;
    strbuf b;
    const diag_id id = find_diagnostic(a, r->text);
    if (id == DIAG_COUNT) {
        r->c->message = unknown(a, r->text);
        r->status = WEFT_BAD_ARGUMENT;
        return;
    }
    sb_init(&b, &r->c->p.c.mem);
    put_entry(&b, id);
    r->out = (str){arena_dup(a, b.p, b.n), b.n};
    sb_clear(&b);
}

weft_status weft_explain(weft_context *c, const char *text, const char **entry, size_t *size)
{
    if (!c || !text || !entry || !size)
        return WEFT_BAD_ARGUMENT;
    explain_request r = {.c = c, .text = str_c(text)};
    const weft_status status = api_try(c, explain, &r, &r.status);
    *entry = status == WEFT_OK ? r.out.p : NULL;
    *size = status == WEFT_OK ? r.out.n : 0;
    return status;
}
