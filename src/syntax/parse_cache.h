/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of files, kept from one program to the next: the files of a package import each other, so
 * without it each would be parsed once for every file.
 *
 *     c->parsed = parse_cache_new(c);
 *     tree = parse_cache_module(c, &src);      the first program that imports a.py parses it
 *     parse_cache_find(c, place)               the second one finds its tree
 *     parse_cache_trim(c)                      between programs: forgets all once it is large
 *
 * A file is assumed not to change in between. Trees refer to symbols, so symbols stay as long as
 * trees do. */
#ifndef WEFT_SYNTAX_PARSE_CACHE_H
#define WEFT_SYNTAX_PARSE_CACHE_H

#include "syntax/parser.h"

/* A file that was parsed. */
typedef struct parsed_file {
    str place;        /* absolute path */
    source src;       /* its normalised text and lines, if it has a tree */
    ast_Module *tree; /* NULL: it has a syntax error */
} parsed_file;

/* An empty cache in c->perm. It keeps files of `most_text` bytes in all; their trees take about ten
 * times as much memory. */
struct parse_cache *parse_cache_new(ctx *c, size_t most_text);
/* NULL: c keeps no trees, or not this file's. */
const parsed_file *parse_cache_find(const ctx *c, const char *place);
/* As parse_module. The tree is kept if c keeps trees and src has a place. */
ast_Module *parse_cache_module(ctx *c, source *src);
/* Between programs. False: trees are still there, and symbols may not be forgotten. */
bool parse_cache_trim(ctx *c);

#endif
