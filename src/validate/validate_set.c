/* SPDX-License-Identifier: Apache-2.0 */
/* Checks across records: do ids, sources and structures repeat, do indexes come in order and
 * without gaps, are all records of one form?
 *
 *     indexes 0 1 3 4   ->   "this record is missing": index 2
 *     indexes 0 1 3 2   ->   "the record is out of order": index 3
 *
 * Runs in the calling thread only, record by record. Gaps are followed up to GAPS_MAX; of a set in
 * no order at all only that is reported. */
#include "validate/validate_set.h"
#include "record/record_name.h"

enum { GAPS_MAX = 1000 };

void validate_report_always(validate_state *v, const char *file, uint64_t line, str id,
                            validate_check check)
{
    WEFT_ASSERT(check < VALIDATE_CHECKS && v->text.n); /* every problem has a reason */
    const validate_problem p = {file, line, id, check, sb_view(&v->text)};
    v->r->bad[check]++;
    v->r->problems++;
    v->is_bad = true;
    v->o->report(v->o->arg, &p);
    v->text.n = 0;
}

void validate_report(validate_state *v, const char *file, uint64_t line, str id,
                     validate_check check)
{
    if (v->o->checks & 1u << check)
        validate_report_always(v, file, line, id, check);
    v->text.n = 0;
}

static void report_record(validate_state *v, const validate_line *line, validate_check check)
{
    const bool is_folder = line->kind == LINE_READER_BUNDLE;
    validate_report(v, v->files.v[line->file].path, is_folder ? 0 : line->number, line->facts.id,
                    check);
}

/* --- duplicates ---------------------------------------------------------------------------- */

/* The slot of a key, or the free one where it belongs: linear search. `size` is a power of two. */
static key_slot *find_slot(key_slot *slots, uint64_t size, uint64_t key)
{
    WEFT_ASSERT(size && !(size & (size - 1)));
    uint64_t i = key & (size - 1);
    while (slots[i].at && slots[i].key != key)
        i = (i + 1) & (size - 1);
    return &slots[i];
}

/* Twice the slots; all keys find new places. */
static void keys_grow(validate_state *v, key_set *k)
{
    const uint64_t size = k->size ? k->size * 2 : 1024;
    mem *m = v->a->m;
    key_slot *slots = mem_alloc(m, mem_mul(m, size, sizeof *slots));
    memset(slots, 0, size * sizeof *slots);
    for (uint64_t i = 0; i < k->size; i++)
        if (k->slots[i].at)
            *find_slot(slots, size, k->slots[i].key) = k->slots[i];
    mem_free(m, k->slots);
    k->slots = slots;
    k->size = size;
}

/* Where the key was met before, or 0. Keys are 64-bit fingerprints and stand for what they are made
 * of: two different ones are equal by chance with 2^-64 for each pair. At most three quarters of
 * the slots are taken, so the search of find_slot ends. */
static uint64_t keys_add(validate_state *v, key_set *k, uint64_t key, uint64_t at)
{
    WEFT_ASSERT(at); /* 0 marks a free slot */
    if (k->n * 4 >= k->size * 3)
        keys_grow(v, k);
    key_slot *slot = find_slot(k->slots, k->size, key);
    if (slot->at)
        return slot->at;
    *slot = (key_slot){key, at};
    k->n++;
    return 0;
}

/* "FILE:LINE" of the line that was number `at` in all files. */
static void put_place(validate_state *v, uint64_t at)
{
    WEFT_ASSERT(at && v->files.n);
    uint32_t low = 0, high = v->files.n;
    while (high - low > 1) {
        const uint32_t mid = low + (high - low) / 2;
        if (v->files.v[mid].first < at)
            low = mid;
        else
            high = mid;
    }
    sb_c(&v->text, v->files.v[low].path);
    if (v->files.v[low].kind == LINE_READER_BUNDLE)
        return;
    SB_LIT(&v->text, ":");
    sb_uint(&v->text, at - v->files.v[low].first);
}

/* Where the set has the record's structure already, or 0; always 0 for a set in which a structure
 * may be there twice. Sets are checked apart: the key is mixed with the set's number. */
static uint64_t structure_before(validate_state *v, const validate_line *line, uint64_t at)
{
    const uint32_t number = v->files.v[line->file].set;
    const validate_set *s = &v->sets.v[number];
    const uint64_t set = number * UINT64_C(0x9e3779b97f4a7c15);
    if (!s->is_single)
        return 0;
    return keys_add(v, &v->structures, line->facts.structure.low ^ set, at);
}

/* One problem for a record, with all of its places: "the id stands in a.jsonl:1 already; the source
 * too: a.jsonl:1". Equal sources have equal structures, so then the structure is not looked at. */
