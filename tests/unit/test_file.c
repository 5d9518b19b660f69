/* SPDX-License-Identifier: Apache-2.0 */
/* Absolute names of files, as Python's os.path.abspath makes them; sets of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/file_set.h"

static void expect(const char *path, const char *wanted)
{
    char out[4096];
    assert_int_equal(file_absolute(path, out, sizeof out), 0);
    assert_string_equal(out, wanted);
}

static void takes_dots_out(void **state)
{
    (void)state;
    expect("/", "/");
    expect("/a", "/a");
    expect("//a//b/", "/a/b");
    expect("/a/./b/../c", "/a/c");
    expect("/..", "/");
    expect("/a/../..", "/");
    expect("/a/../../b", "/b");
    expect("/...", "/...");
}

static void joins_the_current_folder(void **state)
{
    (void)state;
    assert_int_equal(chdir("/"), 0);
    expect("", "/");
    expect("a/b.py", "/a/b.py");
    assert_int_equal(chdir("/usr"), 0);
    expect("a", "/usr/a");
    expect("./a/../b", "/usr/b");
    expect("../a", "/a");
    expect("../..", "/");
}

static void refuses_what_is_too_long(void **state)
{
    (void)state;
    char out[8];
    assert_int_equal(file_absolute("/1234567", out, sizeof out) != 0, 1);
    assert_int_equal(file_absolute("/12345", out, sizeof out), 0);
    assert_string_equal(out, "/12345");
    assert_int_equal(file_absolute("/", out, 1) != 0, 1);
}

/* Files are known by what they are; names in folders are taken once. */
static void knows_files(void **state)
{
    arena a;
    mem m;
    file_set s;
    struct stat st;
    char folder[] = "/tmp/weft-file-set-XXXXXX", path[80], link[80];
    (void)state;
    mem_init(&m);
    arena_init(&a, &m);
    file_set_init(&s, &a);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fclose(f);
        assert_int_equal(stat(path, &st), 0);
        assert_false(file_set_has(&s, &st));
        file_set_add(&s, path);
        file_set_add(&s, path);
        assert_true(file_set_has(&s, &st));
        assert_true(file_set_claim(&s, path));
        assert_false(file_set_claim(&s, path));
    }
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(stat(link, &st), 0);
    assert_true(file_set_has(&s, &st));
    file_set_add(&s, folder);
    file_set_add(NULL, path);
    assert_int_equal(stat(folder, &st), 0);
    assert_false(file_set_has(&s, &st));
    assert_int_equal(s.n, 600);
    unlink(link);
    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        unlink(path);
    }
    rmdir(folder);
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_dots_out),
        cmocka_unit_test(joins_the_current_folder),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(knows_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
