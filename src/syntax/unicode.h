/* What Python 3.11 knows about characters beyond ASCII (Unicode 14.0). */
#ifndef WEFT_SYNTAX_UNICODE_H
#define WEFT_SYNTAX_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool unicode_is_printable(uint32_t c); /* as str.isprintable */
bool unicode_begins_name(uint32_t c);  /* XID_Start or "_" */
bool unicode_continues_name(uint32_t c);

/* Room that unicode_nfkc needs for n bytes. */
static inline size_t unicode_nfkc_room(size_t n)
{
    return n * 4; /* no character of two bytes makes more than eight codes */
}
/* The NFKC form of a name of n bytes, into codes[0..unicode_nfkc_room(n)); returns their number. */
size_t unicode_nfkc(const char *s, size_t n, uint32_t *codes);

/* The character of a \N{name}; negative: there is none. */
int32_t unicode_by_name(const char *s, size_t n);

/* Puts c as UTF-8 (surrogates too) into out; returns the number of bytes. */
size_t utf8_put(char *out, uint32_t c);
/* Reads the character at *s and moves *s behind it; the text must be well-formed. */
uint32_t utf8_get(const char **s);

#endif
