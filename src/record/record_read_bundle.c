/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a program's metadata.json, joined with the texts of its files (bundle_put_line).
 *
 *     {"id": ..., "metadata": {...}, "files": {...}, "file_sha256": {...}, "file_bytes": {...},
 *      "standalone": {...}, "python_source": "...", "cuda_source": "...", "makefile": "..."}
 *
 * The last three are possible, not certain: without one, the file is missing in the folder, which
 * is reported with the file's name as the place. */
#include "record/record_name.h"
#include "record/record_read.h"

static bool read_files(record_view *r, bundle_place *place, strbuf *why)
{
    for (bundle_file i = 0; i < BUNDLE_METADATA; i++) {
        const json_value *text = r->v[bundle_text_field(i)];
        if (text) {
            r->files[i] = text->text;
            continue;
        }
        *place = (bundle_place){r->v[bundle_name_field(i)]->text.p, 0};
        return record_say(why, "it is missing");
    }
    r->source = r->files[BUNDLE_PYTHON];
    return true;
}

/* Such a program has no id and no proof; this gives a better message than the missing keys. */
static bool is_compiled(const json_value *json)
{
    const json_value *schema = json_get(json, record_fields[FIELD_SCHEMA].name);
    return json_is(schema, JSON_TYPE_STRING) && str_eq(schema->text, STR(COMPILED_SCHEMA));
}

bool record_read_bundle(const json_value *json, record_view *r, bundle_place *place, strbuf *why)
{
    static const record_field objects[] = {FIELD_FILES, FIELD_FILE_SHA256, FIELD_FILE_BYTES,
                                           FIELD_STANDALONE};
    const unsigned certain = TRAIT_PROGRAM;
    if (is_compiled(json))
        return record_say(why, "a program that `weft compile` made is no record of a data set");
    if (!record_field_read(json, FIELD_TOP, certain, certain | TRAIT_JOINED, r->v, why))
        return false;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (!record_field_read(r->v[objects[i]], objects[i], certain, certain, r->v, why))
            return false;
    r->id = r->v[FIELD_ID]->text;
    r->backward = json_is_true(r->v[FIELD_PROGRAM_BACKWARD]);
    return read_files(r, place, why);
}
