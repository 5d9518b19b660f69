/* SPDX-License-Identifier: Apache-2.0 */
/* Fingerprints as text: 32 hexadecimal digits of lower case, the upper half first.
 *
 *     {0x951ff86d18ff3ce3, 0x49a55936b1cecfaa}   ->   951ff86d18ff3ce349a55936b1cecfaa
 *
 * Upper case is refused: each fingerprint has one text, so texts can be compared instead. */
#include "record/fingerprint.h"

#include "base/json_peek.h"

void fingerprint_hex(fingerprint f, char out[FINGERPRINT_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        out[15 - i] = digits[f.high >> 4 * i & 15];
        out[31 - i] = digits[f.low >> 4 * i & 15];
    }
}

bool fingerprint_read(str hex, fingerprint *out)
{
    uint64_t v[2] = {0, 0};
    if (hex.n != FINGERPRINT_HEX)
        return false;
    for (size_t i = 0; i < hex.n; i++) {
        const char c = hex.p[i];
        const bool digit = c >= '0' && c <= '9';
        if (!digit && !(c >= 'a' && c <= 'f'))
            return false;
        v[i / 16] = v[i / 16] << 4 | (uint64_t)(digit ? c - '0' : c - 'a' + 10);
    }
    *out = (fingerprint){v[0], v[1]};
    return true;
}

/* Digits need no escapes, so the text between the quotes is taken as it stands. */
bool fingerprint_peek(str object, const char *path, fingerprint *out)
{
    str raw;
    return json_peek(object, path, &raw) && raw.n == FINGERPRINT_HEX + 2 &&
           fingerprint_read((str){raw.p + 1, FINGERPRINT_HEX}, out);
}
