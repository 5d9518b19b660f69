/* SPDX-License-Identifier: Apache-2.0 */
/* A source without its comments; see source_body.h.
 *
 *     "x = 1  # one\n\ny = '#'\n"   ->   "x = 1\ny = '#'\n" */
#include "record/source_body.h"

void record_put_body(strbuf *out, str source)
{
    char quote = 0;
    for (size_t i = 0; i < source.n; i++) {
        const char c = source.p[i];
        if (!quote && c == '#') {
            while (i < source.n && source.p[i] != '\n')
                i++;
            i--;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = quote ? quote == c ? 0 : quote : c;
        if (c == '\n') {
            while (out->n && (out->p[out->n - 1] == ' ' || out->p[out->n - 1] == '\n'))
                out->n--;
        }
        if (out->n || c != '\n')
            sb_char(out, c);
    }
}
