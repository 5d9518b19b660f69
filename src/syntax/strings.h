/* String literals between the lexer and the tree: pieces, escapes, f-strings. */
#ifndef WEFT_SYNTAX_STRINGS_H
#define WEFT_SYNTAX_STRINGS_H

#include "syntax/parse.h"
#include "syntax/unicode.h"

/* One STRING token taken apart. */
typedef struct string_part {
    token tok;
    const char *s, *e; /* between the quotes */
    bool raw, bytes, fstring;
} string_part;

/* A run of string tokens and the node under construction. */
typedef struct string_run {
    string_part *parts;
    uint32_t n;
    bool bytes, fstring;
    pos start, end; /* of the whole run: every node made here has this place */
    str *kind;      /* "u" if the first part has that prefix */
    VEC(char) text; /* literal text not yet in a node; in the scratch arena */
    bool has_text;
} string_run;

/* strings.c: a Constant of the collected text, which is then empty. */
node *string_constant(parser *p, string_run *run);
/* A JoinedStr with the run's place. */
node *string_joined(parser *p, const string_run *run, node_list values);
void string_add(parser *p, string_run *run, const char *s, size_t n);
/* escape.c: appends s[0..e) with escapes resolved. */
void string_unescape(parser *p, string_run *run, const string_part *part, const char *s,
                     const char *e);
/* fstring.c: appends the f-string part; expressions and finished text go to the node stack. */
void string_fstring(parser *p, string_run *run, const string_part *part);

#endif
