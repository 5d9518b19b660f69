/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a record, one row each (record_field.def), and what follows from the rows: which of
 * them a record has, what they are called, and whether a JSON object fits them.
 *
 *     FIELD_COUNT_LINES   ->   "metadata.counts.source_lines", a whole number, in every record
 *
 * The writer (record_write.c), the reader (record_read.c), the card, the statistics and the report
 * are driven by this table, so a new field is one row and its value. */
#ifndef WEFT_RECORD_RECORD_FIELD_H
#define WEFT_RECORD_RECORD_FIELD_H

#include "base/json_tree.h"

typedef enum record_field {
#define FIELD(ID, depth, name, type, when, what) FIELD_##ID,
#include "record/record_field.def"
#undef FIELD
    FIELDS,
    FIELD_TOP = FIELDS /* the record itself, as the parent of its own fields */
} record_field;

/* Types of values; record_field.c has the JSON kind of each. */
typedef enum record_type {
    RECORD_TYPE_STRING,
    RECORD_TYPE_INT,    /* 0 or more */
    RECORD_TYPE_SIGNED, /* up to nine digits, with a sign or without */
    RECORD_TYPE_FLOAT,  /* or null */
    RECORD_TYPE_BOOL,
    RECORD_TYPE_NAMES,  /* a list of strings */
    RECORD_TYPE_INTS,   /* a list of whole numbers */
    RECORD_TYPE_STRUCT, /* an object: its fields are the rows below, one level deeper */
    RECORD_TYPE_LIST,   /* a list of such objects */
    RECORD_TYPES
} record_type;

/* What fields depend on; a set of them is an unsigned. */
enum record_trait {
    TRAIT_CUDA = 1 << 0, /* for this device */
    TRAIT_CPU = 1 << 1,
    TRAIT_ADJOINT = 1 << 2,    /* with backward texts */
    TRAIT_TEXTS = 1 << 3,      /* of Warp's texts: a pair or a conversation */
    TRAIT_PAIR = 1 << 4,       /* each text in a field of its own */
    TRAIT_CHAT = 1 << 5,       /* a conversation */
    TRAIT_PROGRAM = 1 << 6,    /* a program's metadata.json */
    TRAIT_JOINED = 1 << 7,     /* the same with the files' texts, as a line */
    TRAIT_REPAIR = 1 << 8,     /* of a broken kernel */
    TRAIT_PTX = 1 << 9,        /* with statistics of PTX */
    TRAIT_COLLECTED = 1 << 10, /* of a kernel that was found, and not made */
    TRAIT_ORIGIN = 1 << 11,    /* found, or of a set with composed kernels */
    TRAIT_COMPOSED = 1 << 12,  /* of a set with kernels that were made with a purpose */
    TRAIT_GRADED = 1 << 13,    /* with columns for trainers and graders */
    TRAIT_SCRIPT = 1 << 14     /* a script with several kernels */
};

enum { RECORD_DEPTH = 4 }; /* objects within each other */

typedef struct record_field_row {
    uint8_t depth; /* 0: a field of the record itself; at most RECORD_DEPTH - 1 */
    record_type type;
    unsigned when;           /* the traits that a record needs to have the field */
    const char *name, *what; /* its key; what it is, for the card */
} record_field_row;

extern const record_field_row record_fields[FIELDS];

/* Does a record with these traits have the field? */
static inline bool record_field_is_there(record_field f, unsigned traits)
{
    return (record_fields[f].when & ~traits) == 0;
}

/* The fields of an object: the one behind `after`, or the first for FIELD_TOP; FIELD_TOP: none. */
record_field record_field_child(record_field parent, record_field after);
/* The object that the field belongs to; FIELD_TOP: the record. */
record_field record_field_parent(record_field f);
/* The field of an object that has this name; FIELD_TOP: there is none. Of two rows the first. */
record_field record_field_find(record_field parent, const char *name);
/* Is the value an object with a field of a record? Else why gets a sentence about it. */
bool record_field_any(const json_value *json, strbuf *why);
/* "metadata.arguments[].name" */
void record_field_put_path(strbuf *b, record_field f);

/* Appends `"name": `, with a comma before it unless it is an object's first. */
void record_field_put_key(strbuf *b, record_field f, bool first);

/* Compares the members of a JSON object with the rows: those whose traits are all in `certain` must
 * be there, those whose traits are all in `possible` may be, others must not. Puts them into v by
 * their fields; NULL: not there. False: one is missing, unknown, twice there or of the wrong type,
 * and why gets a sentence about it. Needs: certain is a subset of possible. */
bool record_field_read(const json_value *object, record_field parent, unsigned certain,
                       unsigned possible, const json_value *v[FIELDS], strbuf *why);

#endif
