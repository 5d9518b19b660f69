/* SPDX-License-Identifier: Apache-2.0 */
/* Does a licence file say more than the licence that it is recognised as? */
#ifndef WEFT_COLLECT_LICENSE_TEXT_H
#define WEFT_COLLECT_LICENSE_TEXT_H

#include "base/arena.h"
#include "base/str.h"

/* MIT's text with "but the right to sell is not granted" behind it is MIT's no more. What the texts
 * of license_text.def explain does not count, nor do titles and names. */
bool license_text_has_more(arena *a, str text);

#endif
