/* SPDX-License-Identifier: Apache-2.0 */
/* String literals between the lexer and the tree: strings.c joins adjacent tokens, escape.c
 * resolves escapes, fstring.c parses the expressions of f-strings. Example: the run of tokens
 *
 *     "a" f"{x}!"
 *
 * is two string_parts in one string_run, and becomes JoinedStr([Constant('a'), FormattedValue(Name
 * x), Constant('!')]). */
#ifndef WEFT_SYNTAX_STRINGS_H
#define WEFT_SYNTAX_STRINGS_H

#include "syntax/parse.h"
#include "syntax/unicode.h"

/* One STRING token taken apart. */
typedef struct string_part {
    token tok;
    const char *s, *e;        /* the text between the quotes, in the source */
    bool raw, bytes, fstring; /* has the prefix r, b, f */
} string_part;

/* A run of string tokens and the node under construction. */
typedef struct string_run {
    string_part *parts; /* one for each token, in the scratch arena */
    uint32_t n;
    bool bytes, fstring; /* bytes: all parts are; fstring: at least one is */
    pos start, end;      /* of the whole run: every node made here has this place */
    str *kind;           /* "u" if the first part has that prefix */
    VEC(char) text;      /* literal text not yet in a node; in the scratch arena */
    bool has_text;       /* text was added since the last node, even if it was "" */
} string_run;

/* strings.c: a Constant of the collected text, which is then empty. The text is copied to
 * c->module. */
node *string_constant(parser *p, string_run *run);
/* strings.c: a JoinedStr with the run's place. */
node *string_joined(parser *p, const string_run *run, node_list values);
/* strings.c: appends n bytes to the text of the run. Appending nothing leaves has_text as it is. */
void string_add(parser *p, string_run *run, const char *s, size_t n);
/* escape.c: appends s[0..e) with escapes resolved. */
void string_unescape(parser *p, string_run *run, const string_part *part, const char *s,
                     const char *e);
/* fstring.c: appends the f-string part; expressions and finished text go to the node stack. */
void string_fstring(parser *p, string_run *run, const string_part *part);

#endif
