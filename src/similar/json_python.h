/* SPDX-License-Identifier: Apache-2.0 */
/* Python among the strings of a JSON value: a string may be a source, or hold some in blocks of
 * Markdown. Only text that seems to have a kernel is passed on. Used where the schema of the JSON
 * is not known: for --exclude (make/exclude.c) and for records of other tools (source_structure.c).
 */
#ifndef WEFT_SIMILAR_JSON_PYTHON_H
#define WEFT_SIMILAR_JSON_PYTHON_H

#include "base/str.h"

typedef struct json_python {
    /* Called with each candidate; the text lasts for the call. Returns false for a text that is no
     * Python, upon which its blocks are tried. */
    bool (*read)(void *arg, str text);
    /* Called for what could not be read. why: a sentence; NULL: neither the string nor a block in
     * it is Python. */
    void (*unread)(void *arg, const char *why);
    void *arg;   /* for both */
    strbuf text; /* of the string at hand; the caller makes and frees it */
} json_python;

/* Calls j->read for every candidate in the text of a JSON value, in the order in which the strings
 * stand. */
void json_python_each(json_python *j, str value);

#endif
