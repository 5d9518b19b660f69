/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a data set's records, as the card explains them and as `datasets` wants them typed:
 * columns that hold only null in the first rows would else get no type. For card.c.
 *
 *     record_field.h's rows   ->   dataset_info:
 *                                    features:
 *                                    - name: id
 *                                      dtype: string
 *                                    - name: metadata
 *                                      struct:
 *                                      - name: kernel_name
 *                                        dtype: string */
#include "base/json.h"
#include "record/record_field.h"
#include "store/manifest.h"

/* What the options decide about fields; record_field_is_there compares a field against these. */
static unsigned traits_of(const record_options *o)
{
    const bool programs = record_format_of(o)->programs;
    return (o->devices & EMIT_FOR_CUDA ? TRAIT_CUDA : 0) |
           (o->devices & EMIT_FOR_CPU ? TRAIT_CPU : 0) | (o->no_backward ? 0 : TRAIT_ADJOINT) |
           (programs ? TRAIT_PROGRAM : TRAIT_TEXTS) |
           (o->style != RECORD_MESSAGES && !programs ? TRAIT_PAIR : 0) |
           (o->style == RECORD_SCRIPT ? TRAIT_SCRIPT : 0) |
           (o->style == RECORD_MESSAGES ? TRAIT_CHAT : 0) |
           (o->job == RECORD_REPAIR ? TRAIT_REPAIR : 0) | (o->with_ptx ? TRAIT_PTX : 0) |
           (o->collected ? TRAIT_COLLECTED : 0) | (o->collected ? TRAIT_ORIGIN : 0) |
           (record_mix_has(&o->mix, RECORD_PURPOSE) ? TRAIT_ORIGIN | TRAIT_COMPOSED : 0) |
           (record_mix_has(&o->mix, RECORD_PURPOSE) && !programs ? TRAIT_GRADED : 0);
}

/* The fields of the records that a run with these options makes. */
static record_shape shape_of(const record_options *o)
{
    record_shape s;
    const unsigned traits = traits_of(o);
    for (record_field f = 0; f < FIELDS; f++)
        s.there[f] = record_field_is_there(f, traits);
    return s;
}

/* "  - name: id\n    dtype: string\n", fields of structs and lists further in. */
void card_put_shape_features(strbuf *b, const record_shape *s)
{
    static const char *const types[RECORD_TYPES] = {[RECORD_TYPE_STRING] = "dtype: string",
                                                    [RECORD_TYPE_INT] = "dtype: int64",
                                                    [RECORD_TYPE_SIGNED] = "dtype: int64",
                                                    [RECORD_TYPE_FLOAT] = "dtype: float64",
                                                    [RECORD_TYPE_BOOL] = "dtype: bool",
                                                    [RECORD_TYPE_INTS] = "list: int64",
                                                    [RECORD_TYPE_NAMES] = "list: string",
                                                    [RECORD_TYPE_STRUCT] = "struct:",
                                                    [RECORD_TYPE_LIST] = "list:"};
    SB_LIT(b, "dataset_info:\n  features:\n");
    for (record_field f = 0; f < FIELDS; f++) {
        const record_field_row *row = &record_fields[f];
        if (!s->there[f])
            continue;
        sb_repeat(b, ' ', 2 + 2u * row->depth);
        WEFT_ASSERT(row->type < RECORD_TYPES && types[row->type]);
        SB_LIT(b, "- name: ");
        sb_c(b, row->name);
        SB_LIT(b, "\n");
        sb_repeat(b, ' ', 4 + 2u * row->depth);
        sb_c(b, types[row->type]);
        SB_LIT(b, "\n");
    }
}

void card_put_features(strbuf *b, const record_options *o)
{
    const record_shape s = shape_of(o);
    card_put_shape_features(b, &s);
}

/* "metadata.arguments.name": the names of the objects around the field, outermost first. */
static void put_path(strbuf *b, record_field f)
{
    WEFT_ASSERT(f < FIELDS);
    const record_field parent = record_field_parent(f);
    if (parent != FIELD_TOP) {
        put_path(b, parent);
        SB_LIT(b, ".");
    }
    sb_c(b, record_fields[f].name);
}

/* A table, a field a row, with the names of those that it belongs to. */
void card_put_shape_fields(strbuf *b, const record_shape *s)
{
    static const char *const types[RECORD_TYPES] = {
        [RECORD_TYPE_STRING] = "text",         [RECORD_TYPE_INT] = "whole number",
        [RECORD_TYPE_SIGNED] = "whole number", [RECORD_TYPE_FLOAT] = "number or null",
        [RECORD_TYPE_BOOL] = "true or false",  [RECORD_TYPE_INTS] = "list of numbers",
        [RECORD_TYPE_NAMES] = "list of texts", [RECORD_TYPE_STRUCT] = "object",
        [RECORD_TYPE_LIST] = "list of objects"};
    SB_LIT(b, "## Fields\n\n| field | type | meaning |\n|---|---|---|\n");
    for (record_field f = 0; f < FIELDS; f++) {
        if (!s->there[f])
            continue;
        SB_LIT(b, "| `");
        put_path(b, f);
        SB_LIT(b, "` | ");
        sb_c(b, types[record_fields[f].type]);
        SB_LIT(b, " | ");
        sb_c(b, record_fields[f].what);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\nEvery row has the same keys; numbers are finite; texts are UTF-8.\n\n");
}

void card_put_fields(strbuf *b, const record_options *o)
{
    const record_shape s = shape_of(o);
    card_put_shape_fields(b, &s);
}

/* Does a row before f, which records with these traits have as well, have its name? */
static bool is_repeated(record_field parent, record_field f, unsigned traits)
{
    for (record_field g = FIELD_TOP; (g = record_field_child(parent, g)) < f;)
        if (record_field_is_there(g, traits) &&
            strcmp(record_fields[g].name, record_fields[f].name) == 0)
            return true;
    return false;
}

/* One object of the list for each field of `parent`. Of two rows of one name the first counts. */
static void put_schema(strbuf *b, record_field parent, unsigned traits)
{
    static const char *const types[RECORD_TYPES] = {
        [RECORD_TYPE_STRING] = "string", [RECORD_TYPE_INT] = "int",
        [RECORD_TYPE_SIGNED] = "signed", [RECORD_TYPE_FLOAT] = "float",
        [RECORD_TYPE_BOOL] = "bool",     [RECORD_TYPE_INTS] = "ints",
        [RECORD_TYPE_NAMES] = "names",   [RECORD_TYPE_STRUCT] = "struct",
        [RECORD_TYPE_LIST] = "list"};
    bool first = true;
    SB_LIT(b, "[");
    for (record_field f = FIELD_TOP; (f = record_field_child(parent, f)) != FIELD_TOP;) {
        const record_field_row *row = &record_fields[f];
        if (!record_field_is_there(f, traits) || is_repeated(parent, f, traits))
            continue;
        sb_c(b, first ? "{" : ", {");
        first = false;
        json_key(b, "name", true);
        json_string(b, str_c(row->name));
        json_key(b, "type", false);
        json_string(b, str_c(types[row->type]));
        if (row->type == RECORD_TYPE_STRUCT || row->type == RECORD_TYPE_LIST) {
            json_key(b, "fields", false);
            put_schema(b, f, traits);
        }
        SB_LIT(b, "}");
    }
    SB_LIT(b, "]");
}

void card_put_schema(strbuf *b, const record_options *o)
{
    put_schema(b, FIELD_TOP, o ? traits_of(o) : ~0u);
}
