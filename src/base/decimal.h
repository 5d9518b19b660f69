/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal texts and binary floats, both ways: correctly rounded, half to even, and the same in
 * every locale, which strtod and printf are not. Examples:
 *
 *     "0.1"                               ->   0x1.999999999999ap-4
 *     0x1.999999999999ap-4, 17 digits     ->   digits 10000000000000001, exponent -1
 *
 * base/format.h prints with it, the lexers of weft read with it. */
#ifndef WEFT_BASE_DECIMAL_H
#define WEFT_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- reading ------------------------------------------------------------------------------- */

/* Reads "12", "-.5e3", "inf" and "nan" as strtod does in the C locale; but neither white space
 * before a number nor hexadecimal digits. *end is behind the number, or s if there is none. */
double decimal_read_double(const char *s, const char **end);
/* Reads digits only; *end is behind them. False: there are none, or the number does not fit. */
bool decimal_read_uint(const char *s, const char **end, uint64_t *x);
/* Reads "1000", "1e3", "1k", "2.5M" (k, M, G and T are powers of 1000); *end is behind it. False:
 * it is no whole number, or one of more than 64 bits. */
bool decimal_read_count(const char *s, const char **end, uint64_t *x);

/* The n digits as an integer, times 10^exponent. */
double decimal_double(const char *digits, size_t n, int64_t exponent);
/* x * 10^exponent, rounded once. */
double decimal_scaled(uint64_t x, int64_t exponent);

/* --- writing ------------------------------------------------------------------------------- */

/* d.ddd * 10^exponent. Zero has no digits and the exponent 0. */
typedef struct decimal {
    int n, exponent;
    bool cut; /* the number has more digits than these; otherwise the last is not 0 */
    /* No double has more than 767, which are found nine at a time. */
    char digits[784];
} decimal;

/* The digits of |x|, cut after `count` or a few more; x is finite. */
void decimal_of(double x, int count, decimal *d);
/* Rounds to `count` digits; with 0 or less to a power of ten above the first digit. If d is cut, it
 * must hold more digits than that. */
void decimal_round(const decimal *d, int count, decimal *out);
/* The fewest digits that read back as x, a float's value: at most nine. */
void decimal_of_float(double x, decimal *out);
/* As sb_float (str.h), but of a float's value: the fewest digits that read back as the float. */
struct strbuf;
void sb_float32(struct strbuf *b, double x);
/* What the digits read back as. */
double decimal_to_double(const decimal *d);
float decimal_to_float(const decimal *d);

#endif
