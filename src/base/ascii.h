/* Classes of ASCII characters for lexers, the same in every locale: isalpha of <ctype.h> depends
 * on it. Bytes from 128 on are in no class. */
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

#endif
