/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in source text: round ones that people write (0.5, wp.pi, 9.81) and plain decimals, no
 * larger than the want allows. A number that is no float32 or int32 is cast:
 *
 *     float32, up to 2^1   ->   0.5        float64   ->   wp.float64(0.5)
 *     int32, up to 2^4     ->   7          uint32    ->   wp.uint32(7) */
#include "gen/gen_literal.h"

#include "gen/gen_state.h"
#include "gen/gen_type.h"

/* Numbers that people write, by magnitude, so that a want cuts the list at one place. Twice means
 * twice as often. */
static const struct {
    char text[10];
    uint8_t n;
    int8_t mag;
} nice[] = {
#define NICE(text, mag)                                                                            \
    {                                                                                              \
        text, sizeof(text) - 1, mag                                                                \
    }
    NICE("1.0e-6", -19), NICE("1e-4", -13),  NICE("0.001", -9), NICE("0.005", -7),
    NICE("0.01", -6),    NICE("0.02", -5),   NICE("0.05", -4),  NICE("0.1", -3),
    NICE("0.125", -3),   NICE("0.2", -2),    NICE("0.25", -2),  NICE("0.3", -1),
    NICE("0.4", -1),     NICE("0.5", -1),    NICE("0.5", -1),   NICE("0.6", 0),
    NICE("0.7", 0),      NICE("0.75", 0),    NICE("0.8", 0),    NICE("0.9", 0),
    NICE("0.95", 0),     NICE("0.99", 0),    NICE("1.0", 0),    NICE("1.0", 0),
    NICE("1.2", 1),      NICE("1.5", 1),     NICE("2.0", 1),    NICE("2.0", 1),
    NICE("2.5", 2),      NICE("3.0", 2),     NICE("4.0", 2),    NICE("wp.pi", 2),
    NICE("3.14159", 2),  NICE("6.28318", 3), NICE("5.0", 3),    NICE("8.0", 3),
    NICE("9.81", 4),     NICE("10.0", 4),    NICE("16.0", 4),   NICE("32.0", 5),
    NICE("60.0", 6),     NICE("100.0", 7),
#undef NICE
};

enum { NICE_COUNT = sizeof nice / sizeof *nice, NICE_POS = 5 /* the first >= 1/64 */ };

/* A decimal of one to three places whose integer part lies below 2^mag; at least 0.1. */
static int put_decimal(gen *g, int mag)
{
    WEFT_ASSERT(mag >= 0);
    uint32_t whole = mag <= 0 ? 0 : below(g, 1u << min_int(mag, 4));
    uint32_t places = 1 + below(g, 3);
    sb_uint(g->text.out, whole);
    W(g, ".");
    for (uint32_t i = 0; i < places; i++)
        sb_char(g->text.out, (char)('1' + below(g, 9)));
    return mag <= 0 ? 0 : min_int(mag, 4);
}

/* A number of at most 2^mag, without its sign; returns its magnitude. `may_be_tiny`: numbers below
 * 1/64 too, which half precision and divisors cannot have. Drawing below the last one that was too
 * large ends at `first` at the latest. */
static int put_number(gen *g, int mag, bool may_be_tiny)
{
    if (mag >= 0 && below(g, 4) == 0)
        return put_decimal(g, mag);
    uint32_t first = may_be_tiny && below(g, 8) == 0 ? 0 : NICE_POS;
    uint32_t at = first + below(g, NICE_COUNT - first);
    while (at > first && nice[at].mag > mag)
        at = first + below(g, at - first);
    WEFT_ASSERT(at >= first && at < NICE_COUNT);
    sb_put(g->text.out, nice[at].text, nice[at].n);
    return nice[at].mag;
}

/* A Python float is a float32 in a kernel; other types are conversions of one. */
void put_float_literal(gen *g, gtype t, const char *text)
{
    if (t.sc == GS_F32) {
        sb_c(g->text.out, text);
        return;
    }
    put_cast(g, t);
    sb_c(g->text.out, text);
    W(g, ")");
}

/* A Python int is an int32 in a kernel. */
void put_int_literal(gen *g, gtype t, int value)
{
    if (t.sc != GS_I32)
        put_cast(g, t);
    sb_int(g->text.out, value);
    if (t.sc != GS_I32)
        W(g, ")");
}

/* 1 to 2^mag - 1, in three of four cases no more than 7. 0 in a tenth where the want allows it.
 * Negative ones are written with a unary minus, by gen_int.c. */
static bound put_integer(gen *g, want w)
{
    WEFT_ASSERT(!gt_is_float(w.t) && gt_is_scalar(w.t));
    int mag = min_int(w.mag, below(g, 4) ? 3 : 7);
    int value = mag <= 0 ? 1 : 1 + (int)below(g, (1u << mag) - 1);
    if (w.low == LOW_NONE && below(g, 10) == 0)
        value = 0;
    put_int_literal(g, w.t, value);
    return (bound){(int8_t)max_int(mag, 0), value ? LOW_POS : LOW_ZERO, true};
}

/* A minus would bind weaker than a product or power around it, so only places that allow a sum get
 * one. */
bound put_literal(gen *g, want w, int prec)
{
    if (!gt_is_float(w.t))
        return put_integer(g, w);
    bool minus = w.low == LOW_NONE && prec <= PREC_SUM && below(g, 8) == 0;
    if (w.t.sc != GS_F32)
        put_cast(g, w.t);
    if (minus)
        W(g, "-");
    int mag = put_number(g, w.mag, w.low != LOW_POS && !minus && !gt_is_half(w.t));
    if (w.t.sc != GS_F32)
        W(g, ")");
    gen_low low = minus ? LOW_NONE : mag < -5 ? LOW_ZERO : LOW_POS;
    return (bound){(int8_t)mag, (uint8_t)low, true};
}
