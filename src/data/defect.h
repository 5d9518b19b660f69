/* Breaking a kernel in one known way: an edit of its source, as people make it by mistake. What an
 * edit leads to is for repair.h to verify. */
#ifndef WEFT_DATA_DEFECT_H
#define WEFT_DATA_DEFECT_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"

typedef enum defect_kind {
#define DEFECT(ID, name, shown, what) DEFECT_##ID,
#include "data/defect.def"
#undef DEFECT
    DEFECTS
} defect_kind;

const char *defect_name(defect_kind k);
/* "an index goes beyond the end of its array" */
const char *defect_what(defect_kind k);
bool defect_find(str name, defect_kind *k);
/* Is this diagnostic's id one that shows the defect? */
bool defect_shown_by(defect_kind k, const char *id);

/* Appends a broken version of the source, which has one kernel, at the place that is drawn; false:
 * there is no place for such an edit. Works in a. */
bool defect_plant(arena *a, defect_kind k, str source, rng *r, strbuf *out);

#endif
