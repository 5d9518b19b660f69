/* SPDX-License-Identifier: Apache-2.0 */
/* Releases of warp-lang: which there are, and what each of them does. A context has one (ctx.warp),
 * and every stage follows it:
 *
 *     --warp 1.18   ->   warp_release_named("1.18") == WARP_1_18
 *     warp_has(WARP_1_18, WARP_UNROLLED_CONTINUE) == false
 *
 * Code never compares releases: it asks for a rule by name (warp_rule.def). */
#ifndef WEFT_BASE_WARP_RELEASE_H
#define WEFT_BASE_WARP_RELEASE_H

#include <stdbool.h>
#include <stddef.h>

/* WARP_ANY is what zeroed options hold; it means the default. */
typedef enum warp_release {
    WARP_ANY,
#define RELEASE(id, name, version) WARP_##id,
#include "base/warp_release.def"
#undef RELEASE
    WARP_RELEASES,
    WARP_DEFAULT = WARP_RELEASES - 1
} warp_release;

typedef enum warp_rule {
#define RULE(id, since, what) WARP_##id,
#include "base/warp_rule.def"
#undef RULE
    WARP_RULES
} warp_rule;

/* Does the release follow the rule? */
bool warp_has(warp_release r, warp_rule rule);
/* "1.18.0" of WARP_1_18, as records have it; of WARP_ANY the default's. */
const char *warp_release_version(warp_release r);
/* "1.18" of WARP_1_18, as --warp has it. */
const char *warp_release_name(warp_release r);
/* The release of "1.18" or "1.18.0" (n bytes); WARP_ANY: weft has none of this name. */
warp_release warp_release_named(const char *name, size_t n);

/* The release whose version in records is this, "1.18.0"; WARP_ANY: none. */
warp_release warp_release_of_version(const char *version, size_t n);

#endif
