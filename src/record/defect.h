/* SPDX-License-Identifier: Apache-2.0 */
/* The ways in which a kernel can be broken, as people break them by mistake: the subject of repair
 * pairs (generate --task repair). make/ breaks a kernel and accepts the result only if the
 * diagnostic is one that shows the defect; records name the defect, and validate/ reads it back. */
#ifndef WEFT_RECORD_DEFECT_H
#define WEFT_RECORD_DEFECT_H

#include "base/str.h"

typedef enum defect_kind {
#define DEFECT(ID, name, shown, what) DEFECT_##ID,
#include "record/defect.def"
#undef DEFECT
    DEFECTS
} defect_kind;

/* "out-of-bounds", as records have it. */
const char *defect_name(defect_kind k);
/* "an index goes beyond the end of its array", for conversations. */
const char *defect_what(defect_kind k);
/* False: no defect has this name. */
bool defect_find(str name, defect_kind *k);
/* Does a diagnostic with this id show the defect? "run" and "order" stand for errors of execution,
 * which have no diagnostic. */
bool defect_shown_by(defect_kind k, const char *id);

#endif
