/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of releases and rules, expanded from warp_release.def and warp_rule.def. */
#include "base/warp_release.h"

#include <string.h>

#include "base/assert.h"
#include "base/version.h"

static const struct {
    const char *name, *version;
} releases[] = {
#define RELEASE(id, name, version) [WARP_##id] = {name, version},
#include "base/warp_release.def"
#undef RELEASE
};

/* The release from which on each rule holds. */
static const warp_release since[] = {
#define RULE(id, first, what) [WARP_##id] = WARP_##first,
#include "base/warp_rule.def"
#undef RULE
};

bool warp_has(warp_release r, warp_rule rule)
{
    WEFT_ASSERT(r != WARP_ANY && r < WARP_RELEASES && rule < WARP_RULES);
    return r >= since[rule];
}

const char *warp_release_version(warp_release r)
{
    WEFT_ASSERT(r < WARP_RELEASES);
    return r == WARP_ANY ? WARP_VERSION : releases[r].version;
}

const char *warp_release_name(warp_release r)
{
    WEFT_ASSERT(r < WARP_RELEASES);
    return releases[r == WARP_ANY ? WARP_DEFAULT : r].name;
}

static bool is_text(const char *ours, const char *name, size_t n)
{
    return strlen(ours) == n && memcmp(ours, name, n) == 0;
}

warp_release warp_release_named(const char *name, size_t n)
{
    for (int r = WARP_ANY + 1; r < WARP_RELEASES; r++)
        if (is_text(releases[r].name, name, n) || is_text(releases[r].version, name, n))
            return (warp_release)r;
    return WARP_ANY;
}

warp_release warp_release_of_version(const char *version, size_t n)
{
    for (int r = WARP_ANY + 1; r < WARP_RELEASES; r++)
        if (is_text(releases[r].version, version, n))
            return (warp_release)r;
    return WARP_ANY;
}
