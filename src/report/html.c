/* SPDX-License-Identifier: Apache-2.0 */
/* Text and numbers for HTML, for the sections and plots of a report.
 *
 *     a < b && "c"   ->   a &lt; b &amp;&amp; &quot;c&quot;
 *     1234567        ->   1,234,567
 *     2 of 5000      ->   0.04 %
 *
 * Control characters, which HTML does not allow, become U+FFFD. All text of a page that comes from
 * records passes html_text, since the records may come from anyone. */
#include "report/html.h"

/* What stands for the character; NULL: the character itself. Bytes of UTF-8 sequences pass
 * unchanged. */
static const char *escape(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n':
    case '\t': return NULL;
    default: return (unsigned char)c < 0x20 || c == 0x7f ? "\xef\xbf\xbd" : NULL;
    }
}

/* Appends stretches without special characters as a whole: `from` is the first byte that has not
 * been appended yet. */
void html_text(strbuf *b, str s)
{
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        const char *e = escape(s.p[i]);
        if (!e)
            continue;
        sb_put(b, s.p + from, i - from);
        sb_c(b, e);
        from = i + 1;
    }
    if (s.n > from)
        sb_put(b, s.p + from, s.n - from);
}

void html_c(strbuf *b, const char *s)
{
    html_text(b, str_c(s));
}

/* Fills the buffer from its end: a uint64_t has at most 20 digits and thus 6 commas. */
void html_count(strbuf *b, uint64_t n)
{
    char digits[32], *p = digits + sizeof digits;
    for (int i = 0; i == 0 || n; i++) {
        if (i && i % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + (char)(n % 10));
        n /= 10;
    }
    WEFT_ASSERT(p >= digits);
    sb_put(b, p, (size_t)(digits + sizeof digits - p));
}

/* Two decimals for a share that one decimal would show as 0.0, so that a rare thing is not taken
 * for an absent one. */
void html_share(strbuf *b, uint64_t n, uint64_t of)
{
    const double share = of ? 100.0 * (double)n / (double)of : 0;
    sb_printf(b, n && share < 0.05 ? "%.2f %%" : "%.1f %%", share);
}

void html_place(strbuf *b, const char *name, double x)
{
    sb_printf(b, " %s=\"%.1f\"", name, x);
}
