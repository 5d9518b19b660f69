/* SPDX-License-Identifier: Apache-2.0 */
/* Adds records to the sums of a survey, one after the other: what survey_fact.def lists is counted
 * by value, what a record lacks is counted as missing.
 *
 *     {"id": ..., "metadata": {"category": "loop", "difficulty": 2, ...}}
 *
 *     ->  facts[FACT_CATEGORY]: "loop" + 1, facts[FACT_DIFFICULTY]: "2" + 1, and for a fact that
 *         is not in the record and not optional: missing + 1
 *
 * Where a fact lies in a record, and its type, come from record_field.def, the schema of records;
 * so the members of each object are looked up in the schema, and not the other way round. */
#include "report/survey.h"

#include <math.h>

#include "base/json_tree.h"
#include "record/record_field.h"

/* How a fact is counted: a row of survey_fact.def. `optional`: its absence is not counted. */
typedef struct fact_row {
    record_field field;
    bool optional;
    const char *title;
} fact_row;

static const fact_row rows[FACTS] = {
#define FACT(ID, field, optional, title) {FIELD_##field, optional, title},
#include "report/survey_fact.def"
#undef FACT
};

const char *survey_fact_key(survey_fact f)
{
    WEFT_ASSERT(f < FACTS);
    return f == FACT_TYPES ? "argument_types" : record_fields[rows[f].field].name;
}

const char *survey_fact_title(survey_fact f)
{
    WEFT_ASSERT(f < FACTS);
    return rows[f].title;
}

/* Are its values whole numbers? A list is counted by its length, but for the types of arguments. */
static bool survey_fact_is_number(survey_fact f)
{
    const record_type type = record_fields[rows[f].field].type;
    return type == RECORD_TYPE_INT || (type == RECORD_TYPE_LIST && f != FACT_TYPES);
}

void survey_init(survey *s, arena *a)
{
    *s = (survey){.a = a};
    s->sizes = arena_zero(a, SIZES_SLOTS * sizeof *s->sizes);
    sb_init(&s->why, a->m);
    arena_init(&s->tree, a->m);
}

void survey_clear(survey *s)
{
    arena_reset(&s->tree);
    s->json = NULL;
}

/* --- sizes --------------------------------------------------------------------------------- */

/* The counter of a size. Sizes below 64 KiB have a slot each; above, 128 slots for each power of
 * two, so that memory is fixed and the median is off by less than one percent: the slot is the
 * power of two with the seven bits below it.
 *
 *     100000 = 2^16 * 1.526   ->   slot SIZES_EXACT + 67, of sizes from 99840 to 100351 */
static uint32_t size_slot(uint64_t bytes)
{
    if (bytes < SIZES_EXACT)
        return (uint32_t)bytes;
    WEFT_ASSERT(bytes >= SIZES_EXACT);
    const uint32_t power = 63 - (uint32_t)__builtin_clzll(bytes); /* 16 or more */
    const uint32_t slot = SIZES_EXACT + (power - 16) * SIZES_STEPS +
                          (uint32_t)(bytes >> (power - 7) & (SIZES_STEPS - 1));
    return slot < SIZES_SLOTS ? slot : SIZES_SLOTS - 1;
}

/* The inverse of size_slot, for the smallest size of the slot. */
uint64_t survey_size_of_slot(uint32_t slot)
{
    WEFT_ASSERT(slot < SIZES_SLOTS);
    if (slot < SIZES_EXACT)
        return slot;
    const uint32_t power = 16 + (slot - SIZES_EXACT) / SIZES_STEPS;
    return (uint64_t)(SIZES_STEPS + (slot - SIZES_EXACT) % SIZES_STEPS) << (power - 7);
}

/* The lower median, from the counters of sizes: records are not kept. */
uint64_t survey_median(const survey *s)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < SIZES_SLOTS; i++) {
        seen += s->sizes[i];
        if (2 * seen >= s->records && seen)
            return survey_size_of_slot(i);
    }
    return 0;
}

uint64_t survey_mean(const survey *s)
{
    return s->records ? (s->bytes + s->records / 2) / s->records : 0;
}

static void add_size(survey *s, uint64_t bytes)
{
    s->records++;
    s->bytes += bytes;
    s->sizes[size_slot(bytes)]++;
    if (s->records == 1 || bytes < s->smallest)
        s->smallest = bytes;
    if (bytes > s->largest)
        s->largest = bytes;
}

