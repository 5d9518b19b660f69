/* Python among the strings of a JSON value: a string may be a source, or hold some in blocks of
 * Markdown. Only what looks as if a kernel stood in it is given out. */
#ifndef WEFT_SIMILAR_JSON_PYTHON_H
#define WEFT_SIMILAR_JSON_PYTHON_H

#include "base/str.h"

typedef struct json_python {
    bool (*read)(void *arg, str text); /* false: it is no Python */
    /* Something could not be read; why, or NULL: neither the string nor a block in it is Python. */
    void (*unread)(void *arg, const char *why);
    void *arg;
    strbuf text; /* of a string; until the next one */
} json_python;

/* j->text belongs to the caller. In the order in which the strings stand. */
void json_python_each(json_python *j, str value);

#endif
