/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear whole or not at all. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/atomic_file.h"
#include "base/file.h"

typedef struct fixture {
    mem m;
    arena a;
    char folder[64];
} fixture;

static int set_up(void **state)
{
    static fixture f;
    mem_init(&f.m);
    arena_init(&f.a, &f.m);
    strcpy(f.folder, "/tmp/weft-test-XXXXXX");
    *state = &f;
    return mkdtemp(f.folder) ? 0 : 1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    const int err = rmdir(f->folder); /* fails when a test left something behind */
    mem_clear(&f->m);
    return err;
}

static const char *path_in(fixture *f, const char *name)
{
    char path[128];
    const int n = snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return arena_dup(&f->a, path, (size_t)n);
}

static void test_text_arrives(void **state)
{
    fixture *f = *state;
    const char *path = path_in(f, "whole");
    str text;
    assert_int_equal(atomic_file_put(&f->a, path, STR("one\n"), true), 0);
    assert_int_equal(atomic_file_put(&f->a, path, STR("two\n"), true), 0);
    assert_int_equal(file_read(&f->a, path, &text), 0);
    assert_true(str_eq(text, STR("two\n")));
    assert_int_equal(unlink(path), 0);
}

static void test_nothing_appears_before_commit(void **state)
{
    fixture *f = *state;
    const char *path = path_in(f, "half");
    atomic_file file;
    assert_int_equal(atomic_file_open(&file, &f->a, path), 0);
    assert_int_equal(atomic_file_write(&file, STR("half")), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    atomic_file_discard(&file);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_failures_are_told(void **state)
{
    fixture *f = *state;
    const char *path = path_in(f, "missing/file");
    assert_int_equal(atomic_file_put(&f->a, path, STR("x"), true), ENOENT);
    assert_int_equal(make_folders(&f->a, "/proc/none/such"), ENOENT);
}

static void test_folders_are_made(void **state)
{
    fixture *f = *state;
    const char *deep = path_in(f, "a/b");
    assert_int_equal(make_folders(&f->a, deep), 0);
    assert_int_equal(make_folders(&f->a, deep), 0);
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(path_in(f, "a")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_arrives),
        cmocka_unit_test(test_nothing_appears_before_commit),
        cmocka_unit_test(test_failures_are_told),
        cmocka_unit_test(test_folders_are_made),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