static void check_duplicates(validate_state *v, const validate_line *line)
{
    const validate_facts *f = &line->facts;
    const uint64_t at = v->files.v[line->file].first + line->number;
    const uint64_t id = f->readable ? keys_add(v, &v->ids, f->id_key, at) : 0;
    const bool once = f->readable && !v->sets.v[v->files.v[line->file].set].keeps_twins;
    const uint64_t body = once ? keys_add(v, &v->bodies, f->body_key, at) : 0;
    if (id) {
        SB_LIT(&v->text, "the id stands in ");
        put_place(v, id);
        SB_LIT(&v->text, " already");
    }
    if (body) {
        sb_c(&v->text, id ? "; the source too: " : "the source stands in ");
        put_place(v, body);
        sb_c(&v->text, id ? "" : " already");
    }
    const uint64_t twin = f->readable && !body ? structure_before(v, line, at) : 0;
    if (twin) {
        sb_c(&v->text, id ? "; the structure too: " : "the structure stands in ");
        put_place(v, twin);
        sb_c(&v->text, id ? "" : " already");
    }
    if (id || body || twin)
        report_record(v, line, VALIDATE_DUPLICATES);
}

/* --- order --------------------------------------------------------------------------------- */

/* Takes an index out of the gaps; false: it lies in none. */
static bool fill_gap(validate_state *v, validate_set *s, uint64_t index)
{
    for (uint32_t i = 0; i < s->gaps.n; i++) {
        validate_gap *g = &s->gaps.v[i];
        if (index < g->from || index >= g->to)
            continue;
        const validate_gap rest = {index + 1, g->to};
        g->to = index;
        if (rest.from < rest.to)
            VEC_PUSH(v->a, &s->gaps, rest);
        return true;
    }
    return false;
}

static void report_order(validate_state *v, const validate_line *line)
{
    SB_LIT(&v->text, "the record is out of order, or its index is wrong");
    report_record(v, line, VALIDATE_SCHEMA);
}

/* The indexes from s->next up to `index` have not come: they are a gap, which a later record may
 * fill. After GAPS_MAX gaps the set counts as disordered, so that time and memory stay bounded. */
static void skip_to(validate_state *v, validate_set *s, uint64_t index)
{
    WEFT_ASSERT(index >= s->next);
    const validate_gap gap = {s->next, index};
    s->disordered |= s->gaps.n == GAPS_MAX;
    if (gap.from < gap.to && !s->disordered)
        VEC_PUSH(v->a, &s->gaps, gap);
    s->next = index;
}

/* A record jumped ahead: either those between are missing, or it stands in a wrong place. Its
 * follower shows which:
 *
 *     0 1 4 2 ...   ->   4 came early: it is out of order
 *     0 1 4 3 ...   ->   4 stands where 2 should: its index is wrong, 2 is missing
 *     0 1 4 5 ...   ->   2 and 3 are missing */
static void report_jump(validate_state *v, validate_set *s, uint64_t follower)
{
    WEFT_ASSERT(s->waits && s->jumped.facts.index > s->next);
    const uint64_t index = s->jumped.facts.index;
    s->waits = false;
    if (follower == s->next) { /* it came early */
        report_order(v, &s->jumped);
    } else if (follower == s->next + 1) { /* it stands for another */
        report_order(v, &s->jumped);
        skip_to(v, s, follower);
    } else {
        skip_to(v, s, index);
        s->next++;
    }
}

/* Keeps a record that jumped ahead until its follower comes. Its piece does not last that long. */
static void wait_for_more(validate_state *v, validate_set *s, const validate_line *line)
{
    s->waits = true;
    s->jumped = *line;
    s->jumped.facts.id.p = arena_dup(v->a, line->facts.id.p, line->facts.id.n);
}

/* A record that jumps ahead is reported once its follower is known; see report_jump. */
static void check_order(validate_state *v, validate_set *s, const validate_line *line)
{
    const uint64_t index = line->facts.index;
    if (!line->facts.has_index) { /* it is one record, whichever */
        s->next++;
        return;
    }
    const bool exchanged = s->waits && index == s->next && s->jumped.facts.index == index + 1;
    if (s->waits)
        report_jump(v, s, index);
    if (exchanged)
        s->next = index + 2;
    else if (index > s->next)
        wait_for_more(v, s, line);
    else if (index == s->next)
        s->next++;
    else if (!s->disordered && fill_gap(v, s, index))
        report_order(v, line);
}

