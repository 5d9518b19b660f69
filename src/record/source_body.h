/* SPDX-License-Identifier: Apache-2.0 */
/* What counts of a source when sources are compared. */
#ifndef WEFT_RECORD_SOURCE_BODY_H
#define WEFT_RECORD_SOURCE_BODY_H

#include "base/str.h"

/* The source without comments, without blank lines, and without spaces at the ends of lines: two
 * records whose sources differ in these alone are duplicates. A # inside a string is no comment;
 * strings are followed by their quotes, without escapes. */
void record_put_body(strbuf *out, str source);

#endif
