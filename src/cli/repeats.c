/* SPDX-License-Identifier: Apache-2.0 */
/* Counts problems by kind, so that a file of equal mistakes does not fill the screen. See repeats.h
 * for what is printed.
 *
 *     line 3: unknown key "a7"        shown, the first of its kind
 *     line 9: unknown key "b12"       the same kind: only the quoted word and the number differ */
#include "cli/repeats.h"

#include "cli/cli_output.h"

void repeats_init(repeats *r, mem *m)
{
    *r = (repeats){.m = m};
    sb_init(&r->file, m);
}

/* "FILE: 24 more lines like this: check: reason" */
static void put_held(strbuf *b, repeats *r, repeats_kind *k)
{
    cli_put_shown(b, sb_cstr(&r->file));
    SB_LIT(b, ": ");
    sb_uint(b, k->held);
    sb_c(b, k->held == 1 ? " more line like this: " : " more lines like this: ");
    cli_put_shown(b, sb_cstr(&k->text));
    SB_LIT(b, "\n");
}

/* A file of which nothing was shown gets no line: there may be a million of them. */
static void end_file(repeats *r, strbuf *b)
{
    WEFT_ASSERT(r->m && r->n <= REPEATS_KINDS);
    for (uint32_t i = 0; i < r->n; i++) {
        repeats_kind *k = &r->kinds[i];
        WEFT_ASSERT(k->shown <= REPEATS_SHOWN && k->total <= REPEATS_SHOWN_ALL);
        if (!k->shown)
            k->others += k->held;
        else if (k->held)
            put_held(b, r, k);
        k->held = k->shown = 0;
    }
    r->file.n = 0;
}

void repeats_end(repeats *r, strbuf *b)
{
    end_file(r, b);
    for (uint32_t i = 0; i < r->n; i++) {
        repeats_kind *k = &r->kinds[i];
        if (k->others) {
            sb_uint(b, k->others);
            sb_c(b, k->others == 1 ? " more problem" : " more problems");
            SB_LIT(b, " like this in other files: ");
            cli_put_shown(b, sb_cstr(&k->text));
            SB_LIT(b, "\n");
        }
        sb_clear(&k->text);
    }
    r->n = 0;
}

#define WORD_BYTES "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* FNV-1a (64 bits) of the text without words that hold a digit (numbers, hashes, ids) and without
 * what stands in double quotes: these differ from line to line. The byte 0xff at the end separates
 * the check from the reason, since no UTF-8 text holds it. Two kinds of equal hash would be counted
 * as one, which costs a line of output and nothing else. */
static uint64_t hash_kind(uint64_t hash, const char *text)
{
    bool quoted = false;
    while (*text) {
        const size_t word = strspn(text, WORD_BYTES);
        bool differs = quoted;
        for (size_t i = 0; i < word && !differs; i++)
            differs = text[i] >= '0' && text[i] <= '9';
        const size_t n = word ? word : 1;
        if (!word && *text == '"')
            quoted = !quoted;
        for (size_t i = 0; i < n && !differs; i++)
            hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
        text += n;
    }
    return (hash ^ 0xff) * 0x100000001b3;
}

/* The problem's kind, added if it is new; NULL: the table is full. A linear search: a file rarely
 * has more than a handful of kinds. */
static repeats_kind *find_kind(repeats *r, const weft_problem *p)
{
    const char *check = p->check ? p->check : "";
    const uint64_t hash = hash_kind(hash_kind(0xcbf29ce484222325, check), p->reason);
    for (uint32_t i = 0; i < r->n; i++)
        if (r->kinds[i].hash == hash)
            return &r->kinds[i];
    if (r->n == REPEATS_KINDS)
        return NULL;
    repeats_kind *k = &r->kinds[r->n++];
    *k = (repeats_kind){.hash = hash};
    sb_init(&k->text, r->m);
    sb_c(&k->text, check);
    sb_c(&k->text, *check ? ": " : "");
    sb_c(&k->text, p->reason);
    return k;
}

/* Problems of one file come one after another, so that only one file's numbers are kept. */
bool repeats_show(repeats *r, strbuf *b, const weft_problem *p)
{
    WEFT_ASSERT(p->file && p->reason);
    if (!str_eq((str){r->file.p, r->file.n}, str_c(p->file))) {
        end_file(r, b);
        sb_c(&r->file, p->file);
    }
    repeats_kind *k = find_kind(r, p);
    if (k && (k->shown == REPEATS_SHOWN || k->total == REPEATS_SHOWN_ALL)) {
        k->held++;
        return false;
    }
    if (k) {
        k->shown++;
        k->total++;
    }
    return true;
}
