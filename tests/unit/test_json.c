/* SPDX-License-Identifier: Apache-2.0 */
/* Writing of JSON strings: escapes, broken UTF-8, stretches of every length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

static void expect(const char *text, size_t n, const char *json)
{
    mem m;
    strbuf b;
    mem_init(&m);
    sb_init(&b, &m);
    json_string(&b, (str){text, n});
    assert_string_equal(sb_cstr(&b), json);
    mem_clear(&m);
}

#define EXPECT(text, json) expect(text, sizeof(text) - 1, json)

static void escapes(void **state)
{
    (void)state;
    EXPECT("", "\"\"");
    EXPECT("plain text", "\"plain text\"");
    EXPECT("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
    EXPECT("\n\t\r\f\b", "\"\\n\\t\\r\\f\\b\"");
    EXPECT("\0\1\x1f\x7f", "\"\\u0000\\u0001\\u001f\x7f\"");
    EXPECT("1234567\"", "\"1234567\\\"\"");
    EXPECT("12345678\n", "\"12345678\\n\"");
}

static void keeps_utf8(void **state)
{
    (void)state;
    EXPECT("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    EXPECT("1234567\xc3\xa9", "\"1234567\xc3\xa9\"");
}

#define BAD "\xef\xbf\xbd"

static void replaces_what_is_not_utf8(void **state)
{
    (void)state;
    EXPECT("\xff", "\"" BAD "\"");
    EXPECT("\xc3", "\"" BAD "\"");
    EXPECT("\xc0\x80", "\"" BAD BAD "\"");
    EXPECT("\xed\xa0\x80", "\"" BAD BAD BAD "\"");
    EXPECT("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"");
    EXPECT("a\xe2\x82", "\"a" BAD BAD "\"");
}

/* Text of n letters with a newline at position `at`. */
static void expect_newline(size_t n, size_t at)
{
    static char text[9000], json[9100];
    memset(text, 'x', n);
    text[at] = '\n';
    json[0] = '"';
    memset(json + 1, 'x', n + 1);
    memcpy(json + 1 + at, "\\n", 2);
    memcpy(json + 2 + n, "\"", 2);
    expect(text, n, json);
}

static void finds_them_everywhere(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++)
        for (size_t at = 0; at < n; at++)
            expect_newline(n, at);
    expect_newline(8999, 4095);
    expect_newline(8999, 4096);
    expect_newline(8999, 8998);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(keeps_utf8),
        cmocka_unit_test(replaces_what_is_not_utf8),
        cmocka_unit_test(finds_them_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
