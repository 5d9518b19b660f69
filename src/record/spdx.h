/* SPDX-License-Identifier: Apache-2.0 */
/* Licence expressions as SPDX defines them: ids, "+", WITH, AND, OR and parentheses, of which WITH
 * binds most and OR least.
 *
 *     spdx_read(a, "mit or GPL-3.0-only")   ->   "MIT OR GPL-3.0-only"
 *     that with the ids "mit,isc"           ->   allowed: one may choose MIT */
#ifndef WEFT_RECORD_SPDX_H
#define WEFT_RECORD_SPDX_H

#include "base/arena.h"
#include "base/str.h"

/* The expression with ids as the list spells them and single spaces; empty: it is none, or is not
 * known: of A AND B both have to be, of A OR B one. In a. LicenseRef- is a licence of somebody's
 * own, and is not known. */
str spdx_read(arena *a, str text);
/* Does the expression allow what one of the ids "mit,apache-2.0" does? Case does not matter, nor do
 * -only, -or-later and "+". An exception allows more than its licence alone. */
bool spdx_is_listed(str expression, const char *list);
/* The first id of such a list that no licence has; empty: there is none. *near: the id that was
 * meant, in small letters, or empty; in a. */
str spdx_unknown_id(arena *a, const char *list, str *near);
/* "A AND B", with parentheses around parts that are a choice; parts that stand twice once. In a. */
str spdx_join(arena *a, str x, str y);

#endif
