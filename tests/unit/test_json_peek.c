/* Single values out of JSON text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_peek.h"

static void expect(const char *object, const char *path, const char *wanted)
{
    str value = {0};
    const bool there = json_peek(str_c(object), path, &value);
    assert_int_equal(there, wanted != NULL);
    if (wanted)
        assert_true(str_eq(value, str_c(wanted)));
}

static void finds_values(void **state)
{
    (void)state;
    expect("{\"a\": 1, \"b\": \"x\"}", "b", "\"x\"");
    expect("{\"a\": {\"b\": {\"c\": [1, 2]}}}", "a.b.c", "[1, 2]");
    expect("{\"a\": \"}\\\"{\", \"b\":true}", "b", "true");
    expect("{\"a\": \"\\\\\", \"b\": null}", "b", "null");
    expect(" { \"a\" : -1.5e3 } ", "a", "-1.5e3");
    expect("{\"a\": [{\"b\": 1}], \"b\": 2}", "b", "2");
}

static void tells_what_is_not_there(void **state)
{
    (void)state;
    expect("", "a", NULL);
    expect("{", "a", NULL);
    expect("{}", "a", NULL);
    expect("[1]", "a", NULL);
    expect("{\"a\": 1}", "b", NULL);
    expect("{\"a\": 1}", "a.b", NULL);
    expect("{\"b\": \"open", "b", NULL);
    expect("{\"b\" 1}", "b", NULL);
    expect("{\"b\": [1, {\"c\": 2]", "b.c", NULL);
    expect("{\"a\": 1 \"b\": 2}", "b", NULL);
}

static void decode(const char *raw, const char *wanted)
{
    mem m;
    strbuf b;
    mem_init(&m);
    sb_init(&b, &m);
    const bool good = json_peek_string(str_c(raw), &b);
    assert_int_equal(good, wanted != NULL);
    if (wanted)
        assert_string_equal(sb_cstr(&b), wanted);
    mem_clear(&m);
}

static void decodes_strings(void **state)
{
    (void)state;
    decode("\"\"", "");
    decode("\"a\\n\\t\\\"\\\\\\/b\"", "a\n\t\"\\/b");
    decode("\"\\u0041\\u00e9\\u20ac\"", "A\xc3\xa9\xe2\x82\xac");
    decode("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
    decode("\"\\ud83d\"", "\xef\xbf\xbd");
    decode("\"\\x\"", NULL);
    decode("\"\\u00\"", NULL);
    decode("\"", NULL);
    decode("12", NULL);
}

static void reads_elements_and_counts(void **state)
{
    (void)state;
    const str array = STR("[1, \"a,]\", [2, 3], {\"b\": 4}]");
    static const char *const wanted[] = {"1", "\"a,]\"", "[2, 3]", "{\"b\": 4}"};
    size_t at = 0, n = 0;
    uint64_t x;
    for (str value; json_peek_element(array, &at, &value); n++)
        assert_true(str_eq(value, str_c(wanted[n])));
    assert_int_equal(n, 4);
    assert_true(json_peek_count(STR("18446744073709551615"), &x));
    assert_true(x == UINT64_MAX);
    assert_false(json_peek_count(STR("18446744073709551616"), &x));
    assert_false(json_peek_count(STR("-1"), &x));
    assert_false(json_peek_count(STR(""), &x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_values),
        cmocka_unit_test(tells_what_is_not_there),
        cmocka_unit_test(decodes_strings),
        cmocka_unit_test(reads_elements_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
