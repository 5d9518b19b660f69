/* SPDX-License-Identifier: Apache-2.0 */
/* Reading JSON: events, single values, trees, tables of fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_peek.h"
#include "base/json_tree.h"

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

/* --- trees ----------------------------------------------------------------------------------- */

typedef struct parsed {
    mem m;
    arena a;
    str text;
    json_rules rules;
    const json_value *v;
    const char *wrong;
    size_t at;
} parsed;

static void parse_inner(void *arg)
{
    parsed *p = arg;
    arena_init(&p->a, &p->m);
    p->v = json_parse(&p->a, p->text, p->rules, &p->wrong, &p->at);
}

/* To be followed by mem_clear(&p->m). */
static void parse(parsed *p, str text, json_rules rules)
{
    *p = (parsed){.text = text, .rules = rules};
    mem_init(&p->m);
    assert_true(mem_try(&p->m, parse_inner, p));
}

/* `wrong` NULL: both rules accept the text; else what the reader says of it, at byte `at`. */
static void judge(const char *text, const char *wrong, size_t at)
{
    parsed p;
    parse(&p, str_c(text), JSON_LINE);
    if (!wrong && !p.v)
        fail_msg("%s: %s at %zu", text, p.wrong, p.at);
    if (wrong) {
        assert_null(p.v);
        assert_string_equal(p.wrong, wrong);
        assert_int_equal(p.at, at);
    }
    mem_clear(&p.m);
}

static void accepts_what_is_json(void **state)
{
    static const char *const texts[] = {"null",
                                        " true\n",
                                        "-0",
                                        "0.5e-10",
                                        "1E+2",
                                        "\"\"",
                                        "[]",
                                        "{}",
                                        "[[], {}, [1, 2.5, \"x\", null, false]]",
                                        "{\"a\": {\"\": 1}, \"a\": 2}",
                                        "\"\xc2\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \\ud83d\\ude00\"",
                                        "\"0123456701234567\\\"0123456\\\\\"",
                                        "\t[\n1\t]\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        judge(texts[i], NULL, 0);
}

static void refuses_what_is_not(void **state)
{
    static const char number[] = "not JSON: a number that is not written as JSON's";
    static const char word[] = "not JSON: a word without quotes or NaN";
    static const char breaks[] = "not JSON: the line breaks off";
    static const char utf8[] = "bytes that are not UTF-8";
    (void)state;
    judge("", "an empty line", 0);
    judge("[1 2]", "not JSON", 3);
    judge("[1,]", "not JSON", 3);
    judge("[,1]", "not JSON", 1);
    judge("{\"a\" 1}", "not JSON", 5);
    judge("{\"a\": 1,}", "not JSON", 8);
    judge("{1: 2}", "not JSON", 1);
    judge("[1}", "not JSON", 2);
    judge("[1", breaks, 2);
    judge("{\"a\":", breaks, 5);
    judge("{\"a", "the line breaks off in a string", 3);
    judge("\"a\\", "the line breaks off in a string", 3);
    judge("1 2", "not JSON: text follows the record", 2);
    judge("01", number, 2);
    judge("1.", number, 2);
    judge(".5", "not JSON", 0);
    judge("1e", number, 2);
    judge("+1", "not JSON", 0);
    judge("[NaN]", word, 1);
    judge("[nul]", word, 1);
    judge("{a: 1}", word, 1);
    judge("'a'", "not JSON", 0);
    judge("\"\\x\"", "not JSON: an unknown escape in a string", 3);
    judge("\"\\u00g0\"", "not JSON: \\u wants four hexadecimal digits", 3);
    judge("\"a\nb\"", "a raw control character", 2);
    judge("[1,\1]", "a raw control character", 3);
    judge("\"\xff\"", utf8, 1);
    judge("\"\xc0\xaf\"", utf8, 1);
    judge("\"\xed\xa0\x80\"", utf8, 1);
    judge("\"\xe2\x82\"", utf8, 1);
    judge("[\xe2\x82\xac]", "not JSON: a character outside of a string", 1);
}

static void rules_differ(void **state)
{
    static const char *const texts[] = {"[1,\r\n2]", "\"a\\u0000b\"", "\"\\ud800\"",
                                        "\"\\udc00x\""};
    static const char *const wrong[] = {"a carriage return (CRLF?)", "a NUL character (\\u0000)",
                                        "not JSON: half of a surrogate pair",
                                        "not JSON: half of a surrogate pair"};
    parsed p;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        parse(&p, str_c(texts[i]), JSON_ANY);
        assert_non_null(p.v);
        mem_clear(&p.m);
        parse(&p, str_c(texts[i]), JSON_LINE);
        assert_null(p.v);
        assert_string_equal(p.wrong, wrong[i]);
        mem_clear(&p.m);
    }
    parse(&p, (str){"\"a\0b\"", 5}, JSON_ANY);
    assert_null(p.v);
    assert_string_equal(p.wrong, "a NUL byte");
    mem_clear(&p.m);
}

