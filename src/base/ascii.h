/* SPDX-License-Identifier: Apache-2.0 */
/* Classes and cases of ASCII characters, the same in every locale: isalpha of <ctype.h> depends
 * on it, so that a program which has set tr_TR would read other texts. Bytes from 128 on are in no
 * class, whether char is signed or not. */
#ifndef WEFT_BASE_ASCII_H
#define WEFT_BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

#endif