/* The record against what the manifest promises of it. */
static bool check_promise(validate_state *v, const validate_set *s, const validate_line *line)
{
    const validate_facts *f = &line->facts;
    strbuf *b = &v->text;
    if (!f->has_index)
        return true;
    if (f->seed != s->seed || f->index < s->first || f->index - s->first >= s->rows) {
        sb_c(b, f->seed != s->seed ? "the manifest has another seed: "
                                   : "beyond the indexes that the manifest has: seed ");
        sb_uint(b, s->seed);
        if (f->seed == s->seed) {
            SB_LIT(b, ", indexes ");
            sb_uint(b, s->first);
            SB_LIT(b, " to ");
            sb_uint(b, s->first + s->rows - 1);
        }
        report_record(v, line, VALIDATE_SCHEMA);
        return false;
    }
    if (!f->readable || !s->ncategories)
        return true;
    const gen_category should = s->categories[f->index % s->ncategories];
    if (f->category != should) {
        SB_LIT(b, "category is '");
        sb_c(b, gen_category_name(f->category));
        SB_LIT(b, "', this index has '");
        sb_c(b, gen_category_name(should));
        SB_LIT(b, "' by the manifest");
        report_record(v, line, VALIDATE_SCHEMA);
    }
    return true;
}

/* Every row has the same keys: those of the manifest's command, else those of the first record. A
 * loader of JSON lines takes its columns from them. */
static void check_keys(validate_state *v, validate_set *s, const validate_line *line)
{
    const validate_facts *f = &line->facts;
    if (!s->devices) {
        s->devices = f->devices;
        s->backward = f->backward;
        s->backward_open = f->forward_only;
        s->is_messages = f->is_messages;
        s->is_script = f->is_script;
        s->is_repair = f->is_repair;
        s->is_bundles = f->is_bundle;
    }
    if (s->backward_open && !f->forward_only) {
        s->backward = f->backward;
        s->backward_open = false;
    }
    if (s->warp == WARP_ANY)
        s->warp = f->warp;
    /* a bundle without an adjoint may be one whose kernel has none, and so may a kernel that was
     * found */
    const bool same_passes = s->backward == f->backward || f->is_collected || f->forward_only ||
                             (f->is_bundle && s->backward);
    if (s->devices == f->devices && same_passes && s->is_bundles == f->is_bundle &&
        s->is_messages == f->is_messages && s->is_script == f->is_script &&
        s->is_repair == f->is_repair && s->warp == f->warp)
        return;
    const bool same_style = s->is_messages == f->is_messages && s->is_script == f->is_script;
    sb_c(&v->text, s->is_bundles != f->is_bundle  ? "another format than "
                   : !same_style                  ? "another style than "
                   : s->is_repair != f->is_repair ? "another task than "
                   : s->devices != f->devices     ? "other devices than "
                   : s->warp != f->warp           ? "another release of Warp than "
                                                  : "backward texts, other than ");
    sb_c(&v->text, s->is_commanded ? "by the manifest" : "in the first record");
    report_record(v, line, VALIDATE_SCHEMA);
}

/* Empty values stand for what a record of another kind has: all rows have them, or none. */
static void check_shape(validate_state *v, validate_set *s, const validate_line *line)
{
    const uint64_t key = line->facts.shape_key;
    if (!s->shape_key)
        s->shape_key = key;
    if (!key || key == s->shape_key)
        return;
    SB_LIT(&v->text, "its keys are not those of the first record");
    report_record(v, line, VALIDATE_SCHEMA);
}

/* What a column of a graded record says of the whole set. */
static void check_graded(validate_state *v, validate_set *s, const validate_line *line)
{
    const validate_facts *f = &line->facts;
    if (!s->license_key)
        s->license_key = f->license_key;
    const bool other_license = f->license_key && f->license_key != s->license_key;
    s->licenses_differ |= other_license;
    const char *wrong = other_license && !s->ratios.n /* sets under several may become one */
                            ? s->is_commanded ? "another license than by the manifest"
                                              : "another license than in the first record"
                            : f->is_untested && s->is_commanded && !s->no_tests
                                  ? "no tests for --no-tests, which the manifest does not have"
                                  : NULL;
    if (!wrong)
        return;
    sb_c(&v->text, wrong);
    report_record(v, line, VALIDATE_SCHEMA);
}

/* A found kernel's record against the command that collected the set, and the card. */
static void check_collected(validate_state *v, validate_set *s, const validate_line *line)
{
    const validate_facts *f = &line->facts;
    validate_card_count(v, s, f->source_row);
    const char *wrong = !s->collected_for                ? NULL
                        : s->collected_for != f->devices ? "other devices than by the manifest"
                        : s->no_backward && f->backward
                            ? "a backward text, against --no-backward by the manifest"
                        : f->is_unverified && !s->no_verify
                            ? "not executed for --no-verify, which the manifest does not have"
                            : NULL;
    if (!wrong)
        return;
    sb_c(&v->text, wrong);
    report_record(v, line, VALIDATE_SCHEMA);
}

