/* The ways in which a kernel can be broken, as people break them by mistake. */
#ifndef WEFT_RECORD_DEFECT_H
#define WEFT_RECORD_DEFECT_H

#include "base/str.h"

typedef enum defect_kind {
#define DEFECT(ID, name, shown, what) DEFECT_##ID,
#include "record/defect.def"
#undef DEFECT
    DEFECTS
} defect_kind;

const char *defect_name(defect_kind k);
/* "an index goes beyond the end of its array" */
const char *defect_what(defect_kind k);
bool defect_find(str name, defect_kind *k);
/* Is this diagnostic's id one that shows the defect? */
bool defect_shown_by(defect_kind k, const char *id);

#endif
