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

/* "  - name: id\n    dtype: string\n", fields of structs and lists further in. */
void card_put_features(strbuf *b, const record_options *o)
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
    const unsigned traits = traits_of(o);
    SB_LIT(b, "dataset_info:\n  features:\n");
    for (record_field f = 0; f < FIELDS; f++) {
        const record_field_row *row = &record_fields[f];
        if (!record_field_is_there(f, traits))
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
void card_put_fields(strbuf *b, const record_options *o)
{
    static const char *const types[RECORD_TYPES] = {
        [RECORD_TYPE_STRING] = "text",         [RECORD_TYPE_INT] = "whole number",
        [RECORD_TYPE_SIGNED] = "whole number", [RECORD_TYPE_FLOAT] = "number or null",
        [RECORD_TYPE_BOOL] = "true or false",  [RECORD_TYPE_INTS] = "list of numbers",
        [RECORD_TYPE_NAMES] = "list of texts", [RECORD_TYPE_STRUCT] = "object",
        [RECORD_TYPE_LIST] = "list of objects"};
    const unsigned traits = traits_of(o);
    SB_LIT(b, "## Fields\n\n| field | type | meaning |\n|---|---|---|\n");
    for (record_field f = 0; f < FIELDS; f++) {
        if (!record_field_is_there(f, traits))
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
