/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 against the standard's examples, and both ways of computing it against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"

static void expect_hex(const void *p, size_t n, const char *hex)
{
    uint8_t digest[SHA256_SIZE];
    char text[SHA256_HEX];
    sha256_of(p, n, digest);
    sha256_hex(digest, text);
    assert_memory_equal(text, hex, SHA256_HEX);
}

static void test_examples_of_the_standard(void **state)
{
    (void)state;
    expect_hex("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_hex("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect_hex(two_blocks, strlen(two_blocks),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void test_pieces_give_the_same(void **state)
{
    (void)state;
    uint8_t text[300], whole[SHA256_SIZE], pieces[SHA256_SIZE];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7);
    for (size_t n = 0; n <= sizeof text; n++) {
        sha256 s;
        sha256_of(text, n, whole);
        sha256_start(&s);
        sha256_add(&s, text, n / 3);
        sha256_add(&s, text + n / 3, n - n / 3);
        sha256_finish(&s, pieces);
        assert_memory_equal(whole, pieces, SHA256_SIZE);
    }
}

static void test_two_at_once(void **state)
{
    (void)state;
    char text[1000];
    uint8_t two[2][SHA256_SIZE], one[SHA256_SIZE];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 11);
    for (size_t n = 0; n < 400; n += 7) {
        str a = {n ? text : NULL, n}, b = {text + 3, 700 - n};
        sha256_of_two(a, b, two);
        sha256_of(a.p, a.n, one);
        assert_memory_equal(one, two[0], SHA256_SIZE);
        sha256_of(b.p, b.n, one);
        assert_memory_equal(one, two[1], SHA256_SIZE);
    }
}

static void test_portable_rounds_agree(void **state)
{
    (void)state;
    uint8_t block[128];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (uint8_t)(i * 13);
    sha256 s;
    sha256_start(&s);
    uint32_t h[8];
    memcpy(h, s.h, sizeof h);
    sha256_add(&s, block, sizeof block);
    sha256_blocks_portable(h, block, 2);
    assert_memory_equal(h, s.h, sizeof h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_of_the_standard),
        cmocka_unit_test(test_pieces_give_the_same),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_portable_rounds_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