/* As many brackets as may be nested, and one more. */
static void depth_has_a_limit(void **state)
{
    char text[2 * JSON_DEPTH_MAX + 2];
    parsed p;
    (void)state;
    memset(text, '[', JSON_DEPTH_MAX + 1);
    memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    parse(&p, (str){text + 1, 2 * JSON_DEPTH_MAX}, JSON_LINE);
    assert_non_null(p.v);
    mem_clear(&p.m);
    parse(&p, (str){text, sizeof text}, JSON_LINE);
    assert_null(p.v);
    assert_int_equal(p.at, JSON_DEPTH_MAX);
    mem_clear(&p.m);
}

static void trees_hold_values(void **state)
{
    static const char text[] =
        "{\"a\": [1, \"x\\ny\", null], \"\\u0062\": 18446744073709551615, \"c\": -2.5, \"d\": 3e2}";
    parsed p;
    (void)state;
    parse(&p, str_c(text), JSON_LINE);
    assert_true(json_is(p.v, JSON_TYPE_OBJECT));
    const json_value *a = json_get(p.v, "a"), *b = json_get(p.v, "b");
    assert_int_equal(json_size(a), 3);
    assert_string_equal(a->child->next->text.p, "x\ny");
    assert_true(json_is(a->child->next->next, JSON_TYPE_NULL));
    assert_true(json_is_count(b) && json_count(b) == UINT64_MAX);
    assert_false(json_is_count(json_get(p.v, "c")));
    assert_true(json_number(json_get(p.v, "c")) == -2.5);
    assert_true(json_is_count(json_get(p.v, "d")) && json_count(json_get(p.v, "d")) == 300);
    assert_null(json_get(p.v, "e"));
    mem_clear(&p.m);
}

static void tables_are_kept(void **state)
{
    static const json_field fields[] = {{"a", JSON_COUNT, false}, {"b", JSON_STRING, true}};
    static const struct {
        const char *text, *why;
    } cases[] = {{"{\"a\": 1}", NULL},
                 {"{\"b\": \"\", \"a\": 1}", NULL},
                 {"{\"b\": \"\"}", "a missing key: x.a"},
                 {"{\"a\": 1, \"a\": 1}", "a key that is there twice: x.a"},
                 {"{\"a\": -1}", "x.a is not a whole number"},
                 {"{\"a\": 1, \"b\": null}", "x.b is not a string"},
                 {"{\"a\": 1, \"c\": 2}", "an unknown key: x.c"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parsed p;
        strbuf why;
        const json_value *out[2];
        parse(&p, str_c(cases[i].text), JSON_LINE);
        sb_init(&why, &p.m);
        assert_int_equal(json_fields(p.v, fields, 2, true, "x.", out, &why), !cases[i].why);
        if (cases[i].why)
            assert_string_equal(sb_cstr(&why), cases[i].why);
        mem_clear(&p.m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_values),         cmocka_unit_test(tells_what_is_not_there),
        cmocka_unit_test(decodes_strings),      cmocka_unit_test(reads_elements_and_counts),
        cmocka_unit_test(accepts_what_is_json), cmocka_unit_test(refuses_what_is_not),
        cmocka_unit_test(rules_differ),         cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(trees_hold_values),    cmocka_unit_test(tables_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
