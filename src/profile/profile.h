/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: how many of some kernels have each feature, and how their numbers are spread. Measured
 * by `weft stats --profile`, followed by `weft generate --profile`.
 *
 *     {"schema": "weft-profile-1", "kernels": 200,
 *      "features": {"gather": 90, ...}, "numbers": {"lines": {"3": 2, "4": 11, ...}, ...}}
 *
 * A profile has figures alone, and no text of the kernels. */
#ifndef WEFT_PROFILE_PROFILE_H
#define WEFT_PROFILE_PROFILE_H

#include "base/json_tree.h"
#include "base/rng.h"
#include "profile/profile_kernel.h"

enum { PROFILE_STEPS = 20 };
#define PROFILE_UNKNOWN UINT64_MAX /* a count that a profile does not have */

typedef struct profile {
    uint64_t kernels; /* 0: nothing is known */
    uint64_t features[PROFILE_FEATURES];
    uint64_t numbers[PROFILE_NUMBERS][PROFILE_STEPS]; /* by the steps of profile.c */
} profile;

/* What a sample is asked to be like. */
typedef struct profile_wish {
    uint64_t wanted, known; /* features; those outside of `known` do not matter */
    uint8_t lines;          /* the step of its lines; PROFILE_STEPS: any */
    /* What a run's options insist on: levels of difficulty, a bit each, and lines. 0: any. */
    uint8_t levels, least, most;
} profile_wish;

/* The largest number of a step; UINT32_MAX of the last one. */
uint32_t profile_step_end(uint32_t step);

void profile_add(profile *p, const profile_facts *f);
/* What generated kernels follow if nobody says otherwise: measured on the library and the examples
 * of warp-lang and on packages that are built on it. */
const profile *profile_default(void);
/* Appends the profile as JSON. */
void profile_put_json(strbuf *b, const profile *p);
void profile_put_table(strbuf *b, const profile *p);
/* Reads what profile_put_json wrote; what it lacks is unknown. False, with the reason in why. */
bool profile_read(const json_value *json, profile *p, strbuf *why);

/* Draws what a sample is to be like: each feature by its share, and lines. */
profile_wish profile_draw(const profile *p, uint64_t seed, uint64_t index);
/* Insists on lines, from least to most; 0: any. */
void profile_limit_lines(profile_wish *w, uint32_t least, uint32_t most);
/* The profile as one word, as far as profile_draw needs it, and back; false: it is no such word. */
void profile_put_text(strbuf *b, const profile *p);
bool profile_is_text(str text);
bool profile_read_text(str text, profile *p);
/* "19 level=2 level=3 most=30 gather guard": the end of the step of lines ("any", "more"), what is
 * insisted on, and the wanted features; behind "any", in the end, those that do not matter. Reads
 * it back; false: it is no such text. */
void profile_put_wish(strbuf *b, const profile_wish *w);
bool profile_read_wish(str text, profile_wish *w);
/* How far features are from the wanted ones, of those in `looked_at`; how far a kernel is from a
 * wish, lines included. 0: it has all of it. */
uint32_t profile_difference(const profile_wish *w, uint64_t features, uint64_t looked_at);
uint32_t profile_distance(const profile_wish *w, const profile_facts *f);

#endif
