/* SPDX-License-Identifier: Apache-2.0 */
/* Reading JSON (RFC 8259), strictly, as a series of events and without allocating anything:
 *
 *     {"a": [1, "x"]}   ->   OPEN object, OPEN array key a, VALUE number 1, VALUE string "x",
 *                            CLOSE, CLOSE, DONE
 *
 * json_tree.h builds trees from these events, json_peek.h finds single values. Checked are the
 * grammar, UTF-8, escapes, numbers as JSON writes them, and the depth. Keys are not compared with
 * each other: json_fields in json_tree.h reports one that is there twice. */
#ifndef WEFT_BASE_JSON_READ_H
#define WEFT_BASE_JSON_READ_H

#include "base/str.h"

enum { JSON_DEPTH_MAX = 1024 }; /* arrays and objects within each other */

/* How much is allowed. */
typedef enum json_rules {
    JSON_ANY, /* all that RFC 8259 allows */
    JSON_LINE /* what weft writes into a line: no carriage return, no NUL, no lone surrogate */
} json_rules;

typedef enum json_type {
    JSON_TYPE_NULL,
    JSON_TYPE_BOOL,
    JSON_TYPE_NUMBER,
    JSON_TYPE_STRING,
    JSON_TYPE_ARRAY,
    JSON_TYPE_OBJECT
} json_type;

typedef enum json_event {
    JSON_VALUE, /* null, a bool, a number or a string: `type` and `raw` */
    JSON_OPEN,  /* an array or object begins: `type`; raw.p points to its bracket */
    JSON_CLOSE, /* the innermost one ends, in front of `at` */
    JSON_DONE,  /* the value is over; what follows it was not looked at */
    JSON_WRONG  /* `wrong` says why, at byte `at` */
} json_event;

/* The state of reading one text. Nothing in it needs to be freed. */
typedef struct json_reader {
    str text;
    size_t at; /* the next byte to read */
    json_rules rules;
    uint32_t depth;
    bool fresh, done; /* nothing was read in the innermost array or object; the value is over */
    uint64_t objects[JSON_DEPTH_MAX / 64]; /* a bit for each depth: is it an object? */
    /* Of the last VALUE or OPEN; strings are as they stand in the text. */
    json_type type;
    str raw;          /* with the quotes of a string */
    str key;          /* of a member, without quotes; p is NULL: it is none */
    bool escapes;     /* there is a backslash in the string */
    bool key_escapes; /* or in the key */
    const char *wrong;
} json_reader;

void json_start(json_reader *r, str text, json_rules rules);
/* Goes on behind byte `at` of an array or object whose elements before were read; at 0 its opening
 * bracket is still to come. */
void json_start_within(json_reader *r, str text, bool object, size_t at);
/* Reads the next event. After JSON_DONE it returns JSON_DONE again; after JSON_WRONG the reader
 * must not be used any more. */
json_event json_next(json_reader *r);
/* After JSON_OPEN: reads up to the end of that array or object, which then is r->raw. False: as
 * JSON_WRONG. */
bool json_skip(json_reader *r);
/* Is there nothing but space behind the value? r->at is then behind it. */
bool json_ends(json_reader *r);

/* What an escaped string stands for. `raw` comes from a reader, without its quotes; out has room
 * for raw.n bytes. Returns the length. A lone surrogate becomes U+FFFD. */
size_t json_decode(str raw, char *out);
/* Is it what such a string stands for? */
bool json_decodes_to(str raw, str wanted);

#endif
