/* The structure of a kernel whose record does not say it, or not enough: from its source. */
#ifndef WEFT_SIMILAR_SOURCE_STRUCTURE_H
#define WEFT_SIMILAR_SOURCE_STRUCTURE_H

#include "driver/pipeline.h"
#include "similar/json_python.h"
#include "similar/structure.h"

typedef struct structure_finder {
    bool ready; /* the rest is there: it is made when it is first needed */
    pipeline p;
    structurer *structurer;
    json_python json;
    str text; /* in work */
    structure found;
    bool good;
} structure_finder;

/* False: memory ran out. *found tells whether the text has one kernel; its tokens last until the
 * next call. Needs: storage that is zeroed, or was used here before. */
bool structure_find(structure_finder *f, str text, bool *found, structure *out);
/* The same for a record of any kind: its python_source, or else the last source in it, which in a
 * conversation about a broken kernel is the right one. */
bool structure_find_record(structure_finder *f, str record, bool *found, structure *out);
void structure_finder_clear(structure_finder *f);

#endif
