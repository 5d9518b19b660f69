/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of a script: which number each letter of the library is, and how main() writes shapes.
 *
 *     "n,3"       ->   (num_particles, 3)
 *     "2*n+2"     ->   2 * num_particles + 2
 */
#include "base/ascii.h"
#include "compose/script_internal.h"

static bool any_has(const scripter *s, lib_binding b)
{
    for (uint32_t i = 0; i < s->nkernels; i++)
        if (plan_has_binding(&s->kernels[i].p, b))
            return true;
    return false;
}

static int64_t *letter(scripter *s, char c)
{
    return &s->letters[c - 'a'];
}

/* A number from a list that no letter has yet. */
static int64_t draw_size(scripter *s, const uint8_t *from, uint32_t n)
{
    int64_t size = 0;
    for (int i = 0; i < 8; i++) {
        bool taken = false;
        size = from[below(s->c, n)];
        for (int k = 0; k < 26; k++)
            taken |= s->letters[k] == size;
        if (!taken)
            break;
    }
    return size;
}

void script_choose_sizes(scripter *s)
{
    static const uint8_t line[] = {16, 24, 32, 48, 64}, grid[] = {8, 10, 12, 14, 16},
                         box[] = {4, 5, 6, 7}, few[] = {5, 6, 7, 9}, others[] = {8, 12, 20, 28};
    const plan *p = &s->kernels[0].p;
    memset(s->letters, 0, sizeof s->letters);
    memset(s->letter_used, 0, sizeof s->letter_used);
    for (int d = 0; d < 3; d++)
        *letter(s, "nml"[d]) = d >= p->dims   ? draw_size(s, few, sizeof few)
                               : p->dims == 1 ? draw_size(s, line, sizeof line)
                               : p->dims == 2 ? draw_size(s, grid, sizeof grid)
                                              : draw_size(s, box, sizeof box);
    const int64_t n = *letter(s, 'n');
    int corners = 0;
    for (uint32_t i = 0; i < s->nkernels; i++)
        corners = corners ? corners : plan_corners(&s->kernels[i].p);
    s->has_rows = any_has(s, BIND_ROW_OFFSETS);
    *letter(s, 'o') = corners ? n + corners - 1 : draw_size(s, others, sizeof others);
    *letter(s, 'e') = any_has(s, BIND_LINK_ENDS) ? n - 1 : 2 * n;
    *letter(s, 'a') = n / 2;
    *letter(s, 'g') = 4;
    *letter(s, 't') = 17;
    for (char c = 'a'; c <= 'z'; c++)
        if (!*letter(s, c))
            *letter(s, c) = draw_size(s, few, sizeof few);
}

/* Sizes that are no one's number have the letter as their name. */
static str use_letter(scripter *s, char c)
{
    str *name = &s->letter_names[c - 'a'];
    s->letter_used[c - 'a'] = true;
    if (!name->n)
        *name = script_name(s, str_c(arena_printf(&s->c->text, "%c", c)));
    return *name;
}

/* "num_particles - 1", or the number itself. */
str script_letter_text(scripter *s, char c)
{
    const str n = s->letter_names['n' - 'a'];
    const int64_t size = *letter(s, c), of_n = *letter(s, 'n');
    const char *form = NULL;
    if (c == 'e' && size == of_n - 1)
        form = "%.*s - 1";
    else if (c == 'e')
        form = "2 * %.*s";
    else if (c == 'a')
        form = "%.*s // 2";
    else if (c == 'o' && size > of_n && size < of_n + 4)
        form = size == of_n + 2 ? "%.*s + 2" : "%.*s + 3";
    if (form) {
        s->letter_used['n' - 'a'] = true;
        return str_c(arena_printf(&s->c->text, form, (int)n.n, n.p));
    }
    return str_c(arena_printf(&s->c->text, "%d", (int)size));
}

/* A letter and what is added: "n-1"; or a number. */
static int64_t put_term(scripter *s, strbuf *b, str term)
{
    int64_t times = 1, size = 0, more = 0;
    size_t i = 0;
    const bool minus = i < term.n && term.p[i] == '-';
    i += minus;
    for (; i < term.n && ascii_is_digit(term.p[i]); i++)
        size = 10 * size + term.p[i] - '0';
    if (i == term.n) {
        sb_int(b, minus ? -size : size);
        return minus ? -size : size;
    }
    if (term.p[i] == '*') {
        times = size;
        sb_printf(b, "%d * ", (int)times);
        i++;
    }
    const char c = term.p[i++];
    sb_str(b, use_letter(s, c));
    size = times * *letter(s, c);
    if (i == term.n)
        return size;
    const char sign = term.p[i++];
    for (; i < term.n; i++)
        more = 10 * more + term.p[i] - '0';
    if (c == 'o') /* as many more as proofs need: here there are enough */
        return size;
    sb_printf(b, " %c %d", sign, (int)more);
    return sign == '-' ? size - more : size + more;
}

int script_put_sizes(scripter *s, strbuf *b, str text, int64_t *sizes)
{
    int n = 0;
    for (size_t at = 0; at < text.n; n++) {
        const char *end = memchr(text.p + at, ',', text.n - at);
        const size_t length = end ? (size_t)(end - text.p) - at : text.n - at;
        WEFT_ASSERT(n < LAUNCH_DIMS);
        sb_c(b, n ? ", " : "");
        sizes[n] = put_term(s, b, (str){text.p + at, length});
        at += length + 1;
    }
    return n;
}
