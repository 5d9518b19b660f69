/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the members of a record's text by the table of fields, without a tree: what is passed on
 * keeps its bytes.
 *
 *     {"id": "7-0", "metadata": {"origin": "composed"}}, with all fields of a shape
 *     ->  {"id": "7-0", "metadata": {"origin": "composed", "provenance": {"package": "", ...}}} */
#include "record/record_shape.h"

#include "base/ascii.h"
#include "base/assert.h"
#include "base/json.h"
#include "base/json_peek.h"
#include "record/grade.h"

/* A field's value in a record. */
typedef struct member {
    record_field f;
    str raw;
} member;

/* Of two rows of one name only the last has fields below it (metadata.ptx). */
static record_field inner(record_field f)
{
    const record_field next = f + 1u < FIELDS ? (record_field)(f + 1) : f;
    const bool again = record_fields[next].depth == record_fields[f].depth &&
                       strcmp(record_fields[next].name, record_fields[f].name) == 0;
    return again ? next : f;
}

/* Does the row only come into play where one of its name before it does not? */
static bool is_second(record_field f)
{
    return f && inner((record_field)(f - 1)) == f;
}

/* The field of this name; the search begins behind `last`, as members mostly come in order.
 * FIELD_TOP: there is none. */
static record_field find(record_field parent, record_field last, str key)
{
    record_field f = last;
    for (int round = 0; round < 2; round++, f = FIELD_TOP)
        while ((f = record_field_child(parent, f)) != FIELD_TOP)
            if (!is_second(f) && str_eq(key, str_c(record_fields[f].name)))
                return f;
    return FIELD_TOP;
}

static bool add_object(record_shape *s, str object, record_field parent);

/* What lies in a field: an object, or a list of such. */
static bool add_inner(record_shape *s, str raw, record_field f)
{
    str element;
    if (record_fields[f].type == RECORD_TYPE_STRUCT)
        return add_object(s, raw, inner(f));
    if (record_fields[f].type != RECORD_TYPE_LIST)
        return true;
    for (size_t at = 0; json_peek_element(raw, &at, &element);)
        if (!add_object(s, element, f))
            return false;
    return true;
}

static bool add_object(record_shape *s, str object, record_field parent)
{
    str key, raw;
    record_field f = FIELD_TOP;
    if (!object.n || object.p[0] != '{')
        return false;
    for (size_t at = 0; json_peek_member(object, &at, &key, &raw);) {
        f = find(parent, f, key);
        if (f == FIELD_TOP || !add_inner(s, raw, f))
            return false;
        s->there[f] = true;
    }
    return true;
}

bool record_shape_add(record_shape *s, str record)
{
    return add_object(s, record, FIELD_TOP);
}

/* Do fields below this one not count? */
static bool is_loose(record_field f)
{
    return record_fields[f].type == RECORD_TYPE_LIST || f == FIELD_PTX || f == FIELD_PTX_OF_TEXTS;
}

/* Does presence of the field tell one set from another? */
static bool is_compared(record_field f)
{
    while ((f = record_field_parent(f)) != FIELD_TOP)
        if (is_loose(f))
            return false;
    return true;
}

bool record_shape_same(const record_shape *a, const record_shape *b)
{
    for (record_field f = 0; f < FIELDS; f++)
        if (a->there[f] != b->there[f] && is_compared(f))
            return false;
    return true;
}

/* Has one of both the field, and can it not be filled? */
static bool parts(const record_shape *a, const record_shape *b, record_field f)
{
    return a->there[f] != b->there[f] && is_compared(f) && !record_field_is_of_kind(f);
}

bool record_shape_fits(const record_shape *a, const record_shape *b)
{
    for (record_field f = 0; f < FIELDS; f++)
        if (parts(a, b, f))
            return false;
    return true;
}

void record_shape_put_difference(strbuf *out, const record_shape *a, const record_shape *b)
{
    bool first = true;
    for (record_field f = 0; f < FIELDS; f++) {
        if (!parts(a, b, f))
            continue;
        sb_c(out, first ? "" : ", ");
        record_field_put_path(out, f);
        first = false;
    }
}

/* FNV-1a of the fields' numbers. */
uint64_t record_shape_key(const record_shape *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (record_field f = 0; f < FIELDS; f++)
        if (s->there[f] && is_compared(f) && record_field_is_of_kind(f))
            h = (h ^ f) * UINT64_C(0x100000001b3);
    return h | 1;
}

/* --- writing ------------------------------------------------------------------------------- */

static void put_object(strbuf *out, str object, record_field parent, const record_shape *s);

/* "", 0, null, false, [], or an object of these. */
static void put_empty(strbuf *out, record_field f, const record_shape *s)
{
    switch (record_fields[f].type) {
    case RECORD_TYPE_STRING: SB_LIT(out, "\"\""); break;
    case RECORD_TYPE_INT:
    case RECORD_TYPE_SIGNED: SB_LIT(out, "0"); break;
    case RECORD_TYPE_FLOAT: SB_LIT(out, "null"); break;
    case RECORD_TYPE_BOOL: SB_LIT(out, "false"); break;
    case RECORD_TYPE_STRUCT: put_object(out, STR("{}"), inner(f), s); break;
    default: SB_LIT(out, "[]"); break;
    }
}

