/* SPDX-License-Identifier: Apache-2.0 */
/* The estimate of tokens: 64 bytes at a time gives what byte by byte gives, for runs of every
 * length at every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/grade.h"

typedef enum kind { SIGN, LETTER, DIGIT, BREAK, SPACE } kind;

static kind kind_of(char c)
{
    const char lower = (char)(c | 32);
    return lower >= 'a' && lower <= 'z'         ? LETTER
           : c >= '0' && c <= '9'               ? DIGIT
           : c == '\n'                          ? BREAK
           : c == ' ' || c == '\t' || c == '\r' ? SPACE
                                                : SIGN;
}

/* The definition: of a run of letters one token for each 8, of signs one for each 2. */
static uint64_t byte_by_byte(str text)
{
    uint64_t n = 0;
    uint32_t run = 0;
    for (size_t i = 0; i < text.n; i++) {
        const kind is = kind_of(text.p[i]);
        run = i && is == kind_of(text.p[i - 1]) ? run + 1 : 0;
        n += is == LETTER ? run % 8 == 0 : is == SIGN ? run % 2 == 0 : is != SPACE;
    }
    return n;
}

static void examples(void **state)
{
    (void)state;
    assert_int_equal(grade_tokens(STR("")), 0);
    assert_int_equal(grade_tokens(STR("y[i] = 2.0 * x[i]")), 13);
    assert_int_equal(grade_tokens(STR("velocities += 10\n")), 2 + 1 + 2 + 1);
}

static void random_texts(void **state)
{
    (void)state;
    static const char *const chars[] = {
        [SIGN] = "+@[`{\x7f\x80\xff/:", [LETTER] = "azAZm", [DIGIT] = "09", "\n", " \t\r"};
    enum { TEXTS = 20000, MOST = 300 };
    rng r = rng_stream(7, 0);
    for (int t = 0; t < TEXTS; t++) {
        char text[MOST];
        const size_t n = rng_below(&r, MOST);
        const uint32_t longest = 1 + rng_below(&r, 90);
        for (size_t i = 0; i < n;) {
            const char *from = chars[rng_below(&r, SPACE + 1)];
            for (uint32_t k = 1 + rng_below(&r, longest); k && i < n; k--)
                text[i++] = from[rng_below(&r, (uint32_t)strlen(from))];
        }
        const str s = {text, n};
        assert_int_equal(grade_tokens(s), byte_by_byte(s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
