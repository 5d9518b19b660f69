/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between decimal texts and binary floats, by exact arithmetic in base 10^9. Examples:
 * "0.1" is read as 0x1.999999999999ap-4; that double to 20 digits is 1.0000000000000000555 e-1.
 *
 * A `wide` is a number with a fixed point, so that doubling and halving it are exact. To write a
 * float, its mantissa is doubled or halved as often as its exponent says; the limbs then hold its
 * digits. To read one, the digits are put into limbs, and the number is doubled or halved until
 * its whole part has 55 to 60 bits. These are rounded; of the fraction it only matters whether it
 * is 0.
 *
 * Most numbers never get here: up to 19 digits with a small exponent are one exact integer and one
 * exact power of ten, and one operation on these rounds correctly (Clinger, "How to read floating
 * point numbers accurately", 1990). The slow path takes some microseconds. */
#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/assert.h"

enum {
    BASE = 1000000000,
    BASE_DIGITS = 9,
    WHOLE_LIMBS = 36,     /* 324 digits; DBL_MAX has 309 */
    FRACTION_LIMBS = 180, /* 491 digits of a text, and 967 more from halving 10^308 to 2^56 */
    LIMBS = WHOLE_LIMBS + FRACTION_LIMBS,
    DIGITS_READ = 800, /* halfway cases have at most 767: of the rest it matters whether it is 0 */
    SHIFT_MAX = 29,    /* 2^29 < BASE: what doubling carries is one limb */
    WEIGHT_MIN = -326, /* a first digit below this is less than half the smallest double */
    WEIGHT_MAX = 308
};

/* The sum of limb[i] * BASE^(WHOLE_LIMBS - 1 - i) for first <= i < end. */
typedef struct wide {
    uint32_t limb[LIMBS];
    int first, end;
} wide;

/* Drops zero limbs at both ends, so that loops see significant limbs only. */
static void wide_trim(wide *w)
{
    while (w->first < w->end && !w->limb[w->first])
        w->first++;
    while (w->end > w->first && !w->limb[w->end - 1])
        w->end--;
}

/* Divides by 2^times, exactly: a rest becomes further limbs behind the point. Needs: times <=
 * SHIFT_MAX, and room behind the point, which FRACTION_LIMBS reckons with. */
static void wide_halve(wide *w, int times)
{
    WEFT_ASSERT(0 < times && times <= SHIFT_MAX);
    const uint64_t mask = ((uint64_t)1 << times) - 1;
    uint64_t rest = 0;
    for (int i = w->first; i < w->end || rest; i++) {
        WEFT_ASSERT(i < LIMBS);
        rest = rest * BASE + (i < w->end ? w->limb[i] : 0);
        w->limb[i] = (uint32_t)(rest >> times);
        w->end = i < w->end ? w->end : i + 1;
        rest &= mask;
    }
    wide_trim(w);
}

/* Multiplies by 2^times. Needs: times <= SHIFT_MAX, so that the last carry fits one limb. */
static void wide_double(wide *w, int times)
{
    WEFT_ASSERT(0 < times && times <= SHIFT_MAX);
    uint64_t carry = 0;
    for (int i = w->end; i-- > w->first;) {
        carry += (uint64_t)w->limb[i] << times;
        w->limb[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    if (carry) {
        WEFT_ASSERT(w->first > 0 && carry < BASE);
        w->limb[--w->first] = (uint32_t)carry;
    }
    wide_trim(w);
}

/* --- digits to a float --------------------------------------------------------------------- */

/* Powers of ten that a double holds exactly: 5^22 < 2^53. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint32_t small_powers[BASE_DIGITS] = {1,      10,      100,      1000,     10000,
                                                   100000, 1000000, 10000000, 100000000};

/* What rounding needs of the two formats, double and float. */
typedef struct float_format {
    int bits;     /* of a mantissa: integers up to 2^bits are exact */
    int smallest; /* 2^smallest is the smallest number */
    int power;    /* 10^power is the largest power of ten that is exact */
} float_format;

static const float_format double_format = {53, -1074, 22}, single_format = {24, -149, 10};

/* The part in front of the point. Needs: at most two limbs, which fit 60 bits. */
static uint64_t whole_part(const wide *w)
{
    uint64_t x = 0;
    for (int i = WHOLE_LIMBS - 2; i < WHOLE_LIMBS; i++)
        x = x * BASE + (i >= w->first && i < w->end ? w->limb[i] : 0);
    return x;
}

static int bit_length(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* The nearest number of the format, half to even; what is too large for it stays a large double.
 * First the whole part gets 55 bits or more, two beyond the mantissa. `drop` is the number of bits
 * that rounding takes away: the spare ones, or more where the number is subnormal. */
static double wide_nearest(wide *w, const float_format *f)
{
    int exponent = 0;
    /* Numbers above 10^18 are halved until two limbs hold the whole part. */
    for (; w->first < WHOLE_LIMBS - 2; exponent += SHIFT_MAX)
        wide_halve(w, SHIFT_MAX);
    uint64_t whole = whole_part(w);
    /* Small numbers are doubled; at most 59 bits, so two limbs stay enough. */
    while (bit_length(whole) < 55) {
        const int room = 59 - bit_length(whole), times = room < SHIFT_MAX ? room : SHIFT_MAX;
        wide_double(w, times);
        exponent -= times;
        whole = whole_part(w);
    }
    const bool fraction = w->end > WHOLE_LIMBS;
    const int spare = bit_length(whole) - f->bits, below = f->smallest - exponent;
    const int drop = spare > below ? spare : below;
    if (drop > 61) /* less than half of the smallest */
        return 0;
    /* `rest` is what is dropped; with the fraction it decides the rounding, half to even. */
    const uint64_t unit = (uint64_t)1 << drop, rest = whole & (unit - 1);
    whole >>= drop;
    whole += rest > unit / 2 || (rest == unit / 2 && (fraction || (whole & 1)));
    return ldexp((double)whole, exponent + drop);
}

/* Adds digit * 10^weight. Digits come from the highest weight down, so the limbs grow to the
 * right. */
static void wide_put_digit(wide *w, int digit, int weight)
{
    const int up = weight + FRACTION_LIMBS * BASE_DIGITS;
    const int at = LIMBS - 1 - up / BASE_DIGITS;
    WEFT_ASSERT(up >= 0 && at >= w->first && at < LIMBS);
    while (w->end <= at)
        w->limb[w->end++] = 0;
    w->limb[at] += (uint32_t)digit * small_powers[up % BASE_DIGITS];
}

/* Decides a tie: digits beyond DIGITS_READ only matter if one of them is not 0. */
static bool any_nonzero(const char *digits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (digits[i] != '0')
            return true;
    return false;
}

/* The n digits, the first of which is not 0, times 10^exponent, by limbs. */
static double nearest_of_digits(const char *digits, size_t n, int64_t exponent,
                                const float_format *f)
{
    const int64_t weight = exponent + (int64_t)n - 1;
    if (weight < WEIGHT_MIN)
        return 0;
    if (weight > WEIGHT_MAX)
        return HUGE_VAL;
    const size_t kept = n < DIGITS_READ ? n : DIGITS_READ;
    const int top = (int)weight, first = top + FRACTION_LIMBS * BASE_DIGITS;
    wide w;
    w.first = w.end = LIMBS - 1 - first / BASE_DIGITS;
    for (size_t i = 0; i < kept; i++)
        wide_put_digit(&w, digits[i] - '0', top - (int)i);
    /* One more digit stands for all that follow: it only breaks ties. */
    if (any_nonzero(digits + kept, n - kept))
        wide_put_digit(&w, 1, top - DIGITS_READ);
    wide_trim(&w);
    return wide_nearest(&w, f);
}

/* The fast path: one operation on an integer and a power of ten rounds once, if the format holds
 * both of them exactly. False: it does not. */
static bool by_one_operation(uint64_t x, int64_t exponent, const float_format *f, double *out)
{
    if (x >> f->bits || exponent < -f->power || exponent > f->power)
        return false;
    const double power = powers[exponent < 0 ? -exponent : exponent];
    /* Computed in float, so that it is rounded to float once. */
    if (f == &single_format)
        *out = exponent < 0 ? (float)x / (float)power : (float)x * (float)power;
    else
        *out = exponent < 0 ? (double)x / power : (double)x * power;
    return true;
}

/* The float nearest to x times 10^exponent by way of the nearest double. That is on the same side
 * of what lies halfway between two floats, which is a double itself, or it is just that. False: it
 * is, or the float has few bits, or there is no such double at once. */
static bool by_double(uint64_t x, int64_t exponent, double *out)
{
    const uint64_t below = (UINT64_C(1) << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1;
    double d;
    uint64_t bits;
    if (!by_one_operation(x, exponent, &double_format, &d) || d < FLT_MIN || d > FLT_MAX)
        return false;
    memcpy(&bits, &d, sizeof bits);
    *out = (float)d;
    return (bits & below) != (below + 1) / 2;
}

/* The n digits times 10^exponent. Leading zeros do not count as digits. Up to 19 digits fit 64
 * bits and take the fast path where it is exact; the rest goes through limbs. */
static double nearest(const char *digits, size_t n, int64_t exponent, const float_format *f)
{
    uint64_t x = 0;
    double result = 0;
    while (n && *digits == '0') {
        digits++;
        n--;
    }
    for (size_t i = 0; i < n && n <= 19; i++)
        x = x * 10 + (uint64_t)(digits[i] - '0');
    if (!n || (n <= 19 && by_one_operation(x, exponent, f, &result)) ||
        (n <= 19 && f == &single_format && by_double(x, exponent, &result)))
        return result;
    return nearest_of_digits(digits, n, exponent, f);
}

/* A float format's rounding may leave a double beyond FLT_MAX: that is infinity, and a conversion
 * of it would be undefined. */
static float narrowed(double x)
{
    return x > FLT_MAX ? HUGE_VALF : (float)x;
}

double decimal_double(const char *digits, size_t n, int64_t exponent)
{
    return nearest(digits, n, exponent, &double_format);
}

double decimal_scaled(uint64_t x, int64_t exponent)
{
    double result;
    char text[20], *p = text + sizeof text;
    if (by_one_operation(x, exponent, &double_format, &result))
        return result;
    for (; x; x /= 10)
        *--p = (char)('0' + x % 10);
    return decimal_double(p, (size_t)(text + sizeof text - p), exponent);
}

double decimal_to_double(const decimal *d)
{
    return nearest(d->digits, (size_t)d->n, (int64_t)d->exponent + 1 - d->n, &double_format);
}

float decimal_to_float(const decimal *d)
{
    return narrowed(
        nearest(d->digits, (size_t)d->n, (int64_t)d->exponent + 1 - d->n, &single_format));
}

/* --- texts --------------------------------------------------------------------------------- */

/* The digits of a text without leading zeros, as an integer times 10^exponent. */
typedef struct number_text {
    char digits[DIGITS_READ + 1]; /* the last stands for all that follow */
    size_t n;
    int64_t exponent;
} number_text;

/* Keeps at most DIGITS_READ digits. Those beyond fold into one that is 0 only if all of them are:
 * enough to break a tie. */
static void add_digit(number_text *t, char digit, bool behind_point)
{
    t->exponent -= behind_point;
    if (!t->n && digit == '0')
        return;
    if (t->n <= DIGITS_READ) {
        t->digits[t->n++] = digit;
        return;
    }
    /* A digit in front of the point that is not kept counts as a power of ten. */
    t->exponent++;
    if (digit != '0')
        t->digits[DIGITS_READ] = digit;
}

/* Adds the value of "e+10" at s to *exponent, if digits follow; returns what is behind it. Without
 * digits the "e" is no part of the number: "2em" is 2 and "em". Large values stop growing, far
 * beyond any float. */
static const char *read_exponent(const char *s, int64_t *exponent)
{
    const bool minus = s[1] == '-';
    const char *p = s + 1 + (minus || s[1] == '+');
    int64_t x = 0;
    if (!ascii_is_digit(*p))
        return s;
    for (; ascii_is_digit(*p); p++)
        x = x < INT64_MAX / 1000 ? x * 10 + (*p - '0') : x;
    *exponent += minus ? -x : x;
    return p;
}

/* Returns what is behind the number, or NULL if there is none. */
static const char *read_text(const char *s, number_text *t)
{
    bool any = false, point = false;
    t->n = 0;
    t->exponent = 0;
    for (; ascii_is_digit(*s) || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        any = true;
        add_digit(t, *s, point);
    }
    if (!any)
        return NULL;
    return (*s | 0x20) == 'e' ? read_exponent(s, &t->exponent) : s;
}

/* Compares letters in either case; `lower` consists of lower-case letters. */
static bool starts_with(const char *s, const char *lower)
{
    WEFT_ASSERT(*lower);
    while (*lower && (*s | 0x20) == *lower) {
        s++;
        lower++;
    }
    return !*lower;
}

/* As strtod: a sign, then digits or one of the words. Without a number *end is s, the sign
 * included. */
double decimal_read_double(const char *s, const char **end)
{
    number_text t;
    const bool minus = *s == '-';
    const char *p = s + (minus || *s == '+'), *behind = read_text(p, &t);
    double x = 0;
    *end = behind ? behind : s;
    if (behind) {
        x = nearest(t.digits, t.n, t.exponent, &double_format);
    } else if (starts_with(p, "inf")) {
        x = HUGE_VAL;
        *end = p + (starts_with(p, "infinity") ? 8 : 3);
    } else if (starts_with(p, "nan")) {
        x = (double)NAN;
        *end = p + 3;
    }
    return minus && *end != s ? -x : x;
}

bool decimal_read_uint(const char *s, const char **end, uint64_t *x)
{
    bool fits = ascii_is_digit(*s);
    for (*x = 0; ascii_is_digit(*s); s++)
        fits = !__builtin_mul_overflow(*x, (uint64_t)10, x) &&
               !__builtin_add_overflow(*x, (uint64_t)(*s - '0'), x) && fits;
    *end = s;
    return fits;
}

/* Multiplies by ten to the `zeros`; false: the product does not fit. */
static bool add_zeros(uint64_t *x, uint64_t zeros)
{
    for (; zeros && *x; zeros--)
        if (__builtin_mul_overflow(*x, UINT64_C(10), x))
            return false;
    return true;
}

/* How many zeros a unit appends: "k" 3, "M" 6, "e5" 5; "" none. False: it is no unit. */
static bool read_unit(const char *text, const char **end, uint64_t *zeros)
{
    static const char units[] = "kMGT";
    const char *unit = *text ? strchr(units, *text == 'K' ? 'k' : *text) : NULL;
    *zeros = unit ? 3 * (uint64_t)(unit - units + 1) : 0;
    *end = text + (unit != NULL);
    return (*text != 'e' && *text != 'E') || decimal_read_uint(text + 1, end, zeros);
}

/* No sign, no white space, whatever the locale. Decimals are taken as far as the unit makes a whole
 * number of them: "1.5k" is 1500, "1.5" is none. */
bool decimal_read_count(const char *text, const char **end, uint64_t *out)
{
    uint64_t x, zeros, decimals = 0;
    const char *s;
    if (!decimal_read_uint(text, &s, &x))
        return false;
    if (*s == '.')
        for (s++; *s >= '0' && *s <= '9'; s++, decimals++)
            if (!add_zeros(&x, 1) || __builtin_add_overflow(x, (uint64_t)(*s - '0'), &x))
                return false;
    if (!read_unit(s, end, &zeros))
        return false;
    for (; decimals > zeros && x % 10 == 0; decimals--)
        x /= 10;
    *out = x;
    return decimals <= zeros && add_zeros(out, zeros - decimals);
}

/* --- a float to digits --------------------------------------------------------------------- */

/* |x| as limbs. Trailing zero bits of the mantissa go first, so that an integer needs no limbs
 * behind the point. */
static void wide_set(wide *w, double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    /* An integer of 53 bits; frexp's fraction times 2^53 is exact. */
    uint64_t mantissa = (uint64_t)ldexp(fraction, DBL_MANT_DIG);
    exponent -= DBL_MANT_DIG;
    const int zeros = mantissa ? __builtin_ctzll(mantissa) : 0;
    mantissa >>= zeros;
    exponent += zeros;
    w->first = WHOLE_LIMBS - 2;
    w->end = WHOLE_LIMBS;
    w->limb[WHOLE_LIMBS - 2] = (uint32_t)(mantissa / BASE);
    w->limb[WHOLE_LIMBS - 1] = (uint32_t)(mantissa % BASE);
    wide_trim(w);
    for (int left = exponent; left > 0; left -= SHIFT_MAX)
        wide_double(w, left < SHIFT_MAX ? left : SHIFT_MAX);
    for (int left = -exponent; left > 0; left -= SHIFT_MAX)
        wide_halve(w, left < SHIFT_MAX ? left : SHIFT_MAX);
}

/* Keeps the form unique: the last digit is not 0, and zero has none. */
static void trim_zeros(decimal *d)
{
    while (d->n && d->digits[d->n - 1] == '0')
        d->n--;
    if (!d->n)
        d->exponent = 0;
}

/* Digits of a limb without leading zeros; 1 for 0. */
static int digit_count(uint32_t x)
{
    int n = 1;
    while (n < BASE_DIGITS && x >= small_powers[n])
        n++;
    return n;
}

/* Whole limbs are written, nine digits each, until `count` is reached: callers round afterwards.
 * Digits that are left out are recorded in `cut`. */
void decimal_of(double x, int count, decimal *d)
{
    wide w;
    wide_set(&w, x);
    d->n = d->exponent = 0;
    int i = w.first;
    for (; i < w.end && d->n < count; i++) {
        const int n = i == w.first ? digit_count(w.limb[i]) : BASE_DIGITS;
        uint32_t rest = w.limb[i];
        WEFT_ASSERT(d->n + n <= (int)sizeof d->digits);
        for (int k = n; k-- > 0; rest /= 10)
            d->digits[d->n + k] = (char)('0' + rest % 10);
        if (i == w.first)
            d->exponent = (WHOLE_LIMBS - 1 - i) * BASE_DIGITS + n - 1;
        d->n += n;
    }
    d->cut = i < w.end;
    if (!d->cut)
        trim_zeros(d);
}

/* Half to even, decided by the first digit that goes, by whether any follows it, and by the digit
 * before it. A run of nines carries: 9.99 to 2 digits is 10. */
void decimal_round(const decimal *d, int count, decimal *out)
{
    WEFT_ASSERT(!d->cut || d->n > count);
    out->n = d->n < count ? d->n : count < 0 ? 0 : count;
    out->exponent = d->exponent;
    out->cut = false;
    memcpy(out->digits, d->digits, (size_t)out->n);
    const char next = count >= 0 && count < d->n ? d->digits[count] : '0';
    const bool more = d->cut || count + 1 < d->n, odd = out->n && (out->digits[out->n - 1] & 1);
    if (next < '5' || (next == '5' && !more && !odd)) {
        trim_zeros(out);
        return;
    }
    /* Nines become zeros, which are dropped; the digit before them grows. */
    while (out->n && out->digits[out->n - 1] == '9')
        out->n--;
    if (out->n) {
        out->digits[out->n - 1]++;
    } else {
        out->digits[out->n++] = '1';
        out->exponent++;
    }
}

static bool reads_back(const decimal *all, int count, double x, decimal *out)
{
    decimal_round(all, count, out);
    return (double)decimal_to_float(out) == x;
}

/* The more digits, the nearer: from some count on all read back, so that it is found by halves. But
 * not for powers of two, from which the next floats above are twice as far as those below. */
void decimal_of_float(double x, decimal *out)
{
    enum { MOST = 9 };
    int exponent, low = 1, high = MOST;
    decimal all;
    decimal_of(x, MOST + 1, &all);
    x = fabs(x);
    if (frexp(x, &exponent) == 0.5) {
        while (low < MOST && !reads_back(&all, low, x, out))
            low++;
    } else {
        while (low < high) {
            const int middle = (low + high) / 2;
            if (reads_back(&all, middle, x, out))
                high = middle;
            else
                low = middle + 1;
        }
    }
    decimal_round(&all, low, out);
}
