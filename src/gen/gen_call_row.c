/* SPDX-License-Identifier: Apache-2.0 */
/* The table of calls: the CALL rows of gen_builtin.def, and the types that they are for. gen_call.c
 * writes calls by them, gen_coverage.c counts their types.
 *
 *     CALL(cross, VECTOR, ALL, "0", 18, "3", SUM, 1, NONE, "3 3D")
 *     ->  wp.cross(a, b) of two vectors of length 3, a and b not the same, of a scalar in SC_ALL
 */
#include "gen/gen_call_row.h"

#include "base/assert.h"

const call_row call_rows[CALL_ROW_COUNT] = {
#define CALL(fn, group, bases, lengths, weight, result, rule, add, low, args)                      \
    {FN_##fn, CALL_##group, SC_##bases, lengths, weight, result, CALL_##rule, add, LOW_##low, args},
#include "gen/gen_builtin.def"
};

/* The unsigned type as wide as this one, for builtins that give bits: wp.cast(x, wp.uint32). */
static uint8_t unsigned_of(uint8_t sc)
{
    static const uint8_t of[GS_COUNT] = {
        [GS_I8] = GS_U8,   [GS_U8] = GS_U8,   [GS_I16] = GS_U16, [GS_U16] = GS_U16,
        [GS_I32] = GS_U32, [GS_U32] = GS_U32, [GS_I64] = GS_U64, [GS_U64] = GS_U64,
        [GS_F16] = GS_U16, [GS_F32] = GS_U32, [GS_F64] = GS_U64};
    return of[sc];
}

/* A letter of gen_builtin.def as a type; others than those listed are the scalar itself. */
gtype call_letter_type(char letter, const call_shape *s)
{
    WEFT_ASSERT(s->sc < GS_COUNT);
    switch (letter) {
    case 'v': return gt_vec(s->sc, s->n);
    case 'w': return gt_vec(s->sc, s->m);
    case '2':
    case '3':
    case '4':
    case '6': return gt_vec(s->sc, letter - '0');
    case 'm': return gt_mat(s->sc, s->n, s->n);
    case 'r': return gt_mat(s->sc, s->n, s->m);
    case 'x': return gt_mat(s->sc, s->m, s->n);
    case 'A': return gt_mat(s->sc, 2, 2);
    case 'R':
    case 'B': return gt_mat(s->sc, 3, 3);
    case 'C': return gt_mat(s->sc, 4, 4);
    case 'D': return gt_mat(s->sc, 6, 6);
    case 'q': return gt_quat(s->sc);
    case 't': return gt_xform(s->sc);
    case 'i': return gt_scalar(GS_I32);
    case 'u': return gt_scalar(GS_U32);
    case 'U': return gt_scalar((gen_scalar)unsigned_of(s->sc));
    case 'b': return gt_scalar(GS_BOOL);
    case 'f': return gt_scalar(GS_F32);
    default: return gt_scalar((gen_scalar)s->sc);
    }
}

/* Letters whose argument is text from the row, not an expression. */
bool call_is_text(char letter)
{
    return letter == '=' || letter == '$' || letter == '#';
}

/* Digits are the magnitude, the other characters are flags, in any order. Scalars are never the
 * first argument once more: letter s sets `differs`. */
const char *call_read_arg(const char *p, call_arg *a)
{
    WEFT_ASSERT(*p && *p != ' ');
    *a = (call_arg){.letter = *p, .mag = NO_MAG, .differs = *p == 's'};
    p++;
    if (call_is_text(a->letter)) {
        a->text.p = p;
        while (*p && *p != ' ')
            p++;
        a->text.n = (size_t)(p - a->text.p);
    }
    for (; *p && *p != ' '; p++) {
        if (*p >= '0' && *p <= '9')
            a->mag = (int8_t)((a->mag == NO_MAG ? 0 : 10 * a->mag) + *p - '0');
        else if (*p == '+' || *p == 'z')
            a->low = *p == '+' ? LOW_POS : LOW_ZERO;
        a->unit |= *p == 'u';
        a->apart |= *p == '!';
        a->literal |= *p == 'l';
        a->definite |= *p == 'P';
        a->separate |= *p == 'V';
        a->symmetric |= *p == 'Y';
        a->differs |= *p == 'D';
    }
    return *p ? p + 1 : p;
}

/* Text and conditions have no type of the call, so that wp.where(c, a, b) is counted under the type
 * of a. */
gtype call_named_type(const call_row *row, const call_shape *s)
{
    WEFT_ASSERT(row >= call_rows && row < call_rows + CALL_ROW_COUNT);
    call_arg a;
    for (const char *p = row->args; *p;) {
        p = call_read_arg(p, &a);
        if (!call_is_text(a.letter) && a.letter != 'b')
            return call_letter_type(a.letter, s);
    }
    return call_letter_type(row->result[0], s);
}

/* Rules other than K need something left for the arguments: a sum of bounds 8 powers of two, since
 * it is split among up to three of them, a maximum 2. */
bool call_has_room(const call_row *row, want w)
{
    if (w.low > row->low)
        return false;
    if (row->rule == CALL_K)
        return row->add <= w.mag;
    return w.mag >= row->add + (row->rule == CALL_SUM ? 8 : 2);
}

/* Have the results of such a call room in their type? */
bool call_fits_type(const call_row *row, const call_shape *s)
{
    const gtype result = call_letter_type(row->result[0], s);
    return row->rule == CALL_K || call_has_room(row, want_of(result, mag_limit(result)));
}

/* Is t the type of the row's first argument for some lengths? Tries all of N and M: few, and only
 * when a generator is made. */
static bool row_takes(const call_row *row, gtype t)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    if (!(row->bases >> t.sc & 1))
        return false;
    for (int n = lo; n <= hi; n++)
        for (int m = 2; m <= 4; m++) {
            const call_shape s = {t.sc, (uint8_t)n, (uint8_t)m};
            if (gt_same(type_counted_as(call_named_type(row, &s)), t))
                return call_fits_type(row, &s);
        }
    return false;
}

/* Some dozens of rows have the same builtin at most; a scan over all is fast enough for what
 * targets need. */
bool calls_with(gen_fn fn, gtype t)
{
    WEFT_ASSERT(fn < FN_COUNT);
    for (uint32_t i = 0; i < CALL_ROW_COUNT; i++)
        if (call_rows[i].fn == fn && row_takes(&call_rows[i], t))
            return true;
    return false;
}

void calls_types(gen_fn fn, uint64_t of[TYPE_WORDS])
{
    WEFT_ASSERT(fn < FN_COUNT);
    for (uint32_t i = 0; i < CALL_ROW_COUNT; i++)
        for (uint32_t k = 0; call_rows[i].fn == fn && k < TYPE_COUNT; k++)
            if (row_takes(&call_rows[i], type_at(k)))
                of[k >> 6] |= UINT64_C(1) << (k & 63);
}
