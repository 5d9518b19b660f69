/* SPDX-License-Identifier: Apache-2.0 */
/* The string builder: numbers in every form that text needs, and Python's repr of floats. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "base/str.h"

static int set_up(void **state)
{
    static mem m;
    static strbuf b;
    mem_init(&m);
    sb_init(&b, &m);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    strbuf *b = *state;
    sb_clear(b);
    assert_int_equal(b->m->used, 0);
    return 0;
}

static void expect(strbuf *b, const char *text)
{
    assert_string_equal(sb_cstr(b), text);
    b->n = 0;
}

static void appends(void **state)
{
    strbuf *b = *state;
    SB_LIT(b, "one ");
    sb_c(b, "two ");
    sb_str(b, STR("three"));
    sb_char(b, '!');
    sb_repeat(b, '-', 3);
    sb_put(b, NULL, 0);
    expect(b, "one two three!---");
    for (int i = 0; i < 5000; i++)
        sb_c(b, "0123456789");
    assert_int_equal(sb_view(b).n, 50000);
    b->n = 0;
}

static void writes_integers(void **state)
{
    strbuf *b = *state;
    sb_uint(b, 0);
    expect(b, "0");
    sb_uint(b, UINT64_MAX);
    expect(b, "18446744073709551615");
    sb_int(b, INT64_MIN);
    expect(b, "-9223372036854775808");
    sb_int128(b, (__int128)UINT64_MAX * 10);
    expect(b, "184467440737095516150");
    sb_int128(b, -(__int128)1);
    expect(b, "-1");
    sb_hex(b, 0xbeef, 8);
    expect(b, "0000beef");
}

static void writes_floats_as_python(void **state)
{
    strbuf *b = *state;
    static const struct {
        double x;
        const char *text;
    } rows[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {1.5e-7, "1.5e-07"},
        {1e100, "1e+100"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {2.5, "2.5"},
        {-3.25, "-3.25"},
        {9007199254740993.0, "9007199254740992.0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sb_float(b, rows[i].x);
        expect(b, rows[i].text);
    }
    sb_float(b, NAN);
    expect(b, "nan");
}

/* Powers of two have a nearer neighbour below than above. */
static void writes_float32(void **state)
{
    strbuf *b = *state;
    static const struct {
        float x;
        const char *text;
    } rows[] = {
        {0.1F, "0.1"},
        {-0.0F, "-0.0"},
        {16777215, "16777215.0"},
        {16777216, "16777216.0"},
        {123456792, "123456790.0"},
        {0x1p-149F, "1e-45"},
        {0x1p-126F, "1.1754944e-38"},
        {FLT_MAX, "3.4028235e+38"},
        {0x1p90F, "1.23794004e+27"},
        {0x1p103F, "1.0141205e+31"},
        {1.0F / 3, "0.33333334"},
        {INFINITY, "inf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sb_float32(b, rows[i].x);
        expect(b, rows[i].text);
    }
}

/* An empty text may be NULL, in which the sanitizers allow no arithmetic. */
static void finds_words(void **state)
{
    (void)state;
    const str text = STR("a row of rows");
    assert_ptr_equal(str_find(text, STR("row")), text.p + 2);
    assert_ptr_equal(str_find(text, STR("rows")), text.p + 9);
    assert_null(str_find(text, STR("rowed")));
    assert_null(str_find((str){NULL, 0}, STR("row")));
    assert_true(str_contains((str){NULL, 0}, STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_words),
        cmocka_unit_test_setup_teardown(appends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_floats_as_python, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_float32, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