/* --- facts --------------------------------------------------------------------------------- */

/* A whole number that a double holds exactly. */
static bool is_count(const json_value *v)
{
    return json_is(v, JSON_TYPE_NUMBER) && json_number(v) >= 0 && json_number(v) < 0x1p53 &&
           json_number(v) == floor(json_number(v));
}

/* A string, or with `member` that string in an object; NULL: it is not there. */
static const char *name_of(const json_value *e, const char *member)
{
    const json_value *v = member ? json_get(e, member) : e;
    return json_is(v, JSON_TYPE_STRING) ? v->text.p : NULL;
}

/* Counts the names of a list, each once for a record: strings, or the member `member` of objects. A
 * name that comes again after MOST others may be counted twice. */
static void add_names(survey *s, tally *t, const json_value *list, const char *member,
                      uint64_t bytes)
{
    enum { MOST = 64 }; /* further ones are not compared, so that no list takes long */
    const char *names[MOST];
    uint32_t n = 0;
    for (const json_value *e = list->child; e; e = e->next) {
        const char *name = name_of(e, member);
        uint32_t i = 0;
        while (name && i < n && strcmp(names[i], name) != 0)
            i++;
        if (!name || i < n)
            continue;
        tally_add(s->a, t, str_c(name), bytes);
        if (n < MOST)
            names[n++] = name;
    }
}

/* Adds the value of a fact to its tally, by the type that the record's schema gives it. False: the
 * value has another type, so the fact is missing. An empty class of error means that there is none
 * and is not counted. */
static bool add_fact(survey *s, survey_fact f, const json_value *v, uint64_t bytes)
{
    const record_type type = record_fields[rows[f].field].type;
    tally *t = &s->facts[f];
    if (type == RECORD_TYPE_STRING) {
        if (json_text(v).n || (f != FACT_CLASS && json_is(v, JSON_TYPE_STRING)))
            tally_add(s->a, t, v->text, bytes);
        return json_is(v, JSON_TYPE_STRING);
    }
    if (type == RECORD_TYPE_INT) {
        if (is_count(v))
            tally_add_number(s->a, t, (uint64_t)json_number(v), bytes);
        return is_count(v);
    }
    if (!json_is(v, JSON_TYPE_ARRAY))
        return false;
    if (f == FACT_TYPES)
        add_names(s, t, v, record_fields[FIELD_ARGUMENT_TYPE].name, bytes);
    else if (type == RECORD_TYPE_NAMES)
        add_names(s, t, v, NULL, bytes);
    else
        tally_add_number(s->a, t, json_size(v), bytes);
    return true;
}

/* Goes through an object of a record once and adds the facts that its members are. `object` is the
 * field that the object itself is, FIELD_TOP for the record. `found` keeps which facts were there;
 * of a key that comes twice the first value counts. Keys of metadata that the schema does not have
 * are counted as strangers. */
static void add_object(survey *s, record_field object, const json_value *json, uint64_t bytes,
                       bool *found)
{
    for (const json_value *v = json ? json->child : NULL; v; v = v->next) {
        const record_field field = record_field_find(object, v->key.p);
        for (survey_fact f = 0; f < FACTS && field != FIELD_TOP; f++)
            if (rows[f].field == field && !found[f])
                found[f] = add_fact(s, f, v, bytes);
        if (field == FIELD_TOP && object == FIELD_METADATA)
            tally_add(s->a, &s->strangers, v->key, bytes);
    }
}

static uint64_t number_in(const json_value *object, const char *key)
{
    const json_value *v = json_get(object, key);
    return is_count(v) ? (uint64_t)json_number(v) : 0;
}

/* The first 16 of a fingerprint's digits. False: it is none. */
static bool read_key(const json_value *v, uint64_t *key)
{
    *key = 0;
    if (!json_is(v, JSON_TYPE_STRING) || strlen(v->text.p) < 16)
        return false;
    for (const char *p = v->text.p; p < v->text.p + 16; p++) {
        const char *at = *p ? strchr("0123456789abcdef", *p) : NULL;
        if (!at)
            return false;
        const char *const zero = "0123456789abcdef";
        *key = *key << 4 | (*p <= '9' ? (uint64_t)(*p - *zero) : (uint64_t)(*p - 'a' + 10));
    }
    return true;
}

/* Appends the fingerprint v to the list, or counts that it is missing. Sorting and counting wait
 * for survey_finish: a list takes eight bytes a record, less than a table of the different ones. */
