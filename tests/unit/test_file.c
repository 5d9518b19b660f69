/* Absolute names of files, as Python's os.path.abspath makes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_dots_out),
        cmocka_unit_test(joins_the_current_folder),
        cmocka_unit_test(refuses_what_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
