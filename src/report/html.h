/* SPDX-License-Identifier: Apache-2.0 */
/* Text and numbers for an HTML page. Whatever the text, it stays text. */
#ifndef WEFT_REPORT_HTML_H
#define WEFT_REPORT_HTML_H

#include "base/str.h"

/* Escaped for contents and for quoted attributes; control characters become U+FFFD. html_c takes a
 * text that ends with a NUL. */
void html_text(strbuf *b, str s);
void html_c(strbuf *b, const char *s);
/* "12,345" */
void html_count(strbuf *b, uint64_t n);
/* "12.3 %": n as a share of `of`; 0.0 % where `of` is 0. */
void html_share(strbuf *b, uint64_t n, uint64_t of);
/* " name=\"12.5\"": a coordinate. */
void html_place(strbuf *b, const char *name, double x);

#endif