static void add_key(survey *s, survey_keys *k, const json_value *v)
{
    uint64_t key;
    if (!read_key(v, &key)) {
        k->missing++;
        return;
    }
    if (k->n == k->cap) {
        k->cap = k->cap ? k->cap + k->cap / 2 : 1024;
        k->v = mem_resize(s->a->m, k->v, mem_mul(s->a->m, k->cap, sizeof *k->v));
    }
    k->v[k->n++] = key;
}

/* --- records ------------------------------------------------------------------------------- */

/* The record's own keys, whatever they are, each with the characters of its string. */
static void add_fields(survey *s, const json_value *json)
{
    for (const json_value *v = json->child; v; v = v->next)
        tally_add(s->a, &s->fields, v->key, json_is(v, JSON_TYPE_STRING) ? strlen(v->text.p) : 0);
}

static bool is_proved(const json_value *proof)
{
    const json_value *v = json_get(proof, "status");
    return json_is(v, JSON_TYPE_STRING) && strcmp(v->text.p, "not_run") != 0;
}

/* Objects that are missing or of another type are passed over; their facts are missing then. */
static void add_record(survey *s, const json_value *json, uint64_t bytes)
{
    bool found[FACTS] = {false};
    WEFT_ASSERT(json_is(json, JSON_TYPE_OBJECT));
    const json_value *metadata = json_get(json, "metadata");
    const json_value *proof = json_get(metadata, "verification");
    add_size(s, bytes);
    add_fields(s, json);
    add_object(s, FIELD_TOP, json, bytes, found);
    add_object(s, FIELD_METADATA, metadata, bytes, found);
    add_object(s, FIELD_COUNTS, json_get(metadata, "counts"), bytes, found);
    add_object(s, FIELD_VERIFICATION, proof, bytes, found);
    for (survey_fact f = 0; f < FACTS; f++)
        s->missing[f] += !found[f] && !rows[f].optional;
    s->proved += is_proved(proof);
    s->inputs += number_in(proof, "inputs");
    s->mutants += number_in(proof, "mutants");
    s->killed += number_in(proof, "killed");
    add_key(s, &s->structures, json_get(metadata, "structure"));
    add_key(s, &s->families, json_get(metadata, "family"));
}

/* A survey does not validate: an object with any field of a record counts as one. */
bool survey_add(survey *s, str line, uint64_t bytes)
{
    arena_reset(&s->tree);
    s->json = json_read(&s->tree, line, &s->why);
    if (!s->json)
        return false;
    if (!record_field_any(s->json, &s->why))
        return false;
    add_record(s, s->json, bytes);
    return true;
}

/* --- what is equal ------------------------------------------------------------------------- */

/* Sorts by bits from the highest on, in place (a binary radix sort): at most 64 passes over the
 * keys and 64 levels of calls, and no further memory, whatever the input is. */
static void sort_bits(uint64_t *v, size_t n, int bit)
{
    WEFT_ASSERT(bit >= -1 && bit < 64);
    while (n > 1 && bit >= 0) {
        size_t low = 0, high = n;
        while (low < high) {
            if (!(v[low] >> bit & 1)) {
                low++;
                continue;
            }
            const uint64_t x = v[--high];
            v[high] = v[low];
            v[low] = x;
        }
        bit--;
        sort_bits(v, low, bit);
        v += low;
        n -= low;
    }
}

/* Sorts the keys, so that equal ones are neighbours, and counts the groups. */
static void count_equals(survey_keys *k)
{
    sort_bits(k->v, k->n, 63);
    for (size_t i = 0; i < k->n;) {
        size_t j = i;
        WEFT_ASSERT(!i || k->v[i - 1] < k->v[i]);
        while (j < k->n && k->v[j] == k->v[i])
            j++;
        k->distinct++;
        if (j - i > k->largest)
            k->largest = j - i;
        i = j;
    }
}

/* Numbers and categories are put in order by their names, other facts with the most frequent value
 * first: report_section.c relies on both. */
void survey_finish(survey *s)
{
    count_equals(&s->structures);
    count_equals(&s->families);
    for (survey_fact f = 0; f < FACTS; f++)
        if (survey_fact_is_number(f) || f == FACT_CATEGORY)
            tally_sort_keys(&s->facts[f]);
        else
            tally_sort_counts(&s->facts[f]);
}
