/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface to data sets: made, counted, divided, shown; options that do not go
 * together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft.h"

/* What callbacks were told. */
typedef struct heard {
    char message[1024];
    int kind;
    uint64_t rows, problems, calls;
    char *text;
    size_t size;
} heard;

static void on_message(void *arg, int kind, const char *text)
{
    heard *h = arg;
    h->kind = kind;
    snprintf(h->message, sizeof h->message, "%s", text);
}

static int on_problem(void *arg, const weft_problem *p)
{
    heard *h = arg;
    h->problems += p->reason[0] != 0;
    return 0;
}

static int on_progress(void *arg, const weft_progress *p)
{
    heard *h = arg;
    h->calls += p->done <= p->total || !p->total;
    return 0;
}

static void on_made(void *arg, const weft_generated *made)
{
    heard *h = arg;
    h->rows = made->rows;
    assert_true(made->category_count > 0 && made->categories[0].bytes > 0);
    assert_true(made->shards ? !made->next : made->next && *made->next);
}

static void on_text(void *arg, const char *text, size_t size)
{
    heard *h = arg;
    free(h->text);
    h->text = calloc(1, size + 1);
    assert_non_null(h->text);
    memcpy(h->text, text, size);
    h->size = size;
}

static weft_callbacks callbacks(heard *h)
{
    *h = (heard){.kind = 0};
    return (weft_callbacks){.size = sizeof(weft_callbacks),
                            .message = on_message,
                            .problem = on_problem,
                            .progress = on_progress,
                            .arg = h};
}

/* A path below a fresh folder, which `clear` removes. */
static char folder[64];

static const char *below(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static int make_set(void **state)
{
    (void)state;
    heard h;
    weft_callbacks c = callbacks(&h);
    snprintf(folder, sizeof folder, "/tmp/weft_sets_XXXXXX");
    assert_non_null(mkdtemp(folder));
    const weft_generate_options o = {.size = sizeof o,
                                     .count = 60,
                                     .seed = 3,
                                     .jobs = 2,
                                     .no_verify = 1,
                                     .shard_rows = 25,
                                     .output = below("set")};
    assert_int_equal(weft_generate(&o, &c, on_made), WEFT_OK);
    assert_int_equal(h.rows, 60);
    assert_true(h.calls > 0);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void counts_and_shows(void **state)
{
    (void)state;
    heard h;
    weft_callbacks c = callbacks(&h);
    const char *path = below("set");
    assert_int_equal(weft_stats(&path, 1, 1, &c, on_text), WEFT_OK);
    assert_non_null(strstr(h.text, "\"records\": 60"));
    assert_int_equal(weft_report(path, NULL, &c, on_text), WEFT_OK);
    assert_true(h.size > 10000 && strncmp(h.text, "<!DOCTYPE html>", 15) == 0);
    free(h.text);
    c = callbacks(&h);
    path = below("nothing");
    assert_int_equal(weft_stats(&path, 1, 1, &c, on_text), WEFT_IO_ERROR);
    assert_non_null(strstr(h.message, "cannot read"));
    assert_int_equal(h.kind, WEFT_ERROR);
    assert_null(h.text);
}

static void divides(void **state)
{
    (void)state;
    heard h;
    weft_callbacks c = callbacks(&h);
    const char *path = below("set");
    weft_subset found = {.size = sizeof found};
    weft_subset_options o = {.size = sizeof o, .ratios = "80,20", .output = below("split")};
    assert_int_equal(weft_split(&path, 1, &o, &c, &found), WEFT_OK);
    assert_int_equal(found.part_count, 2);
    assert_int_equal(found.parts[0].records + found.parts[1].records, 60);
    assert_string_equal(found.parts[1].name, "test");
    assert_int_equal(weft_split(&path, 1, &o, &c, &found), WEFT_BAD_ARGUMENT); /* it is taken */
    o.output = NULL;
    o.near = 0.9;
    assert_int_equal(weft_dedup(&path, 1, &o, &c, &found), WEFT_OK);
    assert_int_equal(found.records, 60);
    assert_int_equal(found.left + found.duplicates + found.nears, 60);
    assert_non_null(strstr(found.json, "\"near_duplicates\""));
}

static void joins_parts(void **state)
{
    (void)state;
    heard h;
    weft_callbacks c = callbacks(&h);
    const char *parts[] = {below("part1"), below("part2")};
    weft_generate_options o = {
        .size = sizeof o, .count = 40, .seed = 5, .jobs = 1, .no_verify = 1, .parts = 2};
    for (o.part = 1; o.part <= 2; o.part++) {
        o.output = parts[o.part - 1];
        assert_int_equal(weft_generate(&o, &c, NULL), WEFT_OK);
    }
    const weft_merge_options m = {.size = sizeof m, .output = below("whole")};
    assert_int_equal(weft_merge(&parts[1], 1, &m, &c, on_made), WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(h.message, "part 1 of 2 is missing"));
    assert_int_equal(weft_merge(parts, 2, &m, &c, on_made), WEFT_OK);
    assert_int_equal(h.rows, 40);
}

/* One table for the program, weft_generate and generators. */
static void states_conflicts_once(void **state)
{
    (void)state;
    heard h;
    weft_callbacks c = callbacks(&h);
    weft_generator *g;
    weft_generate_options o = {
        .size = sizeof o, .count = 1, .near = 0.9, .no_dedup = 1, .output = below("none")};
    assert_int_equal(weft_generate(&o, &c, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(h.kind, WEFT_USAGE);
    assert_string_equal(h.message, "--near and --no-dedup exclude each other");
    assert_int_equal(weft_generator_new(&o, &g), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_generator_message(g), h.message);
    weft_generator_free(g);
    o.no_dedup = 0;
    o.compress = WEFT_ZSTD;
    o.format = WEFT_FILES;
    assert_int_equal(weft_generate(&o, &c, NULL), WEFT_BAD_ARGUMENT);
    assert_string_equal(h.message, "--compress is for shards in a folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_shows),
        cmocka_unit_test(divides),
        cmocka_unit_test(joins_parts),
        cmocka_unit_test(states_conflicts_once),
    };
    return cmocka_run_group_tests(tests, make_set, clear);
}