/* Of a record that cannot be read only the order is checked. */
void validate_set_record(validate_state *v, const validate_line *line)
{
    const validate_file *file = &v->files.v[line->file];
    validate_set *s = &v->sets.v[file->set];
    const validate_facts *f = &line->facts;
    const bool is_promised = s->manifest && file->shard >= 0 && !s->ratios.n;
    if (is_promised && check_promise(v, s, line) && !s->is_files && !s->is_bundles)
        check_order(v, s, line);
    if (f->readable && s->ratios.n && !validate_split_agrees(v, s, line))
        report_record(v, line, VALIDATE_SCHEMA);
    if (s->ratios.n)
        validate_split_count(s, file->shard, f->bytes ? f->bytes : line->bytes);
    s->has_collected = s->has_collected || f->is_collected;
    if (f->readable && f->is_collected)
        check_collected(v, s, line);
    if (f->readable)
        check_graded(v, s, line);
    if (f->readable) {
        check_keys(v, s, line);
        check_shape(v, s, line);
        s->found.records[f->category]++;
        s->found.bytes[f->category] += f->bytes;
        if (!s->found.smallest || f->bytes < s->found.smallest)
            s->found.smallest = f->bytes;
        if (f->bytes > s->found.largest)
            s->found.largest = f->bytes;
    }
    check_duplicates(v, line);
}

/* --- at the end ---------------------------------------------------------------------------- */

/* Reports the indexes from `from` up to `to`, excluded, as one problem under the first id. */
static void report_missing(validate_state *v, const validate_set *s, uint64_t from, uint64_t to)
{
    WEFT_ASSERT(s->manifest);
    char digits[64];
    strbuf id = {.p = digits, .cap = sizeof digits};
    if (from >= to)
        return;
    record_put_id(&id, s->seed, from);
    if (to - from == 1) {
        SB_LIT(&v->text, "this record is missing");
    } else {
        sb_uint(&v->text, to - from);
        SB_LIT(&v->text, " records are missing from here on");
    }
    validate_report(v, s->manifest, 0, sb_view(&id), VALIDATE_SCHEMA);
}

/* Not for splits, whose indexes have gaps, and not for a file or folder for each record, which does
 * not come in the order of indexes. */
static void check_missing(validate_state *v, validate_set *s)
{
    if (!s->manifest || s->is_files || s->is_bundles || s->ratios.n)
        return;
    if (s->waits)
        report_jump(v, s, UINT64_MAX);
    if (s->disordered) {
        SB_LIT(&v->text, "the records are in no order: which are missing was not followed");
        validate_report(v, s->manifest, 0, (str){0}, VALIDATE_SCHEMA);
        return;
    }
    for (uint32_t i = 0; i < s->gaps.n; i++)
        report_missing(v, s, s->gaps.v[i].from, s->gaps.v[i].to);
    report_missing(v, s, s->next, s->first + s->rows);
}

/* Does the category take part in the balance? Those of the command, else those that occur. */
static bool is_listed(const validate_set *s, int category)
{
    for (uint32_t i = 0; i < s->ncategories; i++)
        if (s->categories[i] == (gen_category)category)
            return true;
    return s->ncategories == 0 && s->found.records[category] > 0;
}

/* Categories take turns, so their numbers differ by one at most. */
static void check_balance(validate_state *v, const validate_set *s)
{
    int least = -1, most = -1;
    const uint64_t *n = s->found.records;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (!is_listed(s, c))
            continue;
        least = least < 0 || n[c] < n[least] ? c : least;
        most = most < 0 || n[c] > n[most] ? c : most;
    }
    if (least < 0 || n[most] - n[least] <= 1)
        return;
    sb_c(&v->text, gen_category_name((gen_category)least));
    SB_LIT(&v->text, " has ");
    sb_uint(&v->text, n[least]);
    SB_LIT(&v->text, " records, ");
    sb_c(&v->text, gen_category_name((gen_category)most));
    SB_LIT(&v->text, " has ");
    sb_uint(&v->text, n[most]);
    validate_report(v, s->folder ? s->folder : v->files.v[0].path, 0, (str){0}, VALIDATE_BALANCE);
}

/* A split has no balance: categories go where their families belong. Found kernels have none. */
void validate_set_finish(validate_state *v, validate_set *s)
{
    validate_manifest_finish(v, s);
    check_missing(v, s);
    if (!s->ratios.n && !s->has_collected)
        check_balance(v, s);
}