static void put_list(strbuf *out, str list, record_field f, const record_shape *s)
{
    str element;
    bool first = true;
    SB_LIT(out, "[");
    for (size_t at = 0; json_peek_element(list, &at, &element); first = false) {
        sb_c(out, first ? "" : ", ");
        put_object(out, element, f, s);
    }
    SB_LIT(out, "]");
}

static void put_value(strbuf *out, const member *m, const record_shape *s)
{
    const record_type type = record_fields[m->f].type;
    if (type == RECORD_TYPE_LIST)
        put_list(out, m->raw, m->f, s);
    else if (type == RECORD_TYPE_STRUCT && !is_loose(m->f))
        put_object(out, m->raw, m->f, s);
    else
        sb_str(out, m->raw);
}

/* "MIT", of a found kernel's provenance   ->   "mit" */
static void put_license(strbuf *out, str raw)
{
    for (size_t i = 0; i < raw.n; i++)
        sb_char(out, ascii_lower(raw.p[i]));
}

/* The text of a member, in `text`; empty where the record has none. */
static str text_of(str record, const char *name, strbuf *text)
{
    str raw;
    text->n = 0;
    if (json_peek(record, name, &raw))
        (void)json_peek_string(raw, text);
    return sb_view(text);
}

/* Of the record's source, as of an exercise: it has no prompt. Conversations show no source. */
static void put_problem_id(strbuf *out, str record)
{
    strbuf text;
    char id[GRADE_ID];
    sb_init(&text, out->m);
    const str source = text_of(record, record_fields[FIELD_PYTHON_SOURCE].name, &text);
    grade_problem_id(STR(""), source, id);
    json_string(out, (str){id, source.n ? GRADE_ID : 0});
    sb_clear(&text);
}

static uint64_t tokens_of_messages(str record, strbuf *text)
{
    str list, message;
    uint64_t n = 0;
    if (json_peek(record, record_fields[FIELD_MESSAGES].name, &list))
        for (size_t at = 0; json_peek_element(list, &at, &message);)
            n += grade_tokens(text_of(message, record_fields[FIELD_MESSAGE_CONTENT].name, text));
    return n;
}

/* {"python_source": 120, "cuda_ir_forward": 912, ...}, counted as records with tests have it. */
static void put_tokens(strbuf *out, str record, const record_shape *s)
{
    strbuf text;
    bool first = true;
    sb_init(&text, out->m);
    SB_LIT(out, "{");
    for (record_field f = FIELD_TOP; (f = record_field_child(FIELD_TOKENS, f)) != FIELD_TOP;) {
        if (!s->there[f])
            continue;
        record_field_put_key(out, f, first);
        first = false;
        sb_uint(out, f == FIELD_TOKENS_MESSAGES
                         ? tokens_of_messages(record, &text)
                         : grade_tokens(text_of(record, record_fields[f].name, &text)));
    }
    SB_LIT(out, "}");
    sb_clear(&text);
}

/* A field that the record lacks. Columns that follow from what the record has are no empty ones:
 * record_read.c and validate_grade.c compare them. */
static void put_missing(strbuf *out, str object, record_field f, const record_shape *s)
{
    str raw;
    if (f == FIELD_PROBLEM_ID)
        put_problem_id(out, object);
    else if (f == FIELD_TOKENS)
        put_tokens(out, object, s);
    else if (f == FIELD_TOP_DIFFICULTY && json_peek(object, "metadata.difficulty", &raw))
        sb_str(out, raw);
    else if (f == FIELD_LICENSE && json_peek(object, "metadata.provenance.license", &raw))
        put_license(out, raw);
    else
        put_empty(out, f, s);
}

/* The members that are there are found first, since they may come in any order. */
static void put_object(strbuf *out, str object, record_field parent, const record_shape *s)
{
    str raw[FIELDS] = {{0}}, key, value;
    record_field f = FIELD_TOP;
    bool first = true;
    for (size_t at = 0; json_peek_member(object, &at, &key, &value);) {
        f = find(parent, f, key);
        WEFT_ASSERT(f != FIELD_TOP && s->there[f]);
        raw[f] = value;
    }
    SB_LIT(out, "{");
    for (f = FIELD_TOP; (f = record_field_child(parent, f)) != FIELD_TOP;) {
        if (!s->there[f])
            continue;
        const member m = {f, raw[f]};
        record_field_put_key(out, f, first);
        first = false;
        if (m.raw.n)
            put_value(out, &m, s);
        else
            put_missing(out, object, f, s);
    }
    SB_LIT(out, "}");
}

void record_shape_write(strbuf *out, str record, const record_shape *s)
{
    put_object(out, record, FIELD_TOP, s);
}

bool record_field_is_empty(const json_value *v)
{
    bool empty = true;
    switch (v->type) {
    case JSON_TYPE_STRING: return !v->text.n;
    case JSON_TYPE_NUMBER: return str_eq(v->text, STR("0"));
    case JSON_TYPE_NULL: return true;
    case JSON_TYPE_ARRAY: return !v->child;
    case JSON_TYPE_OBJECT:
        for (const json_value *e = v->child; e && empty; e = e->next)
            empty = record_field_is_empty(e);
        return empty;
    default: return false;
    }
}
