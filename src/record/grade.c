/* SPDX-License-Identifier: Apache-2.0 */
/* Columns for trainers and graders (grade.h):
 *
 *     "Write a Warp kernel called ..."   ->   problem_id "5d41402abc4b2a76b9719d911017c592"
 *     "y[i] = 2.0 * x[i]"   ->   14 tokens
 *     ->   verification_info {"language": "python", "kernel_name": "scale", "arguments": [...],
 *                             "tests": [...], "no_tests_because": ""} */
#include "record/grade.h"

#include "base/json.h"
#include "base/sha256.h"

/* Half of the digits of the SHA-256. */
void grade_problem_id(str prompt, str source, char id[GRADE_ID])
{
    const str of = prompt.n ? prompt : source;
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(of.p, of.n, digest);
    sha256_hex(digest, hex);
    memcpy(id, hex, GRADE_ID);
}

/* What a byte is to the estimate. */
typedef enum byte_class { BYTE_SIGN, BYTE_LETTER, BYTE_DIGIT, BYTE_BREAK, BYTE_SPACE } byte_class;

static byte_class class_of(char c)
{
    const char lower = (char)(c | 32);
    return lower >= 'a' && lower <= 'z'         ? BYTE_LETTER
           : c >= '0' && c <= '9'               ? BYTE_DIGIT
           : c == '\n'                          ? BYTE_BREAK
           : c == ' ' || c == '\t' || c == '\r' ? BYTE_SPACE
                                                : BYTE_SIGN;
}

/* Of a run of letters one token for each 8, of a run of signs one for each 2, one for each digit
 * and each line break; spaces belong to what follows. */
uint64_t grade_tokens(str text)
{
    enum { LETTERS = 8, SIGNS = 2 };
    /* A token begins where `run` of the class has none of the bits. */
    static const uint8_t masks[BYTE_SPACE + 1] = {
        [BYTE_SIGN] = SIGNS - 1, [BYTE_LETTER] = LETTERS - 1, [BYTE_DIGIT] = 0, [BYTE_BREAK] = 0};
    uint8_t classes[256];
    for (int c = 0; c < 256; c++)
        classes[c] = (uint8_t)class_of((char)c);
    uint64_t n = 0;
    uint32_t run = 0;
    uint8_t last = BYTE_SPACE;
    for (size_t i = 0; i < text.n; i++) {
        const uint8_t is = classes[(uint8_t)text.p[i]];
        run = is == last ? run + 1 : 0;
        last = is;
        n += is != BYTE_SPACE && (run & masks[is]) == 0;
    }
    return n;
}

void grade_put_info(strbuf *b, const grade_subject *s)
{
    SB_LIT(b, "{\"language\": \"");
    sb_c(b, s->language);
    SB_LIT(b, "\", \"kernel_name\": \"");
    sb_str(b, s->kernel);
    SB_LIT(b, "\", \"arguments\": [");
    for (uint32_t i = 0; i < s->nargs; i++) {
        sb_c(b, i ? ", {\"name\": \"" : "{\"name\": \"");
        sb_str(b, s->args[i].name);
        SB_LIT(b, "\", \"type\": \"");
        sb_str(b, s->args[i].type);
        SB_LIT(b, "\"}");
    }
    SB_LIT(b, "], \"tests\": ");
    sb_str(b, s->tests);
    SB_LIT(b, ", \"no_tests_because\": ");
    json_string(b, str_c(s->why ? s->why : ""));
    SB_LIT(b, "}");
}

bool grade_is_untested(str info)
{
    static const char end[] = "\"no_tests_because\": \"" GRADE_NO_TESTS "\"}";
    enum { N = sizeof end - 1 };
    return info.n >= N && memcmp(info.p + info.n - N, end, N) == 0;
}
