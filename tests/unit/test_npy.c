/* SPDX-License-Identifier: Apache-2.0 */
/* .npy files: headers of all forms, and files that are none. What NumPy itself writes is compared
 * by tests/oracle/npy_check.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/npy.h"

typedef struct fixture {
    mem m;
    arena a;
    npy array;
} fixture;

/* Reads a file of this version, header and items; its verdict. */
static const char *read_parts(fixture *f, int version, str header, str items)
{
    strbuf b;
    mem_init(&f->m);
    arena_init(&f->a, &f->m);
    sb_init(&b, &f->m);
    sb_put(&b, "\x93NUMPY", 6);
    sb_char(&b, (char)version);
    sb_char(&b, 0);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        sb_char(&b, (char)(header.n >> 8 * i & 255));
    sb_str(&b, header);
    sb_str(&b, items);
    return npy_read(&f->a, sb_view(&b), &f->array);
}

static void expect_wrong(const char *header, size_t n, const char *items, const char *verdict)
{
    fixture f;
    const char *told = read_parts(&f, 1, (str){header, n}, str_c(items));
    assert_non_null(told);
    assert_string_equal(told, verdict);
    mem_clear(&f.m);
}

#define WRONG(header, items, verdict) expect_wrong(header, sizeof(header) - 1, items, verdict)
#define HEADER(descr, shape)          "{'descr': " descr ", 'fortran_order': False, 'shape': " shape ", }\n"

static void orders(void **state)
{
    fixture f;
    (void)state;
    for (int version = 1; version <= 3; version++) {
        const char *told =
            read_parts(&f, version, STR("{\"shape\":(2,3),'fortran_order':True,'descr':'>u2'}"),
                       STR("\0\1\0\2\0\3\0\4\0\5\0\6"));
        assert_null(told);
        assert_int_equal(f.array.count, 6);
        assert_memory_equal(f.array.items, "\1\0\3\0\5\0\2\0\4\0\6\0", 12);
        mem_clear(&f.m);
    }
}

static void scalars_and_empty(void **state)
{
    fixture f;
    (void)state;
    assert_null(read_parts(&f, 1, STR(HEADER("'|b1'", "()")), STR("\7")));
    assert_int_equal(f.array.ndim, 0);
    assert_int_equal(f.array.items[0], 1);
    mem_clear(&f.m);
    assert_null(read_parts(&f, 1, STR(HEADER("'<f8'", "(0L, 7L)")), STR("")));
    assert_int_equal(f.array.count, 0);
    assert_int_equal(f.array.shape[1], 7);
    mem_clear(&f.m);
}

static void wrong_headers(void **state)
{
    (void)state;
    WRONG("", "", "its header is no dictionary");
    WRONG("{'descr': '<f4'", "", "its header is not readable");
    WRONG("{'descr': '<f4' 'shape': ()}", "", "its header is not readable");
    WRONG("{'descr': '<f4', 'shape': (1,)}", "", "its header is not complete");
    WRONG("{'descr': '<f4', 'descr': '<f4'}", "", "its header has a key twice");
    WRONG("{'fortran_order': 1}", "", "its fortran_order is not readable");
    WRONG("{'order': 1}", "", "its header has an unknown key");
    WRONG(HEADER("'<f4'", "()") "x", "", "its header goes on behind the dictionary");
    WRONG(HEADER("'|O'", "(1,)"), "", "its items are Python objects");
    WRONG(HEADER("[('a', '<f4')]", "(1,)"), "", "its items are records");
    WRONG(HEADER("'<f4'", "3"), "", "its shape is not readable");
    WRONG(HEADER("'<f4'", "(-1,)"), "", "its shape is not readable");
    WRONG(HEADER("'<f4'", "(3"), "", "its shape is not readable");
    WRONG(HEADER("'<f4'", "(1,1,1,1,1,1,1,1,1)"), "", "it has too many dimensions");
    WRONG(HEADER("'<f4'", "(99999999999999999999,)"), "", "its shape is not readable");
    WRONG(HEADER("'<f4'", "(4294967296, 4294967296, 16)"), "", "its shape is too large");
    WRONG(HEADER("'<f4'", "(2,)"), "1234567", "it ends before its last item");
    WRONG(HEADER("'<f4'", "(2,)"), "123456789", "it goes on behind its last item");
}

static void wrong_items(void **state)
{
    static const char verdict[] = "its items are no booleans, integers or floats of up to 8 bytes";
    (void)state;
    WRONG(HEADER("'<f1'", "()"), "1", verdict);
    WRONG(HEADER("'<b2'", "()"), "12", verdict);
    WRONG(HEADER("'<c8'", "()"), "12345678", verdict);
    WRONG(HEADER("'<f16'", "()"), "12345678", verdict);
    WRONG(HEADER("'<M8[ns]'", "()"), "12345678", verdict);
    WRONG(HEADER("'<U4'", "()"), "1234", verdict);
    WRONG(HEADER("'\0\0\0'", "()"), "1", verdict);
    WRONG(HEADER("''", "()"), "1", verdict);
}

static void wrong_files(void **state)
{
    mem m;
    arena a;
    npy array;
    (void)state;
    mem_init(&m);
    arena_init(&a, &m);
    assert_string_equal(npy_read(&a, STR(""), &array), "it is no .npy file");
    assert_string_equal(npy_read(&a, STR("\x93NUMPY\1\0\1"), &array), "it is no .npy file");
    assert_string_equal(npy_read(&a, STR("\x93NUMPZ\1\0\1\0{"), &array), "it is no .npy file");
    assert_string_equal(npy_read(&a, STR("\x93NUMPY\4\0\1\0{"), &array),
                        "its version is not known");
    assert_string_equal(npy_read(&a, STR("\x93NUMPY\1\0\2\0{"), &array), "it ends in its header");
    assert_string_equal(npy_read(&a, STR("\x93NUMPY\2\0\1\0\0"), &array), "it ends in its header");
    assert_string_equal(npy_read(&a, STR("\x93NUMPY\2\0\xff\xff\xff\xff{}"), &array),
                        "it ends in its header");
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),        cmocka_unit_test(scalars_and_empty),
        cmocka_unit_test(wrong_headers), cmocka_unit_test(wrong_items),
        cmocka_unit_test(wrong_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
